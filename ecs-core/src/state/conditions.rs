//! Run conditions: which systems are skipped, because of a function (`run_if`), a state (`in`, `on_enter`, `on_exit`) or the
//! number of the execution (`every`).
//!
//! The conditions of a phase are evaluated on one thread at the start of the phase, after its refresh. The world is borrowed
//! exclusively then, so they read resources that nothing writes. While the systems of the phase run, a skipped one costs
//! the test of a bit.
//!
//! A condition that several systems of a phase have is evaluated once for all of them, a group; a function is called only where
//! the rest holds. The results of 64 systems are one word, and nothing else is done for the systems of a group as long as its
//! bit stays the same. The declaration calls the functions (`Declaration::conditions`): a call by pointer costs more than a
//! condition.
//!
//! A bit says more than whether its system runs: it is set from the time when the outputs of the system were dropped, to
//! the system's next execution. So a system that is skipped again and again is not touched.

use core::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Core, CoreData};
use crate::parallel::Failure;
use crate::rows::bits;
use crate::signature::{Asked, Declaration, Evaluate, Phases, ResourceValues, SystemSignature};
use crate::state::{Transitions, When};

/// The conditions of all systems, and their values. Empty if there are none.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// Systems of one phase with the same condition, in ascending order; by the first of them.
    groups: Box<[Vec<usize>]>,
    /// For each phase, a word for each 64 systems.
    words: Box<[Word]>,
    /// A bit for each system, which is set if the system is skipped and has no outputs.
    skipped: Box<[u64]>,
    /// Systems that have become skipped, while the conditions of a phase are evaluated.
    newly: Vec<usize>,
}

/// Of 64 systems of one phase: a bit for each that is the first one of a group.
#[derive(Debug, Default)]
struct Word {
    groups: u64,
    /// Those that have a function.
    functions: u64,
    /// Those whose systems do say when, in ascending order.
    whens: Vec<(u64, When)>,
    /// Those whose condition held when it was evaluated last.
    hold: u64,
    /// Those with systems whose bits may say something else.
    unknown: u64,
}

impl Conditions {
    /// The conditions of these systems, in their phases.
    pub(crate) fn of(
        systems: &'static [SystemSignature],
        functions: impl Iterator<Item = Option<Evaluate>>,
        phases: &Phases,
    ) -> Self {
        let count = systems.len().div_ceil(64);
        let mut words: Box<[Word]> = (0..phases.count() * count).map(|_| Word::default()).collect();
        // For each group, what is the same for its systems.
        let mut kinds: Vec<(usize, When, Option<Evaluate>)> = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (system, evaluate) in functions.enumerate() {
            let declared = &systems[system].declared;
            let when =
                When { moment: declared.moment, states: declared.states, every: declared.every };
            if when == When::ALWAYS && evaluate.is_none() {
                continue;
            }
            let phase = phases.phase(system);
            let is_same = |other: &(usize, When, Option<Evaluate>)| {
                (other.0, other.1) == (phase, when) && is_one(other.2, evaluate)
            };
            if let Some(group) = kinds.iter().position(is_same) {
                groups[group].push(system);
                continue;
            }
            kinds.push((phase, when, evaluate));
            groups.push(vec![system]);
            let (word, bit) = (&mut words[phase * count + system / 64], 1 << (system % 64));
            word.groups |= bit;
            word.unknown |= bit;
            if evaluate.is_some() {
                word.functions |= bit;
            }
            if when != When::ALWAYS {
                word.whens.push((bit, when));
            }
        }
        Self {
            skipped: vec![0; count].into(),
            newly: Vec::with_capacity(groups.iter().map(Vec::len).sum()),
            groups: groups.into(),
            words,
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
        self.words.iter_mut().for_each(|word| word.unknown = word.groups);
    }

    /// Evaluates the conditions of the phase: of all systems, or of those that `selects`. Notes which systems are skipped now and
    /// were not before.
    fn evaluate<D: Declaration>(
        &mut self,
        phase: usize,
        selects: Option<&dyn Fn(usize) -> bool>,
        transitions: &Transitions,
        resources: &ResourceValues<'_>,
    ) -> Result<(), Failure> {
        let Self { groups, words, skipped, newly } = self;
        let count = skipped.len();
        // The first system of a group that takes part.
        let first = |of_group: usize| match selects {
            Some(selects) => group(groups, of_group).iter().copied().find(|one| selects(*one)),
            None => Some(of_group),
        };
        let panicked = Cell::new(0);
        let mut all = || {
            for (number, word) in words[phase * count..][..count].iter_mut().enumerate() {
                let mut asked = word.groups;
                if selects.is_some() {
                    let is_selected = |bit: &usize| first(64 * number + bit).is_some();
                    asked = bits(asked).filter(is_selected).fold(0, |word, bit| word | 1 << bit);
                }
                let hold = word.evaluate(asked, transitions, |functions| {
                    D::conditions(Asked::new(resources, (number, functions), &panicked))
                });
                let changed = asked & (hold ^ word.hold | word.unknown);
                if changed != 0 {
                    word.hold = word.hold & !changed | hold & changed;
                    word.unknown &= !changed;
                    if selects.is_some() {
                        word.unknown |= changed;
                    }
                    for bit in bits(changed) {
                        let systems = group(groups, 64 * number + bit).iter().copied();
                        let systems =
                            systems.filter(|one| selects.is_none_or(|selects| selects(*one)));
                        set(systems, hold >> bit & 1 != 0, skipped, newly);
                    }
                }
            }
        };
        // Sound for a panic of any condition: no change is in progress while it runs, and it writes nothing.
        catch_unwind(AssertUnwindSafe(&mut all)).map_err(|payload| Failure {
            node: first(panicked.get()).unwrap_or(panicked.get()),
            subtask: None,
            payload,
        })
    }
}

impl Word {
    /// Which of the groups that are asked run now. `functions` says of which of some groups the functions return `true`.
    #[inline]
    fn evaluate(
        &self,
        asked: u64,
        transitions: &Transitions,
        functions: impl FnOnce(u64) -> u64,
    ) -> u64 {
        let mut holds = asked;
        for (bit, when) in &self.whens {
            if holds & bit != 0 && !transitions.holds(when) {
                holds &= !bit;
            }
        }
        let called = holds & self.functions;
        if called == 0 { holds } else { holds & !called | functions(called) & called }
    }
}

/// The group whose first system this is.
fn group(groups: &[Vec<usize>], first: usize) -> &[usize] {
    let at = groups.partition_point(|systems| systems[0] < first);
    &groups[at]
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

/// Sets the bits of systems by whether their condition holds.
#[cold]
fn set(
    systems: impl Iterator<Item = usize>,
    holds: bool,
    skipped: &mut [u64],
    newly: &mut Vec<usize>,
) {
    for system in systems {
        let (word, bit) = (&mut skipped[system / 64], 1 << (system % 64));
        if holds {
            *word &= !bit;
        } else if *word & bit == 0 {
            *word |= bit;
            newly.push(system);
        }
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
        let result = conditions.evaluate::<D>(phase, selects, transitions, &resources.values());
        let refreshes = self.refreshes();
        for system in conditions.newly.drain(..) {
            let stages = self.systems[system].stages_work();
            self.instance_mut(system).states.skip(stages, refreshes);
        }
        self.conditions = conditions;
        result
    }
}
