//! Tests a program: every call of user code panics in a separate run.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::OnceLock;
use std::thread;

use ecs_core::Threads;

use super::{Fault, Fired, Hook, Mode};
use crate::support::{four, watched};

/// A program to test: a world and operations on it, with a model of both.
pub trait Program: Sized {
    /// The contents of the program's world, for comparison.
    type State: Clone + PartialEq + Debug;

    /// The hook by which functions without a receiver find the fault.
    const HOOK: Option<&'static Hook> = None;

    /// Whether the program catches panics itself, and continues.
    const CATCHES: bool = false;

    /// A world in its initial state. Nothing panics.
    fn new(fault: &Fault, threads: Threads) -> Self;

    /// The operations to test.
    fn act(&mut self);

    /// The contents of the world.
    fn state(&self) -> Self::State;

    /// The state after [`act`](Self::act) if nothing panics.
    fn model(&self, state: &Self::State) -> Self::State;

    /// Checks the state `found` after the fault, for example by [`one_of`]. The error describes the expected states.
    ///
    /// # Errors
    /// If the documentation does not allow the state.
    fn verify(
        &self,
        before: &Self::State,
        found: &Self::State,
        fired: &Fired,
    ) -> Result<(), String>;

    /// Asserts that the world is consistent. Apart from the assertions, nothing panics.
    fn check(&mut self);
}

/// Checks that the state is one of the allowed states.
///
/// # Errors
/// If it is not.
pub fn one_of<S: PartialEq + Debug>(found: &S, allowed: &[S]) -> Result<(), String> {
    if allowed.contains(found) { Ok(()) } else { Err(format!("{allowed:?}")) }
}

/// The result of a test.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The kinds of places that were called.
    pub seen: BTreeSet<&'static str>,
    /// Those of them that panicked.
    pub failed: BTreeSet<&'static str>,
    /// The number of runs.
    pub runs: usize,
}

impl Report {
    fn take(&mut self, fault: &Fault) {
        let (seen, failed) = fault.places();
        self.seen.extend(seen);
        self.failed.extend(failed);
        self.runs += 1;
    }
}

/// A test of a program. It runs once, on the first call of [`report`](Self::report).
#[derive(Debug)]
pub struct FaultCase {
    run: fn() -> Report,
    report: OnceLock<Report>,
}

impl FaultCase {
    /// A test of the program `P`, in which every call panics once.
    #[must_use]
    pub const fn of<P: Program>() -> Self {
        Self { run: test_calls::<P>, report: OnceLock::new() }
    }

    /// A test of the drop of the program `P` after a run, with a fault and without.
    #[must_use]
    pub const fn of_drop<P: Program>() -> Self {
        Self { run: test_drop::<P>, report: OnceLock::new() }
    }

    /// A test of the program `P` in which all destructors panic from one on. It needs a separate process, as it may
    /// abort.
    #[must_use]
    pub const fn of_hard<P: Program>() -> Self {
        Self { run: test_hard_drops::<P>, report: OnceLock::new() }
    }

    /// Runs the test if it has not run yet, and returns its report.
    ///
    /// # Panics
    /// If the program does not behave as expected.
    pub fn report(&self) -> &Report {
        self.report.get_or_init(|| watched(self.run))
    }
}

/// Identifies the run, for messages about a failed one.
struct Context {
    threads: &'static str,
    mode: Mode,
    chosen: usize,
    fired: Option<Fired>,
}

impl Drop for Context {
    fn drop(&mut self) {
        if thread::panicking() {
            let Self { threads, mode, chosen, fired } = self;
            eprintln!("in the run {threads} {mode:?}({chosen}): {fired:?}");
        }
    }
}

fn every_kind() -> [(&'static str, Threads); 2] {
    [("inline", Threads::Inline), ("on four threads", four())]
}

fn test_calls<P: Program>() -> Report {
    let _turn = P::HOOK.map(Hook::turn);
    let mut report = Report::default();
    for (name, threads) in every_kind() {
        let mut run = |mode, chosen| {
            let context = Context { threads: name, mode, chosen, fired: None };
            run::<P>(context, &threads, &mut report, false)
        };
        let calls = run(Mode::Once, 0);
        assert!(calls > 0, "a program without user code");
        for mode in [Mode::Once, Mode::Drops] {
            for chosen in 1..=calls {
                run(mode, chosen);
            }
        }
    }
    report
}

fn test_drop<P: Program>() -> Report {
    let _turn = P::HOOK.map(Hook::turn);
    let mut report = Report::default();
    for (name, threads) in every_kind() {
        let context = |mode, chosen| Context { threads: name, mode, chosen, fired: None };
        let mut drop_it =
            |mode, chosen| drop_whole::<P>(context(mode, chosen), &threads, &mut report);
        let drops = drop_it(Mode::Once, 0);
        for mode in [Mode::Once, Mode::Drops] {
            for chosen in 1..=drops {
                drop_it(mode, chosen);
            }
        }
        let mut run = |chosen| run::<P>(context(Mode::Drops, chosen), &threads, &mut report, true);
        let calls = run(0);
        for chosen in 1..=calls {
            run(chosen);
        }
    }
    report
}

fn test_hard_drops<P: Program>() -> Report {
    let _turn = P::HOOK.map(Hook::turn);
    let mut report = Report::default();
    for (name, threads) in every_kind() {
        for chosen in 1.. {
            let context = Context { threads: name, mode: Mode::HardDrops, chosen, fired: None };
            if run::<P>(context, &threads, &mut report, false) < chosen {
                break;
            }
        }
    }
    report
}

fn start<P: Program>(threads: &Threads) -> (Fault, P) {
    let fault = Fault::new();
    if let Some(hook) = P::HOOK {
        hook.set(&fault);
    }
    let program = P::new(&fault, threads.clone());
    (fault, program)
}

/// Runs the program with a fault, checks its state, continues, and drops it, possibly with destructors
/// that all panic. Returns the number of calls.
fn run<P: Program>(
    mut context: Context,
    threads: &Threads,
    report: &mut Report,
    drops_panic: bool,
) -> usize {
    let (fault, mut program) = start::<P>(threads);
    let before = program.state();
    let fired = fault.during(context.mode, context.chosen, || program.act());
    let calls = fired.calls;
    context.fired = Some(fired.clone());
    let found = program.state();
    if fired.first.is_none() {
        assert_eq!(fired.caught, None);
        assert_eq!(found, program.model(&before));
    } else {
        assert!(fired.caught.is_some() || P::CATCHES, "the panic was swallowed");
        if context.mode == Mode::Once && fired.caught.is_some() {
            assert_eq!(fired.caught, fired.first, "another panic was caught");
        }
        if let Err(expected) = program.verify(&before, &found, &fired) {
            panic!("from {before:?} came {found:?}, but expected was {expected}");
        }
    }
    program.check();
    assert_eq!(program.state(), found, "to look at it has changed it");
    program.act();
    assert_eq!(program.state(), program.model(&found), "it goes on differently");
    program.check();
    let _ = fault.living();
    fault.during(Mode::Drops, usize::from(drops_panic), || drop(program));
    assert_eq!(fault.living(), 0, "leaked");
    report.take(&fault);
    calls
}

/// Runs the program without a fault, and drops it with one. Returns the number of calls.
fn drop_whole<P: Program>(mut context: Context, threads: &Threads, report: &mut Report) -> usize {
    let (fault, mut program) = start::<P>(threads);
    program.act();
    let fired = fault.during(context.mode, context.chosen, || drop(program));
    context.fired = Some(fired.clone());
    assert_eq!(fired.caught, fired.first, "the first panic goes on");
    assert_eq!(fault.living(), 0, "leaked");
    report.take(&fault);
    fired.calls
}
