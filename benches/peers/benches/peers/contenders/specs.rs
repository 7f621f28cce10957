//! `specs`: storages that are fetched once per run and joined; a dispatcher on two threads where a row has
//! several systems. All components lie in vectors, indexed by entity.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, fifty, letters,
    lives, nothing, position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Contender, Form, Row, Summary, Work, fresh, idiomatic, other, pool, steady};
use rayon::iter::ParallelIterator as _;
use specs::{
    Builder as _, Dispatcher, DispatcherBuilder, Entity, Join as _, ParJoin as _, ReadStorage,
    System, World, WorldExt as _, WriteStorage,
};
use std::hint::black_box;
use std::mem::swap;
use std::sync::Arc;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![idiomatic("create_entity", move || insert(n, build))],
        Work::InsertBatch => vec![idiomatic("create_iter", move || insert(n, store))],
        Work::SimpleIter => vec![idiomatic("join", move || iter(n))],
        Work::FragmentedIter => vec![idiomatic("join", move || fragmented(n))],
        Work::SystemScheduling => vec![
            idiomatic("dispatcher, 2 threads", move || scheduling(n, false)),
            other("dispatcher, 1 thread", move || scheduling(n, true)),
        ],
        Work::HeavyCompute => vec![idiomatic("par_join", move || heavy(n))],
        Work::AddRemoveOneByOne => vec![idiomatic("storages", move || add_remove(n, add, remove))],
        Work::AddRemoveBatch => vec![
            idiomatic("drain", move || add_remove(n, add_by_join, drain)),
            other("clear", move || add_remove(n, add_by_join, clear)),
        ],
        Work::Churn(1) => vec![idiomatic("delete_entities", move || churn(n, move_all))],
        Work::Churn(_) => {
            vec![idiomatic("delete_entities, par_join", move || churn(n, move_on_two))]
        }
        Work::Get => vec![idiomatic("ReadStorage::get", move || get(n))],
        Work::GetMut => vec![idiomatic("WriteStorage::get_mut", move || get_mut(n))],
        Work::Independent => empty_forms(n, false),
        Work::Chained => empty_forms(n, true),
    }
}

fn empty_forms(systems: usize, is_chained: bool) -> Vec<Form> {
    vec![
        idiomatic("dispatcher, 2 threads", move || empty(systems, is_chained, false)),
        other("dispatcher, 1 thread", move || empty(systems, is_chained, true)),
    ]
}

fn of_four() -> World {
    let mut world = World::new();
    world.register::<Transform>();
    world.register::<Position>();
    world.register::<Rotation>();
    world.register::<Velocity>();
    world
}

fn summary(world: &mut World) -> Summary {
    let (t, p) = (world.read_storage::<Transform>(), world.read_storage::<Position>());
    let (r, v) = (world.read_storage::<Rotation>(), world.read_storage::<Velocity>());
    let mut summary = Summary::default();
    for (t, p, r, v) in (&t, &p, &r, &v).join() {
        summary.add_bundle(t, p, r, v);
    }
    summary
}

fn filled(entities: usize) -> World {
    let mut world = of_four();
    build(&mut world, entities);
    world
}

fn build(world: &mut World, entities: usize) {
    for i in 0..entities {
        let (transform, position, rotation, velocity) = bundle(i);
        world.create_entity().with(transform).with(position).with(rotation).with(velocity).build();
    }
}

/// Inserts into storages that are fetched once.
fn store(world: &mut World, entities: usize) {
    let created: Vec<Entity> = world.create_iter().take(entities).collect();
    let (mut t, mut p) = (world.write_storage::<Transform>(), world.write_storage::<Position>());
    let (mut r, mut v) = (world.write_storage::<Rotation>(), world.write_storage::<Velocity>());
    for (i, entity) in created.into_iter().enumerate() {
        let (transform, position, rotation, velocity) = bundle(i);
        t.insert(entity, transform).expect("it lives");
        p.insert(entity, position).expect("it lives");
        r.insert(entity, rotation).expect("it lives");
        v.insert(entity, velocity).expect("it lives");
    }
}

fn insert(entities: usize, create: fn(&mut World, usize)) -> impl Contender {
    fresh(of_four, move |world| create(world, entities), summary)
}

fn iter(entities: usize) -> impl Contender {
    let run = |world: &mut World| {
        let mut positions = world.write_storage::<Position>();
        let velocities = world.read_storage::<Velocity>();
        (&mut positions, &velocities)
            .join()
            .for_each(|(position, velocity)| advance(position, velocity));
    };
    steady(filled(entities), run, summary)
}

fn fragmented(each: usize) -> impl Contender {
    let mut world = World::new();
    world.register::<Data>();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            world.register::<letters::$letter>();
            for i in 0..each {
                world.create_entity().with(letters::$letter(0.0)).with(Data(i as f32)).build();
            }
        )*};
    }
    with_letters!(spawn);
    let run = |world: &mut World| {
        (&mut world.write_storage::<Data>()).join().for_each(|data| data.0 *= 2.0);
    };
    let summary =
        |world: &mut World| Summary::of((&world.read_storage::<Data>()).join().map(|data| data.0));
    steady(world, run, summary)
}

/// A world and the dispatcher that runs in it.
type Dispatched = (World, Dispatcher<'static, 'static>);

/// The work of a frame.
fn frame((world, dispatcher): &mut Dispatched) {
    dispatcher.dispatch(world);
    world.maintain();
}

/// The same on the calling thread.
fn frame_on_one((world, dispatcher): &mut Dispatched) {
    dispatcher.dispatch_seq(world);
    world.maintain();
}

fn frame_on(is_single: bool) -> fn(&mut Dispatched) {
    if is_single { frame_on_one } else { frame }
}

/// Declares a system that swaps two components.
macro_rules! swapping {
    ($system:ident, $one:ident, $other:ident) => {
        struct $system;

        impl<'a> System<'a> for $system {
            type SystemData = (WriteStorage<'a, $one>, WriteStorage<'a, $other>);

            fn run(&mut self, (mut ones, mut others): Self::SystemData) {
                (&mut ones, &mut others)
                    .join()
                    .for_each(|(one, other)| swap(&mut one.0, &mut other.0));
            }
        }
    };
}

swapping!(SwapAb, A, B);
swapping!(SwapCd, C, D);
swapping!(SwapCe, C, E);

fn scheduling(each: usize, is_single: bool) -> impl Contender {
    let mut world = World::new();
    let builder = DispatcherBuilder::new()
        .with_pool(Arc::clone(pool()))
        .with(SwapAb, "ab", &[])
        .with(SwapCd, "cd", &[])
        .with(SwapCe, "ce", &[]);
    let mut dispatcher = builder.build();
    dispatcher.setup(&mut world);
    for _ in 0..each {
        world.create_entity().with(A(0.0)).with(B(1.0)).build();
    }
    for _ in 0..each {
        world.create_entity().with(A(0.0)).with(B(1.0)).with(C(2.0)).build();
    }
    for _ in 0..each {
        world.create_entity().with(A(0.0)).with(B(1.0)).with(C(2.0)).with(D(3.0)).build();
    }
    for _ in 0..each {
        world.create_entity().with(A(0.0)).with(B(1.0)).with(C(2.0)).with(E(4.0)).build();
    }
    let summary = |(world, _): &mut Dispatched| {
        let mut values = Vec::new();
        values.extend((&world.read_storage::<A>()).join().map(|a| a.0));
        values.extend((&world.read_storage::<B>()).join().map(|b| b.0));
        values.extend((&world.read_storage::<C>()).join().map(|c| c.0));
        values.extend((&world.read_storage::<D>()).join().map(|d| d.0));
        values.extend((&world.read_storage::<E>()).join().map(|e| e.0));
        Summary::of(values)
    };
    steady((world, dispatcher), frame_on(is_single), summary)
}

fn heavy(entities: usize) -> impl Contender {
    let run = |world: &mut World| {
        let mut transforms = world.write_storage::<Transform>();
        let mut positions = world.write_storage::<Position>();
        pool().install(|| {
            (&mut transforms, &mut positions)
                .par_join()
                .for_each(|(transform, position)| turn(transform, position));
        });
    };
    steady(filled(entities), run, summary)
}

/// A world, and its entities.
type Both = (World, Vec<Entity>);

fn add((world, entities): &mut Both) {
    let mut bs = world.write_storage::<B>();
    for &entity in &*entities {
        bs.insert(entity, B(1.0)).expect("it lives");
    }
}

fn remove((world, entities): &mut Both) {
    let mut bs = world.write_storage::<B>();
    for &entity in &*entities {
        bs.remove(entity).expect("it has one");
    }
}

/// To all entities with an `A`, without their handles.
fn add_by_join((world, _): &mut Both) {
    let (all, a) = (world.entities(), world.read_storage::<A>());
    let mut bs = world.write_storage::<B>();
    for (entity, _) in (&all, &a).join() {
        bs.insert(entity, B(1.0)).expect("it lives");
    }
}

fn drain((world, _): &mut Both) {
    world.write_storage::<B>().drain().join().for_each(drop);
}

fn clear((world, _): &mut Both) {
    world.write_storage::<B>().clear();
}

fn add_remove(entities: usize, add: fn(&mut Both), remove: fn(&mut Both)) -> impl Contender {
    fn all((world, _): &mut Both) -> Summary {
        let (a, b): (ReadStorage<'_, A>, ReadStorage<'_, B>) = world.system_data();
        Summary::of((&a).join().map(|a| a.0).chain((&b).join().map(|b| b.0)))
    }
    let run = move |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = World::new();
    world.register::<A>();
    world.register::<B>();
    let entities = (0..entities).map(|i| world.create_entity().with(A(i as f32)).build()).collect();
    steady((world, entities), run, move |both| Summary::twice(both, add, all, remove))
}

/// A world, the entities to despawn, and the entities that replace them.
type Living = (World, Vec<Entity>, Vec<(Position, Velocity, Life)>);

/// The storages of the movement.
type Moving<'a, 'p, 'v> = (&'a mut WriteStorage<'p, Position>, &'a WriteStorage<'v, Velocity>);

fn move_all(moving: Moving<'_, '_, '_>) {
    moving.join().for_each(|(position, velocity)| advance(position, velocity));
}

fn move_on_two(moving: Moving<'_, '_, '_>) {
    pool().install(|| {
        moving.par_join().for_each(|(position, velocity)| advance(position, velocity));
    });
}

fn churn(entities: usize, move_all: fn(Moving<'_, '_, '_>)) -> impl Contender {
    let mut world = World::new();
    world.register::<Position>();
    world.register::<Velocity>();
    world.register::<Life>();
    for (i, life) in lives(entities).into_iter().enumerate() {
        world.create_entity().with(position(i)).with(velocity(i)).with(life).build();
    }
    let run = move |(world, despawns, spawns): &mut Living| {
        {
            let entities = world.entities();
            let (mut lives, velocities) =
                (world.write_storage::<Life>(), world.read_storage::<Velocity>());
            for (entity, life, velocity) in (&entities, &mut lives, &velocities).join() {
                if let Some(spawned) = age(life, velocity) {
                    despawns.push(entity);
                    spawns.push(spawned);
                }
            }
        }
        world.delete_entities(despawns).expect("they live");
        despawns.clear();
        let created: Vec<Entity> = world.create_iter().take(spawns.len()).collect();
        let (mut positions, mut velocities) =
            (world.write_storage::<Position>(), world.write_storage::<Velocity>());
        let mut lives = world.write_storage::<Life>();
        for (entity, (position, velocity, life)) in created.into_iter().zip(spawns.drain(..)) {
            positions.insert(entity, position).expect("it lives");
            velocities.insert(entity, velocity).expect("it lives");
            lives.insert(entity, life).expect("it lives");
        }
        move_all((&mut positions, &velocities));
    };
    let summary = |(world, ..): &mut Living| {
        let positions = world.read_storage::<Position>();
        let (velocities, lives) = (world.read_storage::<Velocity>(), world.read_storage::<Life>());
        let mut summary = Summary::default();
        for (position, velocity, life) in (&positions, &velocities, &lives).join() {
            summary.add_living(position, velocity, *life);
        }
        summary
    };
    steady((world, Vec::new(), Vec::new()), run, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<Entity>, f32);

fn random(entities: usize) -> Random {
    let mut world = World::new();
    world.register::<Position>();
    world.register::<Velocity>();
    let spawned: Vec<Entity> = (0..entities)
        .map(|i| world.create_entity().with(position(i)).with(velocity(i)).build())
        .collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        let positions = world.read_storage::<Position>();
        *sum = entities.iter().map(|&e| positions.get(e).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        let mut positions = world.write_storage::<Position>();
        for &entity in &*entities {
            positions.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random| {
        Summary::of_positions((&world.read_storage::<Position>()).join())
    };
    steady(random(entities), run, summary)
}

struct Nothing<const N: usize>;

impl<const N: usize> System<'_> for Nothing<N> {
    type SystemData = ();

    fn run(&mut self, (): ()) {
        nothing::<N>();
    }
}

/// Adds a system, after that of the number before if it is in a chain.
fn add_system<const N: usize>(builder: &mut DispatcherBuilder<'_, '_>, is_chained: bool) {
    let before = N.checked_sub(1).filter(|_| is_chained).map(|before| before.to_string());
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    builder.add(Nothing::<N>, &N.to_string(), &before);
}

fn empty(systems: usize, is_chained: bool, is_single: bool) -> impl Contender {
    macro_rules! add_system {
        ($number:literal) => {
            add_system::<$number> as fn(&mut DispatcherBuilder<'_, '_>, bool)
        };
    }
    let mut builder = DispatcherBuilder::new().with_pool(Arc::clone(pool()));
    for add_system in &fifty!(add_system)[..systems] {
        add_system(&mut builder, is_chained);
    }
    let world = (World::new(), builder.build());
    steady(world, frame_on(is_single), |_| Summary::default())
}
