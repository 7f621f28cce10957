//! The defer proxy: critical operations at the refresh (thesis, 11.1.1).

use core::fmt;

use crate::entity::{Entity, LimitReached, Spawned};
use crate::proxy::effects::assert_whole;
use crate::signature::tables::removed;
use crate::signature::{Bundle, Declaration, HasComponent, HasResource, SystemName, key_of};
use crate::state::{Defer, Outputs};

/// The entity is not alive: it has been despawned, or is of another world.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Debug)]
/// # struct Fuel(u32);
/// # world! { world Rockets; component Fuel; }
/// let mut world = World::<Rockets>::new();
/// let rocket = world.spawn(());
/// world.despawn(rocket);
/// let error = world.insert(rocket, Fuel(3)).unwrap_err();
/// assert_eq!(error.entity, rocket);
/// assert!(error.to_string().starts_with("`Fuel` cannot be inserted into the entity 0v1, which is not alive"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NoSuchEntity {
    /// The handle that was used.
    pub entity: Entity,
    /// The name of the component or of the system, and what was to be done with it.
    /// Behind a reference, so that results are small.
    pub(crate) cause: &'static (&'static str, &'static str),
}

impl fmt::Display for NoSuchEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, cause: (name, deed) } = self;
        write!(
            f,
            "`{name}` cannot be {deed} the entity {entity:?}, which is not alive; test `is_alive` first"
        )
    }
}

/// The same as `Display`, so that the panic of `unwrap` says what was not done.
impl fmt::Debug for NoSuchEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for NoSuchEntity {}

impl<D: Declaration> Defer<'_, D> {
    /// Creates an entity with the components of `bundle`, which is none for `()`. Amortized O(components).
    ///
    /// If the world has no room for it, the bundle is dropped, the handle is of no entity, now or ever, and the step
    /// reports it ([`StepError::LimitReached`](crate::StepError)). So a step that succeeds has spawned every entity,
    /// and the code is the same under every limit. [`remaining_capacity`](Self::remaining_capacity) says what fits.
    ///
    /// ```
    /// # use ecs_core::{StepError, World, world};
    /// # struct Position(f32);
    /// world! {
    ///     world Line { entity_limit: fixed(1) }
    ///     component Position;
    /// }
    ///
    /// let mut world = World::<Line>::new();
    /// let disc = world.step(|step| step.spawn((Position(1.0),)))?;
    /// assert!(world.is_alive(disc));
    /// let second = world.step(|step| step.spawn((Position(2.0),)));
    /// assert_eq!(second, Err(StepError::LimitReached { limit: 1, lost: 1 }));
    /// # Ok::<_, StepError>(())
    /// ```
    ///
    /// # Panics
    /// With the panic of a custom bundle or of a storage strategy, or if the system refuses the memory for a component. The
    /// entity then exists, with the components that were put before, or not at all.
    #[doc(alias = "create_entity")]
    #[inline]
    pub fn spawn<B: Bundle<D>>(&mut self, bundle: B) -> Entity {
        // Here, so that the compiler names the caller of this function.
        let _ = const { key_of::<D, B>() };
        self.try_spawn(bundle).unwrap_or_else(|full| {
            self.core.refresh.lose(full);
            Entity::NEVER
        })
    }

    /// Creates an entity, if there is room, and reports nothing.
    #[inline]
    pub(crate) fn try_spawn<B: Bundle<D>>(&mut self, bundle: B) -> Result<Entity, LimitReached> {
        self.core.storage_for_spawns().spawn::<D, B>(bundle)
    }

    /// Creates an entity with the components of each bundle, in order: all of them, or none. The handles are
    /// those that separate calls of [`spawn`](Self::spawn) would give. They are in the return value.
    ///
    /// It is the fastest way to fill a world. Rows are allocated, and the presence of components is recorded,
    /// for 64 entities at a time. Components are moved from the iterator directly into their columns. (That is
    /// for tuples of different components in buffers; other bundles are written one by one.) Amortized
    /// O(entities × components of each + components declared + rows in use / 16 384), so for one or two
    /// entities [`spawn`](Self::spawn) is faster.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// #[derive(Debug, PartialEq)]
    /// struct Position(u32);
    /// struct Velocity(u32);
    ///
    /// world! {
    ///     world Space;
    ///     component Position, Velocity;
    /// }
    ///
    /// let mut world = World::<Space>::new();
    /// let rockets: Vec<Entity> = world.step(|step| {
    ///     step.spawn_batch((0..1000).map(|n| (Position(n), Velocity(1)))).collect()
    /// })?;
    /// assert_eq!(world.get(rockets[999]), Some(&Position(999)));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// If the world has no room for all of them, no entity is spawned: the world is unchanged, the bundles from the
    /// iterator are dropped, there are no handles, and the step reports it, as for [`spawn`](Self::spawn). The iterator
    /// is not advanced if it [announces](Iterator::size_hint) too many.
    ///
    /// # Panics
    /// With the panic of the iterator, of a custom bundle, or of a destructor if there is no room, and if the system
    /// refuses the memory. Then no entity is spawned either.
    #[doc(alias = "spawn_many")]
    #[doc(alias = "extend")]
    pub fn spawn_batch<I>(&mut self, bundles: I) -> Spawned<'_>
    where
        I: IntoIterator,
        I::Item: Bundle<D>,
    {
        match self.core.storage.spawn_batch::<D, _>(bundles.into_iter()) {
            Ok(()) => self.core.storage.spawned(),
            Err(full) => {
                self.core.refresh.lose(full);
                Spawned::default()
            }
        }
    }

    /// As [`spawn_batch`](Self::spawn_batch), and reports nothing.
    pub(crate) fn try_spawn_batch<I>(&mut self, bundles: I) -> Result<Spawned<'_>, LimitReached>
    where
        I: IntoIterator,
        I::Item: Bundle<D>,
    {
        self.core.storage.spawn_batch::<D, _>(bundles.into_iter())?;
        Ok(self.core.storage.spawned())
    }

    /// How many more entities can be spawned before the limit of the world is reached. Despawned entities count until
    /// the refresh. O(1).
    #[must_use]
    pub fn remaining_capacity(&self) -> usize {
        self.core.storage.entities.room()
    }

    /// Marks the entity for despawning at the refresh. Until then it stays unchanged. Repeated calls, and calls
    /// for entities that are not alive, have no effect. O(1).
    #[doc(alias = "kill_entity")]
    pub fn despawn(&mut self, entity: Entity) {
        if let Some(row) = self.core.storage.entities.row(entity) {
            self.core.to_despawn.mark(row);
        }
    }

    /// Whether the entity is alive. An entity that is marked for despawning is alive until the refresh.
    #[doc(alias = "alive")]
    #[doc(alias = "valid_handle")]
    #[must_use]
    pub fn is_alive(&self, entity: Entity) -> bool {
        self.core.storage.entities.row(entity).is_some()
    }

    /// The number of entities that are alive. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.core.storage.entities.count()
    }

    /// Inserts a component, and returns the one that the entity had. Amortized O(1).
    ///
    /// # Errors
    /// If the entity is not alive. The component is dropped.
    #[doc(alias = "add_component")]
    // `inline` alone does not inline it into loops: look-ups are longer since decisions 0125 and 0130.
    #[inline(always)]
    pub fn insert<C: 'static>(
        &mut self,
        entity: Entity,
        component: C,
    ) -> Result<Option<C>, NoSuchEntity>
    where
        D: HasComponent<C>,
    {
        let storage = &mut *self.core.storage;
        let row = storage.entities.row(entity).ok_or(NoSuchEntity {
            entity,
            cause: const { &(D::COMPONENTS[D::INDEX].name(), "inserted into") },
        })?;
        Ok(storage.insert::<D, C>(row, component))
    }

    /// Removes the component from the entity and returns it; `None` if it has none or is not alive. O(1).
    ///
    /// It does not compile for a component whose last value is for systems that name it in `removed`
    /// ([ECS0127](crate::errors::ecs0127)): [`remove_many`](Self::remove_many) leaves it to them.
    #[doc(alias = "remove_component")]
    pub fn remove<C: 'static>(&mut self, entity: Entity) -> Option<C>
    where
        D: HasComponent<C>,
    {
        const { removed::assert_unread::<D, C>(["remove_many::<(", ",)>(entity)"]) };
        self.take(entity)
    }

    /// [`remove`](Self::remove), for callers that have asserted that nothing reads the last value.
    // As for `insert`.
    #[inline(always)]
    pub(crate) fn take<C: 'static>(&mut self, entity: Entity) -> Option<C>
    where
        D: HasComponent<C>,
    {
        let storage = &mut *self.core.storage;
        let row = storage.entities.row(entity)?;
        storage.remove::<D, C>(row)
    }

    /// Inserts a component into each entity, in order. Returns the number of entities that were alive. The
    /// effect is that of separate calls of [`insert`](Self::insert): of two components for one entity the later
    /// stays; components for entities that are not alive, and components that entities had before, are dropped.
    ///
    /// The presence of the component is recorded for 64 entities at a time, as long as the row of each entity
    /// is near that of the one before, as with handles in the order of spawns or of an iteration. (That is for
    /// components in buffers; others are added one by one.) Amortized O(entities).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Position(f32);
    /// #[derive(Debug, PartialEq)]
    /// struct Burning(u32);
    ///
    /// world! {
    ///     world Wood;
    ///     component Position, Burning;
    /// }
    ///
    /// let mut world = World::<Wood>::new();
    /// let trees = world.spawn_batch((0..1000).map(|n| (Position(n as f32),)));
    /// world.step(|step| {
    ///     let struck = trees.iter().skip(100).map(|&tree| (tree, Burning(3)));
    ///     assert_eq!(step.insert_batch(struck), 900);
    ///     let quenched = trees[..500].iter().copied();
    ///     assert_eq!(step.remove_batch::<Burning>(quenched), 400);
    /// })?;
    /// assert_eq!(world.get(trees[499]), None::<&Burning>);
    /// assert_eq!(world.get(trees[500]), Some(&Burning(3)));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// With the panic of the iterator, of a component's destructor or of a storage strategy. The entities
    /// before have their components by then, and the world is consistent.
    #[doc(alias = "add_component_batch")]
    #[inline]
    pub fn insert_batch<C: 'static>(
        &mut self,
        components: impl IntoIterator<Item = (Entity, C)>,
    ) -> usize
    where
        D: HasComponent<C>,
    {
        self.core.storage.insert_batch::<D, C, _>(components.into_iter())
    }

    /// Removes the component from each of the entities, in order, and drops it. Returns the number of entities
    /// that had one. Entities that are not alive, or have no `C`, are skipped. Otherwise as
    /// [`insert_batch`](Self::insert_batch), which has an example. O(entities).
    ///
    /// # Panics
    /// With the panic of the iterator, of a component's destructor or of a storage strategy. The components of
    /// the entities before are removed by then, and the world is consistent.
    #[doc(alias = "remove_component_batch")]
    #[inline]
    pub fn remove_batch<C: 'static>(&mut self, entities: impl IntoIterator<Item = Entity>) -> usize
    where
        D: HasComponent<C>,
    {
        self.core.storage.remove_batch::<D, C, _>(entities.into_iter())
    }

    /// The entity's component; `None` if it has none or is not alive. O(1).
    #[inline]
    #[doc(alias = "get_component")]
    #[must_use]
    pub fn get<C: 'static>(&self, entity: Entity) -> Option<&C>
    where
        D: HasComponent<C>,
    {
        self.core.get(entity)
    }

    /// The entity's component, to write; `None` if it has none or is not alive. O(1).
    #[inline]
    #[doc(alias = "get_component_mut")]
    #[must_use]
    pub fn get_mut<C: 'static>(&mut self, entity: Entity) -> Option<&mut C>
    where
        D: HasComponent<C>,
    {
        self.core.get_mut(entity)
    }

    /// Whether the entity has a `C`; `false` if it is not alive. O(1).
    #[doc(alias = "has_component")]
    #[must_use]
    pub fn contains<C: 'static>(&self, entity: Entity) -> bool
    where
        D: HasComponent<C>,
    {
        self.get::<C>(entity).is_some()
    }

    /// The state of the system `S`.
    #[must_use]
    pub fn system<S: SystemName<D>>(&self) -> &S::System {
        self.core.system::<S>()
    }

    /// The state of the system `S`, to write.
    #[must_use]
    pub fn system_mut<S: SystemName<D>>(&mut self) -> &mut S::System {
        self.core.system_mut::<S>()
    }

    /// The outputs of the system `S` in its latest execution, as one, which is the same for every split.
    pub fn outputs_of<S: SystemName<D>>(&self) -> Outputs<'_, D, S> {
        self.core.outputs::<S>()
    }

    /// Each output of the system `S` as a whole, in order: one for each subtask of its latest execution.
    ///
    /// It does not compile if the number of outputs would show how `S` was split, that is, if `S` may have
    /// several subtasks with outputs that concatenate. [`outputs_of`](Self::outputs_of) gives these as one.
    #[doc(alias = "for_system_outputs")]
    pub fn output_parts_of<S: SystemName<D>>(&self) -> impl Iterator<Item = &S::Output> {
        const { assert_whole::<D, S>() };
        self.core.outputs::<S>().each()
    }

    /// The resource `R`.
    #[must_use]
    pub fn resource<R: 'static>(&self) -> &R
    where
        D: HasResource<R>,
    {
        self.core.resources.get::<D, R>()
    }

    /// The resource `R`, to write.
    #[must_use]
    pub fn resource_mut<R: 'static>(&mut self) -> &mut R
    where
        D: HasResource<R>,
    {
        self.core.resources.get_mut::<D, R>()
    }
}
