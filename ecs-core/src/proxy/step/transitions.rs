//! Transitions of states, in a step: the systems that run when a variant is left or entered.

use crate::proxy::step::Step;
use crate::proxy::step::overrides::Bodies;
use crate::refresh::events::reborrow;
use crate::scheduling::scheduler::Selection;
use crate::scheduling::settings::Settings;
use crate::signature::{Declaration, SystemSignature};
use crate::state::Transition;
use crate::types::IndexSet;
use ecs_rules::Moment;

impl<D: Declaration, S: Settings> Step<'_, D, S> {
    /// Before the first execution of the step: the transitions that were requested.
    #[inline(never)]
    pub(super) fn begin_transitions(&mut self) {
        let core = &mut *self.defer.core;
        // A panic may have interrupted one.
        core.transitions.end();
        let begun = core::mem::replace(&mut core.transitions.executed, true);
        if !begun && core.transitions.are_requested() {
            core.apply(reborrow(&mut self.events));
            self.transit();
        }
    }

    /// At the end of the step, if it has executed systems: the transitions that were requested.
    #[inline(never)]
    pub(crate) fn end_transitions(&mut self) {
        let core = &mut *self.defer.core;
        core.transitions.end();
        if !core.transitions.executed {
            return;
        }
        core.apply(reborrow(&mut self.events));
        if core.transitions.are_requested() {
            self.transit();
        }
    }

    /// Makes one transition after the other, until none is requested. What went wrong is reported at the end of the step.
    fn transit(&mut self) {
        self.defer.core.transitions.begin();
        while let Some(next) = self.defer.core.transitions.next() {
            match next {
                Ok(Transition { state, from, to }) => {
                    if let Some(from) = from {
                        self.run_at(Moment::Exit, state, from);
                    }
                    self.run_at(Moment::Enter, state, to);
                }
                Err(error) => {
                    self.defer.core.refresh.error.get_or_insert(error);
                }
            }
        }
    }

    /// Runs the systems that are for this variant being entered or left, and applies what they have staged.
    fn run_at(&mut self, moment: Moment, state: usize, variant: usize) {
        let core = &mut *self.defer.core;
        core.transitions.start(moment, state, variant);
        let nodes = systems_at(core.systems, moment, state, variant);
        if nodes.is_empty() {
            return core.transitions.end();
        }
        self.run(Selection::Only(&nodes), &Bodies);
        let core = &mut *self.defer.core;
        core.transitions.end();
        core.apply(reborrow(&mut self.events));
    }
}

/// The systems that are for this variant being entered or left, and the queries whose index they use.
fn systems_at(
    systems: &[SystemSignature],
    moment: Moment,
    state: usize,
    variant: usize,
) -> IndexSet {
    let mut nodes = IndexSet::EMPTY;
    for (system, signature) in systems.iter().enumerate() {
        let declared = &signature.declared;
        let is_of = |&(other, mask): &(usize, u64)| other == state && mask >> variant & 1 != 0;
        if declared.moment == moment && declared.states.iter().any(is_of) {
            nodes.add(system);
            let queries = declared.queries.iter().copied();
            queries
                .filter(|&query| systems[query].declared.indexed)
                .for_each(|query| nodes.add(query));
        }
    }
    nodes
}
