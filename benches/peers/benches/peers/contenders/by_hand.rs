//! By hand: vectors, slices, and rayon. There are no handles, except in the rows about them.

use crate::data::{
    self, Bundle, Life, Position, Rotation, Transform, Velocity, advance, advance_flat, bundle,
    fifty, nothing, shuffled, turn,
};
use crate::rows::{Contender, Form, Row, Summary, Work, fresh, idiomatic, other, pool, steady};
use bytemuck::{cast_slice, cast_slice_mut};
use rayon::prelude::*;
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![idiomatic("growing vectors", move || insert_growing(n))],
        Work::InsertBatch => vec![idiomatic("vectors with room", move || insert(n))],
        Work::SimpleIter => {
            vec![idiomatic("per entity", move || iter(n)), other("flat", move || iter_flat(n))]
        }
        Work::FragmentedIter => vec![
            idiomatic("26 vectors", move || fragmented(26, n)),
            other("one vector", move || fragmented(1, 26 * n)),
        ],
        Work::SystemScheduling => vec![
            idiomatic("1 thread", move || scheduling(n, swap_on_one)),
            other("2 threads", move || scheduling(n, swap_on_two)),
        ],
        Work::HeavyCompute => vec![idiomatic("rayon", move || heavy(n))],
        Work::AddRemoveOneByOne => {
            vec![idiomatic("by index", move || add_remove(n, add_one_by_one, remove_one_by_one))]
        }
        Work::AddRemoveBatch => vec![idiomatic("fill", move || add_remove(n, add, remove))],
        Work::Churn(threads) => vec![
            idiomatic("per entity", move || churn(n, threads, Living::step)),
            other("flat", move || churn(n, threads, Living::step_flat)),
        ],
        Work::Get => vec![idiomatic("generations", move || get(n))],
        Work::GetMut => vec![idiomatic("generations", move || get_mut(n))],
        Work::Independent => vec![
            idiomatic("calls", move || systems(n, call)),
            other("rayon", move || systems(n, spawn)),
        ],
        Work::Chained => vec![idiomatic("calls", move || systems(n, call))],
    }
}

/// One vector for each component.
#[derive(Default)]
struct Columns {
    transforms: Vec<Transform>,
    positions: Vec<Position>,
    rotations: Vec<Rotation>,
    velocities: Vec<Velocity>,
}

impl Columns {
    fn with_room(entities: usize) -> Self {
        Self {
            transforms: Vec::with_capacity(entities),
            positions: Vec::with_capacity(entities),
            rotations: Vec::with_capacity(entities),
            velocities: Vec::with_capacity(entities),
        }
    }

    #[inline]
    fn push(&mut self, (transform, position, rotation, velocity): Bundle) {
        self.transforms.push(transform);
        self.positions.push(position);
        self.rotations.push(rotation);
        self.velocities.push(velocity);
    }

    fn filled(entities: usize) -> Self {
        let mut columns = Self::with_room(entities);
        (0..entities).for_each(|i| columns.push(bundle(i)));
        columns
    }

    fn summary(&mut self) -> Summary {
        let mut summary = Summary::default();
        for (((transform, position), rotation), velocity) in
            self.transforms.iter().zip(&self.positions).zip(&self.rotations).zip(&self.velocities)
        {
            summary.add_bundle(transform, position, rotation, velocity);
        }
        summary
    }
}

fn insert(entities: usize) -> impl Contender {
    let run = move |columns: &mut Columns| *columns = Columns::filled(entities);
    fresh(Columns::default, run, Columns::summary)
}

fn insert_growing(entities: usize) -> impl Contender {
    let run = move |columns: &mut Columns| (0..entities).for_each(|i| columns.push(bundle(i)));
    fresh(Columns::default, run, Columns::summary)
}

fn iter(entities: usize) -> impl Contender {
    let run = |columns: &mut Columns| {
        for (position, velocity) in columns.positions.iter_mut().zip(&columns.velocities) {
            advance(position, velocity);
        }
    };
    steady(Columns::filled(entities), run, Columns::summary)
}

fn iter_flat(entities: usize) -> impl Contender {
    let run = |columns: &mut Columns| {
        advance_flat(cast_slice_mut(&mut columns.positions), cast_slice(&columns.velocities));
    };
    steady(Columns::filled(entities), run, Columns::summary)
}

/// The common component is in one vector, or in one vector for each archetype.
fn fragmented(archetypes: usize, each: usize) -> impl Contender {
    let of_one = |_| (0..each).map(|i| (i % (each * archetypes / 26)) as f32).collect();
    let vectors: Vec<Vec<f32>> = (0..archetypes).map(of_one).collect();
    let run = |vectors: &mut Vec<Vec<f32>>| {
        for vector in vectors {
            for value in vector {
                *value *= 2.0;
            }
        }
    };
    steady(vectors, run, |vectors| Summary::of(vectors.iter().flatten().copied()))
}

/// The numbers of the entities of one archetype: one vector for each letter.
type Archetype<const N: usize> = [Vec<f32>; N];

/// (A, B), (A, B, C), (A, B, C, D) and (A, B, C, E).
type Archetypes = (Archetype<2>, Archetype<3>, Archetype<4>, Archetype<4>);

fn swap_all(one: &mut [f32], other: &mut [f32]) {
    one.iter_mut().zip(other).for_each(|(one, other)| swap(one, other));
}

/// One vector for each letter.
fn letters<const N: usize>(each: usize, letters: [u16; N]) -> Archetype<N> {
    letters.map(|letter| vec![f32::from(letter); each])
}

fn swap_ab(([a0, b0], [a1, b1, _], [a2, b2, ..], [a3, b3, ..]): &mut Archetypes) {
    for (a, b) in [(a0, b0), (a1, b1), (a2, b2), (a3, b3)] {
        swap_all(a, b);
    }
}

fn swap_on_one(archetypes: &mut Archetypes) {
    swap_ab(archetypes);
    let (_, _, [_, _, c2, d2], [_, _, c3, e3]) = archetypes;
    swap_all(c2, d2);
    swap_all(c3, e3);
}

fn swap_on_two(archetypes: &mut Archetypes) {
    let ([a0, b0], [a1, b1, _], [a2, b2, c2, d2], [a3, b3, c3, e3]) = archetypes;
    let first = || {
        for (a, b) in [(a0, b0), (a1, b1), (a2, b2), (a3, b3)] {
            swap_all(a, b);
        }
    };
    let second = || {
        swap_all(c2, d2);
        swap_all(c3, e3);
    };
    pool().install(|| rayon::join(first, second));
}

fn scheduling(each: usize, run: fn(&mut Archetypes)) -> impl Contender {
    let archetypes = (
        letters(each, [0, 1]),
        letters(each, [0, 1, 2]),
        letters(each, [0, 1, 2, 3]),
        letters(each, [0, 1, 2, 4]),
    );
    let summary = |(ab, abc, abcd, abce): &mut Archetypes| {
        let all = ab.iter().chain(abc.iter()).chain(abcd.iter()).chain(abce.iter());
        Summary::of(all.flatten().copied())
    };
    steady(archetypes, run, summary)
}

fn heavy(entities: usize) -> impl Contender {
    let run = |columns: &mut Columns| {
        let Columns { transforms, positions, .. } = columns;
        pool().install(|| {
            transforms
                .par_iter_mut()
                .zip(positions)
                .for_each(|(transform, position)| turn(transform, position));
        });
    };
    steady(Columns::filled(entities), run, Columns::summary)
}

/// The component is an `Option`. The indices of the entities to change are the third part.
type Both = (Vec<f32>, Vec<Option<f32>>, Vec<usize>);

fn add((_, b, _): &mut Both) {
    b.fill(Some(1.0));
}

fn remove((_, b, _): &mut Both) {
    b.fill(None);
}

fn add_one_by_one((_, b, indices): &mut Both) {
    for &index in &*indices {
        b[index] = Some(1.0);
    }
}

fn remove_one_by_one((_, b, indices): &mut Both) {
    for &index in &*indices {
        b[index] = None;
    }
}

fn add_remove(entities: usize, add: fn(&mut Both), remove: fn(&mut Both)) -> impl Contender {
    let all =
        |(a, b, _): &mut Both| Summary::of(a.iter().copied().chain(b.iter().copied().flatten()));
    let run = move |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let a = (0..entities).map(|i| i as f32).collect();
    let world = (a, vec![None; entities], (0..entities).collect());
    steady(world, run, move |both| Summary::twice(both, add, all, remove))
}

/// The entities, and those that are spawned in a step.
#[derive(Default)]
struct Living {
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
    lives: Vec<Life>,
    spawns: Vec<(Position, Velocity, Life)>,
}

impl Living {
    /// Replaces the entities whose life is over.
    fn renew(&mut self) {
        let mut i = 0;
        while i < self.lives.len() {
            if let Some(spawned) = data::age(&mut self.lives[i], &self.velocities[i]) {
                self.spawns.push(spawned);
                self.positions.swap_remove(i);
                self.velocities.swap_remove(i);
                self.lives.swap_remove(i);
            } else {
                i += 1;
            }
        }
        for (position, velocity, life) in self.spawns.drain(..) {
            self.positions.push(position);
            self.velocities.push(velocity);
            self.lives.push(life);
        }
    }

    fn step(&mut self) {
        self.renew();
        for (position, velocity) in self.positions.iter_mut().zip(&self.velocities) {
            advance(position, velocity);
        }
    }

    fn step_flat(&mut self) {
        self.renew();
        advance_flat(cast_slice_mut(&mut self.positions), cast_slice(&self.velocities));
    }
}

/// Each thread has its own part of the entities.
fn churn(entities: usize, threads: usize, step: fn(&mut Living)) -> impl Contender {
    let mut parts: Vec<Living> = (0..threads).map(|_| Living::default()).collect();
    for (i, life) in data::lives(entities).into_iter().enumerate() {
        let part = &mut parts[i * threads / entities];
        part.positions.push(data::position(i));
        part.velocities.push(data::velocity(i));
        part.lives.push(life);
    }
    let run = move |parts: &mut Vec<Living>| match parts.as_mut_slice() {
        [one, other] => {
            pool().install(|| rayon::join(|| step(one), || step(other)));
        }
        parts => parts.iter_mut().for_each(step),
    };
    let summary = |parts: &mut Vec<Living>| {
        let mut summary = Summary::default();
        for part in parts {
            for ((position, velocity), life) in
                part.positions.iter().zip(&part.velocities).zip(&part.lives)
            {
                summary.add_living(position, velocity, *life);
            }
        }
        summary
    };
    steady(parts, run, summary)
}

/// An index, and the number of its earlier uses.
#[derive(Clone, Copy)]
struct Handle {
    index: u32,
    generation: u32,
}

/// Positions with the generations of their indices; the handles to look up, in this order; and the sum of the values
/// that were read.
struct Slots {
    generations: Vec<u32>,
    positions: Vec<Position>,
    handles: Vec<Handle>,
    sum: f32,
}

impl Slots {
    #[inline]
    fn get(&self, handle: Handle) -> Option<&Position> {
        let index = handle.index as usize;
        self.generations.get(index).filter(|&&generation| generation == handle.generation)?;
        self.positions.get(index)
    }

    #[inline]
    fn get_mut(&mut self, handle: Handle) -> Option<&mut Position> {
        let index = handle.index as usize;
        self.generations.get(index).filter(|&&generation| generation == handle.generation)?;
        self.positions.get_mut(index)
    }
}

fn slots(entities: usize) -> Slots {
    let handles = shuffled(entities).into_iter();
    Slots {
        generations: vec![0; entities],
        positions: (0..entities).map(data::position).collect(),
        handles: handles.map(|i| Handle { index: i as u32, generation: 0 }).collect(),
        sum: 0.0,
    }
}

fn get(entities: usize) -> impl Contender {
    let run = |slots: &mut Slots| {
        let x = |&handle| slots.get(handle).expect("it lives").0[0];
        slots.sum = slots.handles.iter().map(x).sum();
    };
    steady(slots(entities), run, |slots| Summary::of([slots.sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |slots: &mut Slots| {
        let handles = std::mem::take(&mut slots.handles);
        for &handle in &handles {
            slots.get_mut(handle).expect("it lives").0[0] += 1.0;
        }
        slots.handles = handles;
    };
    steady(slots(entities), run, |slots| Summary::of_positions(&slots.positions))
}

/// One rayon job for each system.
fn spawn(systems: &[fn()]) {
    pool().scope(|scope| systems.iter().for_each(|system| scope.spawn(|_| system())));
}

/// One call for each system.
fn call(systems: &[fn()]) {
    for system in systems {
        system();
    }
}

fn systems(count: usize, run: fn(&[fn()])) -> impl Contender {
    macro_rules! system {
        ($number:literal) => {
            nothing::<$number> as fn()
        };
    }
    let systems = fifty!(system)[..count].to_vec();
    steady(systems, move |systems| run(systems), |_| Summary::default())
}
