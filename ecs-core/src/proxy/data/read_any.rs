//! Reading a component of any entity.

use core::any::type_name;
use core::ops::Index;

use crate::entity::{Handles, Locate};
use crate::signature::HasComponent;
use crate::state::opaque_debug;
use crate::storage::{Storage, ValueTable};
use crate::types::{for_each_prefetched, prefetch};

/// The component `C` of every entity, to read (`read_any: [C]`).
///
/// There are no writes to `C` while the system runs.
pub struct ReadAny<'w, D: HasComponent<C>, C> {
    handles: Handles<'w>,
    places: ValueTable<'w, D, C>,
}

impl<D: HasComponent<C>, C> Clone for ReadAny<'_, D, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: HasComponent<C>, C> Copy for ReadAny<'_, D, C> {}

opaque_debug! { [D: HasComponent<C>, C] ReadAny<'_, D, C>: |_| component = type_name::<C>() }

/// `positions[entity]`: as [`get`](ReadAny::get), for an entity that is known to be there.
///
/// ```
/// # use ecs_core::{Entity, World, world};
/// # struct Position(f32);
/// # struct Target(Entity);
/// # world! {
/// #     world Chase;
/// #     component Position, Target;
/// #     resource Reached;
/// #     system Look { read: [Target], read_any: [Position], write_resources: [Reached], run: look }
/// # }
/// # #[derive(Default)]
/// # struct Reached(f32);
/// # fn look(data: &mut ecs_core::Data<'_, Chase, Look>) {
/// #     let mut last = 0.0;
/// data.own.for_entities(|e| {
///     let positions = data.effects.read_any::<Position>();
///     last = positions[e.target.0].0;
/// });
/// #     data.resources.get_mut::<Reached>().0 = last;
/// # }
/// # let mut world = World::<Chase>::new();
/// # let target = world.spawn((Position(3.0),));
/// # world.spawn((Target(target),));
/// # world.tick().unwrap();
/// # assert_eq!(world.resource::<Reached>().0, 3.0);
/// ```
///
/// # Panics
/// If the entity is not alive or has no `C`, with the component's name.
impl<D: HasComponent<C>, C: 'static, L: Locate> Index<L> for ReadAny<'_, D, C> {
    type Output = C;

    #[inline]
    #[track_caller]
    fn index(&self, entity: L) -> &C {
        self.get(entity).unwrap_or_else(|| missing(D::COMPONENTS[D::INDEX].name()))
    }
}

#[cold]
#[track_caller]
fn missing(component: &str) -> ! {
    panic!(
        "`{component}` is read of an entity that is not alive or has none; take `get` in place of `[..]` where that may be"
    )
}

impl<'w, D: HasComponent<C>, C: 'static> ReadAny<'w, D, C> {
    pub(crate) fn new(storage: &'w Storage) -> Self {
        Self { handles: storage.entities.handles(), places: storage.places() }
    }

    /// The entity's `C`; `None` if the entity is not alive or has none. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, entity: impl Locate) -> Option<&'w C> {
        let value = self.places.find(entity, self.handles)?;
        // SAFETY: `value` points to a live `C` of the storage that `new` has borrowed for `'w`, through which
        // only subtasks write; and there are no writes to `C` while this system runs.
        Some(unsafe { &*value })
    }

    /// Calls `f` with each of these entities, in order, and its `C`. Entities that are not alive or have no `C`
    /// are skipped.
    ///
    /// For more entities in scattered rows than the caches hold, this is faster than separate calls of
    /// [`get`](Self::get), because the next entities are prefetched; for fewer it is slower. Some more entities
    /// are drawn from the iterator before the first call of `f`. O(entities).
    ///
    /// # Panics
    /// If the iterator panics. `f` is then not called for entities that were drawn for prefetching.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// struct Mass(u32);
    /// struct Members(Vec<Entity>);
    /// struct Weight(u32);
    ///
    /// world! {
    ///     world Sky;
    ///     component Mass, Members, Weight;
    ///     system Weigh {
    ///         read_any: [Mass],
    ///         read: [Members],
    ///         write: [Weight],
    ///         run: |data| {
    ///             let (own, effects) = (&mut data.own, &mut data.effects);
    ///             let masses = effects.read_any::<Mass>();
    ///             own.for_entities(|cluster| {
    ///                 let mut sum = 0;
    ///                 masses.for_each_of(cluster.members.0.iter().copied(), |_, mass| sum += mass.0);
    ///                 cluster.weight.0 = sum;
    ///             });
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Sky>::new();
    /// let stars = world.spawn_batch((1..=100).map(|n| (Mass(n),)));
    /// let cluster = world.spawn((Members(stars), Weight(0)));
    /// world.tick().unwrap();
    /// assert_eq!(world.get::<Weight>(cluster).unwrap().0, 5050);
    /// ```
    #[doc(alias = "iter_many")]
    #[inline]
    pub fn for_each_of<L: Locate>(
        &self,
        entities: impl IntoIterator<Item = L>,
        mut f: impl FnMut(L, &'w C),
    ) {
        let find = |entity: L| {
            let value = self.places.find(entity, self.handles)?;
            prefetch(value);
            Some(value)
        };
        let announce = |entity: L| entity.announce(self.handles);
        for_each_prefetched(entities.into_iter(), announce, find, |entity, value| {
            // SAFETY: as in `get`; nothing has changed since the value was found.
            f(entity, unsafe { &*value });
        });
    }
}
