//! Updates: new values for components of own entities, written at the refresh.

use crate::entity::{EffectTarget, Locate};
use crate::proxy::Effects;
use crate::proxy::effects::assert_changes;
use crate::signature::access::UpdatedBy;
use crate::signature::{Declaration, SystemName, systems_of};
use crate::types::{IndexSet, MAX_COMPONENTS};

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Replaces the `C` of the entity, which must be one of the system's own, by this value at the refresh. It
    /// never adds a `C`: an entity that has none by then, or is not alive, is skipped. Until then all systems
    /// read the old value. What an ordered system writes to the old value meanwhile is lost. Amortized O(size
    /// of the component); a [`Place`](crate::Place) needs no look-up in the table of handles.
    ///
    /// Of several updates by one system, or by ordered systems, the latest counts. Two systems without an order
    /// between them must not update the same entity. If they do, neither update counts, and the step reports it
    /// ([`StepError::UpdateConflict`](crate::StepError::UpdateConflict)). (Core ECS, appendix B.2.)
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// struct Level(i32);
    ///
    /// world! {
    ///     world Tanks;
    ///     component Level;
    ///     // At the same time, but of other entities.
    ///     system Rise { update: [Level], each: |tank, effects| {
    ///         if tank.level.0 < 4 {
    ///             effects.update(tank.entity, Level(tank.level.0 + 1));
    ///         }
    ///     } }
    ///     system Fall { update: [Level], each: |tank, effects| {
    ///         if tank.level.0 >= 4 {
    ///             effects.update(tank.entity, Level(tank.level.0 - 1));
    ///         }
    ///     } }
    /// }
    ///
    /// let mut world = World::<Tanks>::new();
    /// let [low, high] = [3, 8].map(|n| world.spawn((Level(n),)));
    /// world.tick().unwrap();
    /// assert_eq!([low, high].map(|tank| world.get::<Level>(tank).unwrap().0), [4, 7]);
    /// ```
    ///
    /// # Panics
    /// If the system is not subscribed to the entity.
    #[inline]
    #[track_caller]
    pub fn update<C: UpdatedBy<N, D>>(&mut self, entity: impl EffectTarget<'w>, component: C) {
        const { assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.update, C::INDEX, "update") };
        let rank = const { update_rank::<D, N>(C::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = self.row_to_update(entity, C::INDEX) {
                    component.stage_update(rank, row, &mut self.work.staged.batches);
                }
            }
            Err(pending) => {
                component.stage_update(rank, 0, &mut self.work.staged.pending.changes(pending));
            }
        }
    }

    /// The row of an own entity. `None` if it is not alive.
    ///
    /// # Panics
    /// If the system is not subscribed to it.
    #[inline]
    #[track_caller]
    pub(crate) fn row_to_update(&self, entity: impl Locate, component: usize) -> Option<usize> {
        let row = entity.row_to_ask(self.core.storage.entities.handles())?;
        if self.core.subscriptions[N::INDEX].set.contains(row) {
            return Some(row);
        }
        if self.core.storage.entities.alive().contains(row) {
            update_of_another::<D>(N::INDEX, component)
        }
        None
    }
}

/// The component's number among those that the system updates, after those that it inserts or removes.
pub(crate) const fn update_rank<D: Declaration, N: SystemName<D>>(index: usize) -> usize {
    let declared = &D::SYSTEMS[N::INDEX].declared;
    let others = IndexSet::of(declared.insert).union(IndexSet::of(declared.remove));
    let last = MAX_COMPONENTS - 1;
    others.rank(last) + others.contains(last) as usize + IndexSet::of(declared.update).rank(index)
}

/// Updates are for own entities only: otherwise filters would not prove that updates of two systems are
/// disjoint.
#[cold]
#[track_caller]
fn update_of_another<D: Declaration>(system: usize, component: usize) -> ! {
    panic!(
        "the system `{}` would update `{}` of an entity that is not one of its own",
        systems_of::<D>()[system].name(),
        D::COMPONENTS[component].name(),
    )
}
