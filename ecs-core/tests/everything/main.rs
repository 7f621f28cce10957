//! Random programs over all features at once: the same as a naive model, and the same bits on any threads and under any settings.
//!
//! Each feature has a test of its own beside this one. Here they meet: one [declaration](worlds) has components in each kind of
//! storage, events that are kept, delayed and transient, messages, a tracked component, removed values, conditions, random numbers,
//! commutative resources, a stream, a join, reads of any entity, outputs, an opt-in system, relations, templates and named bundles,
//! staged changes, a component that expires, updates, accumulations, of which some are for pending entities, deferred functions, a sequential system, and
//! systems that see a refresh in mid-step. It is made into five worlds, which differ in storage, splits and refreshes.
//!
//! **Programs.** A world is compiled, so its systems are interpreters. A [program] gives each system a list of rules, such as
//! "despawn one entity of 15"; whether a rule is for an entity follows from a hash of the entity's `Id` and of the time. A program
//! is also a list of acts: steps with changes at once, with executions of all systems, of chains and of some alone, and with
//! events; snapshots, old ones restored, clones, worlds that take over a state, seeds, the same step twice, and panics of systems and
//! of deferred functions, after which a state is restored.
//!
//! **The comparison.** After each act, the first world of a list is compared with the [model]: the entities in their order, with
//! their components, resources, queues, and outputs, in which readers put what they have read. An entity keeps its handle. A random
//! number is taken from the world; it must be new, and that which the same entity drew in the same execution before. The other worlds
//! must have the same bits after the act ([pair]): the hash of the state, and the outputs.
//!
//! **More cases.** `EVERYTHING_CASES` sets their number. The default is 500, and `.ci/thorough` has 10 000.
//!
//! ```text
//! EVERYTHING_CASES=100000 cargo test --release -p ecs-core --test everything
//! ```
//!
//! **Reading a failure.** The smallest failing program is printed: a line for each system that has rules, each with how rare it is and
//! a salt of its hash; and a line for each act. Above it is the first difference.
//!
//! **What it finds.** These faults were put into the library by hand. Each failed the test within 151 programs: systems merge in
//! the opposite order; an event is kept for a step more; a delayed event is read at once; a message goes to the next row; an insertion
//! leaves no mark of an addition; a mark does not move with its entity; marks are not restored; a condition is evaluated once
//! only; conditions are not forgotten at a restoration; of several subscription requests the first one counts; a member of an
//! opt-in system does not follow to its new row; a refresh in mid-step is left out; links of many to many stay behind when entities
//! move; of several changes of one link the first one counts.
//!
//! **Another feature** takes a key in the declaration of `worlds.rs`; a system, in one of the files of `bodies/`; the same in
//! `model/systems.rs`, or in a file of its own in `model/`; and what the system may do, in `allowed` of `program.rs`. A new
//! system has a line in `parts.rs` (`NAMES` and `at`) and in `Run::systems`; a new component, resource or event has a line in
//! the comparison of `pair.rs`.
//!

#![expect(clippy::duplicate_mod, reason = "each world has systems of its own, with the same code")]

mod driver;
#[path = "../world/snapshots/keep.rs"]
mod keep;
mod model;
mod pair;
mod parts;
mod program;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod worlds;

use ecs_core::Threads;
use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Sequential,
};
use proptest::prelude::*;

use pair::{Trace, run};
use program::{Program, program};
use support::{POOL_SIZES, pools};
use worlds::{columns, groups, maps, mixed, phased};

/// Runs a program in a world with its settings, on these threads: beside the model, or by itself after another run.
type Runs = fn(Threads, &Program, Option<&Trace>) -> Trace;

type Plain = Config<Dynamic<0>, Disallow, Sequential>;
type Usual = Config<Dynamic<16>, Allow, AtomicCounter>;
type Roomy = Config<Fixed<20_000>, Allow, AtomicCounter>;
type OneByOne = Config<Fixed<20_000>, Allow, Sequential>;
type Mixed = Config<Dynamic<1000>, Allow, Shuffled>;
type Paused = Config<Dynamic<16>, Allow, Delayed>;
type Whole = Config<Dynamic<16>, Disallow, AtomicCounter>;
type Sorted = Config<ByArchetype<16>, Allow, AtomicCounter>;
type SortedPlain = Config<ByArchetype<64>, Disallow, Sequential>;
type SortedMixed = Config<ByArchetype<0>, Allow, Shuffled>;

/// Where a world runs.
#[derive(Clone, Copy, Debug)]
enum On {
    /// The calling thread.
    One,
    /// So many threads, also for what would be faster on one.
    Eager(usize),
    /// So many threads, where that has been found to be faster.
    Pool(usize),
}

impl On {
    fn threads(self) -> Threads {
        let (Self::Eager(threads) | Self::Pool(threads)) = self else { return Threads::Inline };
        let at = POOL_SIZES.iter().position(|size| *size == threads).expect("such a pool");
        match (self, pools()[at].clone()) {
            (Self::Pool(_), Threads::Eager(pool)) => Threads::Pool(pool),
            (_, threads) => threads,
        }
    }
}

/// Asserts that the program does in the first of these worlds what the model says, and gives the same bits in all.
fn same(program: &Program, everywhere: &[(&str, Runs, On)]) {
    let mut first: Option<Trace> = None;
    for &(name, runs, on) in everywhere {
        let trace = runs(on.threads(), program, first.as_ref());
        let Some(expected) = &first else {
            first = Some(trace);
            continue;
        };
        let Some(act) = trace.bits.iter().zip(&expected.bits).position(|(a, b)| a != b) else {
            continue;
        };
        // The model may tell more of what is different.
        runs(on.threads(), program, None);
        panic!("act {act} gives other bits in {name}, on {on:?}");
    }
}

const STAGED: [(&str, Runs, On); 12] = [
    ("columns", run::<columns::Tested, Plain>, On::One),
    ("columns", run::<columns::Tested, Usual>, On::Eager(1)),
    ("columns, shuffled", run::<columns::Tested, Mixed>, On::One),
    ("columns, one by one", run::<columns::Tested, OneByOne>, On::Eager(3)),
    ("columns, paused", run::<columns::Tested, Paused>, On::Eager(8)),
    ("groups", run::<groups::Tested, Usual>, On::Eager(2)),
    ("groups, paused", run::<groups::Tested, Paused>, On::Eager(3)),
    ("groups, in fixed rows", run::<groups::Tested, Roomy>, On::Eager(8)),
    ("groups", run::<groups::Tested, Usual>, On::Pool(4)),
    ("maps", run::<maps::Tested, Usual>, On::Eager(3)),
    ("maps, whole", run::<maps::Tested, Whole>, On::Eager(8)),
    ("maps, shuffled", run::<maps::Tested, Mixed>, On::Eager(2)),
];

const REFRESHED: [(&str, Runs, On); 6] = [
    ("phased", run::<phased::Tested, Plain>, On::One),
    ("phased", run::<phased::Tested, Usual>, On::Eager(2)),
    ("phased, paused", run::<phased::Tested, Paused>, On::Eager(3)),
    ("mixed", run::<mixed::Tested, Roomy>, On::Eager(8)),
    ("mixed, shuffled", run::<mixed::Tested, Mixed>, On::Eager(1)),
    ("mixed, whole", run::<mixed::Tested, Whole>, On::Eager(3)),
];

const BY_ARCHETYPE: [(&str, Runs, On); 3] = [
    ("columns by archetype", run::<columns::Tested, SortedPlain>, On::One),
    ("groups by archetype", run::<groups::Tested, Sorted>, On::Eager(3)),
    ("maps by archetype, shuffled", run::<maps::Tested, SortedMixed>, On::Eager(8)),
];

/// A share of the programs that `EVERYTHING_CASES` says, in tenths; of 500 without it. No file keeps the seeds of failures, as
/// the program that is printed says all.
fn share(tenths: u32) -> ProptestConfig {
    let told = std::env::var("EVERYTHING_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = (told.unwrap_or(500) * tenths).div_ceil(10);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(share(6))]
    #[test]
    fn staged_until_the_end(program in program()) {
        same(&program, &STAGED);
    }
}

proptest! {
    #![proptest_config(share(3))]
    #[test]
    fn refreshed_in_between(program in program()) {
        same(&program, &REFRESHED);
    }
}

proptest! {
    #![proptest_config(share(1))]
    #[test]
    fn rows_by_archetype(program in program()) {
        same(&program, &BY_ARCHETYPE);
    }
}
