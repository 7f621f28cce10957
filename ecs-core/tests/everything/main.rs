//! Random programs over all features at once, against a naive model, on any threads and under any settings.

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
