//! By hand: vectors, slices, and rayon. There are no handles, except in the rows about them.

use crate::data::{
    self, Bundle, Life, Position, Rotation, Transform, Velocity, advance, advance_flat, bundle,
    shuffled, turn,
};
use crate::rows::{Form, Row, Summary, Work, form, fresh, pool, steady};
use bytemuck::{cast_slice, cast_slice_mut};
use rayon::prelude::*;
use std::hint::black_box;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let size = row.size;
    match row.work {
        Work::SimpleInsert => vec![insert(size)],
        Work::SimpleIter => iter(size),
        Work::FragmentedIter => fragmented(size),
        Work::SystemScheduling => scheduling(size),
        Work::HeavyCompute => vec![heavy(size)],
        Work::AddRemove => vec![add_remove(size)],
        Work::Churn => vec![churn("1 thread", size, 1), churn("2 threads", size, 2)],
        Work::Get | Work::GetMut => vec![random(row)],
        Work::Independent => vec![jobs(size)],
        Work::Chained => vec![calls(size)],
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

fn insert(entities: usize) -> Form {
    let run = move |columns: &mut Columns| *columns = Columns::filled(entities);
    form("", fresh(Columns::default, run, Columns::summary))
}

fn iter(entities: usize) -> Vec<Form> {
    let flat = |columns: &mut Columns| {
        advance_flat(cast_slice_mut(&mut columns.positions), cast_slice(&columns.velocities));
    };
    let run = |columns: &mut Columns| {
        for (position, velocity) in columns.positions.iter_mut().zip(&columns.velocities) {
            advance(position, velocity);
        }
    };
    vec![
        form("flat slices", steady(Columns::filled(entities), flat, Columns::summary)),
        form("slices of points", steady(Columns::filled(entities), run, Columns::summary)),
    ]
}

/// The common component is in one vector, or in one vector for each archetype.
fn fragmented(each: usize) -> Vec<Form> {
    let kinds = |kinds: usize, each: usize| -> Vec<Vec<f32>> {
        (0..kinds)
            .map(|_| (0..each).map(|i| (i % (each / (26 / kinds))) as f32).collect())
            .collect()
    };
    let run = |kinds: &mut Vec<Vec<f32>>| {
        for kind in kinds {
            for value in kind {
                *value *= 2.0;
            }
        }
    };
    let summary = |kinds: &mut Vec<Vec<f32>>| Summary::of(kinds.iter().flatten().copied());
    vec![
        form("one vector", steady(kinds(1, 26 * each), run, summary)),
        form("26 vectors", steady(kinds(26, each), run, summary)),
    ]
}

/// The numbers of the entities of one archetype: one vector for each letter.
type Kind<const N: usize> = [Vec<f32>; N];

/// (A, B), (A, B, C), (A, B, C, D) and (A, B, C, E).
type Kinds = (Kind<2>, Kind<3>, Kind<4>, Kind<4>);

fn swap_all(one: &mut [f32], other: &mut [f32]) {
    one.iter_mut().zip(other).for_each(|(one, other)| swap(one, other));
}

/// One vector for each letter.
fn array<const N: usize>(kind: Vec<Vec<f32>>) -> Kind<N> {
    kind.try_into().expect("as many letters")
}

fn scheduling(each: usize) -> Vec<Form> {
    let kind =
        |letters: &[u16]| letters.iter().map(|&n| vec![f32::from(n); each]).collect::<Vec<_>>();
    let kinds = || -> Kinds {
        (
            array(kind(&[0, 1])),
            array(kind(&[0, 1, 2])),
            array(kind(&[0, 1, 2, 3])),
            array(kind(&[0, 1, 2, 4])),
        )
    };
    let one = |([a0, b0], [a1, b1, _], [a2, b2, c2, d2], [a3, b3, c3, e3]): &mut Kinds| {
        for (a, b) in [(a0, b0), (a1, b1), (a2, b2), (a3, b3)] {
            swap_all(a, b);
        }
        swap_all(c2, d2);
        swap_all(c3, e3);
    };
    let two = |([a0, b0], [a1, b1, _], [a2, b2, c2, d2], [a3, b3, c3, e3]): &mut Kinds| {
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
    };
    let summary = |(ab, abc, abcd, abce): &mut Kinds| {
        let all = ab.iter().chain(abc.iter()).chain(abcd.iter()).chain(abce.iter());
        Summary::of(all.flatten().copied())
    };
    vec![
        form("1 thread", steady(kinds(), one, summary)),
        form("2 threads", steady(kinds(), two, summary)),
    ]
}

fn heavy(entities: usize) -> Form {
    let run = |columns: &mut Columns| {
        let Columns { transforms, positions, .. } = columns;
        pool().install(|| {
            transforms
                .par_iter_mut()
                .zip(positions)
                .for_each(|(transform, position)| turn(transform, position));
        });
    };
    form("2 threads", steady(Columns::filled(entities), run, Columns::summary))
}

/// The component is an `Option`.
fn add_remove(entities: usize) -> Form {
    type Both = (Vec<f32>, Vec<Option<f32>>);
    fn add((_, b): &mut Both) {
        b.fill(Some(1.0));
    }
    fn remove((_, b): &mut Both) {
        b.fill(None);
    }
    fn all((a, b): &mut Both) -> Summary {
        Summary::of(a.iter().copied().chain(b.iter().copied().flatten()))
    }
    let run = |both: &mut Both| {
        add(both);
        remove(black_box(&mut *both));
    };
    let world = ((0..entities).map(|i| i as f32).collect(), vec![None; entities]);
    form("", steady(world, run, |both| Summary::twice(both, add, all, remove)))
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
    fn step(&mut self) {
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
        advance_flat(cast_slice_mut(&mut self.positions), cast_slice(&self.velocities));
    }
}

/// Each thread has its own part of the entities.
fn churn(name: &'static str, entities: usize, threads: usize) -> Form {
    let mut parts: Vec<Living> = (0..threads).map(|_| Living::default()).collect();
    for (i, life) in data::lives(entities).into_iter().enumerate() {
        let part = &mut parts[i * threads / entities];
        part.positions.push(data::position(i));
        part.velocities.push(data::velocity(i));
        part.lives.push(life);
    }
    let run = |parts: &mut Vec<Living>| match parts.as_mut_slice() {
        [one, other] => {
            pool().install(|| rayon::join(|| one.step(), || other.step()));
        }
        parts => parts.iter_mut().for_each(Living::step),
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
    form(name, steady(parts, run, summary))
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

fn random(row: Row) -> Form {
    let handles = shuffled(row.size).into_iter();
    let slots = Slots {
        generations: vec![0; row.size],
        positions: (0..row.size).map(data::position).collect(),
        handles: handles.map(|i| Handle { index: i as u32, generation: 0 }).collect(),
        sum: 0.0,
    };
    if row.work == Work::Get {
        let run = |slots: &mut Slots| {
            let x = |&handle| slots.get(handle).expect("it lives").0[0];
            slots.sum = slots.handles.iter().map(x).sum();
        };
        return form("", steady(slots, run, |slots| Summary::of([slots.sum])));
    }
    let run = |slots: &mut Slots| {
        let handles = std::mem::take(&mut slots.handles);
        for &handle in &handles {
            slots.get_mut(handle).expect("it lives").0[0] += 1.0;
        }
        slots.handles = handles;
    };
    form("", steady(slots, run, |slots| Summary::of_positions(&slots.positions)))
}

fn nothing() {
    black_box(());
}

/// One rayon job for each system.
fn jobs(systems: usize) -> Form {
    let run = |systems: &mut Vec<fn()>| {
        pool().scope(|scope| systems.iter().for_each(|system| scope.spawn(|_| system())));
    };
    form("2 threads", steady(vec![nothing as fn(); systems], run, |_| Summary::default()))
}

/// One call for each system.
fn calls(systems: usize) -> Form {
    let run = |systems: &mut Vec<fn()>| systems.iter().for_each(|system| system());
    form("1 thread", steady(vec![nothing as fn(); systems], run, |_| Summary::default()))
}
