//! Run conditions: which systems are skipped.
//!
//! The conditions of a phase are evaluated on one thread at the start of the phase, after its refresh. The world is borrowed
//! exclusively then, so they read resources that nothing writes. While the systems of the phase run, a skipped one costs
//! the test of a bit.
//!
//! A bit says more than whether its system runs: it is set from the time when the outputs of the system were dropped, to
//! the system's next execution. So a system that is skipped again and again is not touched.

use core::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Core;
use crate::parallel::Failure;
use crate::signature::{Declaration, Evaluate, Phases, ResourceValues};

/// The conditions of all systems, and their values. Empty if there are none.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// By phase, then by system.
    lines: Box<[Line]>,
    /// For each phase the number of lines of this phase and of earlier ones.
    ends: Box<[usize]>,
    /// A bit for each system, which is set if the system is skipped and has no outputs.
    skipped: Box<[u64]>,
    /// Systems that have become skipped, while the conditions of a phase are evaluated.
    newly: Vec<usize>,
}

/// The condition of a system.
#[derive(Debug)]
struct Line {
    system: usize,
    evaluate: Evaluate,
}

impl Conditions {
    /// The conditions of these systems, in their phases.
    pub(crate) fn of(
        systems: impl ExactSizeIterator<Item = Option<Evaluate>>,
        phases: &Phases,
    ) -> Self {
        let words = systems.len().div_ceil(64);
        let lines = systems.enumerate();
        let lines =
            lines.filter_map(|(system, evaluate)| Some(Line { system, evaluate: evaluate? }));
        let mut lines: Vec<Line> = lines.collect();
        // Stable: systems of one phase stay in their order.
        lines.sort_by_key(|line| phases.phase(line.system));
        let end = |phase| lines.partition_point(|line| phases.phase(line.system) <= phase);
        Self {
            ends: (0..phases.count()).map(end).collect(),
            skipped: vec![0; words].into(),
            newly: Vec::with_capacity(lines.len()),
            lines: lines.into(),
        }
    }

    /// Whether the system is skipped.
    #[inline]
    pub(crate) fn skip(&self, system: usize) -> bool {
        self.skipped.get(system / 64).is_some_and(|word| word >> (system % 64) & 1 != 0)
    }

    /// Systems may have outputs again, because the world has been restored.
    pub(crate) fn forget(&mut self) {
        self.skipped.fill(0);
    }

    /// Evaluates the conditions of the phase of those systems that `selects`. Notes which systems are skipped now and were not
    /// before.
    fn evaluate(
        &mut self,
        phase: usize,
        selects: &dyn Fn(usize) -> bool,
        resources: &ResourceValues<'_>,
    ) -> Result<(), Failure> {
        let Self { lines, ends, skipped, newly } = self;
        let first = phase.checked_sub(1).map_or(0, |before| ends[before]);
        let running = Cell::new(0);
        let all = || {
            for &Line { system, evaluate } in &lines[first..ends[phase]] {
                if !selects(system) {
                    continue;
                }
                running.set(system);
                let (word, bit) = (&mut skipped[system / 64], 1 << (system % 64));
                if evaluate(resources) {
                    *word &= !bit;
                } else if *word & bit == 0 {
                    *word |= bit;
                    newly.push(system);
                }
            }
        };
        // Sound for a panic of any condition: no change is in progress while it runs, and it writes nothing.
        catch_unwind(AssertUnwindSafe(all)).map_err(|payload| Failure {
            node: running.get(),
            subtask: None,
            payload,
        })
    }
}

impl<D: Declaration> Core<D> {
    /// Evaluates the conditions of the phase, for those systems that `selects`. The systems that are skipped have no outputs.
    ///
    /// # Errors
    /// The panic of a condition, as that of its system. The conditions after it are not evaluated.
    pub(crate) fn evaluate_conditions(
        &mut self,
        phase: usize,
        selects: &dyn Fn(usize) -> bool,
    ) -> Result<(), Failure> {
        let mut conditions = core::mem::take(&mut self.conditions);
        let result = conditions.evaluate(phase, selects, &self.resources.values());
        let refreshes = self.refreshes;
        for system in conditions.newly.drain(..) {
            let stages = self.systems[system].stages_work();
            self.instance_mut(system).states.skip(stages, refreshes);
        }
        self.conditions = conditions;
        result
    }
}
