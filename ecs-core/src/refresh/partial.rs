//! A refresh that systems go on over: it applies changes of components of some systems, and matches those that name these
//! components. No entity comes, goes or moves, and all else of the world is as before.
//!
//! Its result is that of the whole refresh: there is nothing else to apply, as the group of phases has begun
//! [still](Core::is_still), and none of its systems stages anything else (`signature/check/residual/barriers.rs`).

use core::sync::atomic::Ordering::Relaxed;

use crate::changes::{AllStaged, AnyChanges, Catch, Lent, UpdateConflicts};
use crate::parallel::{PanicSlot, Workers, fork};
use crate::refresh::matching::Update;
use crate::signature::{Barrier, Declaration};
use crate::state::{Core, PartialWork};
use crate::storage::{Chunk, Storage};

/// With fewer changes, they are made on one thread.
const MUCH: usize = 1024;

impl<D: Declaration> Core<D> {
    /// Applies what is staged before the barrier of a phase, while systems run.
    ///
    /// # Panics
    /// If the destructor or the [`Accumulate`](crate::Accumulate) of a component panics, after all changes are made, or if the system refuses memory.
    ///
    /// # Safety
    /// `phase` must begin with a barrier that systems go on over. All systems of earlier phases must have returned in this
    /// execution, but for those that go [over](Barrier::over) it, and none of later phases may run meanwhile, nor another
    /// barrier. Nothing may have been changed or staged when the first phase of the group began.
    pub(crate) unsafe fn refresh_partly(&self, phase: usize, workers: &Workers) {
        let Some(partial) = &self.partial else { return };
        let barrier = partial.barrier(phase);
        self.count_execution();
        if !self.staged.load(Relaxed) {
            return;
        }
        // SAFETY: by the contract no other barrier is in progress, and nothing else uses this.
        let PartialWork { storage, staged, conflicts } = unsafe { partial.work.lend() };
        // SAFETY: by the contract the systems that stage have returned. What goes on does not read their instances
        // (`Held::Reads`).
        unsafe { self.lend_from(barrier, staged) };
        let panics = PanicSlot::new();
        let count: usize = staged.changes.iter().map(|lent| lent.slot.batch.len()).sum();
        let alone = &Workers::inline();
        let is_much = count >= MUCH || self.threads.is_eager();
        let workers = if self.inner_parallelism && is_much { workers } else { alone };
        let apply = |storage: &mut Storage| {
            apply(storage, &mut staged.changes, conflicts, workers, &panics);
        };
        // SAFETY: the other storage was made for as many components. By the contract only systems go on that name none of these
        // components, by themselves or through queries, and none that lies in a buffer with one of them (`Held::Names`,
        // `Held::NamesThrough`, `Held::Interleaved`). None of them is tracked (`Full::Tracked`). A system reaches only
        // columns of components that it names.
        unsafe { self.storage.lend_columns(&barrier.changed, storage, apply) };
        // SAFETY: as above.
        unsafe { self.give_back_to(staged) };
        self.release_states();
        fork(workers, barrier.matched.len(), &|position| {
            // SAFETY: each has its own position. A system whose subscription depends on a component names it, so that it does not
            // run, and is not a query of one that runs.
            let subscription = unsafe { self.subscriptions[barrier.matched[position]].lend() };
            subscription.update(&self.storage, Update::Match, workers);
        });
        // SAFETY: as for `lend_columns`.
        unsafe { self.storage.clean_columns(&barrier.changed) };
        if let Some(failure) = panics.take() {
            failure.resume();
        }
    }

    /// Takes the batches of the systems that the barrier waits for.
    ///
    /// # Safety
    /// None of their instances may be in use.
    unsafe fn lend_from(&self, barrier: &Barrier, staged: &mut AllStaged) {
        for &system in &barrier.stagers {
            // SAFETY: by the contract.
            let states = unsafe { &mut self.lend_instance(system).states };
            for subtask in 0..states.used(self.refreshes()) {
                states.staged_mut(subtask).batches.lend((system, subtask), staged);
            }
        }
    }

    /// Returns the batches to their systems.
    ///
    /// # Safety
    /// As for [`lend_from`](Self::lend_from).
    unsafe fn give_back_to(&self, staged: &mut AllStaged) {
        for lent in staged.changes.drain(..) {
            let (system, subtask) = lent.owner;
            // SAFETY: by the contract.
            let states = unsafe { &mut self.lend_instance(system).states };
            states.staged_mut(subtask).batches.take_changes(lent);
        }
    }
}

/// Makes the changes, in order, or drops them if the system refuses the memory that they need, which is a panic.
fn apply(
    storage: &mut Storage,
    changes: &mut [Lent<dyn AnyChanges>],
    conflicts: &UpdateConflicts,
    workers: &Workers,
    panics: &PanicSlot,
) {
    let reserved =
        panics.catch(0, None, || changes.iter().for_each(|lent| lent.slot.batch.reserve(storage)));
    if reserved.is_none() {
        for Lent { owner, slot, .. } in changes {
            slot.batch.discard(&Catch { panics, owner: *owner });
        }
        return;
    }
    let all = &*changes;
    storage.for_chunks(workers, panics, &|chunk: &mut Chunk<'_>| {
        for Lent { owner, slot, .. } in all.iter().filter(|lent| lent.slot.batch.by_chunks()) {
            // SAFETY: each chunk is visited once, and afterwards the batches are emptied.
            unsafe { slot.batch.apply(chunk, *owner, conflicts) };
        }
    });
    for Lent { owner, slot, .. } in changes {
        if slot.batch.by_chunks() {
            // SAFETY: every chunk was visited.
            unsafe { slot.batch.forget() };
        } else {
            slot.batch.apply_all(storage, &Catch { panics, owner: *owner }, conflicts);
        }
    }
}
