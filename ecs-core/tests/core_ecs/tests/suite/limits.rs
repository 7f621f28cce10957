//! The limits of the safety checks: schedules that one notion accepts and another one rejects.

use core_ecs_model::outcome::{self, Effort};
use core_ecs_model::reduction::{self, Look};
use core_ecs_model::term::{Expr, Who};
use core_ecs_model::{
    Entity, Label, Mutation, Query, Schedule, State, System, Term, Value, conc, corollary, safety,
    seq,
};

use crate::physics::{POS, VEL, collisions, inertia, met, moving, objects, schema};

const SUM: Label = Label("Sum");

/// Copies the component `from` to `to`, for each entity with `from`.
fn copy(from: Label, to: Label) -> System {
    let body = Term::Attach(to, Who::Own(0), Expr::Value(0, from));
    System::new("copy", vec![Query::Incl(from)], body)
}

/// Attaches a number under a label to each entity that moves.
fn set(label: Label, number: i64) -> System {
    System::new("set", vec![moving()], Term::Attach(label, Who::Own(0), Expr::Int(number)))
}

/// The number of states that a schedule can end in by small steps.
fn ends(schedule: &Schedule, state: &State, look: Look) -> usize {
    reduction::outcomes(schedule, state, look, 100_000).expect("a small schedule").len()
}

/// Corollary 4.8 allows concurrent reads of a component that is being written: in the calculus they read a
/// copy of the state from before. In shared memory they race.
#[test]
fn what_is_safe_may_race() {
    let state = objects(&[(0, 1, Some(2)), (1, 5, Some(1))]);
    for reader in [conc(&copy(POS, SUM)), seq(&copy(POS, SUM))] {
        let schedule = conc(&inertia()).par(reader);
        assert_eq!(corollary::safety(&schedule, &schema()), Ok(()));
        assert_eq!(ends(&schedule, &state, Look::Before), 1);
        assert_eq!(corollary::races(&schedule), Some(POS));
        assert_eq!(ends(&schedule, &state, Look::Now), 4, "each is seen before or after");
    }
    // In sequence, there is no race.
    let schedule = conc(&inertia()).then(conc(&copy(POS, SUM)));
    assert_eq!(corollary::races(&schedule), None);
    assert_eq!(ends(&schedule, &state, Look::Now), 1);
}

/// Creation is visible to queries too: a query without requirements finds every entity.
#[test]
fn creation_races_with_a_query_without_requirements() {
    let new = Term::New(Box::new(Term::Attach(POS, Who::New(0), Expr::Int(0))));
    let spawn = System::new("spawn", vec![moving()], new);
    let mark = Term::Attach(SUM, Who::Own(0), Expr::Int(1));
    let all = System::new("mark", vec![Query::Anyway(SUM)], mark.clone());
    let some = System::new("mark", vec![Query::Incl(SUM)], mark);
    let state = objects(&[(0, 1, Some(2))]);
    let [all, some] = [all, some].map(|system| conc(&spawn).par(conc(&system)));
    assert_eq!((corollary::races(&all), corollary::races(&some)), (Some(POS), None));
    assert_eq!((ends(&all, &state, Look::Now), ends(&some, &state, Look::Now)), (2, 1));
    assert_eq!((ends(&all, &state, Look::Before), ends(&some, &state, Look::Before)), (1, 1));
}

/// Two invocations that write the same are safe by definition 4.3, but not by construction.
#[test]
fn equal_writes_are_safe_by_definition_only() {
    let (state, schedule) = (met(), conc(&set(POS, 5)).par(conc(&set(POS, 5))));
    assert!(safety::check(&schedule, &state).is_err());
    assert!(safety::is_safe_by_definition(&schedule.produce(&state)));
    assert!(outcome::is_deterministic(&schedule, &state));
}

/// Definition 4.4 considers the orders of the invocations that *z*(*c*) makes. If a schedule is unsafe, a run
/// may make other invocations: here later writes hide a race, but a system has read the intermediate value.
#[test]
fn unsafe_schedules_can_be_deterministic_by_definition_and_yet_come_out_in_two_ways() {
    let race = conc(&set(POS, 1)).par(conc(&set(POS, 2)));
    let schedule = race.then(conc(&copy(POS, SUM))).then(conc(&set(POS, 0)));
    let state = objects(&[(0, 0, Some(1))]);
    assert!(safety::check(&schedule, &state).is_err());
    assert!(outcome::is_deterministic(&schedule, &state));
    assert_eq!(ends(&schedule, &state, Look::Before), 2);
}

/// A schedule may be deterministic at one state, and not at another.
#[test]
fn safety_depends_on_the_state() {
    let schedule = conc(&collisions());
    let apart = objects(&[(1, 7, Some(6)), (2, 7, None), (3, 9, Some(-2)), (4, 9, None)]);
    assert_eq!(safety::check(&schedule, &apart), Ok(()));
    assert!(outcome::is_deterministic(&schedule, &apart));
    assert!(!outcome::is_deterministic(&schedule, &met()));
}

/// seq visits entities in the order of their names, so its result can depend on which of two ν was first.
#[test]
fn a_sequential_system_sees_the_order_of_names() {
    // One entity is created for each number. Then each counts those before it, in a component of entity 0.
    let number = |number| {
        let new = Term::New(Box::new(Term::Attach(POS, Who::New(0), Expr::Int(number))));
        System::new("spawn", vec![Query::Incl(VEL)], new)
    };
    let zero = Entity(0);
    let digits =
        System::function("digits", vec![Query::Incl(POS), Query::Incl(VEL)], [VEL], move |at| {
            Mutation::Attach(VEL, zero, Value::Int(at.int(1, VEL) * 10 + at.int(0, POS)))
        });
    let schedule = conc(&number(1)).par(conc(&number(2))).then(seq(&digits));
    let state = State::from_rows([(zero, [(VEL, Value::Int(0))])]);
    assert_eq!(corollary::safety(&schedule, &schema()), Ok(()));
    assert!(outcome::is_deterministic(&schedule, &state));
    assert_eq!(schedule.apply(&state).get(VEL, zero), Some(Value::Int(12)));
    assert_eq!(ends(&schedule, &state, Look::Before), 2);
}

/// A fresh entity has the same name in all later systems, whatever was created concurrently.
#[test]
fn names_hold_across_a_sequence_within_a_par() {
    let new = |number| Term::New(Box::new(Term::Attach(POS, Who::New(0), Expr::Int(number))));
    let spawn = |number| System::new("spawn", vec![Query::Incl(VEL)], new(number));
    let number = |number| Value::Int(number);
    let finish = System::function("finish", vec![Query::Incl(POS)], [SUM], move |at| {
        Mutation::Attach(SUM, at.entities[0], number(at.int(0, POS)))
    });
    let schedule = conc(&spawn(1)).par(conc(&spawn(2)).then(conc(&finish)));
    let state = State::from_rows([(Entity(0), [(VEL, number(0))])]);
    let outcomes = outcome::outcomes(&schedule, &state, Effort::default());
    let [(ref end, _)] = outcomes.states[..] else { panic!("one way") };
    let rows: Vec<_> = end.rows().into_iter().skip(1).map(|(_, row)| row).collect();
    assert_eq!(rows, [[(POS, number(1))].into(), [(POS, number(2)), (SUM, number(2))].into(),]);
}

#[test]
#[should_panic(expected = "liar touches Vel undeclared")]
fn closures_stay_within_what_they_declare() {
    let liar = System::function("liar", vec![Query::Incl(POS)], [POS], |at| {
        Mutation::Detach(VEL, at.entities[0])
    });
    let _ = conc(&liar).apply(&met());
}

/// The reasons for which corollary 4.9 does not apply are justified: such a schedule is nondeterministic at
/// some state.
#[test]
fn each_doubt_of_a_corollary_has_its_reason() {
    use corollary::Doubt;
    let link = Label("Link");
    let mut schema = schema();
    schema.0.push(core_ecs_model::Component {
        label: link,
        kind: core_ecs_model::Kind::Entity,
        is_named: true,
    });
    let (a, b) = (Entity(0), Entity(1));
    let row = |number| [(POS, Value::Int(number)), (link, Value::Entity(a))];
    let state = State::from_rows([(a, row(1)), (b, row(2))]);
    let of = |query: Query, who| {
        let body = Term::Attach(SUM, who, Expr::Value(0, POS));
        System::new("s", vec![query], body)
    };
    let name = || "s".to_owned();
    let linked = Query::Incl(POS).and(Query::Incl(link));
    for (system, doubt) in [
        (of(linked, Who::Stored(0, link)), Doubt::HandedEntities(name())),
        (of(Query::Incl(POS), Who::Known(a)), Doubt::KnownEntities(name())),
    ] {
        let schedule = conc(&system);
        assert_eq!(corollary::safety(&schedule, &schema), Err(doubt));
        assert!(!outcome::is_deterministic(&schedule, &state));
        assert_eq!(corollary::safety(&seq(&system), &schema), Ok(()));
    }
    let schedule = conc(&of(Query::Incl(POS), Who::Own(0)));
    assert_eq!(corollary::safety(&schedule, &schema), Ok(()));
    let twice = schedule.clone().par(schedule);
    assert_eq!(corollary::safety(&twice, &schema), Err(Doubt::SharedLabels([SUM].into())));
}
