//! Run conditions: which systems are skipped, because of a function (`run_if`), a state (`in`, `on_enter`, `on_exit`) or the
//! number of the execution (`every`).
//!
//! The conditions of a phase are evaluated on one thread at the start of the phase, after its refresh. The world is borrowed
//! exclusively then, so they read resources that nothing writes. While the systems of the phase run, a skipped one costs
//! the test of a bit.
//!
//! A condition that several systems of a phase have is evaluated once for all of them; a function is called only where the
//! rest holds. As long as its result stays the same,
//! nothing else is done for these systems.
//!
//! A bit says more than whether its system runs: it is set from the time when the outputs of the system were dropped, to
//! the system's next execution. So a system that is skipped again and again is not touched.

use core::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Core, CoreData};
use crate::parallel::Failure;
use crate::signature::{Declaration, Evaluate, Phases, ResourceValues, SystemSignature};
use crate::state::{Transitions, When};

/// The conditions of all systems, and their values. Empty if there are none.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// By phase, then by the first of their systems.
    groups: Box<[Group]>,
    /// For each phase the number of groups of this phase and of earlier ones.
    ends: Box<[usize]>,
    /// A bit for each system, which is set if the system is skipped and has no outputs.
    skipped: Box<[u64]>,
    /// Systems that have become skipped, while the conditions of a phase are evaluated.
    newly: Vec<usize>,
}

/// Systems of one phase with the same condition.
#[derive(Debug)]
struct Group {
    /// `None` if the systems do not say when.
    when: Option<Box<When>>,
    /// `None` if they have no function.
    evaluate: Option<Evaluate>,
    first: usize,
    /// In ascending order, with the first one.
    systems: Vec<usize>,
    /// What the bits of all systems say; `None` if they may differ.
    holds: Option<bool>,
}

impl Conditions {
    /// The conditions of these systems, in their phases.
    pub(crate) fn of(
        systems: &'static [SystemSignature],
        functions: impl Iterator<Item = Option<Evaluate>>,
        phases: &Phases,
    ) -> Self {
        let (words, mut count) = (systems.len().div_ceil(64), 0);
        // With their phases.
        let mut groups: Vec<(usize, Group)> = Vec::new();
        for (system, evaluate) in functions.enumerate() {
            let declared = &systems[system].declared;
            let when =
                When { moment: declared.moment, states: declared.states, every: declared.every };
            let when = (when != When::ALWAYS).then(|| Box::new(when));
            if when.is_none() && evaluate.is_none() {
                continue;
            }
            let phase = phases.phase(system);
            let is_same = |(other, group): &&mut (usize, Group)| {
                *other == phase && group.when == when && is_one(group.evaluate, evaluate)
            };
            match groups.iter_mut().find(is_same) {
                Some((_, group)) => group.systems.push(system),
                None => groups.push((
                    phase,
                    Group { when, evaluate, first: system, systems: vec![system], holds: None },
                )),
            }
            count += 1;
        }
        // Stable: groups of one phase stay in their order.
        groups.sort_by_key(|(phase, _)| *phase);
        let end = |phase| groups.partition_point(|(other, _)| *other <= phase);
        Self {
            ends: (0..phases.count()).map(end).collect(),
            skipped: vec![0; words].into(),
            newly: Vec::with_capacity(count),
            groups: groups.into_iter().map(|(_, group)| group).collect(),
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
        self.groups.iter_mut().for_each(|group| group.holds = None);
    }

    /// Evaluates the conditions of the phase: of all systems, or of those that `selects`. Notes which systems are skipped now and
    /// were not before.
    fn evaluate(
        &mut self,
        phase: usize,
        selects: Option<&dyn Fn(usize) -> bool>,
        transitions: &Transitions,
        resources: &ResourceValues<'_>,
    ) -> Result<(), Failure> {
        let Self { groups, ends, skipped, newly } = self;
        let first = phase.checked_sub(1).map_or(0, |before| ends[before]);
        let running = Cell::new(0);
        let mut ask = |group: &mut Group, first| {
            running.set(first);
            let holds = match group {
                Group { when: None, evaluate: Some(evaluate), .. } => evaluate(resources),
                Group { when: None, evaluate: None, .. } => true,
                Group { when: Some(when), evaluate, .. } => {
                    transitions.holds(when) && evaluate.is_none_or(|evaluate| evaluate(resources))
                }
            };
            if group.holds != Some(holds) {
                group.set(holds, selects, skipped, newly);
            }
        };
        let all = || {
            let groups = &mut groups[first..ends[phase]];
            let Some(selects) = selects else {
                return groups.iter_mut().for_each(|group| ask(group, group.first));
            };
            for group in groups {
                if let Some(&first) = group.systems.iter().find(|system| selects(**system)) {
                    ask(group, first);
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

/// Whether both are one function, or none. Two functions of one address do the same. One function may have several addresses,
/// and is then called again.
fn is_one(a: Option<Evaluate>, b: Option<Evaluate>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => core::ptr::fn_addr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl Group {
    /// Sets the bits of all systems, or of those that `selects`.
    #[cold]
    fn set(
        &mut self,
        holds: bool,
        selects: Option<&dyn Fn(usize) -> bool>,
        skipped: &mut [u64],
        newly: &mut Vec<usize>,
    ) {
        let selected = |system: &usize| selects.is_none_or(|selects| selects(*system));
        for system in self.systems.iter().copied().filter(selected) {
            let (word, bit) = (&mut skipped[system / 64], 1 << (system % 64));
            if holds {
                *word &= !bit;
            } else if *word & bit == 0 {
                *word |= bit;
                newly.push(system);
            }
        }
        self.holds = selects.is_none().then_some(holds);
    }
}

impl<D: Declaration> Core<D> {
    /// Evaluates the conditions of the phase, for all systems, or for those that `selects`. The systems that are skipped have no
    /// outputs.
    ///
    /// # Errors
    /// The panic of a condition, as that of its system. The conditions after it are not evaluated.
    pub(crate) fn evaluate_conditions(
        &mut self,
        phase: usize,
        selects: Option<&dyn Fn(usize) -> bool>,
    ) -> Result<(), Failure> {
        let mut conditions = core::mem::take(&mut self.conditions);
        let CoreData { transitions, resources, .. } = &mut **self;
        let result = conditions.evaluate(phase, selects, transitions, &resources.values());
        let refreshes = self.refreshes();
        for system in conditions.newly.drain(..) {
            let stages = self.systems[system].stages_work();
            self.instance_mut(system).states.skip(stages, refreshes);
        }
        self.conditions = conditions;
        result
    }
}
