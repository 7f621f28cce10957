//! `sparsey`: sparse sets, whose components can be kept in the same order as *groups*. It has no systems or scheduler:
//! the three loops run one after the other, and there are no empty ones.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Contender, Form, Row, Summary, Work, fresh, idiomatic, other, pool, steady};
use sparsey::World;
use sparsey::entity::Entity;
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![
            idiomatic("create", move || insert(n, plain, create)),
            other("create, a group", move || insert(n, grouped, create)),
        ],
        Work::InsertBatch => vec![
            idiomatic("extend", move || insert(n, plain, extend)),
            other("extend, a group", move || insert(n, grouped, extend)),
        ],
        Work::SimpleIter => vec![
            idiomatic("for_each", move || iter(n, plain, move_each)),
            other("for_each, a group", move || iter(n, grouped, move_each)),
            other("slice, a group", move || iter(n, grouped, move_slices)),
        ],
        Work::FragmentedIter => vec![
            idiomatic("for_each", move || fragmented(n, double)),
            other("borrow_mut", move || fragmented(n, double_slice)),
        ],
        Work::SystemScheduling => vec![
            idiomatic("no scheduler", move || scheduling(n, false)),
            other("no scheduler, a group", move || scheduling(n, true)),
        ],
        Work::HeavyCompute => vec![
            idiomatic("par_for_each", move || heavy(n, plain)),
            other("par_for_each, a group", move || heavy(n, grouped_for_turns)),
        ],
        Work::AddRemoveOneByOne => vec![idiomatic("insert, delete", move || add_remove(n))],
        Work::Churn(1) => vec![
            idiomatic("create", move || churn(n, plain_living, move_all, create_each)),
            other("extend", move || churn(n, plain_living, move_all, extend_all)),
            other("create, a group", move || churn(n, grouped_living, move_all, create_each)),
        ],
        Work::Churn(_) => vec![
            idiomatic("create, par_for_each", move || {
                churn(n, plain_living, move_on_two, create_each)
            }),
            other("create, par_for_each, a group", move || {
                churn(n, grouped_living, move_on_two, create_each)
            }),
        ],
        Work::Get => {
            vec![idiomatic("query_one", move || get(n)), other("borrow", move || get_view(n))]
        }
        Work::GetMut => vec![
            idiomatic("query_one", move || get_mut(n)),
            other("borrow_mut", move || get_mut_view(n)),
        ],
        Work::AddRemoveBatch | Work::Independent | Work::Chained => Vec::new(),
    }
}

/// An empty world of the simple rows.
fn plain() -> World {
    World::builder()
        .register::<Transform>()
        .register::<Position>()
        .register::<Rotation>()
        .register::<Velocity>()
        .build()
}

/// The same with positions and velocities in one order.
fn grouped() -> World {
    World::builder()
        .add_group::<(Position, Velocity)>()
        .register::<Transform>()
        .register::<Rotation>()
        .build()
}

/// The same with transforms and positions in one order.
fn grouped_for_turns() -> World {
    World::builder()
        .add_group::<(Transform, Position)>()
        .register::<Rotation>()
        .register::<Velocity>()
        .build()
}

fn create(world: &mut World, entities: usize) {
    for i in 0..entities {
        world.create(bundle(i));
    }
}

fn extend(world: &mut World, entities: usize) {
    world.extend((0..entities).map(bundle));
}

fn summary(world: &mut World) -> Summary {
    let mut summary = Summary::default();
    world.for_each::<(&Transform, &Position, &Rotation, &Velocity)>(|(t, p, r, v)| {
        summary.add_bundle(t, p, r, v);
    });
    summary
}

fn insert(entities: usize, make: fn() -> World, fill: fn(&mut World, usize)) -> impl Contender {
    fresh(make, move |world| fill(world, entities), summary)
}

fn filled(entities: usize, make: fn() -> World) -> World {
    let mut world = make();
    extend(&mut world, entities);
    world
}

fn move_each(world: &mut World) {
    world.for_each::<(&mut Position, &Velocity)>(|(position, velocity)| {
        advance(position, velocity);
    });
}

fn move_slices(world: &mut World) {
    let mut query = world.query_all::<(&mut Position, &Velocity)>();
    let (positions, velocities) = query.slice().expect("they are a group");
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        advance(position, velocity);
    }
}

fn iter(entities: usize, make: fn() -> World, run: fn(&mut World)) -> impl Contender {
    steady(filled(entities, make), run, summary)
}

fn double(world: &mut World) {
    world.for_each::<&mut Data>(|data| data.0 *= 2.0);
}

fn double_slice(world: &mut World) {
    world.borrow_mut::<Data>().as_mut_slice().iter_mut().for_each(|data| data.0 *= 2.0);
}

fn fragmented(each: usize, run: fn(&mut World)) -> impl Contender {
    let mut world = World::default();
    world.register::<Data>();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            world.register::<letters::$letter>();
            world.extend((0..each).map(|i| (letters::$letter(0.0), Data(i as f32))));
        )*};
    }
    with_letters!(spawn);
    let summary = |world: &mut World| {
        let mut values = Vec::new();
        world.for_each::<&Data>(|data| values.push(data.0));
        Summary::of(values)
    };
    steady(world, run, summary)
}

/// `C` can be in one group only, so that of `D` is the other.
fn scheduling(each: usize, is_grouped: bool) -> impl Contender {
    let mut builder = World::builder();
    if is_grouped {
        builder.add_group::<(A, B)>().add_group::<(C, D)>();
    }
    builder.register::<A>().register::<B>().register::<C>().register::<D>().register::<E>();
    let mut world = builder.build();
    world.extend((0..each).map(|_| (A(0.0), B(1.0))));
    world.extend((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
    world.extend((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
    world.extend((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
    let run = |world: &mut World| {
        world.for_each::<(&mut A, &mut B)>(|(a, b)| swap(&mut a.0, &mut b.0));
        world.for_each::<(&mut C, &mut D)>(|(c, d)| swap(&mut c.0, &mut d.0));
        world.for_each::<(&mut C, &mut E)>(|(c, e)| swap(&mut c.0, &mut e.0));
    };
    let summary = |world: &mut World| {
        let mut values = Vec::new();
        world.for_each::<&A>(|a| values.push(a.0));
        world.for_each::<&B>(|b| values.push(b.0));
        world.for_each::<&C>(|c| values.push(c.0));
        world.for_each::<&D>(|d| values.push(d.0));
        world.for_each::<&E>(|e| values.push(e.0));
        Summary::of(values)
    };
    steady(world, run, summary)
}

fn heavy(entities: usize, make: fn() -> World) -> impl Contender {
    let run = |world: &mut World| {
        let world = &*world;
        pool().install(|| {
            world.par_for_each::<(&mut Transform, &mut Position)>(|(transform, position)| {
                turn(transform, position);
            });
        });
    };
    steady(filled(entities, make), run, summary)
}

fn add_remove(entities: usize) -> impl Contender {
    type Both = (World, Vec<Entity>);
    fn add((world, entities): &mut Both) {
        for &entity in &*entities {
            assert!(world.insert(entity, (B(1.0),)));
        }
    }
    fn remove((world, entities): &mut Both) {
        for &entity in &*entities {
            world.delete::<(B,)>(entity);
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        let mut values = Vec::new();
        world.for_each::<&A>(|a| values.push(a.0));
        world.for_each::<&B>(|b| values.push(b.0));
        Summary::of(values)
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = World::builder().register::<A>().register::<B>().build();
    let entities = world.extend((0..entities).map(|i| (A(i as f32),))).to_vec();
    steady((world, entities), run, |both| Summary::twice(both, add, all, remove))
}

/// A world, the entities to despawn, and the entities that replace them.
type Living = (World, Vec<Entity>, Vec<(Position, Velocity, Life)>);

fn plain_living() -> World {
    World::builder().register::<Position>().register::<Velocity>().register::<Life>().build()
}

fn grouped_living() -> World {
    World::builder().add_group::<(Position, Velocity)>().register::<Life>().build()
}

fn create_each(world: &mut World, spawns: &[(Position, Velocity, Life)]) {
    for &spawned in spawns {
        world.create(spawned);
    }
}

fn extend_all(world: &mut World, spawns: &[(Position, Velocity, Life)]) {
    world.extend(spawns.iter().copied());
}

fn move_all(world: &World) {
    world.for_each::<(&mut Position, &Velocity)>(|(position, velocity)| {
        advance(position, velocity);
    });
}

fn move_on_two(world: &World) {
    pool().install(|| {
        world.par_for_each::<(&mut Position, &Velocity)>(|(position, velocity)| {
            advance(position, velocity);
        });
    });
}

fn churn(
    entities: usize,
    make: fn() -> World,
    move_all: fn(&World),
    spawn: fn(&mut World, &[(Position, Velocity, Life)]),
) -> impl Contender {
    let mut world = make();
    let lives = lives(entities).into_iter().enumerate();
    world.extend(lives.map(|(i, life)| (position(i), velocity(i), life)));
    let run = move |(world, despawns, spawns): &mut Living| {
        world.for_each::<(Entity, &mut Life, &Velocity)>(|(entity, life, velocity)| {
            if let Some(spawned) = age(life, velocity) {
                despawns.push(entity);
                spawns.push(spawned);
            }
        });
        for entity in despawns.drain(..) {
            assert!(world.destroy(entity));
        }
        spawn(world, spawns);
        spawns.clear();
        move_all(world);
    };
    let summary = |(world, ..): &mut Living| {
        let mut summary = Summary::default();
        world.for_each::<(&Position, &Velocity, &Life)>(|(position, velocity, life)| {
            summary.add_living(position, velocity, *life);
        });
        summary
    };
    steady((world, Vec::new(), Vec::new()), run, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<Entity>, f32);

fn random(entities: usize) -> Random {
    let mut world = World::builder().register::<Position>().register::<Velocity>().build();
    let spawned = world.extend((0..entities).map(|i| (position(i), velocity(i)))).to_vec();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn sum((_, _, sum): &mut Random) -> Summary {
    Summary::of([*sum])
}

fn positions((world, ..): &mut Random) -> Summary {
    Summary::of_positions(world.borrow::<Position>().as_slice())
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        let mut query = world.query_one::<&Position>();
        *sum = entities.iter().map(|&e| query.get(e).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, sum)
}

fn get_view(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        let view = world.borrow::<Position>();
        *sum = entities.iter().map(|&e| view.get(e).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, sum)
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        let mut query = world.query_one::<&mut Position>();
        for &entity in &*entities {
            query.get(entity).expect("it lives").0[0] += 1.0;
        }
    };
    steady(random(entities), run, positions)
}

fn get_mut_view(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        let mut view = world.borrow_mut::<Position>();
        for &entity in &*entities {
            view.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    steady(random(entities), run, positions)
}
