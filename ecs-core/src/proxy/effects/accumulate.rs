//! Accumulations: values that are merged into components of any entities at the refresh.

use crate::entity::{EffectTarget, Entity, Resolve, Row as _};
use crate::proxy::effects::assert_changes;
use crate::proxy::effects::pending::assert_spawns;
use crate::proxy::{Effects, NoSuchEntity};
use crate::signature::access::AccumulatedBy;
use crate::signature::{Declaration, HasComponent, SystemName};
use crate::state::Defer;
use crate::storage::{Accumulation, Put as _};
use crate::types::{Accumulate, IndexSet, MAX_COMPONENTS};

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Merges the value into the `C` of the entity at the refresh, by [`Accumulate`], which has an
    /// example. If the entity has no `C` by then, the value is inserted. If the entity is not alive, the value is dropped.
    ///
    /// Any number of systems and subtasks may accumulate into one component of one entity, and need no order: their
    /// values are merged in the order (phase, system, subtask, call), which does not depend on threads, nor on how a system
    /// is split. Systems of the same phase see none of the values, as with `insert`. What a system writes at once comes
    /// before them.
    ///
    /// Amortized O(size of the component), and at the refresh O(the merge); allocates nothing in steady state. A
    /// [`Place`](crate::Place) needs no look-up in the table of handles.
    #[inline]
    pub fn accumulate<C: AccumulatedBy<N, D>>(&mut self, entity: impl EffectTarget<'w>, value: C) {
        const { assert_accumulates::<D, N>(C::INDEX) };
        let rank = const { accumulation_rank::<D, N>(C::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = entity.living_row(&self.core.storage.entities) {
                    value.stage_accumulation(rank, row, &mut self.work.staged.batches);
                }
            }
            Err(pending) => {
                value.stage_accumulation(rank, 0, &mut self.work.staged.pending.changes(pending));
            }
        }
    }

    /// Merges, at the refresh, the value that `make` makes then from the handles of `entities`: as
    /// [`accumulate`](Self::accumulate), in the order of the calls. `make` is as in [`spawn_with`](Self::spawn_with).
    ///
    /// ```
    /// # use ecs_core::{Accumulate, Entity, World, world};
    /// # struct Parent(Entity);
    /// # struct Toy;
    /// /// The toys of a family, in the order of the children that have got them.
    /// struct Toys(Vec<Entity>);
    ///
    /// impl Accumulate for Toys {
    ///     fn accumulate(&mut self, later: Self) {
    ///         self.0.extend(later.0);
    ///     }
    /// }
    ///
    /// world! {
    ///     world Family;
    ///     component Parent, Toys;
    ///     component Toy: empty;
    ///     system Give {
    ///         spawn: [Toy],
    ///         accumulate: [Toys],
    ///         each: |parent: &Parent, effects| {
    ///             let toy = effects.spawn_pending((Toy,));
    ///             effects.accumulate_with(parent.0, toy, |toy| Toys(vec![toy]));
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Family>::new();
    /// let parent = world.spawn(());
    /// world.spawn_batch([(Parent(parent),), (Parent(parent),)]);
    /// world.tick()?;
    /// assert_eq!(world.get::<Toys>(parent).unwrap().0.len(), 2);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// As [`insert_with`](Self::insert_with), it needs `spawn`.
    #[inline]
    pub fn accumulate_with<P: Resolve<'w>, C: AccumulatedBy<N, D>>(
        &mut self,
        entity: impl EffectTarget<'w>,
        entities: P,
        make: impl FnOnce(P::Handles) -> C + Send + 'static,
    ) where
        D: HasComponent<C>,
    {
        const { assert_spawns::<D, N>() };
        const { assert_accumulates::<D, N>(<C as AccumulatedBy<N, D>>::INDEX) };
        let rank = const { accumulation_rank::<D, N>(<C as AccumulatedBy<N, D>>::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = entity.living_row(&self.core.storage.entities) {
                    self.change_with::<P, C, Accumulation>(rank, row, entities, make);
                }
            }
            Err(pending) => {
                self.change_pending_with::<P, C, Accumulation>(rank, pending, entities, make);
            }
        }
    }
}

impl<D: Declaration> Defer<'_, D> {
    /// Merges the value into the component that the entity has, by [`Accumulate`], or inserts it. Amortized O(1), and the merge.
    ///
    /// # Errors
    /// If the entity is not alive. The value is dropped.
    ///
    /// # Panics
    /// With the panic of the merge.
    pub fn accumulate<C: Accumulate>(
        &mut self,
        entity: Entity,
        value: C,
    ) -> Result<(), NoSuchEntity>
    where
        D: HasComponent<C>,
    {
        let storage = &mut *self.core.storage;
        let row = storage.entities.row(entity).ok_or(NoSuchEntity {
            entity,
            cause: const { &(D::COMPONENTS[D::INDEX].name(), "accumulated into") },
        })?;
        drop(Accumulation::into_storage::<D>(storage, row, value));
        Ok(())
    }
}

const fn assert_accumulates<D: Declaration, N: SystemName<D>>(index: usize) {
    let declared = &D::SYSTEMS[N::INDEX].declared;
    assert_changes::<D, N>(declared.accumulate, index, "accumulate into");
}

/// The component's number among those that the system accumulates into, after those that it changes otherwise.
const fn accumulation_rank<D: Declaration, N: SystemName<D>>(index: usize) -> usize {
    let declared = &D::SYSTEMS[N::INDEX].declared;
    let changed = IndexSet::of(declared.insert).union(IndexSet::of(declared.remove));
    count(&changed)
        + count(&IndexSet::of(declared.update))
        + IndexSet::of(declared.accumulate).rank(index)
}

const fn count(set: &IndexSet) -> usize {
    let last = MAX_COMPONENTS - 1;
    set.rank(last) + set.contains(last) as usize
}
