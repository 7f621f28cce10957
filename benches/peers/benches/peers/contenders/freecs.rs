//! `freecs`: tables that are declared beforehand, and named accessors. Its schedules run systems one after the
//! other. It creates components by their defaults, so a closure writes those of a batch.

#![expect(clippy::iter_not_returning_iterator, reason = "what is generated has its own style")]

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Life, Position, Velocity, advance, age, bundle, fifty, lives, nothing, position, shuffled,
    turn, velocity,
};
use crate::rows::{
    Contender, Form, LEAST_SHARE, Row, Summary, Work, fresh, idiomatic, other, pool, steady,
};
use freecs::{Entity, Schedule};
use rayon::prelude::*;
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![
            idiomatic("EntityBuilder", move || insert(n, build)),
            other("spawn_entities", move || insert(n, spawn_each)),
        ],
        Work::InsertBatch => vec![idiomatic("spawn_batch", move || insert(n, fill))],
        Work::SimpleIter => vec![
            idiomatic("for_each_mut", move || iter(n)),
            other("tables", move || iter_tables(n)),
        ],
        Work::FragmentedIter => vec![
            idiomatic("for_each_data_mut", move || fragmented(n, double)),
            other("tables", move || fragmented(n, double_tables)),
        ],
        Work::SystemScheduling => vec![
            idiomatic("schedule", move || scheduling(n, [swap_ab, swap_cd, swap_ce])),
            other("schedule, tables", move || {
                scheduling(n, [swap_ab_tables, swap_cd_tables, swap_ce_tables])
            }),
        ],
        Work::HeavyCompute => vec![idiomatic("tables, rayon", move || heavy(n))],
        Work::AddRemoveOneByOne => vec![idiomatic("set, remove", move || add_remove(n))],
        Work::Churn(1) => vec![
            idiomatic("spawn_batch", move || churn(n, move_all)),
            other("spawn_batch, tables", move || churn(n, move_tables)),
        ],
        Work::Churn(_) => {
            vec![idiomatic("spawn_batch, tables, rayon", move || churn(n, move_on_two))]
        }
        Work::Get => vec![idiomatic("get_position", move || get(n))],
        Work::GetMut => vec![idiomatic("get_position_mut", move || get_mut(n))],
        Work::Independent | Work::Chained => vec![idiomatic("schedule", move || empty(n))],
        Work::AddRemoveBatch => Vec::new(),
    }
}

mod simple {
    use crate::data::{Position, Rotation, Transform, Velocity};

    freecs::ecs! {
        Simple {
            transform: Transform => TRANSFORM,
            position: Position => POSITION,
            rotation: Rotation => ROTATION,
            velocity: Velocity => VELOCITY,
        }
        Resources {}
    }

    /// All four components.
    pub(super) const ALL: u64 = TRANSFORM | POSITION | ROTATION | VELOCITY;
}

use simple::Simple;

fn fill(world: &mut Simple, entities: usize) {
    world.spawn_batch(simple::ALL, entities, |table, i| {
        (table.transform[i], table.position[i], table.rotation[i], table.velocity[i]) = bundle(i);
    });
}

fn filled(entities: usize) -> Simple {
    let mut world = Simple::default();
    fill(&mut world, entities);
    world
}

fn summary(world: &mut Simple) -> Summary {
    let mut summary = Summary::default();
    world.for_each(simple::ALL, 0, |_, table, i| {
        let (transform, position) = (&table.transform[i], &table.position[i]);
        summary.add_bundle(transform, position, &table.rotation[i], &table.velocity[i]);
    });
    summary
}

fn build(world: &mut Simple, entities: usize) {
    for i in 0..entities {
        let (transform, position, rotation, velocity) = bundle(i);
        simple::EntityBuilder::new()
            .with_transform(transform)
            .with_position(position)
            .with_rotation(rotation)
            .with_velocity(velocity)
            .spawn(world, 1);
    }
}

fn spawn_each(world: &mut Simple, entities: usize) {
    for i in 0..entities {
        let (transform, position, rotation, velocity) = bundle(i);
        let entity = world.spawn_entities(simple::ALL, 1)[0];
        world.set_transform(entity, transform);
        world.set_position(entity, position);
        world.set_rotation(entity, rotation);
        world.set_velocity(entity, velocity);
    }
}

fn insert(entities: usize, create: fn(&mut Simple, usize)) -> impl Contender {
    fresh(Simple::default, move |world| create(world, entities), summary)
}

fn iter(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        world.for_each_mut(simple::POSITION | simple::VELOCITY, 0, |_, table, i| {
            advance(&mut table.position[i], &table.velocity[i]);
        });
    };
    steady(filled(entities), run, summary)
}

fn iter_tables(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        let both = simple::POSITION | simple::VELOCITY;
        for table in world.tables.iter_mut().filter(|table| table.mask & both == both) {
            for (position, velocity) in table.position.iter_mut().zip(&table.velocity) {
                advance(position, velocity);
            }
        }
    };
    steady(filled(entities), run, summary)
}

mod fragments {
    use crate::data::{Data, letters};

    freecs::ecs! {
        Fragments {
            data: Data => DATA,
            a: letters::A => A,
            b: letters::B => B,
            c: letters::C => C,
            d: letters::D => D,
            e: letters::E => E,
            f: letters::F => F,
            g: letters::G => G,
            h: letters::H => H,
            i: letters::I => I,
            j: letters::J => J,
            k: letters::K => K,
            l: letters::L => L,
            m: letters::M => M,
            n: letters::N => N,
            o: letters::O => O,
            p: letters::P => P,
            q: letters::Q => Q,
            r: letters::R => R,
            s: letters::S => S,
            t: letters::T => T,
            u: letters::U => U,
            v: letters::V => V,
            w: letters::W => W,
            x: letters::X => X,
            y: letters::Y => Y,
            z: letters::Z => Z,
        }
        Resources {}
    }
}

use fragments::Fragments;

fn double(world: &mut Fragments) {
    world.for_each_data_mut(|data| data.0 *= 2.0);
}

fn double_tables(world: &mut Fragments) {
    for table in world.tables.iter_mut().filter(|table| table.mask & fragments::DATA != 0) {
        table.data.iter_mut().for_each(|data| data.0 *= 2.0);
    }
}

fn fragmented(each: usize, run: fn(&mut Fragments)) -> impl Contender {
    let mut world = Fragments::default();
    // The bits of the letters follow that of the common component.
    for letter in 1..=26 {
        let mask = fragments::DATA | fragments::DATA << letter;
        world.spawn_batch(mask, each, |table, i| table.data[i].0 = i as f32);
    }
    let summary = |world: &mut Fragments| Summary::of(world.query_data().map(|data| data.0));
    steady(world, run, summary)
}

mod swaps {
    use crate::data::letters::{A, B, C, D, E};

    freecs::ecs! {
        Swaps {
            a: A => A_MASK,
            b: B => B_MASK,
            c: C => C_MASK,
            d: D => D_MASK,
            e: E => E_MASK,
        }
        Resources {}
    }
}

use swaps::{A_MASK, B_MASK, C_MASK, D_MASK, E_MASK, Swaps};

fn swap_ab(world: &mut Swaps) {
    world.for_each_mut(A_MASK | B_MASK, 0, |_, table, i| {
        swap(&mut table.a[i].0, &mut table.b[i].0);
    });
}

fn swap_cd(world: &mut Swaps) {
    world.for_each_mut(C_MASK | D_MASK, 0, |_, table, i| {
        swap(&mut table.c[i].0, &mut table.d[i].0);
    });
}

fn swap_ce(world: &mut Swaps) {
    world.for_each_mut(C_MASK | E_MASK, 0, |_, table, i| {
        swap(&mut table.c[i].0, &mut table.e[i].0);
    });
}

/// Declares a system that swaps two components over the columns of tables.
macro_rules! swap_tables {
    ($system:ident, $one:ident $other:ident, $mask:expr) => {
        fn $system(world: &mut Swaps) {
            for table in world.tables.iter_mut().filter(|table| table.mask & ($mask) == $mask) {
                for (one, other) in table.$one.iter_mut().zip(&mut table.$other) {
                    swap(&mut one.0, &mut other.0);
                }
            }
        }
    };
}

swap_tables!(swap_ab_tables, a b, A_MASK | B_MASK);
swap_tables!(swap_cd_tables, c d, C_MASK | D_MASK);
swap_tables!(swap_ce_tables, c e, C_MASK | E_MASK);

/// A world and the schedule that runs in it.
type Scheduled = (Swaps, Schedule<Swaps>);

/// The work of a frame.
fn frame((world, schedule): &mut Scheduled) {
    schedule.run(world);
    world.step();
}

fn scheduling(each: usize, [ab, cd, ce]: [fn(&mut Swaps); 3]) -> impl Contender {
    let mut world = Swaps::default();
    world.spawn_batch(A_MASK | B_MASK, each, |table, i| table.b[i] = B(1.0));
    world.spawn_batch(A_MASK | B_MASK | C_MASK, each, |table, i| {
        (table.b[i], table.c[i]) = (B(1.0), C(2.0));
    });
    world.spawn_batch(A_MASK | B_MASK | C_MASK | D_MASK, each, |table, i| {
        (table.b[i], table.c[i], table.d[i]) = (B(1.0), C(2.0), D(3.0));
    });
    world.spawn_batch(A_MASK | B_MASK | C_MASK | E_MASK, each, |table, i| {
        (table.b[i], table.c[i], table.e[i]) = (B(1.0), C(2.0), E(4.0));
    });
    let mut schedule = Schedule::new();
    schedule.push("ab", ab).push("cd", cd).push("ce", ce);
    let summary = |(world, _): &mut Scheduled| {
        let mut values: Vec<f32> = world.query_a().map(|&A(a)| a).collect();
        values.extend(world.query_b().map(|b| b.0));
        values.extend(world.query_c().map(|c| c.0));
        values.extend(world.query_d().map(|d| d.0));
        values.extend(world.query_e().map(|e| e.0));
        Summary::of(values)
    };
    steady((world, schedule), frame, summary)
}

/// `freecs` runs in parallel by table, and this row has one table only: so rayon runs over its columns.
fn heavy(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        let both = simple::TRANSFORM | simple::POSITION;
        for table in world.tables.iter_mut().filter(|table| table.mask & both == both) {
            let (transforms, positions) = (&mut table.transform, &mut table.position);
            pool().install(|| {
                transforms
                    .par_iter_mut()
                    .zip(positions)
                    .for_each(|(transform, position)| turn(transform, position));
            });
        }
    };
    steady(filled(entities), run, summary)
}

fn add_remove(entities: usize) -> impl Contender {
    type Both = (Swaps, Vec<Entity>);
    fn add((world, entities): &mut Both) {
        for &entity in &*entities {
            world.set_b(entity, B(1.0));
        }
    }
    fn remove((world, entities): &mut Both) {
        for &entity in &*entities {
            assert!(world.remove_b(entity));
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        Summary::of(world.query_a().map(|a| a.0).chain(world.query_b().map(|b| b.0)))
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = Swaps::default();
    let entities = world.spawn_batch(A_MASK, entities, |table, i| table.a[i] = A(i as f32));
    steady((world, entities), run, |both| Summary::twice(both, add, all, remove))
}

mod living {
    use crate::data::{Life, Position, Velocity};

    freecs::ecs! {
        Living {
            position: Position => POSITION,
            velocity: Velocity => VELOCITY,
            life: Life => LIFE,
        }
        Resources {}
    }

    /// All three components.
    pub(super) const ALL: u64 = POSITION | VELOCITY | LIFE;
}

use living::Living;

/// A world, the entities to despawn, and the entities that replace them.
type Churned = (Living, Vec<Entity>, Vec<(Position, Velocity, Life)>);

fn spawn(world: &mut Living, spawns: &[(Position, Velocity, Life)]) {
    let mut spawns = spawns.iter();
    world.spawn_batch(living::ALL, spawns.len(), |table, i| {
        let spawned = *spawns.next().expect("as many");
        (table.position[i], table.velocity[i], table.life[i]) = spawned;
    });
}

fn move_all(world: &mut Living) {
    world.for_each_mut(living::POSITION | living::VELOCITY, 0, |_, table, i| {
        advance(&mut table.position[i], &table.velocity[i]);
    });
}

fn move_tables(world: &mut Living) {
    let both = living::POSITION | living::VELOCITY;
    for table in world.tables.iter_mut().filter(|table| table.mask & both == both) {
        for (position, velocity) in table.position.iter_mut().zip(&table.velocity) {
            advance(position, velocity);
        }
    }
}

fn move_on_two(world: &mut Living) {
    let both = living::POSITION | living::VELOCITY;
    for table in world.tables.iter_mut().filter(|table| table.mask & both == both) {
        let (positions, velocities) = (&mut table.position, &table.velocity);
        pool().install(|| {
            positions
                .par_iter_mut()
                .zip(velocities)
                .with_min_len(LEAST_SHARE)
                .for_each(|(position, velocity)| advance(position, velocity));
        });
    }
}

fn churn(entities: usize, move_all: fn(&mut Living)) -> impl Contender {
    let mut world = Living::default();
    let lives = lives(entities).into_iter().enumerate();
    let first: Vec<_> = lives.map(|(i, life)| (position(i), velocity(i), life)).collect();
    spawn(&mut world, &first);
    let run = move |(world, despawns, spawns): &mut Churned| {
        world.for_each_mut(living::LIFE | living::VELOCITY, 0, |entity, table, i| {
            if let Some(spawned) = age(&mut table.life[i], &table.velocity[i]) {
                despawns.push(entity);
                spawns.push(spawned);
            }
        });
        world.despawn_entities(despawns);
        despawns.clear();
        spawn(world, spawns);
        spawns.clear();
        move_all(world);
        world.step();
    };
    let summary = |(world, ..): &mut Churned| {
        let mut summary = Summary::default();
        world.for_each(living::ALL, 0, |_, table, i| {
            summary.add_living(&table.position[i], &table.velocity[i], table.life[i]);
        });
        summary
    };
    steady((world, Vec::new(), Vec::new()), run, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (Living, Vec<Entity>, f32);

fn random(entities: usize) -> Random {
    let mut world = Living::default();
    let spawned = world.spawn_batch(living::POSITION | living::VELOCITY, entities, |table, i| {
        (table.position[i], table.velocity[i]) = (position(i), velocity(i));
    });
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        *sum = entities.iter().map(|&e| world.get_position(e).expect("it lives").0[0]).sum();
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            world.get_position_mut(entity).expect("it lives").0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random| Summary::of_positions(world.query_position());
    steady(random(entities), run, summary)
}

fn system<const N: usize>(_: &mut Swaps) {
    nothing::<N>();
}

fn empty(systems: usize) -> impl Contender {
    /// The names of the systems of the largest row.
    const NAMES: [&str; 50] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
        "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
        "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46",
        "47", "48", "49",
    ];
    macro_rules! system {
        ($number:literal) => {
            system::<$number> as fn(&mut Swaps)
        };
    }
    let mut schedule = Schedule::new();
    for (name, system) in NAMES.into_iter().zip(fifty!(system)).take(systems) {
        schedule.push(name, system);
    }
    steady((Swaps::default(), schedule), frame, |_| Summary::default())
}
