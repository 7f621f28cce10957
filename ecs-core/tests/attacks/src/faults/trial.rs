//! Tries a program: every call of user code panics in a run of its own.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::OnceLock;
use std::thread;

use ecs_core::Threads;

use super::{Fault, Fired, Hook, Mode};
use crate::support::{four, watched};

/// What is tried: a world and what is done with it, beside a model of both.
pub trait Program: Sized {
    /// All that the program's world holds, to be compared.
    type State: Clone + PartialEq + Debug;

    /// Where functions without a receiver find the fault.
    const HOOK: Option<&'static Hook> = None;

    /// Whether the program catches panics by itself, and goes on.
    const CATCHES: bool = false;

    /// A world in its first state. Nothing panics.
    fn new(fault: &Fault, threads: Threads) -> Self;

    /// The calls in question.
    fn act(&mut self);

    /// What the world holds.
    fn state(&self) -> Self::State;

    /// What [`act`](Self::act) makes of a state if nothing panics.
    fn model(&self, state: &Self::State) -> Self::State;

    /// The states of which one is `found` after the fault, or some other judgement: the error is what was
    /// expected.
    ///
    /// # Errors
    /// If the documentation does not allow what was found.
    fn judge(&self, before: &Self::State, found: &Self::State, fired: &Fired)
    -> Result<(), String>;

    /// Asserts that the world agrees with itself. Nothing panics otherwise.
    fn check(&mut self);
}

/// That the state found is one of some states.
///
/// # Errors
/// If it is not.
pub fn one_of<S: PartialEq + Debug>(found: &S, allowed: &[S]) -> Result<(), String> {
    if allowed.contains(found) { Ok(()) } else { Err(format!("{allowed:?}")) }
}

/// What came of a trial.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The kinds of places that were called.
    pub seen: BTreeSet<&'static str>,
    /// Those of them that have panicked.
    pub failed: BTreeSet<&'static str>,
    /// How many runs there were.
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

/// A program to be tried once, however often it is asked for.
#[derive(Debug)]
pub struct Trial {
    run: fn() -> Report,
    report: OnceLock<Report>,
}

impl Trial {
    /// Of the program `P`: every call that it makes panics once.
    #[must_use]
    pub const fn of<P: Program>() -> Self {
        Self { run: try_out::<P>, report: OnceLock::new() }
    }

    /// Of the program `P`, as it is dropped after it was run, with a fault or without.
    #[must_use]
    pub const fn of_drop<P: Program>() -> Self {
        Self { run: try_drop::<P>, report: OnceLock::new() }
    }

    /// Of the program `P`, where all destructors panic from one on: in a process of its own, as that may abort.
    #[must_use]
    pub const fn of_hard<P: Program>() -> Self {
        Self { run: try_hard::<P>, report: OnceLock::new() }
    }

    /// Tries the program, if that was not done yet.
    ///
    /// # Panics
    /// If the program does not behave as it should.
    pub fn report(&self) -> &Report {
        self.report.get_or_init(|| watched(self.run))
    }
}

/// Says which run it was that failed.
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

fn try_out<P: Program>() -> Report {
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

fn try_drop<P: Program>() -> Report {
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

fn try_hard<P: Program>() -> Report {
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

/// Runs the program with a fault, looks at what is left, goes on, and drops it, perhaps with destructors
/// that all panic; how many calls there were.
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
        if let Err(expected) = program.judge(&before, &found, &fired) {
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

/// Runs the program without a fault, and drops it with one; how many calls there were.
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
