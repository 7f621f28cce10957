//! `hecs`: queries, prepared where there are many archetypes; batches for spawns, and for removals where it has
//! them. It has no scheduler, so there are no empty systems, and the three systems run one after the other.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Bundle, Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters,
    lives, position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{
    Contender, Form, LEAST_SHARE, Row, Summary, THREADS, Work, fresh, idiomatic, other, pool,
    steady,
};
use hecs::{ColumnBatchType, Entity, PreparedQuery, World};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![
            idiomatic("spawn", move || insert_one_by_one(n, false)),
            other("reserve, spawn", move || insert_one_by_one(n, true)),
        ],
        Work::InsertBatch => vec![
            idiomatic("spawn_batch", move || insert(n)),
            other("spawn_column_batch", move || insert_columns(n)),
        ],
        Work::SimpleIter => vec![
            idiomatic("query_mut", move || iter(n)),
            other("PreparedQuery", move || iter_prepared(n)),
            other("archetypes", move || iter_archetypes(n)),
        ],
        Work::FragmentedIter => vec![
            idiomatic("query_mut", move || fragmented(n)),
            other("PreparedQuery", move || fragmented_prepared(n)),
        ],
        Work::SystemScheduling => vec![idiomatic("no scheduler", move || scheduling(n))],
        Work::HeavyCompute => vec![idiomatic("iter_batched", move || heavy(n))],
        Work::AddRemoveOneByOne => {
            vec![idiomatic("insert_one, remove_one", move || add_remove(n))]
        }
        Work::Churn(1) => vec![
            idiomatic("spawn", move || churn(n, spawn_one_by_one, move_all)),
            other("spawn_batch", move || churn(n, spawn_batch, move_all)),
        ],
        Work::Churn(_) => {
            vec![idiomatic("spawn_batch, iter_batched", move || churn(n, spawn_batch, move_on_two))]
        }
        Work::Get => vec![idiomatic("get", move || get(n)), other("view_mut", move || get_view(n))],
        Work::GetMut => vec![
            idiomatic("get", move || get_mut(n)),
            other("query_one_mut", move || get_mut_query(n)),
            other("view_mut", move || get_mut_view(n)),
        ],
        Work::AddRemoveBatch | Work::Independent | Work::Chained => Vec::new(),
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

fn insert(entities: usize) -> impl Contender {
    let run = move |world: &mut World| drop(world.spawn_batch((0..entities).map(bundle)));
    fresh(World::new, run, summary)
}

fn insert_one_by_one(entities: usize, is_reserved: bool) -> impl Contender {
    let run = move |world: &mut World| {
        if is_reserved {
            world.reserve::<Bundle>(entities as u32);
        }
        for i in 0..entities {
            world.spawn(bundle(i));
        }
    };
    fresh(World::new, run, summary)
}

fn insert_columns(entities: usize) -> impl Contender {
    let run = move |world: &mut World| {
        let mut columns = ColumnBatchType::new();
        columns.add_bundle::<Bundle>();
        let batch = columns.into_batch(entities as u32);
        {
            let mut transforms = batch.writer::<Transform>().expect("it is in the batch");
            let mut positions = batch.writer::<Position>().expect("it is in the batch");
            let mut rotations = batch.writer::<Rotation>().expect("it is in the batch");
            let mut velocities = batch.writer::<Velocity>().expect("it is in the batch");
            for (transform, position, rotation, velocity) in (0..entities).map(bundle) {
                let written = transforms.push(transform).is_ok()
                    && positions.push(position).is_ok()
                    && rotations.push(rotation).is_ok()
                    && velocities.push(velocity).is_ok();
                assert!(written, "there is room");
            }
        }
        world.spawn_column_batch(batch.build().expect("all columns are full"));
    };
    fresh(World::new, run, summary)
}

fn iter(entities: usize) -> impl Contender {
    let run = |world: &mut World| {
        for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    };
    steady(filled(entities), run, summary)
}

fn iter_prepared(entities: usize) -> impl Contender {
    type Moving = (World, PreparedQuery<(&'static mut Position, &'static Velocity)>);
    let run = |(world, query): &mut Moving| {
        for (position, velocity) in query.query_mut(world) {
            advance(position, velocity);
        }
    };
    steady((filled(entities), PreparedQuery::new()), run, |(world, _)| summary(world))
}

/// Over whole columns.
fn iter_archetypes(entities: usize) -> impl Contender {
    let run = |world: &mut World| {
        for archetype in world.archetypes() {
            let columns = (archetype.get::<&mut Position>(), archetype.get::<&Velocity>());
            if let (Some(mut positions), Some(velocities)) = columns {
                for (position, velocity) in positions.iter_mut().zip(velocities.iter()) {
                    advance(position, velocity);
                }
            }
        }
    };
    steady(filled(entities), run, summary)
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

fn summary_of_data(world: &mut World) -> Summary {
    Summary::of(world.query_mut::<&Data>().into_iter().map(|data| data.0))
}

fn fragmented(each: usize) -> impl Contender {
    let run = |world: &mut World| {
        for data in world.query_mut::<&mut Data>() {
            data.0 *= 2.0;
        }
    };
    steady(of_letters(each), run, summary_of_data)
}

fn fragmented_prepared(each: usize) -> impl Contender {
    let run = |(world, query): &mut (World, PreparedQuery<&'static mut Data>)| {
        for data in query.query_mut(world) {
            data.0 *= 2.0;
        }
    };
    steady((of_letters(each), PreparedQuery::new()), run, |(world, _)| summary_of_data(world))
}

fn scheduling(each: usize) -> impl Contender {
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
    steady(world, run, summary)
}

/// One batch for each thread and a few more, so that the threads can share the work evenly.
fn heavy(entities: usize) -> impl Contender {
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
    steady(filled(entities), run, summary)
}

fn add_remove(entities: usize) -> impl Contender {
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
    steady((world, entities), run, |both| Summary::twice(both, add, all, remove))
}

/// A world, the entities to despawn, and the entities that replace them.
#[derive(Default)]
struct Living {
    world: World,
    despawns: Vec<Entity>,
    spawns: Vec<(Position, Velocity, Life)>,
}

fn spawn_one_by_one(world: &mut World, spawns: Bundles<'_>) {
    for spawned in spawns {
        world.spawn(spawned);
    }
}

fn spawn_batch(world: &mut World, spawns: Bundles<'_>) {
    world.spawn_batch(spawns);
}

fn move_all(world: &mut World) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        advance(position, velocity);
    }
}

fn move_on_two(world: &mut World) {
    let mut query = world.query::<(&mut Position, &Velocity)>();
    pool().scope(|scope| {
        for batch in query.iter_batched(LEAST_SHARE as u32) {
            scope.spawn(move |_| {
                batch.for_each(|(position, velocity)| advance(position, velocity));
            });
        }
    });
}

/// The components of the entities to spawn.
type Bundles<'a> = std::vec::Drain<'a, (Position, Velocity, Life)>;

fn churn(
    entities: usize,
    spawn: fn(&mut World, Bundles<'_>),
    move_all: fn(&mut World),
) -> impl Contender {
    let mut living = Living::default();
    let lives = lives(entities).into_iter().enumerate();
    living.world.spawn_batch(lives.map(|(i, life)| (position(i), velocity(i), life)));
    let run = move |Living { world, despawns, spawns }: &mut Living| {
        for (entity, life, velocity) in world.query_mut::<(Entity, &mut Life, &Velocity)>() {
            if let Some(spawned) = age(life, velocity) {
                despawns.push(entity);
                spawns.push(spawned);
            }
        }
        for entity in despawns.drain(..) {
            world.despawn(entity).expect("it lives");
        }
        spawn(world, spawns.drain(..));
        move_all(world);
    };
    let summary = |living: &mut Living| {
        let mut summary = Summary::default();
        for (position, velocity, life) in living.world.query_mut::<(&Position, &Velocity, &Life)>()
        {
            summary.add_living(position, velocity, *life);
        }
        summary
    };
    steady(living, run, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<Entity>, f32);

fn random(entities: usize) -> Random {
    let mut world = World::new();
    let spawned: Vec<Entity> =
        world.spawn_batch((0..entities).map(|i| (position(i), velocity(i)))).collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn sum((_, _, sum): &mut Random) -> Summary {
    Summary::of([*sum])
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        *sum = entities.iter().map(|&e| world.get::<&Position>(e).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, sum)
}

fn get_view(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        let view = world.view_mut::<&Position>();
        *sum = entities.iter().map(|&e| view.get(e).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, sum)
}

fn positions((world, ..): &mut Random) -> Summary {
    Summary::of_positions(world.query_mut::<&Position>())
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            world.get::<&mut Position>(entity).expect("it lives").0[0] += 1.0;
        }
    };
    steady(random(entities), run, positions)
}

fn get_mut_query(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            world.query_one_mut::<&mut Position>(entity).expect("it lives").0[0] += 1.0;
        }
    };
    steady(random(entities), run, positions)
}

fn get_mut_view(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        let mut view = world.view_mut::<&mut Position>();
        for &entity in &*entities {
            view.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    steady(random(entities), run, positions)
}
