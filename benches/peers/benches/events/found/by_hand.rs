//! The events of a step, sorted by cell by a counting sort on one thread. The readers go over slices of them.

use rayon::prelude::*;

use super::{add, cell, digest, hears, number, place, side};
use crate::{Contender, fold};

/// Events by cell: where those of each cell begin, and all of them.
struct Sorted<E> {
    starts: Vec<u32>,
    events: Vec<E>,
}

impl<E: Copy> Sorted<E> {
    fn sort(&mut self, cells: u32, events: &[(u32, E)], empty: E) {
        let Self { starts, events: sorted } = self;
        starts.clear();
        starts.resize(cells as usize + 2, 0);
        for (cell, _) in events {
            starts[*cell as usize + 2] += 1;
        }
        for cell in 2..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        sorted.resize(events.len(), empty);
        for (cell, event) in events {
            let start = &mut starts[*cell as usize + 1];
            sorted[*start as usize] = *event;
            *start += 1;
        }
    }

    /// The events of these cells, which come one after the other.
    fn of(&self, first: u32, last: u32) -> &[E] {
        &self.events[self.starts[first as usize] as usize..self.starts[last as usize + 1] as usize]
    }
}

/// Calls the function for each reader, with what it has heard.
fn read<R: Sync>(
    readers: &[R],
    heard: &mut [u64],
    threads: usize,
    f: impl Fn(&R, &mut u64) + Sync,
) {
    if threads == 1 {
        readers.iter().zip(heard).for_each(|(reader, heard)| f(reader, heard));
    } else {
        let parts = readers.par_iter().zip(heard).with_min_len(readers.len() / 8);
        parts.for_each(|(reader, heard)| f(reader, heard));
    }
}

struct ByHand<R, E> {
    readers: Vec<R>,
    heard: Vec<u64>,
    events: Vec<(u32, E)>,
    sorted: Sorted<E>,
    threads: usize,
    step: u32,
}

fn new<R, E>(events: u32, threads: usize, reader: impl Fn(u32, u32) -> R) -> ByHand<R, E> {
    let entities = events / 10;
    ByHand {
        readers: (0..entities).map(|entity| reader(entity, entities)).collect(),
        heard: vec![0; entities as usize],
        events: Vec::new(),
        sorted: Sorted { starts: Vec::new(), events: Vec::new() },
        threads,
        step: 0,
    }
}

pub(super) fn by_key(events: u32, threads: usize) -> Box<dyn Contender> {
    Box::new(new::<u32, u32>(events, threads, |entity, entities| cell(entity, 0, entities)))
}

pub(super) fn by_cell(events: u32, threads: usize) -> Box<dyn Contender> {
    Box::new(new::<[f32; 2], ([f32; 2], u32)>(events, threads, place))
}

impl Contender for ByHand<u32, u32> {
    fn step(&mut self) {
        self.step += 1;
        let Self { readers, heard, events, sorted, threads, step } = self;
        let entities = readers.len() as u32;
        events.clear();
        events.extend(
            (0..entities).map(|entity| (cell(entity, *step, entities), number(entity, *step))),
        );
        sorted.sort(side(entities) * side(entities), events, 0);
        read(readers, heard, *threads, |cell, heard| {
            *heard =
                sorted.of(*cell, *cell).iter().fold(*heard, |heard, event| fold(heard, *event));
        });
    }

    fn sum(&self) -> u64 {
        digest(self.heard.iter().copied())
    }
}

impl Contender for ByHand<[f32; 2], ([f32; 2], u32)> {
    fn step(&mut self) {
        self.step += 1;
        let Self { readers, heard, events, sorted, threads, step } = self;
        let side = side(readers.len() as u32);
        events.clear();
        events.extend((0..).zip(&*readers).map(|(entity, place)| {
            let cell = place[1] as u32 * side + place[0] as u32;
            (cell, (*place, number(entity, *step)))
        }));
        sorted.sort(side * side, events, ([0.0; 2], 0));
        read(readers, heard, *threads, |place, heard| {
            let [x, y] = place.map(|place| place as u32);
            let (left, right) = (x.saturating_sub(1), (x + 1).min(side - 1));
            for y in y.saturating_sub(1)..=(y + 1).min(side - 1) {
                let near = sorted.of(y * side + left, y * side + right).iter();
                let near = near.filter(|(at, _)| hears(*place, *at));
                *heard = add(*heard, near.map(|(_, number)| *number));
            }
        });
    }

    fn sum(&self) -> u64 {
        digest(self.heard.iter().copied())
    }
}
