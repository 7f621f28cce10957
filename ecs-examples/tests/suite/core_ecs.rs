//! The programs of the paper on Core ECS, compared with its listings and with the model of its calculus.

use std::collections::BTreeMap;
use std::sync::Arc;

use core_ecs_model::{Entity, Label, Mutation, Query, State, System, Value, conc, rename, seq};
use ecs_core::{StepError, Threads};
use ecs_examples::core_ecs::disjoint_entities::{self, Decrement, Increment};
use ecs_examples::core_ecs::pairs::{self, Meeting};
use ecs_examples::core_ecs::toy_physics::{self, Line};

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

const POS: Label = Label("Pos");
const VEL: Label = Label("Vel");
const INT: Label = Label("Int");

/// One thread, and pools of several sizes.
fn threads() -> impl Iterator<Item = Threads> {
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Threads::Eager(Arc::new(pool.expect("threads can be started")))
    };
    [Threads::Inline].into_iter().chain([2, 3, 8].map(pool))
}

fn int(label: Label, number: i64) -> (Label, Value) {
    (label, Value::Int(number))
}

#[test]
fn listing_3() {
    for threads in threads() {
        assert_eq!(toy_physics::listing_3(threads), LISTING_3);
    }
}

#[test]
fn listing_7() {
    for threads in threads() {
        assert_eq!(disjoint_entities::listing_7(threads), LISTING_7);
    }
}

/// *inertia* and *collide* of listing 2.
fn physics() -> core_ecs_model::Schedule {
    let moving = Query::Incl(POS).and(Query::Incl(VEL));
    let stationary = Query::Incl(POS).and(Query::Excl(VEL));
    let attach = |label, entity, number| Mutation::Attach(label, entity, Value::Int(number));
    let inertia = System::function("inertia", vec![moving.clone()], [POS], move |at| {
        attach(POS, at.entities[0], at.int(0, POS) + at.int(0, VEL))
    });
    let collide = System::function("collide", vec![moving, stationary], [VEL, POS], move |at| {
        let (place, velocity) = (at.int(0, POS), at.int(0, VEL));
        if place != at.int(1, POS) {
            return Mutation::Nil;
        }
        Mutation::Detach(POS, at.entities[0])
            .then(Mutation::Detach(VEL, at.entities[0]))
            .then(attach(VEL, at.entities[1], velocity / 2))
            .then(Mutation::new(move |e| attach(POS, e, place).then(attach(VEL, e, velocity / -2))))
    });
    conc(&inertia).then(seq(&collide))
}

/// The objects of a line as a state of the model; the name of an entity is its index.
fn state(line: &Line) -> State {
    State::from_rows(line.objects().into_iter().map(|(entity, pos, vel)| {
        let vel = vel.map(|vel| int(VEL, vel));
        let row = [int(POS, pos)].into_iter().chain(vel).collect::<BTreeMap<_, _>>();
        (Entity(entity.index().into()), row)
    }))
}

/// A frame is *z*(*c*), even if several objects meet.
#[test]
fn a_frame_of_many_objects_is_the_calculus_one() {
    // 70 positions for 140 objects, two of three of which move.
    let object = |n: i64| (n * 37 % 70, (n % 3 != 0).then_some(n * 11 % 15 - 7));
    let objects: Vec<_> = (0..140).map(object).collect();
    for threads in threads() {
        let mut line = Line::new(threads, &objects);
        let before = state(&line);
        line.advance();
        let expected = physics().apply(&before);
        assert_eq!(before.rows().len(), 140);
        assert!(expected.next_fresh().0 > 150, "only few have met");
        assert!(rename::same(&state(&line), &expected, before.next_fresh()));
    }
}

/// Each number moves towards the threshold, wherever the threshold is, and if it changes.
#[test]
fn numbers_follow_the_threshold() {
    for threads in threads() {
        let start: Vec<i64> = (-200..200).collect();
        let mut world = disjoint_entities::numbers(threads, &start);
        let row = |&(entity, number): &(ecs_core::Entity, i64)| {
            (Entity(entity.index().into()), [int(INT, number)])
        };
        for threshold in [4, 4, -100, 90] {
            let before = State::from_rows(disjoint_entities::seen(&world).iter().map(row));
            world.system_mut::<Increment>().bound = threshold;
            world.system_mut::<Decrement>().bound = threshold;
            assert_eq!(disjoint_entities::advance(&mut world), Ok(()));
            let adjust = |is_increment: bool| {
                System::function("adjust", vec![Query::Incl(INT)], [INT], move |at| {
                    let (entity, n) = (at.entities[0], at.int(0, INT));
                    let next = if is_increment { n + 1 } else { n - 1 };
                    if (n < threshold) == is_increment {
                        Mutation::Attach(INT, entity, Value::Int(next))
                    } else {
                        Mutation::Nil
                    }
                })
            };
            let schedule = conc(&adjust(true)).par(conc(&adjust(false)));
            let after = State::from_rows(disjoint_entities::seen(&world).iter().map(row));
            assert_eq!(after, schedule.apply(&before));
        }
    }
}

/// In the calculus, the schedule would not be safe: the number would depend on the order of the systems.
#[test]
fn thresholds_that_differ_are_found_out() {
    for threads in threads() {
        let start: Vec<i64> = (0..300).collect();
        let mut world = disjoint_entities::numbers(threads, &start);
        let entity = disjoint_entities::seen(&world)[7].0;
        world.system_mut::<Increment>().bound = 9;
        world.system_mut::<Decrement>().bound = 7;
        let systems = ["Increment", "Decrement"];
        let conflict = StepError::UpdateConflict { component: "Int", systems, entity };
        assert_eq!(disjoint_entities::advance(&mut world), Err(conflict));
        let after = disjoint_entities::seen(&world).into_iter().map(|(_, number)| number);
        let expected = start.iter().map(|&n| match n {
            ..7 => n + 1,
            7..9 => n,
            9.. => n - 1,
        });
        assert!(after.eq(expected));
    }
}

/// The query vector of figure 11: its entity matches are those of the model, in the same order.
#[test]
fn a_query_vector_finds_what_the_model_finds() {
    let moving = Query::Incl(POS).and(Query::Incl(VEL));
    let stationary = Query::Incl(POS).and(Query::Excl(VEL));
    let vector = [moving.clone(), stationary.clone()];
    let meet = System::function("meet", vector.to_vec(), [POS; 0], |_| Mutation::Nil);
    let many: Vec<_> = (0..150).map(|n| (n * n % 11, (n % 3 > 0).then_some(n % 5 - 2))).collect();
    for objects in [&[(1, Some(6)), (7, None), (9, Some(-2))][..], &many] {
        let state = State::from_rows(objects.iter().zip(0..).map(|(&(pos, vel), entity)| {
            let vel = vel.map(|vel| int(VEL, vel));
            let row = [int(POS, pos)].into_iter().chain(vel).collect::<BTreeMap<_, _>>();
            (Entity(entity), row)
        }));
        let number = |query: &Query, found: &_, label| match query.value(found, label) {
            Some(Value::Int(number)) => number,
            other => panic!("{label:?} is {other:?}"),
        };
        let matches = meet.matches(&state).into_iter().map(|(entities, found)| {
            let [a, b] = [&found[0], &found[1]];
            let [p, v, q] = [(&moving, a, POS), (&moving, a, VEL), (&stationary, b, POS)]
                .map(|(query, found, label)| number(query, found, label));
            (entities, [p, v, q])
        });
        let expected: Vec<_> = matches.collect();
        for threads in threads() {
            let found = pairs::meetings(threads, objects);
            let found = found.into_iter().map(|Meeting { moving: (a, p, v), still: (b, q) }| {
                (vec![Entity(a.index().into()), Entity(b.index().into())], [p.0, v.0, q.0])
            });
            assert!(found.eq(expected.iter().cloned()));
        }
        assert!(expected.len() >= 2);
    }
}

#[test]
fn a_join_by_cells_finds_what_is_near() {
    let points = pairs::points(700, 20.0);
    for threads in threads() {
        let [by_cells, among_all] = pairs::near_pairs(threads, &points);
        assert!(by_cells.len() > 1000);
        assert!(by_cells == among_all);
    }
    let report = pairs::report(Threads::Inline);
    assert!(
        report.contains("⟨e0, e1⟩ ↦ ⟨(1, 6), (7, *)⟩\n⟨e2, e1⟩ ↦ ⟨(9, -2), (7, *)⟩\n"),
        "{report}"
    );
    assert!(report.ends_with(": true\n"), "{report}");
}
