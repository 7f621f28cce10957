//! `bevy_ecs`: systems in schedules wherever a row has systems, cached query states otherwise; spawns in batches,
//! insertion by `insert_batch`. No command removes from many entities, so there is one call for each.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    nothing, position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Contender, Form, Row, Summary, THREADS, Work, fresh, idiomatic, other, steady};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{Schedule, SingleThreadedExecutor};
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(THREADS).build());
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![idiomatic("spawn", move || insert_one_by_one(n))],
        Work::InsertBatch => vec![idiomatic("spawn_batch", move || insert(n))],
        Work::SimpleIter => vec![
            idiomatic("QueryState", move || iter(n)),
            other("contiguous_iter_mut", move || iter_contiguous(n)),
        ],
        Work::FragmentedIter => vec![
            idiomatic("QueryState", move || fragmented(n, double)),
            other("contiguous_iter_mut", move || fragmented(n, double_contiguous)),
        ],
        Work::SystemScheduling => {
            let mut forms = both(move |is_single| scheduling(n, is_single, false));
            let contiguous = move || scheduling(n, true, true);
            forms.push(other("1 thread, contiguous_iter_mut", contiguous));
            forms
        }
        Work::HeavyCompute => vec![idiomatic("par_iter_mut", move || heavy(n))],
        Work::AddRemoveOneByOne => {
            vec![idiomatic("insert, remove", move || add_remove(n, add_each))]
        }
        Work::AddRemoveBatch => vec![idiomatic("insert_batch", move || add_remove(n, add_batch))],
        Work::Churn(1) => vec![
            idiomatic("commands", move || churn(n, true, move_on)),
            other("commands, contiguous_iter_mut", move || churn(n, true, move_on_contiguous)),
        ],
        Work::Churn(_) => {
            vec![idiomatic("commands, par_iter_mut", move || churn(n, false, move_on_two))]
        }
        Work::Get => vec![
            idiomatic("Query::get", move || get(n)),
            other("Query::iter_many", move || get_many(n)),
        ],
        Work::GetMut => vec![
            idiomatic("Query::get_mut", move || get_mut(n)),
            other("Query::iter_many_mut", move || get_many_mut(n)),
        ],
        Work::Independent => both(move |is_single| independent(n, is_single)),
        Work::Chained => both(move |is_single| chained(n, is_single)),
    }
}

/// A schedule with the default executor, and one that runs systems one by one.
fn both<C: Contender + 'static>(make: impl Fn(bool) -> C + Copy + 'static) -> Vec<Form> {
    vec![idiomatic("2 threads", move || make(false)), other("1 thread", move || make(true))]
}

fn summary(world: &mut World) -> Summary {
    let mut summary = Summary::default();
    let mut query = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    for (transform, position, rotation, velocity) in query.iter(world) {
        summary.add_bundle(transform, position, rotation, velocity);
    }
    summary
}

fn filled(entities: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..entities).map(bundle));
    world
}

fn insert_one_by_one(entities: usize) -> impl Contender {
    let run = move |world: &mut World| {
        for i in 0..entities {
            world.spawn(bundle(i));
        }
    };
    fresh(World::new, run, summary)
}

fn insert(entities: usize) -> impl Contender {
    let run = move |world: &mut World| drop(world.spawn_batch((0..entities).map(bundle)));
    fresh(World::new, run, summary)
}

/// A world and a query.
type Queried<P> = (World, QueryState<P>);

fn iter(entities: usize) -> impl Contender {
    let mut world = filled(entities);
    let query = world.query::<(&mut Position, &Velocity)>();
    let run = |(world, query): &mut Queried<(&mut Position, &Velocity)>| {
        query.iter_mut(world).for_each(|(mut position, velocity)| advance(&mut position, velocity));
    };
    steady((world, query), run, |(world, _)| summary(world))
}

/// Over whole columns, without change detection.
fn iter_contiguous(entities: usize) -> impl Contender {
    let mut world = filled(entities);
    let query = world.query::<(&mut Position, &Velocity)>();
    let run = |(world, query): &mut Queried<(&mut Position, &Velocity)>| {
        move_on_contiguous(query.query_mut(world));
    };
    steady((world, query), run, |(world, _)| summary(world))
}

fn double(mut query: Query<'_, '_, &mut Data>) {
    query.iter_mut().for_each(|mut data| data.0 *= 2.0);
}

fn double_contiguous(mut query: Query<'_, '_, &mut Data>) {
    for mut data in query.contiguous_iter_mut().expect("it is dense") {
        data.bypass_change_detection().iter_mut().for_each(|data| data.0 *= 2.0);
    }
}

fn fragmented(each: usize, double: fn(Query<'_, '_, &mut Data>)) -> impl Contender {
    let mut world = World::new();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            world.spawn_batch((0..each).map(|i| (letters::$letter(0.0), Data(i as f32))));
        )*};
    }
    with_letters!(spawn);
    let query = world.query::<&mut Data>();
    let run = move |(world, query): &mut Queried<&mut Data>| double(query.query_mut(world));
    let summary = |(world, _): &mut Queried<&mut Data>| {
        Summary::of(world.query::<&Data>().iter(world).map(|data| data.0))
    };
    steady((world, query), run, summary)
}

/// A world and the schedule that runs in it.
type Scheduled = (World, Schedule);

/// The work of a frame.
fn frame((world, schedule): &mut Scheduled) {
    schedule.run(world);
    world.clear_trackers();
}

/// A schedule that runs systems one by one, or the default one, which runs them on all threads.
fn schedule(is_single: bool) -> Schedule {
    let mut schedule = Schedule::default();
    if is_single {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    schedule
}

fn swap_ab(mut query: Query<'_, '_, (&mut A, &mut B)>) {
    query.iter_mut().for_each(|(mut a, mut b)| swap(&mut a.0, &mut b.0));
}

fn swap_cd(mut query: Query<'_, '_, (&mut C, &mut D)>) {
    query.iter_mut().for_each(|(mut c, mut d)| swap(&mut c.0, &mut d.0));
}

fn swap_ce(mut query: Query<'_, '_, (&mut C, &mut E)>) {
    query.iter_mut().for_each(|(mut c, mut e)| swap(&mut c.0, &mut e.0));
}

/// Declares a system that swaps two components over whole columns, without change detection.
macro_rules! swap_contiguous {
    ($system:ident, $one:ident, $other:ident) => {
        fn $system(mut query: Query<'_, '_, (&mut $one, &mut $other)>) {
            for (mut ones, mut others) in query.contiguous_iter_mut().expect("it is dense") {
                let (ones, others) =
                    (ones.bypass_change_detection(), others.bypass_change_detection());
                for (one, other) in ones.iter_mut().zip(others) {
                    swap(&mut one.0, &mut other.0);
                }
            }
        }
    };
}

swap_contiguous!(swap_ab_contiguous, A, B);
swap_contiguous!(swap_cd_contiguous, C, D);
swap_contiguous!(swap_ce_contiguous, C, E);

fn scheduling(each: usize, is_single: bool, is_contiguous: bool) -> impl Contender {
    let mut world = World::new();
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0))));
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
    world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
    let summary = |(world, _): &mut Scheduled| {
        let mut values: Vec<f32> = world.query::<&A>().iter(world).map(|a| a.0).collect();
        values.extend(world.query::<&B>().iter(world).map(|b| b.0));
        values.extend(world.query::<&C>().iter(world).map(|c| c.0));
        values.extend(world.query::<&D>().iter(world).map(|d| d.0));
        values.extend(world.query::<&E>().iter(world).map(|e| e.0));
        Summary::of(values)
    };
    let mut schedule = schedule(is_single);
    if is_contiguous {
        schedule.add_systems((swap_ab_contiguous, swap_cd_contiguous, swap_ce_contiguous));
    } else {
        schedule.add_systems((swap_ab, swap_cd, swap_ce));
    }
    steady((world, schedule), frame, summary)
}

fn heavy(entities: usize) -> impl Contender {
    let mut world = filled(entities);
    let query = world.query::<(&mut Transform, &mut Position)>();
    let run = |(world, query): &mut (World, QueryState<(&mut Transform, &mut Position)>)| {
        query.par_iter_mut(world).for_each(|(mut transform, mut position)| {
            turn(&mut transform, &mut position);
        });
    };
    steady((world, query), run, |(world, _)| summary(world))
}

/// A world, and its entities.
type Both = (World, Vec<Entity>);

fn add_each((world, entities): &mut Both) {
    for &entity in &*entities {
        world.entity_mut(entity).insert(B(1.0));
    }
}

fn add_batch((world, entities): &mut Both) {
    world.insert_batch(entities.iter().map(|&entity| (entity, B(1.0))));
}

fn add_remove(entities: usize, add: fn(&mut Both)) -> impl Contender {
    fn remove((world, entities): &mut Both) {
        for &entity in &*entities {
            world.entity_mut(entity).remove::<B>();
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        let a: Vec<f32> = world.query::<&A>().iter(world).map(|a| a.0).collect();
        Summary::of(a.into_iter().chain(world.query::<&B>().iter(world).map(|b| b.0)))
    }
    let run = move |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
        both.0.clear_trackers();
    };
    let mut world = World::new();
    let entities = world.spawn_batch((0..entities).map(|i| A(i as f32))).collect();
    let summary = move |both: &mut Both| Summary::twice(both, add, all, remove);
    steady((world, entities), run, summary)
}

fn renew(mut query: Query<'_, '_, (Entity, &mut Life, &Velocity)>, mut commands: Commands<'_, '_>) {
    let mut spawns = Vec::new();
    for (entity, mut life, velocity) in &mut query {
        if let Some(spawned) = age(&mut life, velocity) {
            commands.entity(entity).despawn();
            spawns.push(spawned);
        }
    }
    commands.spawn_batch(spawns);
}

fn move_on(mut query: Query<'_, '_, (&mut Position, &Velocity)>) {
    query.iter_mut().for_each(|(mut position, velocity)| advance(&mut position, velocity));
}

fn move_on_two(mut query: Query<'_, '_, (&mut Position, &Velocity)>) {
    query.par_iter_mut().for_each(|(mut position, velocity)| advance(&mut position, velocity));
}

fn move_on_contiguous(mut query: Query<'_, '_, (&mut Position, &Velocity)>) {
    for (mut positions, velocities) in query.contiguous_iter_mut().expect("it is dense") {
        for (position, velocity) in positions.bypass_change_detection().iter_mut().zip(velocities) {
            advance(position, velocity);
        }
    }
}

fn churn(
    entities: usize,
    is_single: bool,
    move_on: fn(Query<'_, '_, (&mut Position, &Velocity)>),
) -> impl Contender {
    let mut world = World::new();
    let lives = lives(entities).into_iter().enumerate();
    world.spawn_batch(lives.map(|(i, life)| (position(i), velocity(i), life)));
    let mut schedule = schedule(is_single);
    // The commands are applied between the two systems.
    schedule.add_systems((renew, move_on).chain());
    let summary = |(world, _): &mut Scheduled| {
        let mut summary = Summary::default();
        let mut query = world.query::<(&Position, &Velocity, &Life)>();
        for (position, velocity, life) in query.iter(world) {
            summary.add_living(position, velocity, *life);
        }
        summary
    };
    steady((world, schedule), frame, summary)
}

/// A world, the query, its entities in random order, and the sum of the values that were read.
type Random<P> = (World, QueryState<P>, Vec<Entity>, f32);

fn random<P: bevy_ecs::query::QueryData>(entities: usize) -> Random<P> {
    let mut world = World::new();
    let spawned: Vec<Entity> =
        world.spawn_batch((0..entities).map(|i| (position(i), velocity(i)))).collect();
    let query = world.query::<P>();
    (world, query, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, query, entities, sum): &mut Random<&Position>| {
        let query = query.query(world);
        *sum = entities.iter().map(|&entity| query.get(entity).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, |random| Summary::of([random.3]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, query, entities, _): &mut Random<&mut Position>| {
        let mut query = query.query_mut(world);
        for &entity in &*entities {
            query.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random<&mut Position>| {
        Summary::of_positions(world.query::<&Position>().iter(world))
    };
    steady(random(entities), run, summary)
}

fn get_many(entities: usize) -> impl Contender {
    let run = |(world, query, entities, sum): &mut Random<&Position>| {
        let positions = query.iter_many(world, &*entities);
        *sum = positions.map(|position| position.expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, |random| Summary::of([random.3]))
}

fn get_many_mut(entities: usize) -> impl Contender {
    let run = |(world, query, entities, _): &mut Random<&mut Position>| {
        let mut positions = query.iter_many_mut(world, &*entities);
        while let Some(position) = positions.fetch_next() {
            position.expect("it lives").0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random<&mut Position>| {
        Summary::of_positions(world.query::<&Position>().iter(world))
    };
    steady(random(entities), run, summary)
}

/// Ten systems; `$tens` makes them different from those of other calls.
macro_rules! ten {
    ($tens:literal) => {
        (
            nothing::<{ 10 * $tens }>,
            nothing::<{ 10 * $tens + 1 }>,
            nothing::<{ 10 * $tens + 2 }>,
            nothing::<{ 10 * $tens + 3 }>,
            nothing::<{ 10 * $tens + 4 }>,
            nothing::<{ 10 * $tens + 5 }>,
            nothing::<{ 10 * $tens + 6 }>,
            nothing::<{ 10 * $tens + 7 }>,
            nothing::<{ 10 * $tens + 8 }>,
            nothing::<{ 10 * $tens + 9 }>,
        )
    };
}

fn independent(systems: usize, is_single: bool) -> impl Contender {
    let mut schedule = schedule(is_single);
    schedule.add_systems(ten!(0));
    if systems == 50 {
        schedule.add_systems((ten!(1), ten!(2), ten!(3), ten!(4)));
    }
    steady((World::new(), schedule), frame, |_| Summary::default())
}

fn chained(systems: usize, is_single: bool) -> impl Contender {
    let mut schedule = schedule(is_single);
    if systems == 10 {
        schedule.add_systems(ten!(0).chain());
    } else {
        let (first, second) = (ten!(0).chain(), ten!(1).chain());
        let (third, fourth, last) = (ten!(2).chain(), ten!(3).chain(), ten!(4).chain());
        schedule.add_systems((first, second, third, fourth, last).chain());
    }
    steady((World::new(), schedule), frame, |_| Summary::default())
}
