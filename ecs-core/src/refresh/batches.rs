//! The larger part of stage 1: applies the batches, chunk by chunk, in parallel.

use crate::changes::{
    AllStaged, Allocation, AnyChanges, AnySpawnBatch, Batches, Catch, Lent, UpdateConflicts,
};
use crate::entity::RowRanges;
use crate::parallel::{PanicSlot, Workers};
use crate::refresh::inner_threads;
use crate::signature::{Declaration, any_spawns};
use crate::state::{Core, CoreData, Instance, RefreshState, Staged};
use crate::storage::Chunk;

/// The batches to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// Spawns and changes.
    All,
    /// Changes only; spawns wait until the despawned rows are free.
    Changes,
}

impl<D: Declaration> Core<D> {
    /// Applies the batches that systems have [lent](Self::lend_batches), or drops them if something has panicked.
    ///
    /// Entities are created in the order (system, bundle, subtask, call): each gets the lowest free
    /// row. Changes of one entity are made in the order (system, subtask, call).
    pub(super) fn apply_batches(&mut self, applied: Applied, panics: &PanicSlot) {
        let RefreshState { staged, pending, .. } = &self.refresh;
        let wait = applied == Applied::Changes && panics.is_empty() && !pending.is_early();
        if staged.changes.is_empty() && (wait || staged.spawns.is_empty() && pending.is_empty()) {
            return;
        }
        let spawns = const { any_spawns(D::SYSTEMS) };
        let resolved = spawns && !wait && !pending.is_empty() && self.resolve_first(panics);
        let (staged, dropped) = self.apply_lent(wait, resolved, panics);
        self.give_back(staged);
        if const { any_spawns(D::SYSTEMS) } && dropped && !self.refresh.pending.is_empty() {
            self.discard_pending(panics);
        }
    }

    /// Does the work for pending entities before the changes of other ones, unless something has panicked.
    fn resolve_first(&mut self, panics: &PanicSlot) -> bool {
        if panics.is_empty() {
            self.resolve_pending(self.refreshes(), 0, panics)
        } else {
            self.discard_pending(panics);
            false
        }
    }

    /// Applies the spawns that were postponed, with the work for pending entities, after the rows of `dead` despawned entities were
    /// freed.
    ///
    /// The spawns get the freed rows first. So in a world with as many spawns as despawns, no
    /// entity moves and no gap remains. The despawned entities still count towards the limit.
    pub(super) fn apply_spawns(&mut self, dead: usize, panics: &PanicSlot) {
        if const { !any_spawns(D::SYSTEMS) } {
            return;
        }
        // Work for pending entities may also be about living ones alone, so that there are no spawns.
        let pending = !self.refresh.pending.is_empty();
        if !pending && self.refresh.staged.spawns.is_empty() {
            return;
        }
        // The states of subtasks have been released meanwhile.
        let resolved = pending && self.resolve_pending(self.refreshes() - 1, dead, panics);
        let staged = if pending && !resolved {
            let mut staged = core::mem::take(&mut self.refresh.staged);
            discard(&mut staged, panics);
            staged
        } else {
            self.apply_lent_spawns(dead, resolved, panics)
        };
        self.give_back(staged);
        if pending {
            self.apply_requests();
        }
    }

    /// Makes the system at an index lend its batches.
    pub(super) fn lend_batches(&mut self, index: usize) {
        self.lend_batches_of(index, self.refreshes());
    }

    /// The same, of the states that belong to the refresh with this number.
    pub(super) fn lend_batches_of(&mut self, index: usize, refreshes: u64) {
        let (Instance { states, .. }, core) = self.instance_and_core_mut(index);
        let RefreshState { staged, pending: awaited, .. } = &mut core.refresh;
        for subtask in 0..states.used(refreshes) {
            let Staged { batches, pending, .. } = states.staged_mut(subtask);
            batches.lend((index, subtask), staged);
            if const { any_spawns(D::SYSTEMS) } && !pending.is_empty() {
                awaited.add((index, subtask), pending.is_early());
            }
        }
    }

    /// Returns the batches to their systems.
    pub(super) fn give_back(&mut self, mut staged: AllStaged) {
        for lent in staged.spawns.drain(..) {
            self.lender(lent.owner).take_spawns(lent);
        }
        for lent in staged.changes.drain(..) {
            self.lender(lent.owner).take_changes(lent);
        }
        self.refresh.staged.keep_memory_of(staged);
    }

    /// The batches of a subtask of a system.
    fn lender(&mut self, (system, subtask): (usize, usize)) -> &mut Batches {
        &mut self.instance_mut(system).states.staged_mut(subtask).batches
    }
}

impl CoreData {
    /// Applies the lent batches, all but the spawns if those `wait`, or drops all if something has panicked.
    /// `allocated` says whether the spawns have rows already. Returns the batches, empty, and whether all were dropped, the
    /// spawns that wait among them.
    fn apply_lent(&mut self, wait: bool, allocated: bool, panics: &PanicSlot) -> (AllStaged, bool) {
        let mut staged = core::mem::take(&mut self.refresh.staged);
        staged.sort();
        let mut dropped = false;
        if panics.is_empty() {
            if wait {
                self.refresh.staged.spawns = core::mem::take(&mut staged.spawns);
            }
            if !self.apply_staged(&mut staged, 0, allocated, panics) && wait {
                staged.spawns = core::mem::take(&mut self.refresh.staged.spawns);
                discard(&mut staged, panics);
                dropped = true;
            }
            self.refresh.allocation.count_spawns(&mut self.storage.entities);
        } else {
            discard(&mut staged, panics);
            dropped = true;
        }
        (staged, dropped)
    }

    /// Applies the lent batches after the rows of `dead` entities were freed. `resolved` says whether the spawns have rows,
    /// and the changes are those of spawned entities. Returns the batches, empty.
    fn apply_lent_spawns(&mut self, dead: usize, resolved: bool, panics: &PanicSlot) -> AllStaged {
        let mut staged = core::mem::take(&mut self.refresh.staged);
        staged.sort();
        self.apply_staged(&mut staged, dead, resolved, panics);
        if resolved {
            self.refresh.allocation.note_all(&mut self.storage.entities);
        } else {
            self.refresh.allocation.note_strangers(&mut self.storage.entities);
        }
        staged
    }

    /// Allocates rows to all spawns that fit beside `dead` despawned entities. Returns false if the system refuses the
    /// memory, which is a panic; no rows are allocated then.
    pub(super) fn allocate_for(
        &mut self,
        spawns: &[Lent<dyn AnySpawnBatch>],
        dead: usize,
        panics: &PanicSlot,
    ) -> bool {
        let mut allocation = core::mem::take(&mut self.refresh.allocation);
        let allocated = panics.catch(0, None, || self.allocate(&mut allocation, spawns, dead));
        if allocated.is_none() {
            allocation.withdraw(&mut self.storage.entities);
        }
        self.refresh.allocation = allocation;
        allocated.is_some()
    }

    /// Allocates rows to all spawns that fit beside `dead` despawned entities. Returns how many fit.
    fn allocate(
        &mut self,
        allocation: &mut Allocation,
        spawns: &[Lent<dyn AnySpawnBatch>],
        dead: usize,
    ) -> usize {
        let Self { storage, refresh, policies, .. } = self;
        let entities = &mut storage.entities;
        let wanted = allocation.stage(entities, spawns);
        let threads = inner_threads(&self.threads, self.inner_parallelism);
        let count =
            policies.share(threads, wanted, |workers| allocation.make(entities, dead, workers));
        if count < wanted {
            refresh.lose(entities.limit_reached(wanted - count));
        }
        count
    }

    /// Applies all batches, or drops them if the system refuses the memory that they need, which is a panic. Returns whether
    /// they are applied. `allocated` says whether the spawns have rows already; then there may be changes of spawned
    /// entities.
    fn apply_staged(
        &mut self,
        staged: &mut AllStaged,
        dead: usize,
        allocated: bool,
        panics: &PanicSlot,
    ) -> bool {
        let AllStaged { spawns, changes } = &mut *staged;
        let mut allocation = core::mem::take(&mut self.refresh.allocation);
        let reserved = panics.catch(0, None, || {
            let room = if allocated {
                allocation.count()
            } else {
                self.allocate(&mut allocation, spawns, dead)
            };
            for lent in &*spawns {
                lent.slot.batch.reserve(&mut self.storage);
            }
            for lent in &*changes {
                lent.slot.batch.reserve(&mut self.storage);
            }
            room
        });
        let Some(room) = reserved else {
            if allocated {
                allocation.withdraw_seen(&mut self.storage.entities);
            } else {
                allocation.withdraw(&mut self.storage.entities);
            }
            self.refresh.allocation = allocation;
            discard(staged, panics);
            return false;
        };
        let work = room + changes.iter().map(|lent| lent.slot.batch.len()).sum::<usize>();
        // Bundles that are not written by chunks come before the changes of their entities.
        let apart = allocated && spawns.iter().any(|lent| !lent.slot.batch.by_blocks());
        let at_once = if apart { &[][..] } else { &changes[..] };
        let mut conflicts = core::mem::take(&mut self.refresh.conflicts);
        let storage = &mut self.storage;
        let threads = inner_threads(&self.threads, self.inner_parallelism);
        self.policies.share(threads, work, |workers| {
            conflicts.find(self.unordered_updates.as_deref(), changes, workers);
            let visit = |chunk: &mut Chunk<'_>| {
                // SAFETY: each chunk is visited once, and afterwards the batches are emptied.
                unsafe { visit(chunk, &allocation, spawns, at_once, &conflicts) };
            };
            storage.for_chunks(workers, panics, &visit);
        });
        if let Some(conflict) = conflicts.first() {
            self.refresh.conflict(conflict.error(self.components, self.systems, storage));
        }
        for group in allocation.groups() {
            for (batch, spawned) in group.taken() {
                let Lent { owner, slot, .. } = &mut spawns[batch];
                let catch = Catch { panics, owner: *owner };
                let taken = spawned.len();
                if !slot.batch.by_blocks() {
                    for (number, row) in group.rows(spawned).enumerate() {
                        // SAFETY: each bundle is taken once, as `visit` does not take those of such
                        // batches.
                        catch.run(|| unsafe { slot.batch.put(number, storage, row) });
                    }
                }
                slot.batch.finish(taken, &catch);
            }
        }
        if apart {
            storage.for_chunks(&Workers::inline(), panics, &|chunk: &mut Chunk<'_>| {
                // SAFETY: each chunk is visited once, and afterwards the batches are emptied.
                unsafe { visit(chunk, &Allocation::default(), &[], changes, &conflicts) };
            });
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
        if self.storage.families.are_due() {
            self.spawn_due(panics);
        }
        true
    }

    /// Spawns the children of templates that were put.
    #[cold]
    fn spawn_due(&mut self, panics: &PanicSlot) {
        let Self { storage, refresh, .. } = self;
        let lost = panics.catch(0, None, || storage.spawn_due(0));
        // After a panic some may be left.
        storage.families.forget_due(0);
        if let Some(lost @ 1..) = lost {
            refresh.lose(storage.entities.limit_reached(lost));
        }
    }
}

/// Drops all batches.
fn discard(staged: &mut AllStaged, panics: &PanicSlot) {
    for Lent { owner, slot, .. } in &mut staged.spawns {
        slot.batch.finish(0, &Catch { panics, owner: *owner });
    }
    for Lent { owner, slot, .. } in &mut staged.changes {
        slot.batch.discard(&Catch { panics, owner: *owner });
    }
}

/// Writes the components of spawned entities and makes the changes, for the rows of one chunk.
///
/// # Safety
/// Must be called once for each chunk; afterwards the batches must be emptied.
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
                // SAFETY: these spawns have these rows, which are visited once.
                unsafe { spawns.write(first - start, chunk, ranges) };
            }
        }
    }
    for Lent { owner, slot, .. } in changes {
        if slot.batch.by_chunks() {
            // SAFETY: by the contract.
            unsafe { slot.batch.apply(chunk, *owner, conflicts) };
        }
    }
}
