//! The programs of appendix B, as printed there, and their outputs: listings 3 and 7.

use std::fmt::Write as _;

use core_ecs_model::{
    Component, Entity, Kind, Label, Mutation, Query, Schedule, Schema, State, System, Value, conc,
    corollary, outcome, safety, seq,
};

use crate::physics::{POS, VEL, moving, schema, stationary};

const LISTING_3: &str = "\
Pos↦{e0 ↦ Pos 1, e1 ↦ Pos 7, e2 ↦ Pos 9} :+ Vel↦{e0 ↦ Vel 6, e2 ↦ Vel (-2)} :+ Metadata {nextFresh = e3}
Pos↦{e1 ↦ Pos 7, e2 ↦ Pos 7, e3 ↦ Pos 7} :+ Vel↦{e1 ↦ Vel 3, e2 ↦ Vel (-2), e3 ↦ Vel (-3)} :+ Metadata {nextFresh = e4}
Pos↦{e1 ↦ Pos 10, e2 ↦ Pos 5, e3 ↦ Pos 4} :+ Vel↦{e1 ↦ Vel 3, e2 ↦ Vel (-2), e3 ↦ Vel (-3)} :+ Metadata {nextFresh = e4} END
";

const LISTING_7: &str = "\
Int↦{e0 ↦ 3, e1 ↦ 8} :+ Metadata {nextFresh = e2}
Int↦{e0 ↦ 4, e1 ↦ 7} :+ Metadata {nextFresh = e2}
Int↦{e0 ↦ 3, e1 ↦ 6} :+ Metadata {nextFresh = e2} END
";

/// `new` of listing 1: the state after a mutation of the empty state.
fn new(mutation: &Mutation) -> State {
    State::empty(Entity(0)).apply(mutation)
}

/// `loop` of listing 2.
fn run(frames: u32, schedule: &Schedule, mut state: State, schema: &Schema) -> String {
    let mut output = String::new();
    for _ in 0..frames {
        writeln!(output, "{}", state.show(schema)).unwrap();
        state = schedule.apply(&state);
    }
    writeln!(output, "{} END", state.show(schema)).unwrap();
    output
}

fn attach(label: Label, entity: Entity, number: i64) -> Mutation {
    Mutation::Attach(label, entity, Value::Int(number))
}

/// Listing 2.
#[test]
fn listing_3() {
    let inertia = System::function("inertia", vec![moving()], [POS], |at| {
        attach(POS, at.entities[0], at.int(0, POS) + at.int(0, VEL))
    });
    let collide = System::function("collide", vec![moving(), stationary()], [VEL, POS], |at| {
        let (mover, other) = (at.entities[0], at.entities[1]);
        let (place, velocity) = (at.int(0, POS), at.int(0, VEL));
        if place != at.int(1, POS) {
            return Mutation::Nil;
        }
        Mutation::Detach(POS, mover)
            .then(Mutation::Detach(VEL, mover))
            .then(attach(VEL, other, velocity / 2))
            .then(Mutation::new(move |e| attach(POS, e, place).then(attach(VEL, e, velocity / -2))))
    });
    let schedule = conc(&inertia).then(seq(&collide));
    let object = |pos, vel: Option<i64>| {
        Mutation::new(move |e| {
            attach(POS, e, pos).then(vel.map_or(Mutation::Nil, |vel| attach(VEL, e, vel)))
        })
    };
    let start = new(&object(1, Some(6)).then(object(7, None)).then(object(9, Some(-2))));
    assert_eq!(run(2, &schedule, start, &schema()), LISTING_3);
}

const INT: Label = Label("Int");

/// Listing 6.
fn adjust(bound: i64, increment: bool) -> System {
    System::function("adjust", vec![Query::Incl(INT)], [INT], move |at| {
        let (entity, n) = (at.entities[0], at.int(0, INT));
        match (n < bound, increment) {
            (true, true) => attach(INT, entity, n + 1),
            (false, false) => attach(INT, entity, n - 1),
            _ => Mutation::Nil,
        }
    })
}

/// Listing 6.
#[test]
fn listing_7() {
    let schema = Schema(vec![Component { label: INT, kind: Kind::Int, is_named: false }]);
    let schedule = conc(&adjust(4, true)).par(conc(&adjust(4, false)));
    let number = |number| Mutation::new(move |e| attach(INT, e, number));
    let start = new(&number(3).then(number(8)));
    assert_eq!(run(2, &schedule, start.clone(), &schema), LISTING_7);

    // Safe at each of these states, but no corollary shows it: both influence the same label.
    assert_eq!(safety::check(&schedule, &start), Ok(()));
    assert!(outcome::is_deterministic(&schedule, &start));
    assert!(corollary::safety(&schedule, &schema).is_err());
    // With different thresholds it is unsafe: both change the numbers between them.
    let schedule = conc(&adjust(9, true)).par(conc(&adjust(4, false)));
    assert!(safety::check(&schedule, &start).is_err());
    assert!(!outcome::is_deterministic(&schedule, &start));
}
