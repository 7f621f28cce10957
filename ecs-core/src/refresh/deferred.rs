//! Stage 1: applies staged changes and runs deferred functions (thesis, algorithm 2).

use core::mem;

use super::batches::Applied;
use crate::parallel::PanicSlot;
use crate::signature::{Declaration, MergeOrder};
use crate::state::{Core, Defer, DeferredQueue, Editing};

impl<D: Declaration> Core<D> {
    /// Applies the batches of every system and then runs its deferred functions, in the
    /// [order](MergeOrder) of systems. Also collects the entities that subtasks have marked as
    /// despawned. Batches of systems without deferred functions are applied together with those of
    /// the following systems. Spawns that no deferred function needs to see are left to
    /// [`apply_spawns`](Self::apply_spawns).
    ///
    /// After a panic the rest is dropped.
    pub(super) fn run_deferred(&mut self, panics: &PanicSlot) {
        let order = const { &MergeOrder::of(D::SYSTEMS) };
        for index in order.systems() {
            let signature = &self.systems[index];
            if const { !D::STATES.is_empty() } && !signature.declared.set_states.is_empty() {
                self.take_state_requests(index);
            }
            if signature.stages_work() {
                self.lend_batches(index);
            }
            if signature.stages() && (signature.declared.despawn || signature.declared.defer) {
                if signature.declared.defer {
                    // Functions may access everything, including staged changes.
                    self.apply_batches(Applied::All, panics);
                }
                self.run_deferred_of(index, panics);
            }
        }
        self.apply_batches(Applied::Changes, panics);
        self.release_states();
    }

    /// Takes over the requests of the system at an index to change states.
    fn take_state_requests(&mut self, index: usize) {
        for subtask in 0..self.instance(index).states.used(self.refreshes()) {
            let staged = self.instance_mut(index).states.staged_mut(subtask);
            let mut requests = mem::take(&mut staged.states);
            for (state, variant) in requests.drain(..) {
                self.transitions.request(state, variant);
            }
            self.instance_mut(index).states.staged_mut(subtask).states = requests;
        }
    }

    /// Runs the deferred functions of the system at an index, and collects the entities that it has marked.
    fn run_deferred_of(&mut self, index: usize, panics: &PanicSlot) {
        for subtask in 0..self.instance(index).states.used(self.refreshes()) {
            let staged = self.instance_mut(index).states.staged_mut(subtask);
            // Both are taken out of the state meanwhile, as the functions may access every system.
            let mut queue = mem::replace(&mut staged.deferred, DeferredQueue::new());
            let mut to_despawn = mem::take(staged.to_despawn.marks_mut());
            if !to_despawn.is_empty() {
                let rows = self.storage.entities.rows().len();
                self.to_despawn.expect(rows, subtask + 1);
                self.to_despawn.append(&mut to_despawn);
            }
            if panics.is_empty() {
                panics.catch(index, Some(subtask), || {
                    queue.run(&mut Defer { core: Editing::new(self) });
                });
            }
            queue.discard(panics, index, subtask);
            let staged = self.instance_mut(index).states.staged_mut(subtask);
            staged.deferred = queue;
            *staged.to_despawn.marks_mut() = to_despawn;
        }
    }

    /// Drops all staged changes, after a panic. If the destructor of a function panics, that panic
    /// is dropped too, as the first one is already being propagated.
    pub(crate) fn discard_staged(&mut self) {
        let panics = PanicSlot::new();
        self.to_despawn.clear();
        self.contributions.discard(&panics);
        self.discard_requests();
        self.discard_links(D::RELATIONS, &panics);
        for (index, signature) in self.systems.iter().enumerate() {
            if signature.stages_work() {
                let refreshes = self.refreshes();
                panics.catch(index, None, || {
                    self.instance_mut(index).states.discard(refreshes, &panics);
                });
            }
        }
        self.release_states();
    }
}
