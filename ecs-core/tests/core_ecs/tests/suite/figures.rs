//! Figures 6 to 14, with the values that the paper prints.

use std::collections::BTreeMap;

use core_ecs_model::outcome::{self, Effort};
use core_ecs_model::query::{Matches, evaluate, evaluate_at};
use core_ecs_model::{
    Entity, Found, Mutation, Production, Query, State, Value, Write, conc, rename, safety, seq,
};

use crate::physics::{POS, VEL, collisions, inertia, met, moving, objects, start, stationary};

const E1: Entity = Entity(1);
const E2: Entity = Entity(2);
const E3: Entity = Entity(3);
const E4: Entity = Entity(4);

fn int(number: i64) -> Found {
    Found::Value(Value::Int(number))
}

fn pair(left: Found, right: Found) -> Found {
    Found::Pair(Box::new(left), Box::new(right))
}

fn attach(label: core_ecs_model::Label, entity: Entity, number: i64) -> Write {
    Write::Attach(label, entity, Value::Int(number))
}

#[test]
fn figure_6() {
    let state = start();
    let found = |query: Query| query.matches(&state);
    let all = |found: Vec<(Entity, Found)>| found.into_iter().collect::<BTreeMap<_, _>>();
    assert_eq!(found(Query::Incl(VEL)), all(vec![(E1, int(6)), (E3, int(-2))]));
    assert_eq!(found(Query::Excl(VEL)), all(vec![(E2, Found::Unit)]));
    let anyway = vec![(E1, int(6)), (E2, Found::Unit), (E3, int(-2))];
    assert_eq!(found(Query::Anyway(VEL)), all(anyway));
    let nested = Query::Anyway(VEL).and(moving());
    let nested = found(nested).remove(&E1).unwrap();
    assert_eq!(nested, pair(int(6), pair(int(1), int(6))));
    // A vector of no queries has one match.
    assert_eq!(evaluate(&[], &state), Matches::from([(vec![], vec![])]));
}

#[test]
fn figure_7() {
    let state = start();
    let column = |values: &[(Entity, i64)]| -> BTreeMap<Entity, Value> {
        values.iter().map(|&(entity, number)| (entity, Value::Int(number))).collect()
    };
    assert_eq!(state.column(POS), column(&[(E1, 1), (E2, 7), (E3, 9)]));
    assert_eq!(state.column(VEL), column(&[(E1, 6), (E3, -2)]));
    assert_eq!(state.live(), [E1, E2, E3].into());
    assert_eq!(state.next_fresh(), E4);
    assert_eq!(State::from_rows(state.rows()), state);
}

#[test]
fn figure_8() {
    let moving: Vec<_> = moving().matches(&start()).into_iter().collect();
    assert_eq!(moving, [(E1, pair(int(1), int(6))), (E3, pair(int(9), int(-2)))]);
    let stationary: Vec<_> = stationary().matches(&start()).into_iter().collect();
    assert_eq!(stationary, [(E2, pair(int(7), Found::Unit))]);
}

#[test]
fn figure_9() {
    let matches = evaluate(&[moving(), stationary()], &start());
    let still = pair(int(7), Found::Unit);
    let expected = Matches::from([
        (vec![E1, E2], vec![pair(int(1), int(6)), still.clone()]),
        (vec![E3, E2], vec![pair(int(9), int(-2)), still]),
    ]);
    assert_eq!(matches, expected);
    // Looking up a single match gives the same result.
    for (a, b) in [(E1, E2), (E3, E2), (E2, E2), (E1, E3), (E4, E2)] {
        let entities = [a, b];
        let found = evaluate_at(&[moving(), stationary()], &start(), &entities);
        assert_eq!(found.as_ref(), expected.get(&entities[..]));
    }
}

#[test]
fn figure_10() {
    let new = Mutation::new(|d| Mutation::Attach(VEL, d, Value::Int(2)));
    let first = start().apply(&Mutation::Detach(POS, E1));
    let rest = [(E2, vec![(POS, 7)]), (E3, vec![(POS, 9), (VEL, -2)])];
    let rows = |more: &[(Entity, Vec<(_, i64)>)]| -> BTreeMap<Entity, BTreeMap<_, _>> {
        let row = |row: &Vec<(_, i64)>| row.iter().map(|&(l, n)| (l, Value::Int(n))).collect();
        rest.iter().chain(more).map(|(entity, values)| (*entity, row(values))).collect()
    };
    assert_eq!(first.rows(), rows(&[(E1, vec![(VEL, 6)])]));
    let end = start().apply(&Mutation::Detach(POS, E1).then(new.clone()));
    assert_eq!(end, first.apply(&new));
    assert_eq!(end.rows(), rows(&[(E1, vec![(VEL, 6)]), (E4, vec![(VEL, 2)])]));
}

#[test]
fn figure_11_a() {
    let beta = inertia().call(&[E1], &[pair(int(1), int(6))]);
    assert!(safety::are_equivalent(&beta, &Mutation::Attach(POS, E1, Value::Int(1 + 6))));
}

#[test]
fn figure_11_b() {
    let call = |p_j, v_j, p_h| {
        let found = [pair(int(p_j), int(v_j)), pair(int(p_h), Found::Unit)];
        collisions().call(&[E1, E2], &found)
    };
    assert!(safety::are_equivalent(&call(1, 6, 7), &Mutation::Nil));
    // Halves are rounded up.
    for (velocity, there, back) in [(6, 3, -3), (-2, -1, 1), (5, 3, -2), (-5, -2, 3)] {
        let expected = Mutation::Detach(POS, E1)
            .then(Mutation::Detach(VEL, E1))
            .then(Mutation::Attach(VEL, E2, Value::Int(there)))
            .then(Mutation::new(move |e| {
                let (pos, vel) = (Value::Int(7), Value::Int(back));
                Mutation::Attach(POS, e, pos).then(Mutation::Attach(VEL, e, vel))
            }));
        assert!(safety::are_equivalent(&call(7, velocity, 7), &expected), "{velocity}");
    }
}

/// The writes that figure 12 ends with.
fn collision_of_e1() -> [Write; 5] {
    [
        Write::Detach(POS, E1),
        Write::Detach(VEL, E1),
        attach(VEL, E2, 3),
        attach(POS, E4, 7),
        attach(VEL, E4, -3),
    ]
}

#[test]
fn figure_12() {
    assert_eq!(conc(&inertia()).apply(&start()), met());
    let matches = collisions().matches(&met());
    assert_eq!(matches.keys().collect::<Vec<_>>(), [&[E1, E2], &[E3, E2]]);
    let Production::Seq(rolled) = seq(&collisions()).produce(&met()) else {
        panic!("a sequential production")
    };
    let [ref only] = rolled[..] else { panic!("⟨e3, e2⟩ is dropped") };
    assert_eq!(only.entities, [E1, E2]);
    assert_eq!(only.found, [pair(int(7), int(6)), pair(int(7), Found::Unit)]);
    assert_eq!(only.writes, collision_of_e1());
    assert_eq!(only.fresh, [E4]);
}

#[test]
fn figure_13() {
    let schedule = conc(&inertia()).then(seq(&collisions()));
    let production = schedule.produce(&start());
    let writes: Vec<Write> = production.mutation().ground(&mut Entity(99));
    let expected = [attach(POS, E1, 7), attach(POS, E3, 7)].into_iter().chain(collision_of_e1());
    assert_eq!(writes, expected.collect::<Vec<_>>());
    // z(c) = c ↓ (c ⇓ z) = c′ ↓ δ(roll(c′, ⟦q⟧c′)).
    let end = schedule.apply(&start());
    assert_eq!(end, start().apply(&schedule.mutation(&start())));
    assert_eq!(end, seq(&collisions()).apply(&met()));
    assert_eq!(end, objects(&[(2, 7, Some(3)), (3, 7, Some(-2)), (4, 7, Some(-3))]));
}

/// The states that a schedule may end in, and the number of its invocations of δ.
fn outcomes(schedule: &core_ecs_model::Schedule) -> (Vec<State>, usize) {
    let production = schedule.produce(&start());
    let calls = production.invocations().iter().filter(|call| call.system.name == "δ").count();
    let outcomes = outcome::outcomes(schedule, &start(), Effort::default());
    assert!(outcomes.is_exhaustive);
    (outcomes.states.into_iter().map(|(state, _)| state).collect(), calls)
}

#[test]
fn figure_14_a() {
    let (ends, calls) = outcomes(&conc(&inertia()).then(seq(&collisions())));
    assert_eq!(calls, 1);
    assert_eq!(ends, [objects(&[(2, 7, Some(3)), (3, 7, Some(-2)), (4, 7, Some(-3))])]);
}

#[test]
fn figure_14_b() {
    let (ends, calls) = outcomes(&conc(&inertia()).then(conc(&collisions())));
    assert_eq!(calls, 2);
    let [ref first, ref lost] = ends[..] else { panic!("either of two writes is lost") };
    let end = |velocity| objects(&[(2, 7, Some(velocity)), (4, 7, Some(-3)), (5, 7, Some(1))]);
    assert_eq!(first, &end(-1));
    assert!(rename::same(lost, &end(3), start().next_fresh()), "the write of -1 is lost");
    assert!(!rename::same(first, lost, start().next_fresh()));
}
