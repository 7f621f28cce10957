//! The product of own entities and a query's members: all pairs, in lexicographic order, whatever the split.

use ecs_core::settings::{AtomicCounter, Config, Disallow, Dynamic, Settings};
use ecs_core::{Data, Entity, Place, System, Threads, World, world};

use crate::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position(pub(super) i64);
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Velocity(i64);
struct Ghost;

world! {
    world Objects;
    component Position: contiguous_buffer;
    component Velocity: hash_map;
    component Ghost: empty;

    // The query vector of the paper's figure 11.
    query Still { read: [Position], without: [Velocity] }
    query All { read: [Position], read_optional: [Velocity], without: [Ghost] }

    // No order is needed: its entities move, and those of `Still` do not.
    system Drift { read: [Velocity], write: [Position], parallelism: split_every(64) }
    system Collide {
        dependencies: [Drift],
        parallelism: split_every(64),
        read: [Position],
        write: [Velocity],
        queries: [Still],
        output: Vec<(Entity, Entity)>,
    }
    system Meet {
        dependencies: [Collide],
        parallelism: split_every(64),
        read: [Position],
        without: [Ghost],
        queries: [All, Still],
        output: Vec<(Entity, Entity, bool)>,
    }
    system Triples {
        dependencies: [Collide],
        parallelism: split_every(64),
        read: [Position],
        with: [Velocity],
        queries: [All, Still],
        output: Vec<i64>,
    }
    // Exclusive: it may write a component of its own entities that its query reads of other entities.
    system Push {
        exclusive,
        dependencies: [Meet, Triples],
        write: [Position],
        with: [Velocity],
        queries: [Still],
    }
}

#[derive(Default)]
struct Drift;
#[derive(Default)]
struct Collide;
#[derive(Default)]
struct Meet;
#[derive(Default)]
struct Triples;
#[derive(Default)]
struct Push;

impl System<Objects> for Drift {
    fn process(&self, data: &mut Data<'_, Objects, Self>) {
        data.own.for_entities(|e| e.position.0 += e.velocity.0);
    }
}

impl System<Objects> for Collide {
    fn process(&self, data: &mut Data<'_, Objects, Self>) {
        data.own.query::<(&Position, &mut Velocity)>().pairs(
            data.effects.members::<Still, &Position>(),
            |(at, velocity), still| {
                if *at == still {
                    velocity.0 = -velocity.0;
                }
            },
        );
        let Data { own, effects, .. } = data;
        let still = effects.members::<Still, (Entity, &Position)>();
        own.query::<(Entity, &Position)>().pairs(still, |&mut (a, p), (b, q)| {
            if p == q {
                effects.output().push((a, b));
            }
        });
    }
}

impl System<Objects> for Meet {
    fn process(&self, data: &mut Data<'_, Objects, Self>) {
        let Data { own, effects, .. } = data;
        let all = effects.members::<All, (Entity, Option<&Velocity>, Place)>();
        assert_eq!(all.into_iter().count(), all.len());
        own.for_entities(|e| {
            for (other, velocity, place) in all {
                assert_eq!(all.get(place).map(|(found, ..)| found), Some(other));
                effects.output().push((e.entity, other, velocity.is_some()));
            }
        });
    }
}

impl System<Objects> for Triples {
    fn process(&self, data: &mut Data<'_, Objects, Self>) {
        let Data { own, effects, .. } = data;
        let (all, still) =
            (effects.members::<All, Entity>(), effects.members::<Still, &Position>());
        own.for_entities(|e| {
            let count = all.entities().take(3).count() as i64;
            let sum: i64 = still.into_iter().map(|position| position.0).sum();
            effects.output().push(e.position.0 * sum * count);
        });
    }
}

impl System<Objects> for Push {
    fn process(&self, data: &mut Data<'_, Objects, Self>) {
        let still = data.effects.members::<Still, &Position>();
        let moving: Vec<Entity> = data.own.query::<Entity>().into_iter().collect();
        let mut reach = data.own.any_mut::<&mut Position>();
        for entity in moving {
            assert!(!still.contains(entity) && still.get(entity).is_none());
            if still.into_iter().any(|other| reach.get_mut(entity).is_some_and(|p| *p == *other)) {
                reach.get_mut(entity).unwrap().0 += 1;
            }
        }
    }
}

/// An object in the naive loops.
#[derive(Clone, Copy)]
struct Object {
    entity: Entity,
    position: i64,
    velocity: Option<i64>,
    ghost: bool,
}

fn objects<S: Settings>(world: &World<Objects, S>) -> Vec<Object> {
    let mut all = Vec::new();
    for (e, p, v, g) in world.iter::<(Entity, &Position, Option<&Velocity>, Option<&Ghost>)>() {
        let (velocity, ghost) = (v.map(|v| v.0), g.is_some());
        all.push(Object { entity: e, position: p.0, velocity, ghost });
    }
    all
}

/// Spawns objects of every kind, and despawns some.
fn change<S: Settings>(world: &mut World<Objects, S>, count: u64, seed: u64) {
    let all = objects(world);
    world
        .step(|step| {
            for object in all.iter().filter(|o| o.position % 3 == 1) {
                step.despawn(object.entity);
            }
            for n in 0..count {
                let random = mix(seed * 1000 + n);
                let position = Position((random % 40) as i64);
                let velocity = Velocity((random >> 8 & 7) as i64 - 3);
                match random >> 20 & 3 {
                    0 => step.spawn((position, velocity)),
                    1 => step.spawn((position,)),
                    2 => step.spawn((position, velocity, Ghost)),
                    _ => step.spawn((position, Ghost)),
                };
            }
        })
        .unwrap();
}

/// The outputs of one step, and the positions after it.
type Outcome = (Vec<(Entity, Entity)>, Vec<(Entity, Entity, bool)>, Vec<i64>, Vec<(Entity, i64)>);

fn outcome<S: Settings>(world: &mut World<Objects, S>) -> Outcome {
    let (collisions, meetings, triples) = world
        .step(|step| {
            step.execute_systems();
            (
                step.outputs_of::<Collide>().flatten().copied().collect(),
                step.outputs_of::<Meet>().flatten().copied().collect(),
                step.outputs_of::<Triples>().flatten().copied().collect(),
            )
        })
        .unwrap();
    let places = by_entity(&objects(world), |o| o.position);
    (collisions, meetings, triples, places)
}

/// Positions by entity, independent of rows.
fn by_entity(all: &[Object], at: impl Fn(&Object) -> i64) -> Vec<(Entity, i64)> {
    let mut places: Vec<_> = all.iter().map(|object| (object.entity, at(object))).collect();
    places.sort_unstable();
    places
}

fn naive(mut all: Vec<Object>) -> Outcome {
    for object in &mut all {
        object.position += object.velocity.unwrap_or(0);
    }
    let still: Vec<Object> = all.iter().copied().filter(|o| o.velocity.is_none()).collect();
    let moving = || all.iter().filter(|o| o.velocity.is_some());
    let collisions = moving().flat_map(|a| still.iter().map(move |b| (a, b)));
    let collisions = collisions.filter(|(a, b)| a.position == b.position);
    let collisions = collisions.map(|(a, b)| (a.entity, b.entity)).collect();
    let solid: Vec<&Object> = all.iter().filter(|o| !o.ghost).collect();
    let meet = |a: &Object| {
        let a = a.entity;
        solid.iter().map(move |b| (a, b.entity, b.velocity.is_some())).collect::<Vec<_>>()
    };
    let meetings = solid.iter().flat_map(|a| meet(a)).collect();
    let sum: i64 = still.iter().map(|o| o.position).sum();
    let triples = moving().map(|a| a.position * sum * solid.len().min(3) as i64).collect();
    let pushed =
        |o: &Object| o.velocity.is_some() && still.iter().any(|other| other.position == o.position);
    let places = by_entity(&all, |o| o.position + i64::from(pushed(o)));
    (collisions, meetings, triples, places)
}

#[test]
fn a_product_is_that_of_naive_loops_on_any_threads() {
    for threads in every_kind() {
        let mut world = World::<Objects>::on(threads);
        for round in 0..3 {
            change(&mut world, 120, round);
            let before = objects(&world);
            assert!(outcome(&mut world) == naive(before));
        }
    }
}

#[test]
fn the_split_does_not_show() {
    let mut whole =
        World::<Objects, Config<Dynamic<8>, Disallow, AtomicCounter>>::on(Threads::Inline);
    let mut split = World::<Objects>::new();
    for round in 0..3 {
        change(&mut whole, 200, round);
        change(&mut split, 200, round);
        assert!(outcome(&mut whole) == outcome(&mut split));
    }
}

#[test]
fn an_entity_of_both_sides_meets_itself() {
    let mut world = World::<Objects>::new();
    let alone = world.step(|step| step.spawn((Position(1),))).unwrap();
    assert_eq!(outcome(&mut world).1, [(alone, alone, false)]);
}

#[test]
fn members_are_those_of_the_execution() {
    let mut world = World::<Objects>::new();
    let [a, b] = world.step(|step| [1, 2].map(|n| step.spawn((Position(n),)))).unwrap();
    let meetings = world
        .step(|step| {
            // A component that the step removes is missing at once; what it adds is there after the refresh.
            step.remove::<Position>(a);
            step.spawn((Position(3),));
            step.execute_systems();
            step.outputs_of::<Meet>().flatten().copied().collect::<Vec<_>>()
        })
        .unwrap();
    assert_eq!(meetings, [(b, b, false)]);
}
