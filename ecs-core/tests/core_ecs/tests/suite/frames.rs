//! The simulation as the paper draws it: figures 2 and 3.

use std::collections::BTreeSet;

use core_ecs_model::outcome::{self, Effort};
use core_ecs_model::{Schedule, State, conc, corollary, safety, seq};

use crate::physics::{collisions, frame, inertia, objects, schema, start};

/// Three frames of a simulation, each with all its possible states.
fn frames(schedule: &Schedule, start: State, width: i64) -> [BTreeSet<String>; 3] {
    let mut states = vec![start];
    [0, 1, 2].map(|number| {
        if number > 0 {
            let outcomes = |state: &State| {
                let outcomes = outcome::outcomes(schedule, state, Effort::default());
                assert!(outcomes.is_exhaustive);
                outcomes.states.into_iter().map(|(state, _)| state)
            };
            states = states.iter().flat_map(outcomes).collect();
        }
        states.iter().map(|state| frame(state, width)).collect()
    })
}

/// The schedule of the paper: inertia concurrently, collisions afterwards.
fn schedule() -> Schedule {
    conc(&inertia()).then(seq(&collisions()))
}

#[test]
fn figure_2_a() {
    let [first, second, _] = frames(&schedule(), objects(&[(1, 1, Some(4))]), 9);
    assert_eq!(
        [first, second],
        [["_→_______"], ["_____→___"]].map(|frame| frame.map(String::from).into())
    );
}

#[test]
fn figure_2_b() {
    let frames = frames(&schedule(), objects(&[(1, 1, Some(4)), (2, 5, None)]), 9);
    let expected = [["_→___s___"], ["_____2___"], ["___←___→_"]];
    assert_eq!(frames, expected.map(|frame| frame.map(String::from).into()));
}

#[test]
fn figure_3_a() {
    let frames = frames(&schedule(), start(), 12);
    let expected = [["_→_____s_←__"], ["_______3____"], ["____←←____→_"]];
    assert_eq!(frames, expected.map(|frame| frame.map(String::from).into()));
    assert_eq!(safety::check(&schedule(), &start()), Ok(()));
    assert_eq!(corollary::safety(&schedule(), &schema()), Ok(()));
}

#[test]
fn figure_3_b() {
    let schedule = conc(&inertia()).then(conc(&collisions()));
    let frames = frames(&schedule, start(), 12);
    assert_eq!(frames[0], BTreeSet::from(["_→_____s_←__".to_owned()]));
    assert_eq!(frames[1], BTreeSet::from(["_______3____".to_owned()]));
    // The paper shows the result in which the velocity -1 is lost; in the other one it is 3.
    let last = ["____←___→_→_", "____←_←_→___"];
    assert_eq!(frames[2], last.map(String::from).into());

    // Hence every check finds it unsafe.
    let conflict = safety::check(&schedule, &start()).unwrap_err().to_string();
    let [left, right] = ["`δ` at [Entity(1), Entity(2)]", "`δ` at [Entity(3), Entity(2)]"];
    assert_eq!(conflict, format!("{left} and {right} both influence Vel of e2"));
    assert!(!safety::is_safe_by_definition(&schedule.produce(&start())));
    assert!(!outcome::is_deterministic(&schedule, &start()));
    let doubt = corollary::safety(&schedule, &schema()).unwrap_err();
    assert_eq!(doubt, corollary::Doubt::SeveralQueries("δ".to_owned()));
    // At the start, before any objects have met, conc(δ) does nothing, and is safe.
    assert_eq!(safety::check(&conc(&collisions()), &start()), Ok(()));
}
