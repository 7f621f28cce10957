//! Accumulations: values that are merged into components of any entities at the refresh.

use crate::entity::Locate;
use crate::proxy::Effects;
use crate::proxy::effects::assert_changes;
use crate::signature::access::AccumulatedBy;
use crate::signature::{Declaration, SystemName};
use crate::types::{IndexSet, MAX_COMPONENTS};

impl<D: Declaration, N: SystemName<D>> Effects<'_, D, N> {
    /// Merges the value into the `C` of the entity at the refresh, by [`Accumulate`](crate::Accumulate), which has an
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
    pub fn accumulate<C: AccumulatedBy<N, D>>(&mut self, entity: impl Locate, value: C) {
        const {
            assert_changes::<D, N>(
                D::SYSTEMS[N::INDEX].declared.accumulate,
                C::INDEX,
                "accumulate into",
            );
        };
        let rank = const { accumulation_rank::<D, N>(C::INDEX) };
        if let Some(row) = entity.living_row(&self.core.storage.entities) {
            value.stage_accumulation(rank, row, &mut self.work.staged.batches);
        }
    }
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
