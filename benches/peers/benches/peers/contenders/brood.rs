//! `brood`: archetypes over a registry of all components that is a type; systems are types, and schedules run them in
//! stages, side by side. It has no empty systems: a schedule of ten takes the compiler more than nine minutes and 5 GB.

use crate::data::letters::{A, B, C, D, E};
use crate::data::{
    Data, Life, Position, Rotation, Transform, Velocity, advance, age, bundle, letters, lives,
    position, shuffled, turn, velocity, with_letters,
};
use crate::rows::{Contender, Form, Row, Summary, Work, fresh, idiomatic, other, pool, steady};
use brood::entities::{Batch, Null};
use brood::entity::Identifier;
use brood::query::{Views, filter, result};
use brood::system::schedule::task;
use brood::system::{System, schedule};
use brood::{Query, Registry, World, entity, registry};
use rayon::iter::ParallelIterator as _;
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![
            idiomatic("insert", move || insert(n, create)),
            other("reserve, insert", move || insert(n, reserve_and_create)),
        ],
        Work::InsertBatch => vec![idiomatic("extend", move || insert(n, extend))],
        Work::SimpleIter => vec![
            idiomatic("a system", move || iter(n, move_by_system)),
            other("query", move || iter(n, move_by_query)),
        ],
        Work::FragmentedIter => vec![idiomatic("query", move || fragmented(n))],
        Work::SystemScheduling => vec![
            idiomatic("schedule", move || scheduling(n, swap_scheduled)),
            other("systems, 1 thread", move || scheduling(n, swap_in_order)),
        ],
        Work::HeavyCompute => vec![idiomatic("par_query", move || heavy(n))],
        Work::AddRemoveOneByOne => vec![idiomatic("entry", move || add_remove(n))],
        Work::Churn(1) => vec![
            idiomatic("insert", move || churn(n, move_all, create_each)),
            other("extend", move || churn(n, move_all, extend_all)),
        ],
        Work::Churn(_) => {
            vec![idiomatic("insert, par_query", move || churn(n, move_on_two, create_each))]
        }
        Work::Get => vec![idiomatic("entry, query", move || get(n))],
        Work::GetMut => vec![idiomatic("entry, query", move || get_mut(n))],
        Work::AddRemoveBatch | Work::Independent | Work::Chained => Vec::new(),
    }
}

/// The world of the simple rows.
type Simple = World<Registry!(Transform, Position, Rotation, Velocity)>;

fn create(world: &mut Simple, entities: usize) {
    for (transform, position, rotation, velocity) in (0..entities).map(bundle) {
        world.insert(entity!(transform, position, rotation, velocity));
    }
}

fn reserve_and_create(world: &mut Simple, entities: usize) {
    world.reserve::<brood::Entity!(Transform, Position, Rotation, Velocity), _>(entities);
    create(world, entities);
}

/// From columns, which become those of the archetype if it has none.
fn extend(world: &mut Simple, entities: usize) {
    let mut transforms = Vec::with_capacity(entities);
    let mut positions = Vec::with_capacity(entities);
    let mut rotations = Vec::with_capacity(entities);
    let mut velocities = Vec::with_capacity(entities);
    for (transform, position, rotation, velocity) in (0..entities).map(bundle) {
        transforms.push(transform);
        positions.push(position);
        rotations.push(rotation);
        velocities.push(velocity);
    }
    world.extend(Batch::new((transforms, (positions, (rotations, (velocities, Null))))));
}

fn filled(entities: usize) -> Simple {
    let mut world = Simple::new();
    extend(&mut world, entities);
    world
}

fn summary(world: &mut Simple) -> Summary {
    let mut summary = Summary::default();
    let query = Query::<Views!(&Transform, &Position, &Rotation, &Velocity)>::new();
    for result!(t, p, r, v) in world.query(query).iter {
        summary.add_bundle(t, p, r, v);
    }
    summary
}

fn insert(entities: usize, fill: fn(&mut Simple, usize)) -> impl Contender {
    fresh(Simple::new, move |world| fill(world, entities), summary)
}

/// Declares a system without state.
macro_rules! system {
    ($system:ident, ($($view:ty),*), |$($name:ident),*| $body:expr) => {
        struct $system;

        impl System for $system {
            type Filter = filter::None;
            type Views<'a> = Views!($($view),*);
            type ResourceViews<'a> = Views!();
            type EntryViews<'a> = Views!();

            fn run<'a, R, S, I, E>(
                &mut self,
                results: brood::query::Result<
                    '_,
                    R,
                    S,
                    I,
                    Self::ResourceViews<'a>,
                    Self::EntryViews<'a>,
                    E,
                >,
            ) where
                R: registry::Registry,
                I: Iterator<Item = Self::Views<'a>>,
            {
                for result!($($name),*) in results.iter {
                    $body;
                }
            }
        }
    };
}

system!(Move, (&'a mut Position, &'a Velocity), |position, velocity| advance(position, velocity));

fn move_by_system(world: &mut Simple) {
    world.run_system(&mut Move);
}

fn move_by_query(world: &mut Simple) {
    let query = Query::<Views!(&mut Position, &Velocity)>::new();
    world.query(query).iter.for_each(|result!(position, velocity)| advance(position, velocity));
}

fn iter(entities: usize, run: fn(&mut Simple)) -> impl Contender {
    steady(filled(entities), run, summary)
}

macro_rules! fragments {
    ($($letter:ident)*) => {
        /// The world of `fragmented_iter`.
        type Fragments = World<Registry!(Data $(, letters::$letter)*)>;

        fn of_letters(each: usize) -> Fragments {
            let mut world = Fragments::new();
            $(for i in 0..each {
                world.insert(entity!(letters::$letter(0.0), Data(i as f32)));
            })*
            world
        }
    };
}

with_letters!(fragments);

fn fragmented(each: usize) -> impl Contender {
    let run = |world: &mut Fragments| {
        let query = Query::<Views!(&mut Data)>::new();
        world.query(query).iter.for_each(|result!(data)| data.0 *= 2.0);
    };
    let summary = |world: &mut Fragments| {
        let data = world.query(Query::<Views!(&Data)>::new()).iter;
        Summary::of(data.map(|result!(data)| data.0))
    };
    steady(of_letters(each), run, summary)
}

/// The world of `system_scheduling` and `add_remove`.
type Swaps = World<Registry!(A, B, C, D, E)>;

system!(SwapAb, (&'a mut A, &'a mut B), |a, b| swap(&mut a.0, &mut b.0));
system!(SwapCd, (&'a mut C, &'a mut D), |c, d| swap(&mut c.0, &mut d.0));
system!(SwapCe, (&'a mut C, &'a mut E), |c, e| swap(&mut c.0, &mut e.0));

fn swap_scheduled(world: &mut Swaps) {
    let mut schedule = schedule!(task::System(SwapAb), task::System(SwapCd), task::System(SwapCe));
    pool().install(|| world.run_schedule(&mut schedule));
}

fn swap_in_order(world: &mut Swaps) {
    world.run_system(&mut SwapAb);
    world.run_system(&mut SwapCd);
    world.run_system(&mut SwapCe);
}

fn scheduling(each: usize, run: fn(&mut Swaps)) -> impl Contender {
    let mut world = Swaps::new();
    for _ in 0..each {
        world.insert(entity!(A(0.0), B(1.0)));
        world.insert(entity!(A(0.0), B(1.0), C(2.0)));
        world.insert(entity!(A(0.0), B(1.0), C(2.0), D(3.0)));
        world.insert(entity!(A(0.0), B(1.0), C(2.0), E(4.0)));
    }
    let summary = |world: &mut Swaps| {
        let mut values = Vec::new();
        let query = Query::<Views!(&A)>::new();
        values.extend(world.query(query).iter.map(|result!(a)| a.0));
        let query = Query::<Views!(&B)>::new();
        values.extend(world.query(query).iter.map(|result!(b)| b.0));
        let query = Query::<Views!(&C)>::new();
        values.extend(world.query(query).iter.map(|result!(c)| c.0));
        let query = Query::<Views!(&D)>::new();
        values.extend(world.query(query).iter.map(|result!(d)| d.0));
        let query = Query::<Views!(&E)>::new();
        values.extend(world.query(query).iter.map(|result!(e)| e.0));
        Summary::of(values)
    };
    steady(world, run, summary)
}

fn heavy(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        pool().install(|| {
            let query = Query::<Views!(&mut Transform, &mut Position)>::new();
            let entities = world.par_query(query).iter;
            entities.for_each(|result!(transform, position)| turn(transform, position));
        });
    };
    steady(filled(entities), run, summary)
}

fn add_remove(entities: usize) -> impl Contender {
    type Both = (Swaps, Vec<Identifier>);
    fn add((world, entities): &mut Both) {
        for &entity in &*entities {
            world.entry(entity).expect("it lives").add(B(1.0));
        }
    }
    fn remove((world, entities): &mut Both) {
        for &entity in &*entities {
            world.entry(entity).expect("it lives").remove::<B, _>();
        }
    }
    fn all((world, _): &mut Both) -> Summary {
        let query = Query::<Views!(&A)>::new();
        let mut values: Vec<f32> = world.query(query).iter.map(|result!(a)| a.0).collect();
        let query = Query::<Views!(&B)>::new();
        values.extend(world.query(query).iter.map(|result!(b)| b.0));
        Summary::of(values)
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let mut world = Swaps::new();
    let entities = (0..entities).map(|i| world.insert(entity!(A(i as f32)))).collect();
    steady((world, entities), run, |both| Summary::twice(both, add, all, remove))
}

/// The world of `churn` and `random_access`.
type Known = World<Registry!(Position, Velocity, Life)>;

/// A world, the entities to despawn, and the entities that replace them.
type Living = (Known, Vec<Identifier>, Vec<(Position, Velocity, Life)>);

fn create_each(world: &mut Known, spawns: &mut Vec<(Position, Velocity, Life)>) {
    for (position, velocity, life) in spawns.drain(..) {
        world.insert(entity!(position, velocity, life));
    }
}

fn extend_all(world: &mut Known, spawns: &mut Vec<(Position, Velocity, Life)>) {
    let positions = spawns.iter().map(|spawned| spawned.0).collect();
    let velocities = spawns.iter().map(|spawned| spawned.1).collect();
    let lives = spawns.drain(..).map(|spawned| spawned.2).collect();
    world.extend(Batch::<(Vec<Position>, (Vec<Velocity>, (Vec<Life>, Null)))>::new((
        positions,
        (velocities, (lives, Null)),
    )));
}

fn move_all(world: &mut Known) {
    let query = Query::<Views!(&mut Position, &Velocity)>::new();
    world.query(query).iter.for_each(|result!(position, velocity)| advance(position, velocity));
}

fn move_on_two(world: &mut Known) {
    pool().install(|| {
        let query = Query::<Views!(&mut Position, &Velocity)>::new();
        let entities = world.par_query(query).iter;
        entities.for_each(|result!(position, velocity)| advance(position, velocity));
    });
}

fn churn(
    entities: usize,
    move_all: fn(&mut Known),
    spawn: fn(&mut Known, &mut Vec<(Position, Velocity, Life)>),
) -> impl Contender {
    let mut world = Known::new();
    for (i, life) in lives(entities).into_iter().enumerate() {
        world.insert(entity!(position(i), velocity(i), life));
    }
    let run = move |(world, despawns, spawns): &mut Living| {
        let query = Query::<Views!(Identifier, &mut Life, &Velocity)>::new();
        for result!(entity, life, velocity) in world.query(query).iter {
            if let Some(spawned) = age(life, velocity) {
                despawns.push(entity);
                spawns.push(spawned);
            }
        }
        for entity in despawns.drain(..) {
            world.remove(entity);
        }
        spawn(world, spawns);
        move_all(world);
    };
    let summary = |(world, ..): &mut Living| {
        let mut summary = Summary::default();
        let query = Query::<Views!(&Position, &Velocity, &Life)>::new();
        for result!(position, velocity, life) in world.query(query).iter {
            summary.add_living(position, velocity, *life);
        }
        summary
    };
    steady((world, Vec::new(), Vec::new()), run, summary)
}

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (Known, Vec<Identifier>, f32);

fn random(entities: usize) -> Random {
    let mut world = Known::new();
    let spawned: Vec<Identifier> =
        (0..entities).map(|i| world.insert(entity!(position(i), velocity(i)))).collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        *sum = 0.0;
        for &entity in &*entities {
            let mut entry = world.entry(entity).expect("it lives");
            let result!(position) =
                entry.query(Query::<Views!(&Position)>::new()).expect("it has one");
            *sum += position.0[0];
        }
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            let mut entry = world.entry(entity).expect("it lives");
            let result!(position) =
                entry.query(Query::<Views!(&mut Position)>::new()).expect("it has one");
            position.0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random| {
        let query = Query::<Views!(&Position)>::new();
        Summary::of_positions(world.query(query).iter.map(|result!(position)| position))
    };
    steady(random(entities), run, summary)
}
