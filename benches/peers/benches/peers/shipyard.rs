//! `shipyard`: systems over views; workloads on two threads where a row has several systems. Views are borrowed
//! once per run, and spawns are in bulk.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Form, Row, Summary, Work, form, fresh, pool, steady};
use rayon::iter::ParallelIterator as _;
use shipyard::scheduler::SystemModificator as _;
use shipyard::{
    Delete as _, EntitiesView, EntitiesViewMut, EntityId, Get as _, IntoIter as _, Remove as _,
    View, ViewMut, Workload, World,
};
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let size = row.size;
    match row.work {
        Work::SimpleInsert => vec![insert(size)],
        Work::SimpleIter => vec![iter(size)],
        Work::FragmentedIter => vec![fragmented(size)],
        Work::SystemScheduling => vec![scheduling(size)],
        Work::HeavyCompute => vec![heavy(size)],
        Work::AddRemove => vec![add_remove(size)],
        Work::Churn => {
            vec![churn("add_entity", size, one_by_one), churn("bulk_add_entity", size, in_bulk)]
        }
        Work::Get => vec![get(size)],
        Work::GetMut => vec![get_mut(size)],
        Work::Independent => vec![empty(size, false)],
        Work::Chained => vec![empty(size, true)],
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

fn insert(entities: usize) -> Form {
    let run = move |world: &mut World| {
        world.bulk_add_entity((0..entities).map(bundle));
    };
    form("bulk_add_entity", fresh(World::new, run, summary))
}

fn iter(entities: usize) -> Form {
    let run = |world: &mut World| {
        world.run(|mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>| {
            (&mut positions, &velocities)
                .iter()
                .for_each(|(position, velocity)| advance(position, velocity));
        });
    };
    form("views", steady(filled(entities), run, summary))
}

fn fragmented(each: usize) -> Form {
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
    form("views", steady(world, run, summary))
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

fn scheduling(each: usize) -> Form {
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
    form("workload", steady(world, frame, summary))
}

fn heavy(entities: usize) -> Form {
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
    form("par_iter", steady(filled(entities), run, summary))
}

fn add_remove(entities: usize) -> Form {
    type Both = (World, Vec<EntityId>);
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
    fn all((world, _): &mut Both) -> Summary {
        world.run(|a: View<'_, A>, b: View<'_, B>| {
            Summary::of((&a).iter().map(|a| a.0).chain((&b).iter().map(|b| b.0)))
        })
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..entities).map(|i| (A(i as f32),))).collect();
    form("views", steady((world, ids), run, |both| Summary::twice(both, add, all, remove)))
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

fn churn(
    name: &'static str,
    entities: usize,
    add: fn(&mut EntitiesViewMut<'_>, Views<'_, '_, '_, '_>, Bundles<'_>),
) -> Form {
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
                (&mut positions, &velocities)
                    .iter()
                    .for_each(|(position, velocity)| advance(position, velocity));
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
    form(name, steady((world, Vec::new(), Vec::new()), run, summary))
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (World, Vec<EntityId>, f32);

fn random(entities: usize) -> Random {
    let mut world = World::new();
    let spawned: Vec<EntityId> =
        world.bulk_add_entity((0..entities).map(|i| (position(i), velocity(i)))).collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> Form {
    let run = |(world, ids, sum): &mut Random| {
        world.run(|positions: View<'_, Position>| {
            *sum = ids.iter().map(|&id| (&positions).get(id).expect("it lives").0[0]).sum();
        });
    };
    form("View::get", steady(random(entities), run, |(_, _, sum)| Summary::of([*sum])))
}

fn get_mut(entities: usize) -> Form {
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
    form("ViewMut::get", steady(random(entities), run, summary))
}

fn nothing<const N: usize>() {
    black_box(());
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

fn empty(systems: usize, is_chained: bool) -> Form {
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
    form("2 threads", steady(world, frame, |_| Summary::default()))
}
