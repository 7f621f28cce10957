//! One execution: the steps of a thread from a ready node on.

use super::{Counter, Dag, ForkJoin, Outcome, PanicSlot, Slot, fork};
use crate::scheduler::Failure;

/// What all threads of one execution share.
pub(super) struct Run<'a, C, S, E, F> {
    pub(super) dag: &'a Dag,
    pub(super) counters: &'a [C],
    pub(super) ready: &'a [S],
    pub(super) cancelled: &'a S,
    pub(super) panics: &'a PanicSlot,
    pub(super) executor: &'a E,
    pub(super) node: &'a F,
}

impl<C, S, E, F> Run<'_, C, S, E, F>
where
    C: Counter,
    S: Slot,
    E: ForkJoin,
    F: Fn(usize) -> Outcome + Sync,
{
    /// Runs `node`, which is ready and which no other thread will run, and all that it releases.
    ///
    /// While one dependent at a time is released, the loop continues with it, so a chain of any length needs
    /// one stack frame. The stack deepens only where several are released at once.
    pub(super) fn chain(&self, mut node: usize) {
        while self.cancelled.load() == 0 && self.succeeds(node) {
            match self.release_dependents(node) {
                [] => return,
                [only] => node = only.load(),
                several => {
                    return fork(self.executor, several.len(), &|i| self.chain(several[i].load()));
                }
            }
        }
    }

    /// Runs `node`. A failure is recorded and stops the execution.
    ///
    /// Catching a panic of any closure is sound here: none of the scheduler's own state is in the middle of a
    /// change while a node runs, the node's dependents, which rely on its results, are never released, and the
    /// caller is told before it can use them.
    fn succeeds(&self, node: usize) -> bool {
        match self.panics.catch(node, None, || (self.node)(node)) {
            Some(Outcome::Done) => return true,
            Some(Outcome::Failed { subtask, payload }) => {
                self.panics.record(Failure { node, subtask: Some(subtask), payload });
            }
            None => {}
        }
        self.cancelled.store(1);
        false
    }

    /// Decrements the counters of the dependents of `node`, and returns those for which it was the last
    /// dependency. Only the caller knows that they are ready, so it must run them.
    fn release_dependents(&self, node: usize) -> &[S] {
        let row = &self.ready[self.dag.dependents_offset(node)..];
        let mut released = 0;
        for &dependent in self.dag.dependents(node) {
            if self.counters[dependent].decrement() == 0 {
                row[released].store(dependent);
                released += 1;
            }
        }
        &row[..released]
    }
}
