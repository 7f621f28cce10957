//! The particle simulation by hand: a vector per component, and loops fused where they can be.
//!
//! The triangles are the same code as in the library's version. The search for contacts goes by cell: each subtask sorts
//! its discs into a grid of its own (`grid`), searches the discs of a range of cells (`search`), and the contacts of
//! all subtasks are merged in order (`merge`).

mod columns;
mod contacts;
mod grid;
mod life;
mod merge;
mod motion;
mod search;

use super::threads::{Threads, both, bound, cut, each};
use columns::Columns;
use ecs_core::Output;
use ecs_examples::particles::Disc;
use ecs_examples::particles::vertex::{Fan, Vertices};
use grid::Shard;
use merge::Merge;
use search::Contacts;

/// The simulation.
#[derive(Debug)]
pub struct Particles {
    threads: Threads,
    state: State,
}

#[derive(Debug)]
struct State {
    columns: Columns,
    fan: Fan,
    /// One for each subtask.
    parts: Vec<Part>,
    shards: Vec<Shard<u32>>,
    contacts: Vec<Contacts<u32>>,
    merge: Merge<u32>,
    removed: Vec<u32>,
}

/// The data of one subtask.
#[derive(Debug, Default)]
struct Part {
    expired: Vec<u32>,
    vertices: Vertices,
}

impl Particles {
    /// The given discs, on `threads` threads; with one, all work is on the calling thread.
    ///
    /// # Panics
    /// If `threads` is 0, or the threads cannot be started.
    pub fn new(discs: &[Disc], threads: usize) -> Self {
        let state = State {
            columns: Columns::new(discs),
            fan: Fan::default(),
            parts: (0..threads).map(|_| Part::default()).collect(),
            shards: (0..threads).map(|_| Shard::default()).collect(),
            contacts: (0..threads).map(|_| Contacts::default()).collect(),
            merge: Merge::default(),
            removed: Vec::new(),
        };
        Self { threads: Threads::new(threads), state }
    }

    /// Runs one frame, and returns the number of contacts.
    pub fn frame(&mut self) -> u64 {
        self.threads.run(|| self.state.frame())
    }

    /// The number of living discs.
    pub fn alive(&self) -> usize {
        self.state.columns.len()
    }

    /// The living discs with their ids, in ascending order of ids.
    pub fn discs(&self) -> Vec<(u32, Disc)> {
        let mut discs: Vec<_> = (0..self.alive()).map(|row| self.state.columns.disc(row)).collect();
        discs.sort_unstable_by_key(|&(id, _)| id);
        discs
    }
}

impl State {
    fn frame(&mut self) -> u64 {
        let Self { columns, fan, parts, shards, contacts, merge, removed } = self;
        let (number, count) = (parts.len(), columns.len());
        let slice = |part: usize| bound(count, part, number)..bound(count, part + 1, number);

        let moving = cut(&mut columns.position, number)
            .zip(cut(&mut columns.velocity, number))
            .zip(cut(&mut columns.acceleration, number))
            .zip(cut(&mut columns.look, number))
            .zip(shards.iter_mut())
            .enumerate();
        each(moving, |(part, ((((p, v), a), looks), shard))| {
            motion::advance(p, v, a, looks);
            shard.reset();
            for ((row, position), look) in (slice(part).start as u32..).zip(&*p).zip(&*looks) {
                shard.measure(row, *position, look.radius);
            }
            shard.reserve();
            for (ordinal, (position, look)) in p.iter().zip(looks).enumerate() {
                shard.fill(ordinal, *position, look.radius);
            }
        });

        let pieces = contacts.len();
        each(contacts.iter_mut().enumerate(), |(piece, contacts)| {
            contacts.reset();
            let (first, end) = (bound(count, piece, pieces), bound(count, piece + 1, pieces));
            contacts.find(&shards.iter(), first as u32, end - first);
        });

        both(
            number,
            || contacts::solve(contacts, merge, &mut columns.position, &mut columns.velocity),
            || {
                let lives = cut(&mut columns.life, number)
                    .zip(cut(&mut columns.look, number))
                    .zip(parts.iter_mut())
                    .enumerate();
                each(lives, |(number, ((lives, looks), part))| {
                    life::age(lives, looks, slice(number).start as u32, &mut part.expired);
                });
            },
        );

        each(parts.iter_mut().enumerate(), |(number, part)| {
            let rows = slice(number);
            let discs = columns.position[rows.clone()].iter().zip(&columns.look[rows.clone()]);
            for (corners, (position, look)) in
                part.vertices.for_discs(rows.len()).iter_mut().zip(discs)
            {
                fan.write(corners, *position, look.radius, look.color);
            }
        });

        removed.clear();
        for part in parts {
            removed.extend_from_slice(&part.expired);
        }
        columns.remove(removed);
        contacts.iter().map(|contacts| contacts.as_slice().len() as u64).sum()
    }
}
