//! The comparison: the reference run with the model, and the other runs with the reference.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use core_ecs_model::{Entity, Label, State, Value};
use ecs_core::Threads;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::case::{Case, cases, large_cases};
use crate::members::{LIMIT, MEMBERS, Way};
use crate::model;
use crate::runs::{POOL_SIZES, Rows, pools};
use crate::table::NAMES;

/// Pairs of systems, by their numbers.
type Pairs = BTreeSet<(usize, usize)>;

/// Entities that the step spawned have names from here on.
const FRESH: u64 = 1 << 32;

/// The rows as a state of the model. Entities are named by their positions in `before`.
fn state(rows: &Rows, before: &Rows) -> State {
    let numbers: BTreeMap<_, _> = (0..).zip(before).map(|(k, (entity, _))| (*entity, k)).collect();
    let mut fresh = FRESH..;
    let named = rows.iter().map(|(entity, row)| {
        let name = numbers.get(entity).copied().or_else(|| fresh.next());
        (Entity(name.expect("names enough")), row.values())
    });
    let mut state = State::from_rows(named.collect::<Vec<_>>());
    state.reserve(Entity(FRESH));
    state
}

/// Compares the reference run of a case with the model, step by step, and the other runs with the reference.
///
/// Adds the pairs of systems that have written in the same step to `met`.
fn compare(case: &Case, is_large: bool, met: &RefCell<Pairs>) -> Result<(), TestCaseError> {
    let runs = MEMBERS[case.member].runs;
    let (first, run) = runs[0];
    let reference = run(case, Threads::Inline, case.steps);
    let mut steps = 0;
    for (before, after) in reference.iter().zip(&reference[1..]) {
        let model::Step { end: expected, spawned, active } =
            model::step(case, &state(before, before));
        let ended = state(after, before);
        prop_assert!(
            same(&expected, &ended),
            "step {steps} differs from the model:\n{}",
            difference(&expected, &ended)
        );
        if !is_large && before.len() + spawned > LIMIT {
            break;
        }
        steps += 1;
        let pairs = active.iter().flat_map(|a| active.range(a + 1..).map(|b| (*a, *b)));
        met.borrow_mut().extend(pairs);
    }
    let settings = if is_large { 2 } else { runs.len() };
    let eager = (case.salt / settings).is_multiple_of(2);
    for (pool, threads) in pools(eager).into_iter().enumerate() {
        let (settings, run) = runs[(case.salt + pool) % settings];
        let trace = run(case, threads, steps);
        for (step, (rows, expected)) in trace.iter().zip(&reference).enumerate() {
            prop_assert!(
                rows == expected,
                "after {step} steps, {} on {} threads differs from {} on one:\n{}",
                settings,
                POOL_SIZES[pool],
                first,
                first_difference(rows, expected)
            );
        }
        prop_assert_eq!(trace.len(), steps + 1);
    }
    Ok(())
}

/// Whether two states are equal up to the names of spawned entities.
///
/// Components here name no entities, so a spawned entity is determined by its components, and no renaming has
/// to be searched. [`core_ecs_model::rename::same`] gives the same result, but is not made for thousands of
/// entities.
fn same(a: &State, b: &State) -> bool {
    type Parts = BTreeMap<Label, Value>;
    let sides = [a, b].map(|state| {
        let mut known = state.rows();
        let spawned = known.split_off(&Entity(FRESH));
        let mut spawned: Vec<Parts> = spawned.into_values().collect();
        spawned.sort_unstable();
        (known, spawned)
    });
    sides[0] == sides[1]
}

/// Describes the rows in which two states differ.
fn difference(expected: &State, ended: &State) -> String {
    let (expected, ended) = (expected.rows(), ended.rows());
    let mut text = String::new();
    for entity in expected.keys().chain(ended.keys().filter(|e| !expected.contains_key(e))) {
        let (model, engine) = (expected.get(entity), ended.get(entity));
        if model != engine {
            let _ = writeln!(text, "  {entity}: {model:?} in the model, {engine:?} in the engine");
        }
    }
    text
}

/// Describes the first row in which two runs differ.
fn first_difference(rows: &Rows, expected: &Rows) -> String {
    let length = rows.len().max(expected.len());
    let differs = (0..length).find(|&row| rows.get(row) != expected.get(row));
    let Some(row) = differs else { return "nowhere".to_owned() };
    format!("  row {row}: {:?}\n  instead of {:?}", rows.get(row), expected.get(row))
}

/// The number of cases of all members together. It is small, as this runs for each change; `.ci/thorough` sets a
/// large one.
fn count() -> u32 {
    let cases = std::env::var("FAMILY_CASES").ok().and_then(|cases| cases.parse().ok());
    cases.unwrap_or(1_200)
}

fn run(member: &str) {
    let member = MEMBERS.iter().position(|known| known.name == member).expect("a member");
    let runner = |cases| {
        TestRunner::new(Config {
            cases,
            failure_persistence: None,
            max_shrink_iters: 2_000,
            ..Config::default()
        })
    };
    let met = RefCell::new(Pairs::new());
    let each = count().div_ceil(MEMBERS.len() as u32);
    let outcome = runner(each).run(&cases(member), |case| compare(&case, false, &met));
    outcome.unwrap_or_else(|error| panic!("{error}"));
    if MEMBERS[member].way != Way::RollsOverPairs {
        // A large case takes about as long as a few hundred small ones. With pairs it would take far longer.
        let outcome = runner(each.div_ceil(2_000))
            .run(&large_cases(member), |case| compare(&case, true, &met));
        outcome.unwrap_or_else(|error| panic!("{error}"));
    }
    // With fewer cases, the following checks would not be meaningful.
    if each >= 1_000 {
        let systems = 0..NAMES.len();
        let all = systems.clone().flat_map(|a| (a + 1..systems.end).map(move |b| (a, b)));
        let missing =
            || all.clone().filter(|pair| !met.borrow().contains(pair)).collect::<Vec<_>>();
        // Random cases miss a few pairs.
        for _ in 0..20 {
            if missing().is_empty() {
                break;
            }
            let outcome = runner(each / 4).run(&cases(member), |case| compare(&case, false, &met));
            outcome.unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(missing().is_empty(), "these never do anything in one step: {:?}", missing());
    }
}

#[test]
fn refreshed_in_order() {
    run("forward");
}

#[test]
fn refreshed_in_the_opposite_order() {
    run("reverse");
}

#[test]
fn staged_in_order() {
    run("forward_staged");
}

#[test]
fn staged_in_the_opposite_order() {
    run("backward_staged");
}

#[test]
fn side_by_side() {
    run("loose");
}

#[test]
fn rolled_in_order() {
    run("rolled");
}

#[test]
fn rolled_in_the_opposite_order() {
    run("rolled_backward");
}

#[test]
fn rolled_with_refreshes() {
    run("rolled_refreshed");
}

#[test]
fn paired_in_order() {
    run("paired");
}

#[test]
fn paired_in_the_opposite_order() {
    run("paired_backward");
}
