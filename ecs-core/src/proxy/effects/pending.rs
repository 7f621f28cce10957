//! Spawns that the rest of the subtask can name, and what is staged with their handles, which the refresh gives.

use crate::entity::{
    EffectTarget, HasKeys as _, Keys as _, PendingBatch, PendingEntity, PendingKey, Resolve,
    Row as _,
};
use crate::proxy::effects::updates::update_rank;
use crate::proxy::effects::{assert_changes, assert_declares, change_rank};
use crate::proxy::events::rank;
use crate::signature::access::{EmittedBy, InsertedBy, SentBy, SpawnedBy, UpdatedBy};
use crate::signature::{
    Declaration, Effects, HasComponent, SystemName, assert_not_sequential, spawn_order,
    validate_opt_in,
};
use crate::storage::{Insertion, Put, Replacement};

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Creates an entity with the components of `bundle` at the refresh, as [`spawn`](Self::spawn), and names it for what
    /// this subtask stages further. Amortized O(size of the bundle).
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Nest;
    /// # struct Position(f32);
    /// # struct Hungry(u32);
    /// # struct Home(Entity);
    /// world! {
    ///     world Wood;
    ///     component Nest: empty;
    ///     component Position, Hungry, Home;
    ///     system Hatch {
    ///         with: [Nest],
    ///         spawn: [Position],
    ///         insert: [Hungry, Home],
    ///         each: |nest: Entity, position: &Position, effects| {
    ///             let bird = effects.spawn_pending((Position(position.0),));
    ///             if position.0 > 5.0 {
    ///                 effects.insert(bird, Hungry(3));
    ///             }
    ///             effects.insert(bird, Home(nest));
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Wood>::new();
    /// world.spawn_batch([2.0, 8.0].map(|at| (Position(at), Nest)));
    /// world.tick()?;
    /// assert_eq!(world.iter::<&Home>().count(), 2);
    /// assert_eq!(world.iter::<(&Position, &Hungry)>().next().unwrap().0.0, 8.0);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn spawn_pending<B: SpawnedBy<N, D>>(&mut self, bundle: B) -> PendingEntity<'w> {
        const { assert_not_sequential::<D, N>("spawn_pending") };
        let order = const { spawn_order::<D, N, B>() };
        let batch = self.work.staged.batches.spawns::<D, B::Stored>(order);
        let number = batch.count();
        batch.push(bundle.stored());
        self.spawn_children_of::<B>(order, number, 1);
        PendingEntity::new(order.position, order.rank, number)
    }

    /// Creates an entity with the components of each bundle at the refresh, as [`spawn_batch`](Self::spawn_batch), and
    /// names them. [`PendingBatch`] has an example. If the iterator panics, so does the system, and everything staged is
    /// dropped.
    #[inline]
    pub fn spawn_pending_batch<B: SpawnedBy<N, D>>(
        &mut self,
        bundles: impl IntoIterator<Item = B>,
    ) -> PendingBatch<'w> {
        const { assert_not_sequential::<D, N>("spawn_pending_batch") };
        let order = const { spawn_order::<D, N, B>() };
        let batch = self.work.staged.batches.spawns::<D, B::Stored>(order);
        let number = batch.count();
        batch.extend(bundles.into_iter().map(B::stored));
        let len = batch.count() - number;
        self.spawn_children_of::<B>(order, number, len);
        PendingBatch::new(PendingEntity::new(order.position, order.rank, number), len)
    }

    /// Creates an entity at the refresh, as [`spawn_pending`](Self::spawn_pending), with the bundle that `make` makes
    /// then from the handles of `entities`. `make` gets handles and what it has captured, and nothing else. Amortized
    /// O(size of the closure and of the bundle); allocates nothing in steady state.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// struct Hull(u32);
    /// struct Turret { of: Entity, angle: f32 }
    ///
    /// world! {
    ///     world Docks;
    ///     component Hull, Turret;
    ///     system Build {
    ///         spawn: [Hull, Turret],
    ///         run: |data| {
    ///             let ship = data.effects.spawn_pending((Hull(9),));
    ///             for angle in [0.0, 180.0] {
    ///                 data.effects.spawn_with(ship, move |of| (Turret { of, angle },));
    ///             }
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Docks>::new();
    /// world.tick()?;
    /// for turret in world.iter::<&Turret>() {
    ///     assert_eq!(world.get::<Hull>(turret.of).unwrap().0, 9);
    /// }
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// If one of the entities has found no room, its handle is of no entity, now or ever.
    ///
    /// A panic of `make` is like that of a deferred function: it reaches the caller of the step after the refresh, and what
    /// the refresh has not applied by then is dropped, all spawns among it.
    #[inline]
    pub fn spawn_with<P: Resolve<'w>, B: SpawnedBy<N, D>>(
        &mut self,
        entities: P,
        make: impl FnOnce(P::Handles) -> B + Send + 'static,
    ) -> PendingEntity<'w> {
        const { assert_not_sequential::<D, N>("spawn_with") };
        let order = const { spawn_order::<D, N, B>() };
        let batch = self.work.staged.batches.spawns::<D, B::Stored>(order);
        let number = batch.count();
        batch.push_due();
        let keys = entities.keys();
        self.work.staged.pending.push(move |resolving| {
            let bundle = make(keys.handles(&|key| resolving.entity(key))).stored();
            resolving.batches().spawns::<D, B::Stored>(order).fill(bundle);
        });
        self.spawn_children_of::<B>(order, number, 1);
        PendingEntity::new(order.position, order.rank, number)
    }

    /// Inserts, at the refresh, the component that `make` makes then from the handles of `entities`: as
    /// [`insert`](Self::insert), in the order of the calls. So a component of a living entity, or of a pending one, holds
    /// the handle of an entity that is spawned by the same refresh. [`PendingEntity`] has an example; `make` is as in
    /// [`spawn_with`](Self::spawn_with).
    ///
    /// While a refresh inserts such a component into an entity that lives already, it spawns before it frees the rows of
    /// despawned entities, as for deferred functions.
    ///
    /// It does not compile if the system declares no `spawn` ([`ECS0073`](crate::errors::ecs0073)): without pending entities,
    /// [`insert`](Self::insert) does the same.
    #[inline]
    pub fn insert_with<P: Resolve<'w>, C: InsertedBy<N, D>>(
        &mut self,
        entity: impl EffectTarget<'w>,
        entities: P,
        make: impl FnOnce(P::Handles) -> C + Send + 'static,
    ) where
        D: HasComponent<C>,
    {
        const { assert_not_sequential::<D, N>("insert_with") };
        const { assert_spawns::<D, N>() };
        const {
            let index = <C as InsertedBy<N, D>>::INDEX;
            assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.insert, index, "insert");
        };
        let rank = const { change_rank::<D, N>(<C as InsertedBy<N, D>>::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = entity.living_row(&self.core.storage.entities) {
                    self.change_with::<P, C, Insertion>(rank, row, entities, make);
                }
            }
            Err(pending) => {
                self.change_pending_with::<P, C, Insertion>(rank, pending, entities, make);
            }
        }
    }

    /// Replaces, at the refresh, the `C` of an own entity by the one that `make` makes then from the handles of `entities`:
    /// as [`update`](Self::update), in the order of the calls. `make` is as in [`spawn_with`](Self::spawn_with).
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// struct Head(Option<Entity>);
    /// struct Item { next: Option<Entity> }
    ///
    /// world! {
    ///     world Lists;
    ///     component Head, Item;
    ///     system Push {
    ///         update: [Head],
    ///         spawn: [Item],
    ///         each: |list, effects| {
    ///             let item = effects.spawn_pending((Item { next: list.head.0 },));
    ///             effects.update_with(list.entity, item, |item| Head(Some(item)));
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Lists>::new();
    /// let list = world.spawn((Head(None),));
    /// world.tick()?;
    /// world.tick()?;
    /// let first = world.get::<Head>(list).unwrap().0.unwrap();
    /// let second = world.get::<Item>(first).unwrap().next.unwrap();
    /// assert!(world.get::<Item>(second).unwrap().next.is_none());
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// As [`insert_with`](Self::insert_with), it needs `spawn`.
    ///
    /// # Panics
    /// If the system is not subscribed to the entity.
    #[inline]
    #[track_caller]
    pub fn update_with<P: Resolve<'w>, C: UpdatedBy<N, D>>(
        &mut self,
        entity: impl EffectTarget<'w>,
        entities: P,
        make: impl FnOnce(P::Handles) -> C + Send + 'static,
    ) where
        D: HasComponent<C>,
    {
        const {
            let index = <C as UpdatedBy<N, D>>::INDEX;
            assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.update, index, "update");
            assert_spawns::<D, N>();
        };
        let rank = const { update_rank::<D, N>(<C as UpdatedBy<N, D>>::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = self.row_to_update(entity, <C as UpdatedBy<N, D>>::INDEX) {
                    self.change_with::<P, C, Replacement>(rank, row, entities, make);
                }
            }
            Err(pending) => {
                self.change_pending_with::<P, C, Replacement>(rank, pending, entities, make);
            }
        }
    }

    /// Sends, at the refresh, the message that `make` makes then from the handles of `entities`. It is read in the next
    /// step, by the receiver that has lived before, or has been spawned by then; otherwise as [`send`](Self::send). `make`
    /// is as in [`spawn_with`](Self::spawn_with).
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Parent;
    /// # struct Child;
    /// struct Pride(u32);
    /// struct Born(Entity);
    ///
    /// world! {
    ///     world Family;
    ///     component Parent, Child: empty;
    ///     component Pride;
    ///     event Born: addressed;
    ///     system Bear {
    ///         with: [Parent],
    ///         spawn: [Child],
    ///         emit: [Born],
    ///         each: |parent: Entity, effects| {
    ///             let child = effects.spawn_pending((Child,));
    ///             effects.send_with(parent, child, Born);
    ///         },
    ///     }
    ///     system Hear {
    ///         on: [Born],
    ///         write: [Pride],
    ///         run: |data| data.for_messages::<Born>(|one, born, _| one.pride.0 += born.len() as u32),
    ///     }
    /// }
    ///
    /// let mut world = World::<Family>::new();
    /// let parent = world.spawn((Parent, Pride(0)));
    /// world.tick()?;
    /// world.tick()?;
    /// assert_eq!(world.get::<Pride>(parent).unwrap().0, 1);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn send_with<P: Resolve<'w>, M: SentBy<N, D>>(
        &mut self,
        to: impl EffectTarget<'w>,
        entities: P,
        make: impl FnOnce(P::Handles) -> M + Send + 'static,
    ) {
        const { assert_spawns::<D, N>() };
        let rank = const { rank::<D, N>(<M::Event as EmittedBy<N, D>>::INDEX) };
        let keys = entities.keys();
        match to.aim() {
            Ok(to) => {
                if let Some(to) = to.handle(&self.core.storage.entities) {
                    self.work.staged.pending.push(move |resolving| {
                        let message = make(keys.handles(&|key| resolving.entity(key)));
                        message.to(to).emit_to(rank, resolving.events());
                    });
                }
            }
            Err(to) => self.work.staged.pending.push(move |resolving| {
                let message = make(keys.handles(&|key| resolving.entity(key)));
                if resolving.row(to).is_some() {
                    let to = resolving.entity(to);
                    message.to(to).emit_to(rank, resolving.events());
                }
            }),
        }
    }

    /// Emits, at the refresh, the event that `make` makes then from the handles of `entities`. It is read in the next
    /// step, as if it were `delayed`; otherwise as [`emit`](Self::emit). `make` is as in
    /// [`spawn_with`](Self::spawn_with).
    #[inline]
    pub fn emit_with<P: Resolve<'w>, E: EmittedBy<N, D>>(
        &mut self,
        entities: P,
        make: impl FnOnce(P::Handles) -> E + Send + 'static,
    ) {
        const { assert_spawns::<D, N>() };
        let rank = const { rank::<D, N>(E::INDEX) };
        let keys = entities.keys();
        self.work.staged.pending.push(move |resolving| {
            let event = make(keys.handles(&|key| resolving.entity(key)));
            event.emit_to(rank, resolving.events());
        });
    }

    /// Subscribes the opt-in system `S` to the entity from its spawn on, if it has by then what `S` requires: as
    /// [`Defer::subscribe`](crate::Defer::subscribe). It does not compile if `S` does not declare `opt_in`. Amortized O(1).
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Factory;
    /// struct Fuse(u32);
    ///
    /// world! {
    ///     world Works;
    ///     component Factory: empty;
    ///     component Fuse;
    ///     system Burn { opt_in, each: |fuse: &mut Fuse| fuse.0 -= 1 }
    ///     system Make {
    ///         with: [Factory],
    ///         spawn: [Fuse],
    ///         dependencies: [Burn],
    ///         run: |data| {
    ///             data.effects.spawn((Fuse(9),));
    ///             let lit = data.effects.spawn_pending((Fuse(9),));
    ///             data.effects.subscribe::<Burn>(lit);
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Works>::new();
    /// world.tick()?;
    /// world.tick()?;
    /// assert!(world.iter::<&Fuse>().take(2).map(|fuse| fuse.0).eq([9, 8]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    pub fn subscribe<S: SystemName<D>>(&mut self, entity: PendingEntity<'w>) {
        const { assert_spawns::<D, N>() };
        const { validate_opt_in::<D, S>() };
        let keys = entity.keys();
        self.work.staged.pending.push(move |resolving| {
            if resolving.row(keys).is_some() {
                let entity = resolving.entity(keys);
                resolving.core.subscriptions[S::INDEX].requests.push((entity, true));
            }
        });
    }

    pub(crate) fn despawn_pending(&mut self, pending: PendingKey) {
        self.work.staged.pending.push_early(move |resolving| {
            if let Some(row) = resolving.row(pending) {
                resolving.core.to_despawn.mark(row);
            }
        });
    }

    pub(crate) fn remove_pending<C: 'static>(&mut self, rank: usize, pending: PendingKey)
    where
        D: HasComponent<C>,
    {
        self.work.staged.pending.push(move |resolving| {
            if let Some(row) = resolving.row(pending) {
                resolving.batches().changes::<D, C, Insertion>(rank).remove(row);
            }
        });
    }

    pub(crate) fn send_to_pending<M: SentBy<N, D>>(&mut self, pending: PendingKey, message: M) {
        if const { !D::SYSTEMS[N::INDEX].stages_work() } {
            // It has no pending entities, so this one is of another world.
            return;
        }
        let rank = const { rank::<D, N>(<M::Event as EmittedBy<N, D>>::INDEX) };
        self.work.staged.pending.push(move |resolving| {
            if resolving.row(pending).is_some() {
                let to = resolving.entity(pending);
                message.to(to).emit_to(rank, resolving.events());
            }
        });
    }

    /// Stages a change of a living entity, whose place in the batch is taken now.
    #[inline]
    pub(crate) fn change_with<P: Resolve<'w>, C: 'static, U: Put<C>>(
        &mut self,
        rank: usize,
        row: usize,
        entities: P,
        make: impl FnOnce(P::Handles) -> C + Send + 'static,
    ) where
        D: HasComponent<C>,
    {
        let keys = entities.keys();
        self.work.staged.batches.changes::<D, C, U>(rank).put_due(row);
        self.work.staged.pending.push_early(move |resolving| {
            let component = make(keys.handles(&|key| resolving.entity(key)));
            resolving.batches().changes::<D, C, U>(rank).fill(component);
        });
    }

    /// Stages a change of a pending entity.
    #[inline]
    pub(crate) fn change_pending_with<P: Resolve<'w>, C: 'static, U: Put<C>>(
        &mut self,
        rank: usize,
        pending: PendingKey,
        entities: P,
        make: impl FnOnce(P::Handles) -> C + Send + 'static,
    ) where
        D: HasComponent<C>,
    {
        let keys = entities.keys();
        self.work.staged.pending.push(move |resolving| {
            let component = make(keys.handles(&|key| resolving.entity(key)));
            if let Some(row) = resolving.row(pending) {
                resolving.batches().changes::<D, C, U>(rank).put(row, component);
            }
        });
    }
}

/// Fails to evaluate if the system does not spawn at the refresh: it has no pending entities.
pub(super) const fn assert_spawns<D: Declaration, N: SystemName<D>>() {
    let system = &D::SYSTEMS[N::INDEX];
    assert_declares::<D, N>(system.declared.spawns() && system.stages(), "spawn");
}
