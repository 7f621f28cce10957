//! The particle simulation by hand.

mod collision;
mod columns;
mod contacts;
mod grid;
mod life;
mod motion;
mod render;

use super::threads::{Threads, both, bound, cut, each};
use collision::{Finder, ROWS};
use contacts::Batch;
use columns::Columns;
use std::sync::atomic::AtomicUsize;
use ecs_examples::particles::Disc;
use grid::Sorter;
pub use render::Vertex;
use render::{Fan, VERTICES};

/// The simulation.
#[derive(Debug)]
pub struct Particles {
    threads: Threads,
    state: State,
}

/// A part of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "wip")]
pub enum Phase {
    Move,
    Collide,
    Sort,
    Solve,
    Render,
    Remove,
}

#[derive(Debug)]
struct State {
    columns: Columns,
    /// One of each for every subtask.
    sorters: Vec<Sorter>,
    finders: Vec<Finder>,
    dead: Vec<Vec<u32>>,
    all_dead: Vec<u32>,
    batches: Vec<Batch>,
    fan: Fan,
    vertices: Vec<Vertex>,
}

impl Particles {
    /// New.
    pub fn new(discs: &[Disc], threads: usize) -> Self {
        let state = State {
            columns: Columns::new(discs),
            sorters: (0..threads).map(|_| Sorter::new()).collect(),
            finders: (0..threads).map(|_| Finder::new()).collect(),
            dead: vec![Vec::new(); threads],
            all_dead: Vec::new(),
            batches: (0..discs.len().div_ceil(ROWS)).map(|_| Batch::default()).collect(),
            fan: render::fan(),
            vertices: vec![Vertex::default(); discs.len() * VERTICES],
        };
        Self { threads: Threads::new(threads), state }
    }

    /// Frame.
    pub fn frame(&mut self) -> u64 {
        self.frame_observed(|_| ())
    }

    /// Frame.
    pub fn frame_observed(&mut self, done: impl FnMut(Phase) + Send) -> u64 {
        self.threads.run(|| self.state.frame(done))
    }

    /// Alive.
    pub fn alive(&self) -> usize {
        self.state.columns.len()
    }

    /// Discs.
    pub fn discs(&self) -> Vec<(u32, Disc)> {
        (0..self.alive()).map(|row| self.state.columns.disc(row)).collect()
    }

    /// Vertices.
    pub fn vertices(&self) -> &[Vertex] {
        &self.state.vertices
    }
}

impl State {
    fn frame(&mut self, mut done: impl FnMut(Phase)) -> u64 {
        let parts = self.sorters.len();
        let count = self.columns.len();
        let columns = &mut self.columns;

        let slice = |part: usize| bound(count, part, parts)..bound(count, part + 1, parts);
        let motion = cut(&mut columns.position, parts)
            .zip(cut(&mut columns.velocity, parts))
            .zip(cut(&mut columns.acceleration, parts))
            .zip(cut(&mut columns.look, parts))
            .zip(&mut self.sorters)
            .enumerate();
        each(motion, |(part, ((((p, v), a), look), sorter))| {
            motion::advance(p, v, a, look);
            sorter.clear();
            sorter.add(p, look, slice(part).start as u32);
        });
        done(Phase::Move);

        let sorters = &self.sorters[..];
        let next = AtomicUsize::new(0);
        each(self.finders.iter_mut(), |finder| finder.find(sorters, &next, count));
        let contacts = self.finders.iter().map(Finder::found).sum();
        done(Phase::Collide);

        let finders = &self.finders[..];
        let total = count.div_ceil(ROWS);
        let batches = &mut self.batches[..total];
        each(cut(batches, parts).enumerate(), |(part, batches)| {
            for (number, batch) in (bound(total, part, parts)..).zip(batches) {
                batch.gather(finders, number);
            }
        });
        done(Phase::Sort);

        both(
            parts,
            || {
                for batch in &self.batches[..total] {
                    batch.solve(&mut columns.position, &mut columns.velocity);
                }
            },
            || {
                let lives = cut(&mut columns.life, parts)
                    .zip(cut(&mut columns.look, parts))
                    .zip(self.dead.iter_mut())
                    .enumerate();
                each(lives, |(part, ((lives, looks), dead))| {
                    life::age(lives, looks, slice(part).start as u32, dead);
                });
            },
        );
        done(Phase::Solve);

        self.vertices.truncate(count * VERTICES);
        let mut rest = self.vertices.as_mut_slice();
        let targets = (0..parts).map(|part| {
            let rows = slice(part);
            let target = rest.split_off_mut(..rows.len() * VERTICES).expect("as many as discs");
            (rows, target)
        });
        each(targets, |(rows, target)| {
            render::render(&self.fan, &columns.position[rows.clone()], &columns.look[rows], target);
        });
        done(Phase::Render);

        self.all_dead.clear();
        for dead in &self.dead {
            self.all_dead.extend_from_slice(dead);
        }
        columns.remove(&self.all_dead);
        done(Phase::Remove);
        contacts
    }
}
