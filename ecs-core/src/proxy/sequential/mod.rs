//! The current state of the world: what a sequential system sees and changes with immediate effect (Core ECS,
//! 3.5 and 3.6: seq).

mod found;
mod pair;
mod pairs;
mod recheck;

use core::ops::{Deref, DerefMut};

pub use found::Match;
pub use pair::Pair;
use recheck::{Recheck, current, fetch};

use super::effects::{assert_changes, assert_declares, assert_reads_any};
use crate::entity::{Entity, Locate, Spawned};
use crate::parallel::PanicSlot;
use crate::proxy::data::resources::{assert_reads_resource, assert_writes_resource};
use crate::proxy::query::QueryFor;
use crate::proxy::{ReadAny, query};
use crate::rows::PAGE_ROWS;
use crate::signature::access::{
    Despawns, InsertedBy, IsSequential, ReadsAny, ReadsResource, Removes, SpawnedBy, WritesResource,
};
use crate::signature::tables::removed;
use crate::signature::{
    Data, Declaration, Effects, HasComponent, HasResource, Item, SystemName, spawn_order,
    undeclared,
};
use crate::state::Subscription;
use crate::storage::Storage;

/// The current state of the world, for the sequential system `N`. Changes take effect immediately.
///
/// The system runs alone, so no change has to wait: after [`despawn`](Self::despawn) the entity is no longer
/// alive, after [`insert`](Self::insert) or [`remove`](Self::remove) the component is present or absent, and
/// [`spawn`](Self::spawn) returns a handle. Borrows from here, such as components of an entity, must end before
/// the next change; the compiler enforces it.
///
/// It accesses every entity that has *now* what the system requires, including entities that the system is not
/// subscribed to and newly spawned ones (for an `opt_in` system, only subscribed entities). It also accesses the
/// members of its queries, in [pairs](Self::roll_pairs) with own entities, or [alone](Self::members). The rows
/// and indices of despawned entities are not reused before the refresh, so they count for a fixed limit until
/// then.
///
/// Changes made here are permanent: a later panic, in the body or anywhere in the step, undoes none of them.
///
/// It dereferences to [`Effects`], for inputs and the output. Staging there is not for sequential
/// systems, and does not compile.
///
/// It is a self-contained value. So two of them, even of different worlds, can be swapped: each continues with
/// the world that it came from.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Size(u32);
/// world! {
///     world Sea;
///     component Size;
///     system Merge {
///         sequential,
///         write: [Size],
///         despawn,
///         run: |data| {
///             let mut now = data.now();
///             let total = now.query::<&Size>().map(|size| size.0).sum();
///             let fish: Vec<_> = now.query::<ecs_core::Entity>().collect();
///             let [first, rest @ ..] = &fish[..] else { return };
///             now.get_mut::<&mut Size>(*first).unwrap().0 = total;
///             for &other in rest {
///                 now.despawn(other);
///             }
///         },
///     }
/// }
/// let mut world = World::<Sea>::new();
/// let fish = world.spawn_batch([1, 2, 3].map(|n| (Size(n),)));
/// world.tick()?;
/// assert_eq!((world.get::<Size>(fish[0]).unwrap().0, world.entity_count()), (6, 1));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Now<'a, D: Declaration, N: SystemName<D>> {
    effects: Effects<'a, D, N>,
}

impl<D: Declaration, N: SystemName<D>> Data<'_, D, N> {
    /// The current state of the world, to read and to change with immediate effect, for a system that declares
    /// `sequential`.
    pub fn now(&mut self) -> Now<'_, D, N>
    where
        N: IsSequential<D>,
    {
        const {
            if !D::SYSTEMS[N::INDEX].declared.sequential {
                undeclared::<D, N>("do what needs", "sequential");
            }
        };
        // SAFETY: the constant above asserts that the system is sequential.
        unsafe { Now::of(&mut self.effects) }
    }

    /// Calls `f` with each entity of the system, in its current state: [`Now::roll`], for a system that
    /// declares `sequential`.
    ///
    /// ```
    /// # use ecs_core::{Data, World, world};
    /// # struct Size(u32);
    /// world! {
    ///     world Sea;
    ///     component Size;
    ///     system Eat { sequential, write: [Size], despawn, run: eat }
    /// }
    ///
    /// /// Each fish eats the largest one that is smaller than itself, and grows.
    /// fn eat(data: &mut Data<'_, Sea, Eat>) {
    ///     data.roll(|mut fish| {
    ///         let (entity, size) = (fish.entity(), fish.entry().size.0);
    ///         let mut now = fish.now();
    ///         let smaller = now.query::<(ecs_core::Entity, &Size)>().filter(|(_, s)| s.0 < size);
    ///         let prey = smaller.max_by_key(|(_, s)| s.0).map(|(prey, s)| (prey, s.0));
    ///         let Some((prey, gain)) = prey else { return };
    ///         now.despawn(prey);
    ///         now.get_mut::<&mut Size>(entity).unwrap().0 += gain;
    ///     });
    /// }
    /// # let mut world = World::<Sea>::new();
    /// # world.spawn_batch([3, 1, 2].map(|n| (Size(n),)));
    /// world.tick().unwrap();
    /// // 3 has eaten 2, and 1 has eaten none. 2 was despawned, so it is not visited.
    /// # let mut left = Vec::new();
    /// # world.iter::<&Size>().for_each(|size| left.push(size.0));
    /// # assert_eq!(left, [5, 1]);
    /// ```
    pub fn roll(&mut self, f: impl FnMut(Match<'_, D, N>))
    where
        N: IsSequential<D>,
    {
        self.now().roll(f);
    }
}

impl<'a, D: Declaration, N: SystemName<D>> Now<'a, D, N> {
    /// The view of the subtask with these effects.
    ///
    /// # Safety
    /// The table must call the system sequential.
    unsafe fn of(effects: &'a mut Effects<'_, D, N>) -> Self {
        let Effects { core, output, work, subtask, .. } = effects;
        let (core, subtask) = (*core, *subtask);
        let (output, work) = (&mut **output, &mut **work);
        Self { effects: Effects { core, output, work, subtask, round: None, received: None } }
    }

    /// The same view, for a shorter lifetime.
    fn reborrow(&mut self) -> Now<'_, D, N> {
        // SAFETY: the system is sequential, as it has a `Now`.
        unsafe { Now::of(&mut self.effects) }
    }

    /// Calls `f` with each entity that the system was subscribed to when it began, in ascending order of rows,
    /// if it still matches: alive, with everything that the system requires and nothing that it excludes.
    /// Entities that no longer match are skipped. Entities that match only since then are not visited.
    ///
    /// This is the paper's *roll* (3.5). O(entities), plus, for each block of 64 rows that follows a change of
    /// component presence, the number of components that the system requires and excludes.
    pub fn roll(&mut self, mut f: impl FnMut(Match<'_, D, N>)) {
        let Subscription { set, demands, .. } = self.subscription();
        let mut recheck = Recheck::new(demands);
        for page in set.pages(set.whole()) {
            for &offset in page.offsets() {
                let row = page.index * PAGE_ROWS + usize::from(offset);
                if recheck.matches(self.storage(), self.changes(), row) {
                    // SAFETY: the row is one of the subscription in the world of `self`, and matches now.
                    f(unsafe { Match::new(self.reborrow(), row) });
                }
            }
        }
    }

    /// The entities that the system was subscribed to when it began and that still match, with chosen
    /// components, in ascending order of rows. O(entities).
    pub fn query<Q: QueryFor<D, N>>(&mut self) -> impl Iterator<Item = Item<'_, Q, D>> {
        const { query::assert_rights::<D, N, Q>() };
        // SAFETY: the system requires what `Q` does, by the constant above, and the iterator has borrowed `self`.
        unsafe { current::<D, Q>(self.storage(), self.subscription()) }
    }

    /// Whether the entity is alive.
    #[must_use]
    pub fn is_alive(&self, entity: impl Locate) -> bool {
        entity.living_row(&self.storage().entities).is_some()
    }

    /// Whether the system can access the entity: it is alive, with everything that the system requires and
    /// nothing that it excludes. O(components that the system requires or excludes).
    #[must_use]
    pub fn matches(&self, entity: impl Locate) -> bool {
        self.matching_row(entity).is_some()
    }

    /// Chosen components of any entity that the system can [access](Self::matches) now.
    #[inline]
    pub fn get_mut<Q: QueryFor<D, N>>(&mut self, entity: impl Locate) -> Option<Item<'_, Q, D>> {
        const { query::assert_rights::<D, N, Q>() };
        let row = self.matching_row(entity)?;
        // SAFETY: the row matches, and the item has borrowed `self`.
        Some(unsafe { fetch::<D, Q>(self.storage(), row) })
    }

    /// Chosen components of two entities at once; `None` also if they are the same entity.
    #[inline]
    pub fn pair_mut<Q: QueryFor<D, N>>(
        &mut self,
        first: impl Locate,
        second: impl Locate,
    ) -> Option<(Item<'_, Q, D>, Item<'_, Q, D>)> {
        const { query::assert_rights::<D, N, Q>() };
        let (a, b) = (self.matching_row(first)?, self.matching_row(second)?);
        if a == b {
            return None;
        }
        let storage = self.storage();
        // SAFETY: the row matches; the items have borrowed `self`, and are of different rows.
        let one = unsafe { fetch::<D, Q>(storage, a) };
        // SAFETY: as above.
        let other = unsafe { fetch::<D, Q>(storage, b) };
        Some((one, other))
    }

    /// The component `C` of any entity, to read (`read_any: [C]`).
    #[must_use]
    pub fn read_any<C: 'static>(&self) -> ReadAny<'_, D, C>
    where
        D: HasComponent<C>,
        N: ReadsAny<C, D>,
    {
        const { assert_reads_any::<D, N, C>() };
        ReadAny::new(self.storage())
    }

    /// Despawns the entity: its handle becomes invalid, and its components are dropped. If the entity is not
    /// alive, nothing happens. O(components declared).
    ///
    /// # Panics
    /// With the first panic of a component's destructor, after all are dropped.
    pub fn despawn(&mut self, entity: impl Locate)
    where
        N: Despawns<D>,
    {
        const { assert_declares::<D, N>(D::SYSTEMS[N::INDEX].declared.despawn, "despawn") };
        let Some(row) = entity.living_row(&self.storage().entities) else { return };
        let panics = PanicSlot::new();
        self.storage_mut().despawn(row, &panics);
        if let Some(failure) = panics.take() {
            failure.resume();
        }
    }

    /// Creates an entity with the components of `bundle`. Other systems are subscribed to it at the refresh.
    /// Amortized O(components).
    ///
    /// If the world has no room for it, counting entities despawned since the last refresh, the bundle is dropped, the
    /// handle is of no entity, now or ever, and the step reports it ([`StepError::LimitReached`](crate::StepError)).
    ///
    /// # Panics
    /// With the panic of a custom bundle. Then the entity exists with the components that were written until
    /// then.
    pub fn spawn<B: SpawnedBy<N, D>>(&mut self, bundle: B) -> Entity {
        const { spawn_order::<D, N, B>() };
        let storage = self.storage_mut();
        storage.spawn_by::<N, D, B>(bundle).unwrap_or_else(|full| {
            storage.entities.lost = storage.entities.lost.saturating_add(full.lost);
            Entity::NEVER
        })
    }

    /// Creates an entity with the components of each bundle, in order: all of them, or none. See
    /// [`Defer::spawn_batch`](crate::Defer::spawn_batch).
    ///
    /// If the world has no room for all of them, no entity is spawned, and the step reports it, as for
    /// [`spawn`](Self::spawn).
    ///
    /// # Panics
    /// With the panic of the iterator, of a custom bundle, or of a destructor if there is no room. Then no
    /// entity is spawned either.
    pub fn spawn_batch<B: SpawnedBy<N, D>>(
        &mut self,
        bundles: impl IntoIterator<Item = B>,
    ) -> Spawned<'_> {
        const { spawn_order::<D, N, B>() };
        let storage = self.storage_mut();
        match storage.spawn_batch_by::<N, D, B>(bundles.into_iter()) {
            Ok(()) => storage.spawned(),
            Err(full) => {
                storage.entities.lost = storage.entities.lost.saturating_add(full.lost);
                Spawned::default()
            }
        }
    }

    /// How many more entities can be spawned before the limit of the world is reached. Entities despawned since the
    /// last refresh count. O(1).
    #[must_use]
    pub fn remaining_capacity(&self) -> usize {
        self.storage().entities.room()
    }

    /// Inserts the component, and returns the one that the entity had, if any. If the entity is not alive, the
    /// component is dropped. Other systems that match the entity because of it are subscribed at the refresh.
    /// Amortized O(1).
    pub fn insert<C: InsertedBy<N, D>>(&mut self, entity: impl Locate, component: C) -> Option<C> {
        const { assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.insert, C::INDEX, "insert") };
        let row = entity.living_row(&self.storage().entities)?;
        component.put(row, self.storage_mut())
    }

    /// Inserts a component into each entity, in order. Returns the number of entities that were alive. Like
    /// [`Defer::insert_batch`](crate::Defer::insert_batch), which has an example, it is faster than separate
    /// calls of [`insert`](Self::insert), with the same effect; old components are dropped. Amortized
    /// O(entities).
    ///
    /// # Panics
    /// With the panic of the iterator or of a component's destructor. The entities before have their components
    /// by then.
    pub fn insert_batch<C: InsertedBy<N, D>>(
        &mut self,
        components: impl IntoIterator<Item = (impl Locate, C)>,
    ) -> usize {
        const { assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.insert, C::INDEX, "insert") };
        C::put_batch(components.into_iter(), self.storage_mut())
    }

    /// Removes the component `C` from the entity and returns it, if the entity has one. O(1).
    ///
    /// It does not compile for a component whose last value is for systems that name it in `removed`
    /// ([ECS0127](crate::errors::ecs0127)): [`remove_batch`](Self::remove_batch) leaves it to them.
    pub fn remove<C: 'static>(&mut self, entity: impl Locate) -> Option<C>
    where
        D: HasComponent<C>,
        N: Removes<C, D>,
    {
        const {
            let index = <D as HasComponent<C>>::INDEX;
            assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.remove, index, "remove");
            removed::assert_unread::<D, C>(["remove_batch::<", ">([entity])"]);
        };
        let row = entity.living_row(&self.storage().entities)?;
        self.storage_mut().remove::<D, C>(row)
    }

    /// Removes the component `C` from each of the entities, in order, and drops it. Returns the number of
    /// entities that had one. See [`Defer::remove_batch`](crate::Defer::remove_batch). O(entities).
    ///
    /// # Panics
    /// With the panic of the iterator or of a component's destructor. The components of the entities before are
    /// removed by then.
    pub fn remove_batch<C: 'static>(
        &mut self,
        entities: impl IntoIterator<Item = impl Locate>,
    ) -> usize
    where
        D: HasComponent<C>,
        N: Removes<C, D>,
    {
        const {
            let index = <D as HasComponent<C>>::INDEX;
            assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.remove, index, "remove");
        };
        self.storage_mut().remove_batch::<D, C, _>(entities.into_iter())
    }

    /// The resource `R`, to read.
    #[must_use]
    pub fn resource<R: 'static>(&self) -> &'a R
    where
        D: HasResource<R>,
        N: ReadsResource<R, D>,
    {
        const { assert_reads_resource::<D, N, R>() };
        self.effects.core.resources.get::<D, R>()
    }

    /// The resource `R`, to write (and to read).
    #[must_use]
    pub fn resource_mut<R: 'static>(&mut self) -> &mut R
    where
        D: HasResource<R>,
        N: WritesResource<R, D>,
    {
        const { assert_writes_resource::<D, N, R>() };
        // SAFETY: `as_ptr` asserts the type. The table says that `N` writes `R`, and the system runs alone. As in
        // `storage_mut`, the subtask's `Data`, with its `Resources`, is borrowed for `'a`, and what comes from a `Now`
        // of it is borrowed from `self`; `resource` does not return what `N` writes.
        unsafe { &mut *self.effects.core.resources.as_ptr::<D, R>() }
    }

    fn subscription(&self) -> &'a Subscription {
        &self.effects.core.subscriptions[N::INDEX]
    }

    fn storage(&self) -> &Storage {
        &self.effects.core.storage
    }

    /// The number of changes of component presence by the subtask.
    fn changes(&self) -> u64 {
        self.effects.work.changes
    }

    /// The storage, for a change of component presence.
    fn storage_mut(&mut self) -> &mut Storage {
        self.effects.work.changes += 1;
        // SAFETY: these effects are those of a subtask of a sequential system, whose `Data` is borrowed for
        // `'a`: the caller of `of` has promised it, and effects of two `Now`s can be swapped as a whole only.
        // `Data::now` has asserted that the table calls the system sequential, and a `Data` exists only for a
        // system that is its own entry. So it is the only system of its phase (`Phased::new` asserts it), it
        // has one subtask, and nothing else accesses the storage until the phase is over. References from the
        // `Data` are borrowed from it: `Effects::read_any`, whose result outlasts the borrow, is not for
        // sequential systems. References from this `Now`, including another `Now` in a match, are borrowed from
        // it, and `self` is borrowed exclusively.
        unsafe { self.effects.core.storage.lend() }
    }

    /// The row of an entity that the system can access.
    fn matching_row(&self, entity: impl Locate) -> Option<usize> {
        let Subscription { set, demands, opt_in, .. } = self.subscription();
        let row = entity.living_row(&self.storage().entities)?;
        let subscribed = !opt_in || set.contains(row);
        (subscribed && Recheck::new(demands).matches(self.storage(), 0, row)).then_some(row)
    }
}

impl<'a, D: Declaration, N: SystemName<D>> Deref for Now<'a, D, N> {
    type Target = Effects<'a, D, N>;

    fn deref(&self) -> &Self::Target {
        &self.effects
    }
}

impl<D: Declaration, N: SystemName<D>> DerefMut for Now<'_, D, N> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.effects
    }
}
