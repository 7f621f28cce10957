//! `hecs`: queries, prepared where there are many archetypes; batches for spawns, and for removals where it has
//! them. It has no scheduler, so there are no empty systems, and the three systems run one after the other.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Form, Row, Summary, THREADS, Work, form, fresh, pool, steady};
use hecs::{Entity, PreparedQuery, World};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let size = row.size;
    match row.work {
        Work::SimpleInsert => vec![insert(size)],
        Work::SimpleIter => vec![iter(size)],
        Work::FragmentedIter => fragmented(size),
        Work::SystemScheduling => vec![scheduling(size)],
        Work::HeavyCompute => vec![heavy(size)],
        Work::AddRemove => vec![add_remove(size)],
        Work::Churn => vec![churn(size)],
        Work::Get => get(size),
        Work::GetMut => get_mut(size),
        Work::Independent | Work::Chained => Vec::new(),
    }
}

fn summary(world: &mut World) -> Summary {
    let mut summary = Summary::default();
    for (transform, position, rotation, velocity) in
        world.query_mut::<(&Transform, &Position, &Rotation, &Velocity)>()
    {
        summary.add_bundle(transform, position, rotation, velocity);
    }
    summary
}

fn filled(entities: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..entities).map(bundle));
    world
}

fn insert(entities: usize) -> Form {
    let run = move |world: &mut World| drop(world.spawn_batch((0..entities).map(bundle)));
    form("spawn_batch", fresh(World::new, run, summary))
}

fn iter(entities: usize) -> Form {
    let run = |world: &mut World| {
        for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    };
    form("query_mut", steady(filled(entities), run, summary))
}

/// Twenty of each letter.
fn of_letters(each: usize) -> World {
    let mut world = World::new();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            world.spawn_batch((0..each).map(|i| (letters::$letter(0.0), Data(i as f32))));
        )*};
    }
    with_letters!(spawn);
    world
}

fn fragmented(each: usize) -> Vec<Form> {
    fn data(world: &mut World) -> Summary {
        Summary::of(world.query_mut::<&Data>().into_iter().map(|data| data.0))
    }
    let query = |world: &mut World| {
        for data in world.query_mut::<&mut Data>() {
            data.0 *= 2.0;
        }
    };
    let prepared = |(world, query): &mut (World, PreparedQuery<&mut Data>)| {
        for data in query.query_mut(world) {
            data.0 *= 2.0;
        }
    };
    let world = (of_letters(each), PreparedQuery::new());
    vec![
        form("query_mut", steady(of_letters(each), query, data)),
        form("PreparedQuery", steady(world, prepared, |(world, _)| data(world))),
    ]
}

fn scheduling(each: usize) -> Form {
    let mut world = World::new();
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0))));
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
    let run = |world: &mut World| {
        for (a, b) in world.query_mut::<(&mut A, &mut B)>() {
            swap(&mut a.0, &mut b.0);
        }
        for (c, d) in world.query_mut::<(&mut C, &mut D)>() {
            swap(&mut c.0, &mut d.0);
        }
        for (c, e) in world.query_mut::<(&mut C, &mut E)>() {
            swap(&mut c.0, &mut e.0);
        }
    };
    let summary = |world: &mut World| {
        let mut values: Vec<f32> = world.query_mut::<&A>().into_iter().map(|a| a.0).collect();
        values.extend(world.query_mut::<&B>().into_iter().map(|b| b.0));
        values.extend(world.query_mut::<&C>().into_iter().map(|c| c.0));
        values.extend(world.query_mut::<&D>().into_iter().map(|d| d.0));
        values.extend(world.query_mut::<&E>().into_iter().map(|e| e.0));
        Summary::of(values)
    };
    form("no scheduler", steady(world, run, summary))
}

/// One batch for each thread and a few more, so that the threads can share the work evenly.
fn heavy(entities: usize) -> Form {
    let batch = entities.div_ceil(4 * THREADS) as u32;
    let run = move |world: &mut World| {
        let mut query = world.query::<(&mut Transform, &mut Position)>();
        pool().scope(|scope| {
            for batch in query.iter_batched(batch) {
                scope.spawn(move |_| {
                    batch.for_each(|(transform, position)| turn(transform, position));
                });
            }
        });
    };
    form("iter_batched", steady(filled(entities), run, summary))
}

fn add_remove(entities: usize) -> Form {
    type Both = (World, Vec<Entity>);
    fn add((world, entities): &mut Both) {
        for &entity in &*entities {
            world.insert_one(entity, B(1.0)).expect("it lives");
        }
    }
    fn remove((world, entities): &mut Both) {
        for &entity in &*entities {
            world.remove_one::<B>(entity).expect("it has one");
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        let a: Vec<f32> = world.query_mut::<&A>().into_iter().map(|a| a.0).collect();
        Summary::of(a.into_iter().chain(world.query_mut::<&B>().into_iter().map(|b| b.0)))
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = World::new();
    let entities = world.spawn_batch((0..entities).map(|i| (A(i as f32),))).collect();
    form("", steady((world, entities), run, |both| Summary::twice(both, add, all, remove)))
}

/// A world, the entities to despawn, and the entities that replace them.
#[derive(Default)]
struct Living {
    world: World,
    despawns: Vec<Entity>,
    spawns: Vec<(Position, Velocity, Life)>,
}

fn churn(entities: usize) -> Form {
    let mut living = Living::default();
    let lives = lives(entities).into_iter().enumerate();
    living.world.spawn_batch(lives.map(|(i, life)| (position(i), velocity(i), life)));
    let run = |Living { world, despawns, spawns }: &mut Living| {
        for (entity, life, velocity) in world.query_mut::<(Entity, &mut Life, &Velocity)>() {
            if let Some(spawned) = age(life, velocity) {
                despawns.push(entity);
                spawns.push(spawned);
            }
        }
        for entity in despawns.drain(..) {
            world.despawn(entity).expect("it lives");
        }
        world.spawn_batch(spawns.drain(..));
        for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    };
    let summary = |living: &mut Living| {
        let mut summary = Summary::default();
        for (position, velocity, life) in living.world.query_mut::<(&Position, &Velocity, &Life)>()
        {
            summary.add_living(position, velocity, *life);
        }
        summary
    };
    form("spawn_batch", steady(living, run, summary))
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<Entity>, f32);

fn random(entities: usize) -> Random {
    let mut world = World::new();
    let spawned: Vec<Entity> =
        world.spawn_batch((0..entities).map(|i| (position(i), velocity(i)))).collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> Vec<Form> {
    let get = |(world, entities, sum): &mut Random| {
        *sum = entities.iter().map(|&e| world.get::<&Position>(e).expect("it lives").0[0]).sum();
    };
    let view = |(world, entities, sum): &mut Random| {
        let view = world.view_mut::<&Position>();
        *sum = entities.iter().map(|&e| view.get(e).expect("it lives").0[0]).sum();
    };
    let summary = |(_, _, sum): &mut Random| Summary::of([*sum]);
    vec![
        form("get", steady(random(entities), get, summary)),
        form("view", steady(random(entities), view, summary)),
    ]
}

fn get_mut(entities: usize) -> Vec<Form> {
    let one = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            world.query_one_mut::<&mut Position>(entity).expect("it lives").0[0] += 1.0;
        }
    };
    let view = |(world, entities, _): &mut Random| {
        let mut view = world.view_mut::<&mut Position>();
        for &entity in &*entities {
            view.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    let summary =
        |(world, _, _): &mut Random| Summary::of_positions(world.query_mut::<&Position>());
    vec![
        form("query_one_mut", steady(random(entities), one, summary)),
        form("view", steady(random(entities), view, summary)),
    ]
}
