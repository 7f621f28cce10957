//! Several components of an entity, inserted or removed in one call.

use crate::entity::{EffectTarget, Entity};
use crate::proxy::{NoSuchEntity, for_tuples};
use crate::signature::access::{InsertedBy, Removes};
use crate::signature::{Declaration, Effects, HasComponent, SystemName};
use crate::state::Defer;

/// A tuple of up to twelve components that the system `N` may insert, for
/// [`Effects::insert_many`](crate::Effects::insert_many), which has an example.
///
/// ```
/// use ecs_core::{Effects, Entity, InsertedComponents, SystemName, Declaration};
///
/// /// Inserts what a spell gives.
/// fn enchant<D: Declaration, N: SystemName<D>>(
///     effects: &mut Effects<'_, D, N>,
///     target: Entity,
///     gifts: impl InsertedComponents<N, D>,
/// ) {
///     effects.insert_many(target, gifts);
/// }
/// # let _ = |effects: &mut Effects<'_, W, S>, target| enchant(effects, target, (A,));
/// # struct A;
/// # ecs_core::world! { world W; component A: empty; system S { insert: [A], run: |_| {} } }
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0059] `{Self}` is not a tuple of components that the system `{N}` inserts",
    label = "not a tuple of components",
    note = "write a tuple, also of one component: `insert_many(entity, (A(..), B(..)))`"
)]
pub trait InsertedComponents<N: SystemName<D>, D: Declaration> {
    /// Stages the insertion of each.
    #[doc(hidden)]
    fn insert<'w>(self, entity: impl EffectTarget<'w>, effects: &mut Effects<'w, D, N>);
}

/// A tuple of up to twelve components that the system `N` may remove, for
/// [`Effects::remove_many`](crate::Effects::remove_many), which has an example.
///
/// ```
/// use ecs_core::{Declaration, Effects, Entity, RemovedComponents, SystemName};
///
/// /// Removes the components of `C` from each.
/// fn strip<C: RemovedComponents<N, D>, D: Declaration, N: SystemName<D>>(
///     effects: &mut Effects<'_, D, N>,
///     entities: &[Entity],
/// ) {
///     entities.iter().for_each(|entity| effects.remove_many::<C>(*entity));
/// }
/// # let _ = |effects: &mut Effects<'_, W, S>| strip::<(A,), W, S>(effects, &[]);
/// # struct A;
/// # ecs_core::world! { world W; component A: empty; system S { remove: [A], run: |_| {} } }
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0060] `{Self}` is not a tuple of components that the system `{N}` removes",
    label = "not a tuple of components",
    note = "write a tuple, also of one component: `remove_many::<(A, B)>(entity)`"
)]
pub trait RemovedComponents<N: SystemName<D>, D: Declaration> {
    /// Stages the removal of each.
    #[doc(hidden)]
    fn remove<'w>(entity: impl EffectTarget<'w>, effects: &mut Effects<'w, D, N>);
}

/// A tuple of up to twelve components of the world `D`, for [`World::insert_many`](crate::World::insert_many) and
/// [`remove_many`](crate::World::remove_many).
///
/// ```
/// # use ecs_core::{World, world};
/// struct Burning(u32);
/// struct Slowed;
/// struct Health(u32);
///
/// world! {
///     world Arena;
///     component Health, Burning;
///     component Slowed: empty;
/// }
///
/// let mut world = World::<Arena>::new();
/// let target = world.spawn((Health(9),));
/// world.insert_many(target, (Burning(3), Slowed))?;
/// assert!(world.contains::<Burning>(target) && world.contains::<Slowed>(target));
/// world.remove_many::<(Burning, Slowed)>(target);
/// assert!(!world.contains::<Burning>(target) && !world.contains::<Slowed>(target));
/// # Ok::<_, ecs_core::NoSuchEntity>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0063] `{Self}` is not a tuple of components of the world `{D}`",
    label = "not a tuple of components",
    note = "write a tuple, also of one component: `insert_many(entity, (A(..), B(..)))`, `remove_many::<(A, B)>(entity)`"
)]
pub trait Components<D: Declaration>: Sized {
    /// Inserts each.
    #[doc(hidden)]
    fn insert(self, entity: Entity, defer: &mut Defer<'_, D>) -> Result<(), NoSuchEntity>;

    /// Removes each.
    #[doc(hidden)]
    fn remove(entity: Entity, defer: &mut Defer<'_, D>);
}

macro_rules! tuples {
    ($($C:ident $value:ident),+) => {
        impl<N: SystemName<D>, D: Declaration, $($C: InsertedBy<N, D>),+> InsertedComponents<N, D>
            for ($($C,)+)
        {
            #[inline]
            fn insert<'w>(self, entity: impl EffectTarget<'w>, effects: &mut Effects<'w, D, N>) {
                let ($($value,)+) = self;
                $(effects.insert(entity, $value);)+
            }
        }

        impl<N, D, $($C: 'static),+> RemovedComponents<N, D> for ($($C,)+)
        where
            D: Declaration $(+ HasComponent<$C>)+,
            N: SystemName<D> $(+ Removes<$C, D>)+,
        {
            #[inline]
            fn remove<'w>(entity: impl EffectTarget<'w>, effects: &mut Effects<'w, D, N>) {
                $(effects.remove::<$C>(entity);)+
            }
        }

        impl<D: Declaration $(+ HasComponent<$C>)+, $($C: 'static),+> Components<D> for ($($C,)+) {
            fn insert(self, entity: Entity, defer: &mut Defer<'_, D>) -> Result<(), NoSuchEntity> {
                let ($($value,)+) = self;
                $(drop(defer.insert(entity, $value)?);)+
                Ok(())
            }

            fn remove(entity: Entity, defer: &mut Defer<'_, D>) {
                let storage = &mut *defer.core.storage;
                let Some(row) = storage.entities.row(entity) else { return };
                $(storage.discard::<D, $C>(row);)+
            }
        }
    };
}

for_tuples! { tuples: A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l, M m }

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Inserts the components of a tuple into the entity at the refresh: as [`insert`](Self::insert) for each, in order.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// struct Wet(u32);
    /// struct Cold(u32);
    /// struct Swims;
    ///
    /// world! {
    ///     world Lake;
    ///     component Wet, Cold;
    ///     component Swims: empty;
    ///     system Dive {
    ///         with: [Swims],
    ///         insert: [Wet, Cold],
    ///         remove: [Swims],
    ///         each: |entity: Entity, effects| {
    ///             effects.insert_many(entity, (Wet(2), Cold(5)));
    ///             effects.remove_many::<(Swims,)>(entity);
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Lake>::new();
    /// let swimmer = world.spawn((Swims,));
    /// world.tick()?;
    /// assert_eq!(world.get::<Wet>(swimmer).unwrap().0, 2);
    /// assert_eq!(world.get::<Cold>(swimmer).unwrap().0, 5);
    /// assert!(!world.contains::<Swims>(swimmer));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn insert_many<C: InsertedComponents<N, D>>(
        &mut self,
        entity: impl EffectTarget<'w>,
        components: C,
    ) {
        components.insert(entity, self);
    }

    /// Removes the components of a tuple from the entity at the refresh: as [`remove`](Self::remove) for each.
    /// [`insert_many`](Self::insert_many) has an example.
    #[inline]
    pub fn remove_many<C: RemovedComponents<N, D>>(&mut self, entity: impl EffectTarget<'w>) {
        C::remove(entity, self);
    }
}

impl<D: Declaration> Defer<'_, D> {
    /// Inserts the components of a tuple, and drops those that the entity had. O(components), amortized.
    ///
    /// # Errors
    /// If the entity is not alive. The components are dropped.
    pub fn insert_many<C: Components<D>>(
        &mut self,
        entity: Entity,
        components: C,
    ) -> Result<(), NoSuchEntity> {
        components.insert(entity, self)
    }

    /// Removes the components of a tuple from the entity, and drops them. It need not have all of them, nor be alive.
    /// O(components).
    pub fn remove_many<C: Components<D>>(&mut self, entity: Entity) {
        C::remove(entity, self);
    }
}
