//! The paper's theorems, over random programs.

use core_ecs_model::outcome::{self, Effort};
use core_ecs_model::reduction::{self, Look};
use core_ecs_model::{State, corollary, influence, rename, safety};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::strategies::{EVERYTHING, Vocabulary, cases, is_small, programs, schema, states};

/// Runs a test over random cases, and counts those for which it returns `true`. At least `at_least` of them
/// must do so, or the test would not be meaningful.
fn count<S: Strategy>(
    cases: u32,
    at_least: u32,
    strategy: S,
    test: impl Fn(S::Value) -> Result<bool, TestCaseError>,
) {
    let hits = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        max_shrink_iters: 1_000,
        ..Config::with_cases(cases)
    });
    let checked = |value| {
        hits.set(hits.get() + u32::from(test(value)?));
        Ok(())
    };
    runner.run(&strategy, checked).unwrap_or_else(|error| panic!("{error}"));
    assert!(hits.get() >= at_least, "only {} of {cases} cases say anything", hits.get());
}

/// Small enough that debug builds finish in seconds.
const EFFORT: Effort = Effort { all_up_to: 720, samples: 60, seed: 1 };

fn one_outcome(schedule: &core_ecs_model::Schedule, state: &State) -> bool {
    outcome::outcomes(schedule, state, EFFORT).states.len() == 1
}

/// Theorem 4.7 (safe by construction) implies definition 4.3 (safe), and that, by theorem 4.5, definition 4.4
/// (deterministic).
#[test]
fn theorems_4_5_and_4_7() {
    count(600, 50, cases(EVERYTHING, 5), |(program, state)| {
        let schedule = program.schedule();
        let production = schedule.produce(&state);
        let is_constructed_safely = safety::check_production(&production).is_ok();
        let is_safe = safety::is_safe_by_definition(&production);
        prop_assert!(is_safe || !is_constructed_safely, "4.7");
        prop_assert!(!is_safe || one_outcome(&schedule, &state), "4.5");
        Ok(is_constructed_safely && production.precedence().count() > 1)
    });
}

/// A schedule that brute force finds nondeterministic is rejected as unsafe.
#[test]
fn a_nondeterministic_schedule_is_rejected_as_unsafe() {
    count(1_500, 20, cases(EVERYTHING, 5), |(program, state)| {
        let schedule = program.schedule();
        if one_outcome(&schedule, &state) {
            return Ok(false);
        }
        prop_assert!(safety::check(&schedule, &state).is_err());
        prop_assert!(!safety::is_safe_by_definition(&schedule.produce(&state)));
        prop_assert!(corollary::safety(&schedule, &schema()).is_err());
        Ok(true)
    });
}

/// The theorem accepts at every state what the corollaries accept, and it is deterministic.
#[test]
fn corollaries_4_8_and_4_9() {
    let vocabulary = Vocabulary { reach: false, ..EVERYTHING };
    let cases = (programs(vocabulary), proptest::collection::vec(states(5), 3));
    count(400, 60, cases, |(program, states)| {
        let schedule = program.schedule();
        if corollary::safety(&schedule, &schema()).is_err() {
            return Ok(false);
        }
        for state in states.iter().filter(|state| is_small(&program, state)) {
            prop_assert_eq!(safety::check(&schedule, state), Ok(()));
            prop_assert!(one_outcome(&schedule, state));
        }
        Ok(schedule.systems().len() > 1)
    });
}

/// The labels that the corollaries name are all that is influenced.
#[test]
fn labels_by_signature_are_those_by_influence() {
    count(300, 100, cases(EVERYTHING, 5), |(program, state)| {
        let schedule = program.schedule();
        let influenced = influence::of_production(&schedule.produce(&state));
        let labels = corollary::influences(&schedule);
        prop_assert!(influenced.iter().all(|(_, label)| labels.contains(label)));
        Ok(!influenced.is_empty())
    });
}

/// The states that a schedule can end in by small steps: all, or some if there are too many.
fn ends(schedule: &core_ecs_model::Schedule, state: &State, look: Look) -> Vec<State> {
    reduction::outcomes(schedule, state, look, 1_500).unwrap_or_else(|| {
        (0..15).map(|seed| reduction::outcome(schedule, state, look, seed)).collect()
    })
}

/// A safe schedule ends in *z*(*c*) by any small steps if all systems read the state from before; without
/// races, it does so by any steps.
fn safe_schedules_end_in_one_state(vocabulary: Vocabulary, look: Look, at_least: u32) {
    count(600, at_least, cases(vocabulary, 4), |(program, state)| {
        let schedule = program.schedule();
        let production = schedule.produce(&state);
        if safety::check_production(&production).is_err()
            || look == Look::Now && corollary::races(&schedule).is_some()
        {
            return Ok(false);
        }
        let expected = production.apply(&state);
        for end in ends(&schedule, &state, look) {
            prop_assert!(
                rename::same(&end, &expected, state.next_fresh()),
                "{:?}\n{:?}",
                end.rows(),
                expected.rows()
            );
        }
        Ok(production.precedence().count() > 1)
    });
}

// Either entities are created, or systems are sequential: see `reduction`.
const MAKING: Vocabulary = Vocabulary { seq: false, ..EVERYTHING };
const SEQUENTIAL: Vocabulary = Vocabulary { creation: false, ..EVERYTHING };

#[test]
fn small_steps_that_look_at_the_state_before() {
    safe_schedules_end_in_one_state(MAKING, Look::Before, 70);
    safe_schedules_end_in_one_state(SEQUENTIAL, Look::Before, 35);
}

#[test]
fn small_steps_that_look_at_the_state_now() {
    safe_schedules_end_in_one_state(MAKING, Look::Now, 45);
    safe_schedules_end_in_one_state(SEQUENTIAL, Look::Now, 20);
}

/// *z* ∥ *z′* and *z′* ∥ *z* are the same (4.1): they can end in the same states.
#[test]
fn par_has_no_sides() {
    let cases = (programs(EVERYTHING), programs(EVERYTHING), states(3));
    count(150, 30, cases, |(left, right, state)| {
        if !is_small(&left, &state) || !is_small(&right, &state) {
            return Ok(false);
        }
        let [left, right] = [left, right].map(|program| program.schedule());
        let forth = left.clone().par(right.clone());
        let all = Effort { all_up_to: 1_000, ..EFFORT };
        let outcomes = outcome::outcomes(&forth, &state, all);
        if !outcomes.is_exhaustive {
            return Ok(false);
        }
        let back = outcome::outcomes(&right.par(left), &state, all);
        prop_assert_eq!(outcomes.states.len(), back.states.len());
        for (end, _) in &outcomes.states {
            let first_fresh = state.next_fresh();
            prop_assert!(back.states.iter().any(|(other, _)| rename::same(
                end,
                other,
                first_fresh
            )));
        }
        Ok(true)
    });
}
