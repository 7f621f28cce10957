//! Changes between steps. Each has the result of a step of its own without systems. Components change at once; systems are subscribed
//! when the next step begins.

use ::core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use super::World;
use crate::changes::StepError;
use crate::entity::{Entity, EntityLimit, LimitReached, Spawned};
use crate::parallel::DropQuietly;
use crate::proxy::{Components, NoSuchEntity};
use crate::scheduling::settings::Settings;
use crate::signature::tables::removed;
use crate::signature::{Bundle, Declaration, HasComponent, key_of};
use crate::state::{Core, Defer, Editing};
use crate::types::Accumulate;

impl<D: Declaration, S: Settings> World<D, S> {
    /// Takes a step that executes every system once, each after its dependencies.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Age(u32);
    /// world! {
    ///     world Ward;
    ///     component Age;
    ///     system Grow { each: |age: &mut Age| age.0 += 1 }
    /// }
    ///
    /// let mut world = World::<Ward>::new();
    /// let child = world.spawn((Age(4),));
    /// world.tick()?;
    /// assert_eq!(world.get::<Age>(child).unwrap().0, 5);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// # Panics
    /// With the panic of a system; otherwise as [`step`](Self::step).
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method is not general enough over lifetimes"
    )]
    pub fn tick(&mut self) -> Result<(), StepError> {
        self.step(|step| step.execute_systems())
    }

    /// Makes a change that cannot fail at a refresh.
    pub(super) fn edit<R>(&mut self, edit: impl FnOnce(&mut Defer<'_, D>) -> R) -> R {
        self.try_edit(edit).unwrap_or_else(|error| {
            unreachable!("only systems stage changes, which alone can fail at a refresh: {error}")
        })
    }

    /// Makes a change that only spawns.
    fn edit_spawns<R>(
        &mut self,
        spawn: impl FnOnce(&mut Defer<'_, D>) -> Result<R, LimitReached>,
    ) -> <S::Limit as EntityLimit>::Outcome<R> {
        S::Limit::outcome(match self.try_edit(spawn) {
            Ok(spawned) => spawned,
            // A bundle of a user's has put a template, for whose children there is no room.
            Err(StepError::LimitReached { limit, lost }) => Err(LimitReached { limit, lost }),
            Err(error) => unreachable!("spawns link new entities only: {error}"),
        })
    }

    /// Makes a change, which has the result of a step without systems.
    ///
    /// Systems are subscribed when the next step begins. Until then nothing depends on subscriptions, except on those by hand, which
    /// are part of the state.
    #[inline]
    fn try_edit<R>(&mut self, edit: impl FnOnce(&mut Defer<'_, D>) -> R) -> Result<R, StepError> {
        if const { !Core::<D>::MATCHES_LATER } {
            return self.step(|step| edit(step));
        }
        self.core.storage.entities.as_same().begin_step();
        if const { !D::RELATIONS.is_empty() } {
            self.core.forget_refused(D::RELATIONS);
        }
        let before = self.core.storage.entities.count();
        self.core.edits += 1;
        let mut defer = Defer { core: Editing::new(&mut self.core) };
        // Unwind safety: as in `step_in`.
        let outcome = catch_unwind(AssertUnwindSafe(|| edit(&mut defer)));
        drop(defer);
        let result = match outcome {
            Ok(result) if !self.core.has_more_than_matching() => Ok(result),
            Ok(result) => {
                let result = DropQuietly(Some(result));
                self.core.refresh_edited().map(|()| result.into_inner())
            }
            Err(payload) => self.end_failed_step(payload, None),
        };
        self.core.count_edited(before);
        result
    }

    /// Creates an entity with the components of `bundle`: a tuple of components, or `()`.
    ///
    /// It returns the [`Entity`], or, in a world with a fixed limit, a `Result` with
    /// [`LimitReached`](crate::LimitReached). Then the bundle is dropped.
    ///
    /// In code that is generic over the settings `S`, the type is unknown; there, spawn in a [`step`](Self::step),
    /// whose spawns return the [`Entity`] under every limit.
    ///
    /// The next step begins with the entity: its systems are subscribed to it. For many entities, one [`step`](Self::step) for
    /// all of them or [`spawn_batch`](Self::spawn_batch) is faster. Amortized O(components of the entity). In a world with
    /// [opt-in](crate::Defer::subscribe) systems or with systems that read `removed` values, this and every other change between steps takes
    /// a whole refresh, O(components + systems).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Position(f32);
    /// # world! { world Line; component Position; }
    /// let mut world = World::<Line>::new();
    /// let disc = world.spawn((Position(1.0),));
    /// assert_eq!(world.get::<Position>(disc).unwrap().0, 1.0);
    /// world.despawn(disc);
    /// assert!(!world.is_alive(disc));
    /// ```
    ///
    /// # Panics
    /// With the panic of a custom bundle or of a storage strategy. The entity then exists, with the components that were
    /// put before. In a world without a fixed limit: if it has
    /// 2³¹ − 1 entities.
    pub fn spawn<B: Bundle<D>>(&mut self, bundle: B) -> <S::Limit as EntityLimit>::Outcome<Entity> {
        // Here, so that the compiler names the caller of this function.
        let _ = const { key_of::<D, B>() };
        self.edit_spawns(|edit| edit.try_spawn(bundle))
    }

    /// Creates an entity with the components of each bundle, in order: all of them, or none. It returns their
    /// handles, or, in a world with a fixed limit, a `Result` with [`LimitReached`](crate::LimitReached).
    ///
    /// It is the fastest way to fill a world: see [`Defer::spawn_batch`], which gives the complexity, too.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Position(f32);
    /// # world! { world Line; component Position; }
    /// let mut world = World::<Line>::new();
    /// let discs = world.spawn_batch((0..100).map(|n| (Position(n as f32),)));
    /// assert_eq!((discs.len(), world.entity_count()), (100, 100));
    /// ```
    ///
    /// # Panics
    /// As [`Defer::spawn_batch`]. In a world without a fixed limit: if there are to be more than 2³¹ − 1 entities.
    pub fn spawn_batch<I>(&mut self, bundles: I) -> <S::Limit as EntityLimit>::Outcome<Vec<Entity>>
    where
        I: IntoIterator,
        I::Item: Bundle<D>,
    {
        self.edit_spawns(|edit| edit.try_spawn_batch(bundles).map(Spawned::into_vec))
    }

    /// How many more entities can be spawned before the limit of the world is reached. O(1).
    ///
    /// ```
    /// # use ecs_core::world;
    /// world! { world Small { entity_limit: fixed(3) } }
    ///
    /// let mut world = ecs_core::World::<Small>::new();
    /// world.spawn(())?;
    /// assert_eq!(world.remaining_capacity(), 2);
    /// # Ok::<_, ecs_core::LimitReached>(())
    /// ```
    #[must_use]
    pub fn remaining_capacity(&self) -> usize {
        self.core.storage.entities.room()
    }

    /// Despawns the entity. Returns whether it was alive. [`spawn`](Self::spawn) has an example. O(components).
    ///
    /// # Panics
    /// With the panic of a component's destructor, after the entity is despawned.
    pub fn despawn(&mut self, entity: Entity) -> bool {
        if const { D::RELATIONS.is_empty() } {
            return self.edit(|edit| {
                edit.despawn(entity);
                edit.is_alive(entity)
            });
        }
        let is_alive = self.is_alive(entity);
        // What a relation refuses, `refused` tells.
        is_alive && self.step(|step| step.despawn(entity)).is_ok()
    }

    /// Inserts a component, and returns the one that the entity had. Amortized O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Debug, PartialEq)]
    /// # struct Fuel(u32);
    /// # world! { world Rockets; component Fuel; }
    /// let mut world = World::<Rockets>::new();
    /// let rocket = world.spawn(());
    /// assert_eq!(world.insert(rocket, Fuel(3))?, None);
    /// world.get_mut::<Fuel>(rocket).unwrap().0 += 1;
    /// assert_eq!(world.remove(rocket), Some(Fuel(4)));
    /// # Ok::<_, ecs_core::NoSuchEntity>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive. The component is dropped.
    ///
    /// # Panics
    /// With the panic of a storage strategy.
    pub fn insert<C: 'static>(
        &mut self,
        entity: Entity,
        component: C,
    ) -> Result<Option<C>, NoSuchEntity>
    where
        D: HasComponent<C>,
    {
        self.edit(|edit| edit.insert(entity, component))
    }

    /// Removes the component from the entity and returns it; `None` if it has none or is not alive.
    /// [`insert`](Self::insert) has an example. O(1).
    ///
    /// It does not compile for a component whose last value is for systems that name it in `removed`
    /// ([ECS0127](crate::errors::ecs0127)): [`remove_many`](Self::remove_many) leaves it to them.
    ///
    /// # Panics
    /// With the panic of a storage strategy.
    pub fn remove<C: 'static>(&mut self, entity: Entity) -> Option<C>
    where
        D: HasComponent<C>,
    {
        // Here, so that the message names the place of the call.
        const { removed::assert_unread::<D, C>(["remove_many::<(", ",)>(entity)"]) };
        self.edit(|edit| edit.take(entity))
    }

    /// Merges the value into the component that the entity has, by [`Accumulate`](crate::Accumulate), or inserts it. Amortized
    /// O(1), and the merge.
    ///
    /// # Errors
    /// If the entity is not alive. The value is dropped.
    ///
    /// # Panics
    /// With the panic of the merge, or of a storage strategy.
    pub fn accumulate<C: Accumulate>(
        &mut self,
        entity: Entity,
        value: C,
    ) -> Result<(), NoSuchEntity>
    where
        D: HasComponent<C>,
    {
        self.edit(|edit| edit.accumulate(entity, value))
    }

    /// Inserts the components of a tuple, and drops those that the entity had: one step for all of them.
    /// [`Components`] has an example. Amortized O(components).
    ///
    /// # Errors
    /// If the entity is not alive. The components are dropped.
    ///
    /// # Panics
    /// With the panic of a destructor of a component.
    pub fn insert_many<C: Components<D>>(
        &mut self,
        entity: Entity,
        components: C,
    ) -> Result<(), NoSuchEntity> {
        self.edit(|edit| edit.insert_many(entity, components))
    }

    /// Removes the components of a tuple from the entity, and drops them: one step for all of them. It need not have
    /// all of them, nor be alive. O(components).
    ///
    /// # Panics
    /// With the panic of a destructor of a component.
    pub fn remove_many<C: Components<D>>(&mut self, entity: Entity) {
        self.edit(|edit| edit.remove_many::<C>(entity));
    }

    /// The entity's component, to write; `None` if it has none or is not alive. [`insert`](Self::insert) has an
    /// example. O(1).
    ///
    /// In a loop, it is fastest for the first four components of the declaration, in a function that takes the world as
    /// `&mut World`: the compiler then sees that a value which is written is no part of the world itself.
    #[inline]
    #[must_use]
    pub fn get_mut<C: 'static>(&mut self, entity: Entity) -> Option<&mut C>
    where
        D: HasComponent<C>,
    {
        self.core.get_mut(entity)
    }
}
