//! The running example: objects on a line (figures 7 and 11).

use core_ecs_model::term::{Expr, Test, Who};
use core_ecs_model::{Entity, Label, Query, Schema, State, System, Term, Value};

pub(crate) const POS: Label = Label("Pos");
pub(crate) const VEL: Label = Label("Vel");

/// *K* of figure 7.
pub(crate) fn schema() -> Schema {
    Schema::of_integers(&[POS, VEL])
}

/// A state of objects with positions and, some of them, velocities.
pub(crate) fn objects(objects: &[(u64, i64, Option<i64>)]) -> State {
    let row = |&(entity, pos, vel): &(_, _, Option<i64>)| {
        let vel = vel.map(|vel| (VEL, Value::Int(vel)));
        (Entity(entity), [(POS, Value::Int(pos))].into_iter().chain(vel).collect::<Vec<_>>())
    };
    State::from_rows(objects.iter().map(row))
}

/// *c* of figure 7.
pub(crate) fn start() -> State {
    objects(&[(1, 1, Some(6)), (2, 7, None), (3, 9, Some(-2))])
}

/// *c′* of figure 12.
pub(crate) fn met() -> State {
    objects(&[(1, 7, Some(6)), (2, 7, None), (3, 7, Some(-2))])
}

/// *x* of figure 8: the moving ones.
pub(crate) fn moving() -> Query {
    Query::Incl(POS).and(Query::Incl(VEL))
}

/// *y* of figure 8: the stationary ones.
pub(crate) fn stationary() -> Query {
    Query::Incl(POS).and(Query::Excl(VEL))
}

/// *β* of figure 11 (a): inertia.
pub(crate) fn inertia() -> System {
    let next = Expr::Value(0, POS).plus(Expr::Value(0, VEL));
    System::new("β", vec![moving()], Term::Attach(POS, Who::Own(0), next))
}

/// *δ* of figure 11 (b): collisions.
pub(crate) fn collisions() -> System {
    let (pos, vel) = (Expr::Value(0, POS), Expr::Value(0, VEL));
    let half = |vel: Expr| vel.div_up(Expr::Int(2));
    let back = half(vel.clone().times(Expr::Int(-1)));
    let collide = Term::All(vec![
        Term::Detach(POS, Who::Own(0)),
        Term::Detach(VEL, Who::Own(0)),
        Term::Attach(VEL, Who::Own(1), half(vel)),
        Term::New(Box::new(Term::All(vec![
            Term::Attach(POS, Who::New(0), pos.clone()),
            Term::Attach(VEL, Who::New(0), back),
        ]))),
    ]);
    let meet = Test::Equal(pos, Expr::Value(1, POS));
    let body = Term::If(meet, Box::new(collide), Box::new(Term::Nil));
    System::new("δ", vec![moving(), stationary()], body)
}

/// A line of the simulation, `width` places long, as figures 2 and 3 draw it.
pub(crate) fn frame(state: &State, width: i64) -> String {
    let (positions, velocities) = (state.column(POS), state.column(VEL));
    let place = |place: i64| {
        let here: Vec<_> =
            positions.iter().filter(|(_, pos)| pos.as_int() == place).map(|(e, _)| e).collect();
        match here[..] {
            [] => "_".to_owned(),
            [one] => match velocities.get(one).map(|vel| vel.as_int() < 0) {
                None => "s".to_owned(),
                Some(true) => "←".to_owned(),
                Some(false) => "→".to_owned(),
            },
            ref several => several.len().to_string(),
        }
    };
    (0..width).map(place).collect()
}
