//! The same steps give the same bits: on any threads, under any settings, however systems are split
//! and wherever components are stored (thesis, 4.1.2.1: policies are swapped, the program stays).
//!
//! Every pair of choices is tried; all combinations on demand:
//! `cargo test --release -p ecs-core --test world every_combination -- --ignored`

mod program;

use std::sync::{Mutex, PoisonError};

use ecs_core::Threads;

use crate::support::every_kind;
use program::{SETTINGS, STRATEGIES, WORLDS, choose};

/// How many choices each policy has: storage, limit, inner parallelism, scheduler, strategy, threads.
const CHOICES: [usize; 6] = [WORLDS.len(), 2, 2, 2, STRATEGIES.len(), 6];

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

/// The pairs of choices that a combination has: policies and choices of both.
fn pairs(combination: &Combination) -> impl Iterator<Item = (usize, usize, usize, usize)> {
    (0..6).flat_map(move |i| (0..i).map(move |j| (i, combination[i], j, combination[j])))
}

/// Combinations with every pair of choices: always the one with the most new pairs.
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

/// Runs the program under each of the combinations. All must end alike.
fn compare(combinations: impl IntoIterator<Item = Combination>) {
    // The strategy is a choice for all threads.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    choose(0);
    let reference = WORLDS[0].1[0](Threads::Inline);
    let threads = every_kind();
    for [storage, limit, inner_parallelism, scheduler, strategy, kind] in combinations {
        choose(strategy);
        let settings = limit * 4 + inner_parallelism * 2 + scheduler;
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
    assert!((42..100).contains(&combinations.len()), "{}", combinations.len());
    compare(combinations);
}

#[test]
#[ignore = "takes minutes: run it on demand"]
fn every_combination_of_policies_gives_the_same_bits() {
    assert_eq!(every_kind().len(), CHOICES[5]);
    compare(all());
}
