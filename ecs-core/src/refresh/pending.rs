//! Work for *pending* entities: it is done when spawns have rows, and before they are written.

use core::mem;

use crate::parallel::PanicSlot;
use crate::signature::{Declaration, MergeOrder};
use crate::state::{Core, CoreData, Defer, Editing, PendingWork};
use crate::types::IndexSet;

impl<D: Declaration> Core<D> {
    /// Allocates rows to the spawns that are lent, and does the work that subtasks have staged for pending entities: it
    /// becomes part of batches, which are lent then, too. `refreshes` is the number of the refresh that the states of
    /// subtasks belong to. Returns whether everything is done. If not, since user code has panicked or the system refuses
    /// memory, the rows are free again, and what is left of the work is dropped.
    #[cold]
    #[inline(never)]
    pub(super) fn resolve_pending(
        &mut self,
        refreshes: u64,
        dead: usize,
        panics: &PanicSlot,
    ) -> bool {
        let mut staged = mem::take(&mut self.refresh.staged);
        staged.sort();
        let allocated = self.allocate_for(&staged.spawns, dead, panics);
        let refresh = &mut self.refresh;
        refresh.pending.enter(&refresh.allocation, &staged.spawns);
        let mut systems = IndexSet::EMPTY;
        for (system, _) in staged.owners().chain(refresh.pending.owners().iter().copied()) {
            systems.add(system);
        }
        self.give_back(staged);
        let done = allocated && self.run_pending(panics);
        if allocated && !done {
            let CoreData { storage, refresh, .. } = &mut **self;
            refresh.allocation.withdraw_seen(&mut storage.entities);
        }
        self.discard_pending(panics);
        let order = const { &MergeOrder::of(D::SYSTEMS) };
        for index in order.systems().filter(|index| systems.contains(*index)) {
            self.lend_batches_of(index, refreshes);
        }
        done
    }

    /// Does the work, up to the first panic, and then adds the events of all subtasks. Returns whether there was none.
    fn run_pending(&mut self, panics: &PanicSlot) -> bool {
        for number in 0..self.refresh.pending.owners().len() {
            let owner @ (system, subtask) = self.refresh.pending.owners()[number];
            self.refresh.pending.begin(owner);
            // Taken out of the state meanwhile, as the work changes the world.
            let mut work = mem::replace(self.pending_of(owner), PendingWork::new());
            let done = panics.catch(system, Some(subtask), || {
                work.run(&mut Defer { core: Editing::new(self) });
            });
            work.discard(panics, system, subtask);
            *self.pending_of(owner) = work;
            if done.is_none() {
                return false;
            }
        }
        for number in 0..self.refresh.pending.owners().len() {
            let (system, subtask) = self.refresh.pending.owners()[number];
            // Taken out meanwhile, as above.
            let mut added =
                mem::take(&mut self.instance_mut(system).states.work_mut(subtask).added);
            added.apply_later(&mut self.resources);
            self.instance_mut(system).states.work_mut(subtask).added = added;
        }
        true
    }

    /// Drops the work that is not done.
    pub(super) fn discard_pending(&mut self, panics: &PanicSlot) {
        for number in 0..self.refresh.pending.owners().len() {
            let (system, subtask) = self.refresh.pending.owners()[number];
            let work = self.instance_mut(system).states.work_mut(subtask);
            work.staged.pending.discard(panics, system, subtask);
            work.added.discard(panics, system);
        }
        self.refresh.pending.clear();
    }

    fn pending_of(&mut self, (system, subtask): (usize, usize)) -> &mut PendingWork<D> {
        &mut self.instance_mut(system).states.staged_mut(subtask).pending
    }
}
