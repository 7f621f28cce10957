//! Stage 1, the greater part: batches are applied, chunk by chunk, side by side.

use super::allocation::Allocation;
use super::share::sharers;
use crate::batch::{AllStaged, AnyChanges, AnySpawnBatch, Batches, Catch, Lent, UpdateConflicts};
use crate::entity::RowRanges;
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, SystemName, SystemVisitor};
use crate::storage::Chunk;
use crate::world::Core;

/// Which batches are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// SpawnBatch and changes.
    All,
    /// The changes; spawns wait for the rows of the dead.
    Changes,
}

impl<D: Declaration> Core<D> {
    /// Applies the batches that systems have [lent](Lend), or drops them if something has panicked.
    ///
    /// Entities come to be in the order (system, bundle, subtask, call): each gets the lowest row that is
    /// free. Components of one entity change in the order (system, subtask, call).
    pub(super) fn apply_batches(&mut self, applied: Applied, panics: &PanicSlot) {
        let staged = &mut self.refresh.staged;
        let wait = applied == Applied::Changes && panics.is_empty();
        if staged.changes.is_empty() && (wait || staged.spawns.is_empty()) {
            return;
        }
        let mut staged = core::mem::take(staged);
        staged.sort();
        if panics.is_empty() {
            if wait {
                self.refresh.staged.spawns = core::mem::take(&mut staged.spawns);
            }
            self.apply_staged(&mut staged, 0, panics);
            self.refresh.allocation.count_spawns(&mut self.storage.entities);
        } else {
            for Lent { owner, slot, .. } in &mut staged.spawns {
                slot.batch.finish(0, &Catch { panics, owner: *owner });
            }
            for Lent { owner, slot, .. } in &mut staged.changes {
                slot.batch.discard(&Catch { panics, owner: *owner });
            }
        }
        self.give_back(staged);
    }

    /// Applies the spawns that were left for last, when so many dead have made room.
    ///
    /// They get the rows of the dead first, so that where as many are born as die, nobody moves and there are no gaps.
    /// But the dead count still, as far as the limit is concerned.
    pub(super) fn apply_spawns(&mut self, dead: usize, panics: &PanicSlot) {
        if !self.refresh.staged.spawns.is_empty() {
            let mut staged = core::mem::take(&mut self.refresh.staged);
            staged.sort();
            self.apply_staged(&mut staged, dead, panics);
            self.refresh.allocation.note_strangers(&mut self.storage.entities);
            self.give_back(staged);
        }
    }

    /// Gives batches back to their systems.
    fn give_back(&mut self, mut staged: AllStaged) {
        for lent in staged.spawns.drain(..) {
            D::dispatch(lent.owner.0, GiveBack { core: self, lent, take: Batches::take_spawns });
        }
        for lent in staged.changes.drain(..) {
            D::dispatch(lent.owner.0, GiveBack { core: self, lent, take: Batches::take_changes });
        }
        self.refresh.staged.keep_memory_of(staged);
    }

    /// Applies everything.
    fn apply_staged(&mut self, staged: &mut AllStaged, dead: usize, panics: &PanicSlot) {
        let AllStaged { spawns, changes } = staged;
        let mut allocation = core::mem::take(&mut self.refresh.allocation);
        let room = allocation.make(self, spawns, dead);
        let work = room + changes.iter().map(|lent| lent.slot.batch.len()).sum::<usize>();
        let mut conflicts = core::mem::take(&mut self.refresh.conflicts);
        let storage = &mut self.storage;
        let threads = sharers(&self.threads, self.inner_parallelism);
        self.refresh.large_stages.share(&mut self.adaptive, threads, work, |workers| {
            conflicts.find(self.unordered_updates.as_deref(), changes, workers);
            let visit = |chunk: &mut Chunk<'_>| {
                // SAFETY: each chunk is visited once, and after that the batches are emptied.
                unsafe { visit(chunk, &allocation, spawns, changes, &conflicts) };
            };
            storage.for_chunks(workers, panics, &visit);
        });
        if let Some(conflict) = conflicts.first() {
            self.refresh.conflict(conflict.error::<D>(storage));
        }
        for group in allocation.groups() {
            for (batch, newborns) in group.taken() {
                let Lent { owner, slot, .. } = &mut spawns[batch];
                let catch = Catch { panics, owner: *owner };
                let taken = newborns.len();
                if !slot.batch.by_blocks() {
                    for (newborn, row) in group.rows(newborns).enumerate() {
                        // SAFETY: each once, and `visit` has left them alone.
                        catch.run(|| unsafe { slot.batch.put(newborn, storage, row) });
                    }
                }
                slot.batch.finish(taken, &catch);
            }
        }
        for Lent { owner, slot, .. } in changes {
            if slot.batch.by_chunks() {
                // SAFETY: every chunk was visited.
                unsafe { slot.batch.forget() };
            } else {
                slot.batch.apply_all(storage, &Catch { panics, owner: *owner }, &conflicts);
            }
        }
        self.refresh.allocation = allocation;
        self.refresh.conflicts = conflicts;
    }
}

/// Gives newborns their components, and makes the changes, as far as they concern the chunk.
///
/// # Safety
/// Each chunk once, and then the batches are emptied.
unsafe fn visit(
    chunk: &mut Chunk<'_>,
    allocation: &Allocation,
    spawns: &[Lent<dyn AnySpawnBatch>],
    changes: &[Lent<dyn AnyChanges>],
    conflicts: &UpdateConflicts,
) {
    for group in allocation.groups() {
        let allocated = group.within(chunk);
        let ([first, ..], [.., last]) = (allocated, allocated) else { continue };
        chunk.occupy(allocated);
        let (from, end) = (first.first as usize, last.end());
        for (start, batch) in group.batches(from..end) {
            let spawns = &spawns[batch].slot.batch;
            let (first, end) = (from.max(start), end.min(start + spawns.len()));
            if spawns.by_blocks() && first < end {
                let ranges = RowRanges::between(allocated, first, end);
                // SAFETY: these newborns have these rows, which are visited once.
                unsafe { spawns.write(first - start, chunk, ranges) };
            }
        }
    }
    for Lent { owner, slot, .. } in changes {
        if slot.batch.by_chunks() {
            // SAFETY: as the caller promises.
            unsafe { slot.batch.apply(chunk, *owner, conflicts) };
        }
    }
}

/// Has a system lend its batches.
pub(super) struct Lend<'a, D: Declaration> {
    pub(super) core: &'a mut Core<D>,
}

impl<D: Declaration> SystemVisitor<D> for Lend<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let mut staged = core::mem::take(&mut self.core.refresh.staged);
        let refreshes = self.core.refreshes;
        let states = &mut self.core.instance_mut::<N>().states;
        for subtask in 0..states.used(refreshes) {
            states.staged_mut(subtask).batches.lend((N::INDEX, subtask), &mut staged);
        }
        self.core.refresh.staged = staged;
    }
}

/// Gives a batch back to its system.
struct GiveBack<'a, D: Declaration, A: ?Sized> {
    core: &'a mut Core<D>,
    lent: Lent<A>,
    take: fn(&mut Batches, Lent<A>),
}

impl<D: Declaration, A: ?Sized> SystemVisitor<D> for GiveBack<'_, D, A> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let states = &mut self.core.instance_mut::<N>().states;
        (self.take)(&mut states.staged_mut(self.lent.owner.1).batches, self.lent);
    }
}
