//! Steps that are cut off: of the systems that a step would execute, the first ones run, and no others.
//!
//! The search for the system that makes two worlds differ repeats a step with more and more of its systems. As a cut-off execution
//! is one of some systems alone, those that run do the same as in the whole step, and what they have staged is applied at its end.

use crate::scheduling::scheduler::{Phased, Scheduler, Selection};
use crate::signature::SystemSignature;
use crate::signature::tables::streams::consumer_of;
use crate::types::IndexSet;

/// How many systems may run.
#[derive(Debug)]
pub(crate) struct Cut {
    left: usize,
    /// The last one of them that has run, and the one that takes its stream, if one does.
    last: Option<(usize, Option<usize>)>,
}

impl Cut {
    /// After this many systems. A system that receives a stream runs with the one that sends it, and does not count.
    pub(crate) const fn after(systems: usize) -> Self {
        Self { left: systems, last: None }
    }

    /// The last system that has run, and the one that has taken its stream; `None` if fewer systems have run than could.
    pub(crate) fn last(&self) -> Option<(usize, Option<usize>)> {
        self.last.filter(|_| self.left == 0)
    }

    /// What an execution of the selected systems executes, which the schedule selects. The selection must be valid.
    #[cold]
    #[inline(never)]
    pub(crate) fn select<S: Scheduler>(
        &mut self,
        schedule: &mut Phased<S>,
        selection: Selection<'_>,
        systems: &[SystemSignature],
    ) -> IndexSet {
        schedule.select(selection).expect("the starts were validated");
        let mut chosen = IndexSet::EMPTY;
        for node in schedule.order() {
            let system = &systems[node].declared;
            if chosen.contains(node) || system.is_idle() || !schedule.selects(selection, node) {
                continue;
            }
            // An index is made for the systems that use it.
            if system.indexed {
                chosen.add(node);
                continue;
            }
            if self.left == 0 {
                continue;
            }
            self.left -= 1;
            chosen.add(node);
            let receiver = consumer_of(systems, node);
            let receiver = receiver.filter(|&receiver| schedule.selects(selection, receiver));
            if let Some(receiver) = receiver {
                chosen.add(receiver);
            }
            self.last = Some((node, receiver));
        }
        schedule.select(Selection::Only(&chosen)).expect("systems alone are no starts");
        chosen
    }
}
