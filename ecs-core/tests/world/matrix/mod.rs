//! The same steps give the same bits: with any number of threads, under any settings, however systems are
//! split and wherever components are stored (thesis, 4.1.2.1: policies are swapped, the program stays).
//!
//! Every pair of choices is tested by default. All combinations run on demand:
//! `cargo test --release -p ecs-core --test world every_combination -- --ignored`

mod policies;
mod program;

use std::sync::{Mutex, MutexGuard, PoisonError};

use ecs_core::Threads;
use ecs_core::scheduler::assert_orderless;

use crate::support::every_kind;
use policies::{SETTINGS, STRATEGIES, choose};
use program::{FUZZED, WORLDS};

/// The number of choices of each policy: storage, limit, inner parallelism, scheduler, strategy, threads.
const CHOICES: [usize; 6] = [WORLDS.len(), 2, 2, 3, STRATEGIES.len(), 6];

/// One choice for each policy.
type Combination = [usize; 6];

/// Every combination, in order.
fn all() -> impl Iterator<Item = Combination> {
    (0..CHOICES.iter().product()).map(|mut number: usize| {
        CHOICES.map(|choices| {
            let choice = number % choices;
            number /= choices;
            choice
        })
    })
}

/// The pairs of choices that a combination covers: policies and choices of both.
fn pairs(combination: &Combination) -> impl Iterator<Item = (usize, usize, usize, usize)> {
    (0..6).flat_map(move |i| (0..i).map(move |j| (i, combination[i], j, combination[j])))
}

/// Combinations that cover every pair of choices, chosen greedily by the number of new pairs.
fn pairwise() -> Vec<Combination> {
    let mut missing: std::collections::BTreeSet<_> =
        all().flat_map(|combination| pairs(&combination).collect::<Vec<_>>()).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let new = |c: &Combination| pairs(c).filter(|pair| missing.contains(pair)).count();
        let best = all().max_by_key(new).expect("there are combinations");
        for pair in pairs(&best) {
            missing.remove(&pair);
        }
        chosen.push(best);
    }
    chosen
}

/// The strategy is a process-wide choice: a test holds this lock while it sets one.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the program under each of the combinations. All must end in the same state.
fn compare(combinations: impl IntoIterator<Item = Combination>) {
    let _guard = one_at_a_time();
    choose(0);
    let reference = WORLDS[0].1[0](Threads::Inline);
    let threads = every_kind();
    for [storage, limit, inner_parallelism, scheduler, strategy, kind] in combinations {
        choose(strategy);
        let settings = (limit * 2 + inner_parallelism) * 3 + scheduler;
        let (stored, runs) = WORLDS[storage];
        assert_eq!(
            runs[settings](threads[kind].clone()),
            reference,
            "{stored}; {}; {}; {:?}",
            SETTINGS[settings],
            STRATEGIES[strategy].0,
            threads[kind],
        );
    }
}

#[test]
fn every_pair_of_policies_gives_the_same_bits() {
    let combinations = pairwise();
    assert!((48..100).contains(&combinations.len()), "{}", combinations.len());
    compare(combinations);
}

#[test]
#[ignore = "takes minutes: run it on demand"]
fn every_combination_of_policies_gives_the_same_bits() {
    assert_eq!(every_kind().len(), CHOICES[5]);
    compare(all());
}

/// Schedule fuzzing: runs the program under both fuzzing schedulers with the seeds below `seeds`, on the kinds of
/// threads that `takes_part` selects. No difference may be found.
fn fuzz_schedules(seeds: u64, takes_part: impl Fn(u64, usize) -> bool) {
    let _guard = one_at_a_time();
    choose(0);
    let reference = WORLDS[0].1[0](Threads::Inline);
    for worlds in FUZZED {
        for (kind, threads) in every_kind().iter().enumerate() {
            let seeds = (0..seeds).filter(|&seed| takes_part(seed, kind));
            assert_orderless(seeds, &reference, |seed| {
                choose(seed as usize % STRATEGIES.len());
                worlds[seed as usize % WORLDS.len()](threads.clone(), seed)
            });
        }
    }
}

#[test]
fn no_order_of_systems_and_subtasks_shows() {
    // Every thread kind with each strategy and storage that its seeds can have: they repeat after 120.
    fuzz_schedules(120, |seed, kind| seed % 6 == kind as u64);
}

#[test]
#[ignore = "takes minutes: run it on demand"]
fn no_order_of_systems_and_subtasks_shows_on_any_threads() {
    fuzz_schedules(200, |_, _| true);
}
