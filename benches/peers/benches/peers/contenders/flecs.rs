//! `flecs_ecs`: cached queries that run over the columns of tables; spawns in bulk; systems in the default
//! pipeline, which runs one after the other, each split over two threads if it is declared multi-threaded. Its run-time
//! checks of aliasing are on, as they are by default.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, fifty, letters,
    lives, nothing, position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Contender, Form, Row, Summary, THREADS, Work, fresh, idiomatic, other, steady};
use flecs_ecs::prelude::{
    Builder as _, ComponentId as _, Entity, EntityViewGet as _, IdOperations as _,
    ParSystemAPI as _, Query, QueryAPI as _, QueryBuilderImpl as _, SystemAPI as _, World,
};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![idiomatic("entity, set", move || insert(n, spawn_each))],
        Work::InsertBatch => vec![idiomatic("entity_bulk", move || insert(n, spawn))],
        Work::SimpleIter => vec![
            idiomatic("each", move || iter(n, move_each)),
            other("run", move || iter(n, move_on)),
        ],
        Work::FragmentedIter => vec![
            idiomatic("each", move || fragmented(n, double_each)),
            other("run", move || fragmented(n, double)),
        ],
        Work::SystemScheduling => vec![
            idiomatic("pipeline, 1 thread", move || scheduling(n, 1)),
            other("pipeline, 2 threads", move || scheduling(n, 2)),
        ],
        Work::HeavyCompute => vec![idiomatic("par_each", move || heavy(n))],
        Work::AddRemoveOneByOne => vec![idiomatic("set, remove", move || add_remove(n, remove))],
        Work::AddRemoveBatch => vec![idiomatic("remove_all", move || add_remove(n, remove_all))],
        Work::Churn(1) => vec![
            idiomatic("each", move || churn(n, move_each)),
            other("run", move || churn(n, move_on)),
        ],
        Work::Churn(_) => Vec::new(),
        Work::Get => vec![idiomatic("get", move || get(n))],
        Work::GetMut => vec![idiomatic("get", move || get_mut(n))],
        Work::Independent | Work::Chained => vec![idiomatic("pipeline", move || empty(n))],
    }
}

fn spawn_each(world: &World, entities: usize) {
    for (transform, position, rotation, velocity) in (0..entities).map(bundle) {
        world.entity().set(transform).set(position).set(rotation).set(velocity);
    }
}

/// Spawns entities in bulk, from their columns.
fn spawn(world: &World, entities: usize) {
    let (mut transforms, mut positions) = (Vec::new(), Vec::new());
    let (mut rotations, mut velocities) = (Vec::new(), Vec::new());
    transforms.reserve(entities);
    positions.reserve(entities);
    rotations.reserve(entities);
    velocities.reserve(entities);
    for (transform, position, rotation, velocity) in (0..entities).map(bundle) {
        transforms.push(transform);
        positions.push(position);
        rotations.push(rotation);
        velocities.push(velocity);
    }
    world
        .entity_bulk(entities as u32)
        .set(&transforms)
        .set(&positions)
        .set(&rotations)
        .set(&velocities)
        .build();
}

fn filled(entities: usize) -> World {
    let world = World::new();
    spawn(&world, entities);
    world
}

fn summary(world: &World) -> Summary {
    let mut summary = Summary::default();
    world.new_query::<(&Transform, &Position, &Rotation, &Velocity)>().each(|(t, p, r, v)| {
        summary.add_bundle(t, p, r, v);
    });
    summary
}

fn insert(entities: usize, spawn: fn(&World, usize)) -> impl Contender {
    let run = move |world: &mut World| spawn(world, entities);
    fresh(World::new, run, |world| summary(world))
}

/// The entities that move.
type Moving = Query<(&'static mut Position, &'static Velocity)>;

/// Adds velocities to positions.
fn move_each(query: &Moving) {
    query.each(|(position, velocity)| advance(position, velocity));
}

/// The same over columns.
fn move_on(query: &Moving) {
    query.run(|mut it| {
        while it.next() {
            let mut positions = it.field_mut::<Position>(0);
            let velocities = it.field::<Velocity>(1);
            let both = positions.as_mut_slice().iter_mut().zip(velocities.as_slice());
            both.for_each(|(position, velocity)| advance(position, velocity));
        }
    });
}

fn iter(entities: usize, move_on: fn(&Moving)) -> impl Contender {
    let world = filled(entities);
    let query = world.query::<(&mut Position, &Velocity)>().set_cached().build();
    // A query must not outlive its world.
    let run = move |(query, _): &mut (Moving, World)| move_on(query);
    steady((query, world), run, |(_, world)| summary(world))
}

/// The entities whose component is doubled.
type Doubled = Query<&'static mut Data>;

fn double_each(query: &Doubled) {
    query.each(|data| data.0 *= 2.0);
}

/// The same over columns.
fn double(query: &Doubled) {
    query.run(|mut it| {
        while it.next() {
            let mut data = it.field_mut::<Data>(0);
            data.as_mut_slice().iter_mut().for_each(|data| data.0 *= 2.0);
        }
    });
}

fn fragmented(each: usize, double: fn(&Doubled)) -> impl Contender {
    let world = World::new();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            for i in 0..each {
                world.entity().set(letters::$letter(0.0)).set(Data(i as f32));
            }
        )*};
    }
    with_letters!(spawn);
    let query = world.query::<&mut Data>().set_cached().build();
    let run = move |(query, _): &mut (Doubled, World)| double(query);
    let summary = |(query, _): &mut (Doubled, World)| {
        let mut values = Vec::new();
        query.each(|data| values.push(data.0));
        Summary::of(values)
    };
    steady((query, world), run, summary)
}

/// The work of a frame.
fn frame(world: &mut World) {
    world.progress_time(1.0);
}

fn scheduling(each: usize, threads: i32) -> impl Contender {
    let world = World::new();
    for _ in 0..each {
        world.entity().set(A(0.0)).set(B(1.0));
    }
    for _ in 0..each {
        world.entity().set(A(0.0)).set(B(1.0)).set(C(2.0));
    }
    for _ in 0..each {
        world.entity().set(A(0.0)).set(B(1.0)).set(C(2.0)).set(D(3.0));
    }
    for _ in 0..each {
        world.entity().set(A(0.0)).set(B(1.0)).set(C(2.0)).set(E(4.0));
    }
    world.system::<(&mut A, &mut B)>().par_each(|(a, b)| swap(&mut a.0, &mut b.0));
    world.system::<(&mut C, &mut D)>().par_each(|(c, d)| swap(&mut c.0, &mut d.0));
    world.system::<(&mut C, &mut E)>().par_each(|(c, e)| swap(&mut c.0, &mut e.0));
    if threads > 1 {
        world.set_threads(threads);
    }
    let summary = |world: &mut World| {
        let mut values = Vec::new();
        world.new_query::<&A>().each(|a| values.push(a.0));
        world.new_query::<&B>().each(|b| values.push(b.0));
        world.new_query::<&C>().each(|c| values.push(c.0));
        world.new_query::<&D>().each(|d| values.push(d.0));
        world.new_query::<&E>().each(|e| values.push(e.0));
        Summary::of(values)
    };
    steady(world, frame, summary)
}

fn heavy(entities: usize) -> impl Contender {
    let world = filled(entities);
    world
        .system::<(&mut Transform, &mut Position)>()
        .par_each(|(transform, position)| turn(transform, position));
    world.set_threads(THREADS as i32);
    steady(world, frame, |world| summary(world))
}

/// A world, and its entities.
type Both = (World, Vec<Entity>);

fn remove((world, entities): &mut Both) {
    for &entity in &*entities {
        world.entity_from_id(entity).remove(B::id());
    }
}

/// From all entities by one call. There is no such insertion.
fn remove_all((world, _): &mut Both) {
    world.remove_all(B::id());
}

fn add_remove(entities: usize, remove: fn(&mut Both)) -> impl Contender {
    fn add((world, entities): &mut Both) {
        for &entity in &*entities {
            world.entity_from_id(entity).set(B(1.0));
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        let mut values = Vec::new();
        world.new_query::<&A>().each(|a| values.push(a.0));
        world.new_query::<&B>().each(|b| values.push(b.0));
        Summary::of(values)
    }
    let run = move |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let world = World::new();
    let numbers: Vec<A> = (0..entities).map(|i| A(i as f32)).collect();
    let entities = world.entity_bulk(entities as u32).set(&numbers).build();
    steady((world, entities), run, move |both| Summary::twice(both, add, all, remove))
}

/// Queries, the entities to despawn, the components of those that replace them, and the world.
struct Living {
    aging: Query<(&'static mut Life, &'static Velocity)>,
    moving: Moving,
    move_all: fn(&Moving),
    despawns: Vec<Entity>,
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
    lives: Vec<Life>,
    // Dropped last.
    world: World,
}

impl Living {
    fn step(&mut self) {
        let Self { aging, moving, move_all, despawns, positions, velocities, lives, world } = self;
        aging.each_entity(|entity, (life, velocity)| {
            if let Some((position, velocity, life)) = age(life, velocity) {
                despawns.push(entity.id());
                positions.push(position);
                velocities.push(velocity);
                lives.push(life);
            }
        });
        let spawns = despawns.len() as u32;
        for entity in despawns.drain(..) {
            world.entity_from_id(entity).destruct();
        }
        world.entity_bulk(spawns).set(positions).set(velocities).set(lives).build();
        positions.clear();
        velocities.clear();
        lives.clear();
        move_all(moving);
    }
}

fn churn(entities: usize, move_all: fn(&Moving)) -> impl Contender {
    let world = World::new();
    let positions: Vec<Position> = (0..entities).map(position).collect();
    let velocities: Vec<Velocity> = (0..entities).map(velocity).collect();
    let first = lives(entities);
    world.entity_bulk(entities as u32).set(&positions).set(&velocities).set(&first).build();
    let living = Living {
        aging: world.query::<(&mut Life, &Velocity)>().set_cached().build(),
        moving: world.query::<(&mut Position, &Velocity)>().set_cached().build(),
        move_all,
        despawns: Vec::new(),
        positions: Vec::new(),
        velocities: Vec::new(),
        lives: Vec::new(),
        world,
    };
    let summary = |living: &mut Living| {
        let mut summary = Summary::default();
        living.world.new_query::<(&Position, &Velocity, &Life)>().each(|(p, v, l)| {
            summary.add_living(p, v, *l);
        });
        summary
    };
    steady(living, Living::step, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<Entity>, f32);

fn random(entities: usize) -> Random {
    let world = World::new();
    let positions: Vec<Position> = (0..entities).map(position).collect();
    let velocities: Vec<Velocity> = (0..entities).map(velocity).collect();
    let spawned = world.entity_bulk(entities as u32).set(&positions).set(&velocities).build();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        let x = |&entity: &Entity| {
            world.entity_from_id(entity).get::<&Position>(|position| position.0[0])
        };
        *sum = entities.iter().map(x).sum();
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            world.entity_from_id(entity).get::<&mut Position>(|position| position.0[0] += 1.0);
        }
    };
    let summary = |(world, ..): &mut Random| {
        let mut positions = Vec::new();
        world.new_query::<&Position>().each(|position| positions.push(*position));
        Summary::of_positions(&positions)
    };
    steady(random(entities), run, summary)
}

fn add<const N: usize>(world: &World) {
    world.system::<()>().run(|mut it| {
        nothing::<N>();
        while it.next() {}
    });
}

/// Systems of a phase run in the order of their declaration.
fn empty(systems: usize) -> impl Contender {
    macro_rules! add {
        ($number:literal) => {
            add::<$number> as fn(&World)
        };
    }
    let world = World::new();
    for add in &fifty!(add)[..systems] {
        add(&world);
    }
    steady(world, frame, |_| Summary::default())
}
