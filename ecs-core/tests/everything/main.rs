//! Random programs over all features at once, against a naive model, on any threads and under any settings.

mod driver;
#[path = "../world/snapshots/keep.rs"]
mod keep;
mod model;
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

use driver::run;
use program::{Program, program};
use support::{cases, pools};
use worlds::{columns, groups, maps, mixed, phased};

/// Runs a program in a world with its settings, on these threads. Returns the hashes of its states.
type Runs = fn(Threads, &Program) -> Vec<u64>;

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

/// The number of threads; 0 stands for the calling thread without a pool.
fn on(threads: usize) -> Threads {
    match support::POOL_SIZES.iter().position(|size| *size == threads) {
        Some(at) => pools()[at].clone(),
        None => Threads::Inline,
    }
}

/// Asserts that the program gives the same bits everywhere.
fn same(program: &Program, everywhere: &[(&str, Runs, usize)]) {
    let mut expected = None;
    for &(name, runs, threads) in everywhere {
        let hashes = runs(on(threads), program);
        let expected = expected.get_or_insert_with(|| hashes.clone());
        assert_eq!(&hashes, expected, "the states after each act: {name} on {threads} threads");
    }
}

const STAGED: [(&str, Runs, usize); 11] = [
    ("columns", run::<columns::Tested, Plain>, 0),
    ("columns", run::<columns::Tested, Usual>, 1),
    ("columns, shuffled", run::<columns::Tested, Mixed>, 0),
    ("columns, one by one", run::<columns::Tested, OneByOne>, 3),
    ("columns, paused", run::<columns::Tested, Paused>, 8),
    ("groups", run::<groups::Tested, Usual>, 2),
    ("groups, paused", run::<groups::Tested, Paused>, 3),
    ("groups, in fixed rows", run::<groups::Tested, Roomy>, 8),
    ("maps", run::<maps::Tested, Usual>, 3),
    ("maps, whole", run::<maps::Tested, Whole>, 8),
    ("maps, shuffled", run::<maps::Tested, Mixed>, 2),
];

const REFRESHED: [(&str, Runs, usize); 6] = [
    ("phased", run::<phased::Tested, Plain>, 0),
    ("phased", run::<phased::Tested, Usual>, 2),
    ("phased, paused", run::<phased::Tested, Paused>, 3),
    ("mixed", run::<mixed::Tested, Roomy>, 8),
    ("mixed, shuffled", run::<mixed::Tested, Mixed>, 1),
    ("mixed, whole", run::<mixed::Tested, Whole>, 3),
];

const BY_ARCHETYPE: [(&str, Runs, usize); 3] = [
    ("columns by archetype", run::<columns::Tested, SortedPlain>, 0),
    ("groups by archetype", run::<groups::Tested, Sorted>, 3),
    ("maps by archetype, shuffled", run::<maps::Tested, SortedMixed>, 8),
];

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn staged_until_the_end(program in program()) {
        same(&program, &STAGED);
    }

    #[test]
    fn refreshed_in_between(program in program()) {
        same(&program, &REFRESHED);
    }

    #[test]
    fn rows_by_archetype(program in program()) {
        same(&program, &BY_ARCHETYPE);
    }
}

#[test]
fn debug() {
    use program::*;
    let acts = vec![
        Act::Step(vec![Event::Spawn { bundle: 0, count: 1, salt: 1048576, batch: true }, Event::Mode(63), Event::Run(Run::All)]),
        Act::Step(vec![Event::Spawn { bundle: 0, count: 1, salt: 15910, batch: false }, Event::Run(Run::All)]),
        Act::Step(vec![Event::Run(Run::FromReceive)]),
    ];
    let mut rules = vec![Vec::new(); parts::SYSTEMS];
    rules[parts::at::ALTER].push(Rule { one_in: 5, salt: 0, does: Does::Spawn(1) });
    run::<phased::Tested, Plain>(Threads::Inline, &Program { rules, acts });
}
