//! `bevy_ecs`: systems in schedules wherever a row has systems, cached query states otherwise; spawns in batches,
//! insertion by `insert_batch`. No command removes from many entities, so there is one call for each.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Form, Row, Summary, THREADS, Work, form, fresh, steady};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{Schedule, SingleThreadedExecutor};
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(THREADS).build());
    let size = row.size;
    match row.work {
        Work::SimpleInsert => vec![insert(size)],
        Work::SimpleIter => vec![iter(size)],
        Work::FragmentedIter => vec![fragmented(size)],
        Work::SystemScheduling => scheduling(size),
        Work::HeavyCompute => vec![heavy(size)],
        Work::AddRemove => vec![add_remove(size)],
        Work::Churn => churn(size),
        Work::Get => vec![get(size), get_many(size)],
        Work::GetMut => vec![get_mut(size), get_many_mut(size)],
        Work::Independent => independent(size),
        Work::Chained => chained(size),
    }
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

fn insert(entities: usize) -> Form {
    let run = move |world: &mut World| drop(world.spawn_batch((0..entities).map(bundle)));
    form("spawn_batch", fresh(World::new, run, summary))
}

fn iter(entities: usize) -> Form {
    let mut world = filled(entities);
    let query = world.query::<(&mut Position, &Velocity)>();
    let run = |(world, query): &mut (World, QueryState<(&mut Position, &Velocity)>)| {
        query.iter_mut(world).for_each(|(mut position, velocity)| advance(&mut position, velocity));
    };
    form("QueryState", steady((world, query), run, |(world, _)| summary(world)))
}

fn fragmented(each: usize) -> Form {
    let mut world = World::new();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            world.spawn_batch((0..each).map(|i| (letters::$letter(0.0), Data(i as f32))));
        )*};
    }
    with_letters!(spawn);
    let query = world.query::<&mut Data>();
    let run = |(world, query): &mut (World, QueryState<&mut Data>)| {
        query.iter_mut(world).for_each(|mut data| data.0 *= 2.0);
    };
    let summary = |(world, _): &mut (World, QueryState<&mut Data>)| {
        Summary::of(world.query::<&Data>().iter(world).map(|data| data.0))
    };
    form("QueryState", steady((world, query), run, summary))
}

/// A world and the schedule that runs in it.
type Scheduled = (World, Schedule);

/// The work of a frame.
fn frame((world, schedule): &mut Scheduled) {
    schedule.run(world);
    world.clear_trackers();
}

/// A schedule that runs systems one by one, or the default one, which runs them on all threads.
fn schedule(is_single: bool) -> (&'static str, Schedule) {
    let mut schedule = Schedule::default();
    if is_single {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    (if is_single { "1 thread" } else { "2 threads" }, schedule)
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

fn scheduling(each: usize) -> Vec<Form> {
    let filled = || {
        let mut world = World::new();
        world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0))));
        world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
        world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
        world.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
        world
    };
    let summary = |(world, _): &mut Scheduled| {
        let mut values: Vec<f32> = world.query::<&A>().iter(world).map(|a| a.0).collect();
        values.extend(world.query::<&B>().iter(world).map(|b| b.0));
        values.extend(world.query::<&C>().iter(world).map(|c| c.0));
        values.extend(world.query::<&D>().iter(world).map(|d| d.0));
        values.extend(world.query::<&E>().iter(world).map(|e| e.0));
        Summary::of(values)
    };
    let run_as = |is_single| {
        let (name, mut schedule) = schedule(is_single);
        schedule.add_systems((swap_ab, swap_cd, swap_ce));
        form(name, steady((filled(), schedule), frame, summary))
    };
    vec![run_as(false), run_as(true)]
}

fn heavy(entities: usize) -> Form {
    let mut world = filled(entities);
    let query = world.query::<(&mut Transform, &mut Position)>();
    let run = |(world, query): &mut (World, QueryState<(&mut Transform, &mut Position)>)| {
        query.par_iter_mut(world).for_each(|(mut transform, mut position)| {
            turn(&mut transform, &mut position);
        });
    };
    form("par_iter_mut", steady((world, query), run, |(world, _)| summary(world)))
}

fn add_remove(entities: usize) -> Form {
    type Both = (World, Vec<Entity>);
    fn add((world, entities): &mut Both) {
        world.insert_batch(entities.iter().map(|&entity| (entity, B(1.0))));
    }
    fn remove((world, entities): &mut Both) {
        for &entity in &*entities {
            world.entity_mut(entity).remove::<B>();
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        let a: Vec<f32> = world.query::<&A>().iter(world).map(|a| a.0).collect();
        Summary::of(a.into_iter().chain(world.query::<&B>().iter(world).map(|b| b.0)))
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
        both.0.clear_trackers();
    };
    let mut world = World::new();
    let entities = world.spawn_batch((0..entities).map(|i| A(i as f32))).collect();
    let summary = |both: &mut Both| Summary::twice(both, add, all, remove);
    form("insert_batch", steady((world, entities), run, summary))
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

fn churn(entities: usize) -> Vec<Form> {
    let run_as = |is_single| {
        let mut world = World::new();
        let lives = lives(entities).into_iter().enumerate();
        world.spawn_batch(lives.map(|(i, life)| (position(i), velocity(i), life)));
        let (name, mut schedule) = schedule(is_single);
        // The commands are applied between the two systems.
        if is_single {
            schedule.add_systems((renew, move_on).chain());
        } else {
            schedule.add_systems((renew, move_on_two).chain());
        }
        let summary = |(world, _): &mut Scheduled| {
            let mut summary = Summary::default();
            let mut query = world.query::<(&Position, &Velocity, &Life)>();
            for (position, velocity, life) in query.iter(world) {
                summary.add_living(position, velocity, *life);
            }
            summary
        };
        form(name, steady((world, schedule), frame, summary))
    };
    vec![run_as(true), run_as(false)]
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

fn get(entities: usize) -> Form {
    let run = |(world, query, entities, sum): &mut Random<&Position>| {
        let query = query.query(world);
        *sum = entities.iter().map(|&entity| query.get(entity).expect("it lives").0[0]).sum();
    };
    form("Query::get", steady(random(entities), run, |random| Summary::of([random.3])))
}

fn get_mut(entities: usize) -> Form {
    let run = |(world, query, entities, _): &mut Random<&mut Position>| {
        let mut query = query.query_mut(world);
        for &entity in &*entities {
            query.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random<&mut Position>| {
        Summary::of_positions(world.query::<&Position>().iter(world))
    };
    form("Query::get_mut", steady(random(entities), run, summary))
}

fn get_many(entities: usize) -> Form {
    let run = |(world, query, entities, sum): &mut Random<&Position>| {
        let positions = query.iter_many(world, &*entities);
        *sum = positions.map(|position| position.expect("it lives").0[0]).sum();
    };
    form("Query::iter_many", steady(random(entities), run, |random| Summary::of([random.3])))
}

fn get_many_mut(entities: usize) -> Form {
    let run = |(world, query, entities, _): &mut Random<&mut Position>| {
        let mut positions = query.iter_many_mut(world, &*entities);
        while let Some(position) = positions.fetch_next() {
            position.expect("it lives").0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random<&mut Position>| {
        Summary::of_positions(world.query::<&Position>().iter(world))
    };
    form("Query::iter_many_mut", steady(random(entities), run, summary))
}

fn nothing<const N: usize>() {
    black_box(());
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

fn independent(systems: usize) -> Vec<Form> {
    let run_as = |is_single| {
        let (name, mut schedule) = schedule(is_single);
        schedule.add_systems(ten!(0));
        if systems == 50 {
            schedule.add_systems((ten!(1), ten!(2), ten!(3), ten!(4)));
        }
        form(name, steady((World::new(), schedule), frame, |_| Summary::default()))
    };
    vec![run_as(false), run_as(true)]
}

fn chained(systems: usize) -> Vec<Form> {
    let run_as = |is_single| {
        let (name, mut schedule) = schedule(is_single);
        if systems == 10 {
            schedule.add_systems(ten!(0).chain());
        } else {
            let (first, second) = (ten!(0).chain(), ten!(1).chain());
            let (third, fourth, last) = (ten!(2).chain(), ten!(3).chain(), ten!(4).chain());
            schedule.add_systems((first, second, third, fourth, last).chain());
        }
        form(name, steady((World::new(), schedule), frame, |_| Summary::default()))
    };
    vec![run_as(false), run_as(true)]
}
