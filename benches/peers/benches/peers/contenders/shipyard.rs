//! `shipyard`: systems over views; workloads on two threads where a row has several systems. Views are borrowed
//! once per run, and spawns are in bulk.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    nothing, position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Contender, Form, Row, Summary, Work, fresh, idiomatic, other, pool, steady};
use rayon::iter::ParallelIterator as _;
use shipyard::scheduler::SystemModificator as _;
use shipyard::{
    Delete as _, EntitiesView, EntitiesViewMut, EntityId, Get as _, IntoIter as _, Remove as _,
    View, ViewMut, Workload, World,
};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![
            idiomatic("World::add_entity", move || insert_one_by_one(n)),
            other("views, add_entity", move || insert_by_views(n)),
        ],
        Work::InsertBatch => vec![idiomatic("bulk_add_entity", move || insert(n))],
        Work::SimpleIter => vec![idiomatic("views", move || iter(n))],
        Work::FragmentedIter => vec![idiomatic("views", move || fragmented(n))],
        Work::SystemScheduling => vec![idiomatic("workload", move || scheduling(n))],
        Work::HeavyCompute => vec![idiomatic("par_iter", move || heavy(n))],
        Work::AddRemoveOneByOne => vec![
            idiomatic("World", move || add_remove(n, add_by_world, remove_by_world)),
            other("views", move || add_remove(n, add, remove)),
        ],
        Work::AddRemoveBatch => vec![idiomatic("clear", move || add_remove(n, add, clear))],
        Work::Churn(1) => vec![
            idiomatic("add_entity", move || churn(n, one_by_one, move_all)),
            other("bulk_add_entity", move || churn(n, in_bulk, move_all)),
        ],
        Work::Churn(_) => {
            vec![idiomatic("add_entity, par_iter", move || churn(n, one_by_one, move_on_two))]
        }
        Work::Get => {
            vec![idiomatic("View::get", move || get(n)), other("View[id]", move || get_indexed(n))]
        }
        Work::GetMut => vec![
            idiomatic("ViewMut::get", move || get_mut(n)),
            other("ViewMut[id]", move || get_mut_indexed(n)),
        ],
        Work::Independent => vec![idiomatic("workload", move || empty(n, false))],
        Work::Chained => vec![idiomatic("workload", move || empty(n, true))],
    }
}

fn summary(world: &mut World) -> Summary {
    let mut summary = Summary::default();
    world.run(
        |t: View<'_, Transform>,
         p: View<'_, Position>,
         r: View<'_, Rotation>,
         v: View<'_, Velocity>| {
            for (t, p, r, v) in (&t, &p, &r, &v).iter() {
                summary.add_bundle(t, p, r, v);
            }
        },
    );
    summary
}

fn filled(entities: usize) -> World {
    let mut world = World::new();
    world.bulk_add_entity((0..entities).map(bundle));
    world
}

fn insert(entities: usize) -> impl Contender {
    let run = move |world: &mut World| {
        world.bulk_add_entity((0..entities).map(bundle));
    };
    fresh(World::new, run, summary)
}

fn insert_one_by_one(entities: usize) -> impl Contender {
    let run = move |world: &mut World| {
        for i in 0..entities {
            world.add_entity(bundle(i));
        }
    };
    fresh(World::new, run, summary)
}

fn insert_by_views(entities: usize) -> impl Contender {
    let run = move |world: &mut World| {
        world.run(
            |mut all: EntitiesViewMut<'_>,
             mut t: ViewMut<'_, Transform>,
             mut p: ViewMut<'_, Position>,
             mut r: ViewMut<'_, Rotation>,
             mut v: ViewMut<'_, Velocity>| {
                for i in 0..entities {
                    all.add_entity((&mut t, &mut p, &mut r, &mut v), bundle(i));
                }
            },
        );
    };
    fresh(World::new, run, summary)
}

fn iter(entities: usize) -> impl Contender {
    let run = |world: &mut World| {
        world.run(|mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>| {
            (&mut positions, &velocities)
                .iter()
                .for_each(|(position, velocity)| advance(position, velocity));
        });
    };
    steady(filled(entities), run, summary)
}

fn fragmented(each: usize) -> impl Contender {
    let mut world = World::new();
    macro_rules! spawn {
        ($($letter:ident)*) => {$(
            world.bulk_add_entity((0..each).map(|i| (letters::$letter(0.0), Data(i as f32))));
        )*};
    }
    with_letters!(spawn);
    let run = |world: &mut World| {
        world.run(|mut data: ViewMut<'_, Data>| {
            (&mut data).iter().for_each(|data| data.0 *= 2.0);
        });
    };
    let summary = |world: &mut World| {
        world.run(|data: View<'_, Data>| Summary::of((&data).iter().map(|data| data.0)))
    };
    steady(world, run, summary)
}

/// A world whose workloads run on the two threads that all contenders share: the pool that this thread belongs to.
fn on_threads() -> World {
    pool();
    World::default()
}

/// The work of a frame.
fn frame(world: &mut World) {
    world.run_default_workload().expect("no view is missing");
}

fn swap_ab(mut a: ViewMut<'_, A>, mut b: ViewMut<'_, B>) {
    (&mut a, &mut b).iter().for_each(|(a, b)| swap(&mut a.0, &mut b.0));
}

fn swap_cd(mut c: ViewMut<'_, C>, mut d: ViewMut<'_, D>) {
    (&mut c, &mut d).iter().for_each(|(c, d)| swap(&mut c.0, &mut d.0));
}

fn swap_ce(mut c: ViewMut<'_, C>, mut e: ViewMut<'_, E>) {
    (&mut c, &mut e).iter().for_each(|(c, e)| swap(&mut c.0, &mut e.0));
}

fn scheduling(each: usize) -> impl Contender {
    let mut world = on_threads();
    world.bulk_add_entity((0..each).map(|_| (A(0.0), B(1.0))));
    world.bulk_add_entity((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
    world.bulk_add_entity((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
    world.bulk_add_entity((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
    let workload = Workload::new("swaps").with_system(swap_ab).with_system(swap_cd);
    let workload = workload.with_system(swap_ce);
    workload.add_to_world(&world).expect("the first of this name");
    let summary = |world: &mut World| {
        let mut values = Vec::new();
        world.run(
            |a: View<'_, A>, b: View<'_, B>, c: View<'_, C>, d: View<'_, D>, e: View<'_, E>| {
                values.extend((&a).iter().map(|a| a.0));
                values.extend((&b).iter().map(|b| b.0));
                values.extend((&c).iter().map(|c| c.0));
                values.extend((&d).iter().map(|d| d.0));
                values.extend((&e).iter().map(|e| e.0));
            },
        );
        Summary::of(values)
    };
    steady(world, frame, summary)
}

fn heavy(entities: usize) -> impl Contender {
    let run = |world: &mut World| {
        pool().install(|| {
            world.run(
                |mut transforms: ViewMut<'_, Transform>, mut positions: ViewMut<'_, Position>| {
                    (&mut transforms, &mut positions)
                        .par_iter()
                        .for_each(|(transform, position)| turn(transform, position));
                },
            );
        });
    };
    steady(filled(entities), run, summary)
}

/// A world, and its entities.
type Both = (World, Vec<EntityId>);

fn add_by_world((world, ids): &mut Both) {
    for &id in &*ids {
        world.add_component(id, B(1.0));
    }
}

fn remove_by_world((world, ids): &mut Both) {
    for &id in &*ids {
        world.remove::<B>(id);
    }
}

fn add((world, ids): &mut Both) {
    world.run(|entities: EntitiesView<'_>, mut bs: ViewMut<'_, B>| {
        for &id in &*ids {
            entities.add_component(id, &mut bs, B(1.0));
        }
    });
}

fn remove((world, ids): &mut Both) {
    world.run(|mut bs: ViewMut<'_, B>| {
        for &id in &*ids {
            bs.remove(id).expect("it has one");
        }
    });
}

/// From all entities by one call. There is no such insertion.
fn clear((world, _): &mut Both) {
    world.run(|mut bs: ViewMut<'_, B>| bs.clear());
}

fn add_remove(entities: usize, add: fn(&mut Both), remove: fn(&mut Both)) -> impl Contender {
    fn all((world, _): &mut Both) -> Summary {
        world.run(|a: View<'_, A>, b: View<'_, B>| {
            Summary::of((&a).iter().map(|a| a.0).chain((&b).iter().map(|b| b.0)))
        })
    }
    let run = move |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..entities).map(|i| (A(i as f32),))).collect();
    steady((world, ids), run, move |both| Summary::twice(both, add, all, remove))
}

/// A world, the entities to despawn, and the entities that replace them.
type Living = (World, Vec<EntityId>, Vec<(Position, Velocity, Life)>);

/// The views of all components.
type Views<'a, 'p, 'v, 'l> =
    (&'a mut ViewMut<'p, Position>, &'a mut ViewMut<'v, Velocity>, &'a mut ViewMut<'l, Life>);

/// The components of the entities to spawn.
type Bundles<'a> = std::vec::Drain<'a, (Position, Velocity, Life)>;

/// Spawns one by one, which reuses the ids of despawned entities.
fn one_by_one(
    entities: &mut EntitiesViewMut<'_>,
    views: Views<'_, '_, '_, '_>,
    spawns: Bundles<'_>,
) {
    let (positions, velocities, lives) = views;
    for spawned in spawns {
        entities.add_entity((&mut *positions, &mut *velocities, &mut *lives), spawned);
    }
}

/// Spawns in bulk, which takes new ids.
fn in_bulk(entities: &mut EntitiesViewMut<'_>, views: Views<'_, '_, '_, '_>, spawns: Bundles<'_>) {
    entities.bulk_add_entity(views, spawns);
}

/// The views of the movement.
type Moving<'a, 'p, 'v> = (&'a mut ViewMut<'p, Position>, &'a ViewMut<'v, Velocity>);

fn move_all(moving: Moving<'_, '_, '_>) {
    moving.iter().for_each(|(position, velocity)| advance(position, velocity));
}

fn move_on_two(moving: Moving<'_, '_, '_>) {
    pool().install(|| {
        moving.par_iter().for_each(|(position, velocity)| advance(position, velocity));
    });
}

fn churn(
    entities: usize,
    add: fn(&mut EntitiesViewMut<'_>, Views<'_, '_, '_, '_>, Bundles<'_>),
    move_all: fn(Moving<'_, '_, '_>),
) -> impl Contender {
    let mut world = World::new();
    let lives = lives(entities).into_iter().enumerate();
    world.bulk_add_entity(lives.map(|(i, life)| (position(i), velocity(i), life)));
    let run = move |(world, despawns, spawns): &mut Living| {
        world.run(
            |mut entities: EntitiesViewMut<'_>,
             mut positions: ViewMut<'_, Position>,
             mut velocities: ViewMut<'_, Velocity>,
             mut lives: ViewMut<'_, Life>| {
                for (id, (life, velocity)) in (&mut lives, &velocities).iter().with_id() {
                    if let Some(spawned) = age(life, velocity) {
                        despawns.push(id);
                        spawns.push(spawned);
                    }
                }
                let mut views = (&mut positions, &mut velocities, &mut lives);
                for id in despawns.drain(..) {
                    views.delete(id);
                    entities.delete_unchecked(id);
                }
                add(&mut entities, views, spawns.drain(..));
                move_all((&mut positions, &velocities));
            },
        );
    };
    let summary = |(world, ..): &mut Living| {
        let mut summary = Summary::default();
        world.run(
            |positions: View<'_, Position>,
             velocities: View<'_, Velocity>,
             lives: View<'_, Life>| {
                for (position, velocity, life) in (&positions, &velocities, &lives).iter() {
                    summary.add_living(position, velocity, *life);
                }
            },
        );
        summary
    };
    steady((world, Vec::new(), Vec::new()), run, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<EntityId>, f32);

fn random(entities: usize) -> Random {
    let mut world = World::new();
    let spawned: Vec<EntityId> =
        world.bulk_add_entity((0..entities).map(|i| (position(i), velocity(i)))).collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, ids, sum): &mut Random| {
        world.run(|positions: View<'_, Position>| {
            *sum = ids.iter().map(|&id| (&positions).get(id).expect("it lives").0[0]).sum();
        });
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, ids, _): &mut Random| {
        world.run(|mut positions: ViewMut<'_, Position>| {
            for &id in &*ids {
                (&mut positions).get(id).expect("it lives").0[0] += 1.0;
            }
        });
    };
    let summary = |(world, ..): &mut Random| {
        world.run(|positions: View<'_, Position>| Summary::of_positions((&positions).iter()))
    };
    steady(random(entities), run, summary)
}

fn get_indexed(entities: usize) -> impl Contender {
    let run = |(world, ids, sum): &mut Random| {
        world.run(|positions: View<'_, Position>| {
            *sum = ids.iter().map(|&id| positions[id].0[0]).sum();
        });
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut_indexed(entities: usize) -> impl Contender {
    let run = |(world, ids, _): &mut Random| {
        world.run(|mut positions: ViewMut<'_, Position>| {
            for &id in &*ids {
                positions[id].0[0] += 1.0;
            }
        });
    };
    let summary = |(world, ..): &mut Random| {
        world.run(|positions: View<'_, Position>| Summary::of_positions((&positions).iter()))
    };
    steady(random(entities), run, summary)
}

/// Adds systems of these numbers, in a chain if `$is_chained`.
macro_rules! add_systems {
    ($workload:ident, $is_chained:expr, $($n:literal)*) => {$({
        let system = nothing::<$n>;
        $workload = if $is_chained && $n != 0 {
            $workload.with_system(system.after_all(nothing::<{ $n - ($n != 0) as usize }>))
        } else {
            $workload.with_system(system)
        };
    })*};
}

fn empty(systems: usize, is_chained: bool) -> impl Contender {
    let world = on_threads();
    let mut workload = Workload::new("empty");
    add_systems!(workload, is_chained, 0 1 2 3 4 5 6 7 8 9);
    if systems == 50 {
        add_systems!(workload, is_chained, 10 11 12 13 14 15 16 17 18 19);
        add_systems!(workload, is_chained, 20 21 22 23 24 25 26 27 28 29);
        add_systems!(workload, is_chained, 30 31 32 33 34 35 36 37 38 39);
        add_systems!(workload, is_chained, 40 41 42 43 44 45 46 47 48 49);
    }
    workload.add_to_world(&world).expect("the first of this name");
    steady(world, frame, |_| Summary::default())
}
