//! The particle simulation by hand.

mod collision;
mod columns;
mod grid;
mod life;
mod motion;
mod render;

use super::threads::{Threads, both, bound, cut, each};
use collision::Finder;
use columns::Columns;
use ecs_examples::particles::Disc;
use grid::{CELLS, COLUMN, Shard};
pub use render::Vertex;
use render::Fan;
use std::sync::atomic::AtomicU32;

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
    Measure,
    Reserve,
    Fill,
    Collide,
    Solve,
    Render,
    Remove,
}

#[derive(Debug)]
struct State {
    columns: Columns,
    /// One of each for every subtask.
    shards: Vec<Shard>,
    finders: Vec<Finder>,
    dead: Vec<Vec<u32>>,
    all_dead: Vec<u32>,
    runs: Vec<AtomicU32>,
    fan: Fan,
    vertices: Vec<[f32; render::WORDS]>,
}

impl Particles {
    /// New.
    pub fn new(discs: &[Disc], threads: usize) -> Self {
        let state = State {
            columns: Columns::new(discs),
            shards: (0..threads).map(|_| Shard::new()).collect(),
            finders: (0..threads).map(|_| Finder::default()).collect(),
            dead: vec![Vec::new(); threads],
            all_dead: Vec::new(),
            runs: discs.iter().map(|_| AtomicU32::new(0)).collect(),
            fan: render::fan(),
            vertices: vec![[0.0; render::WORDS]; discs.len()],
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
    pub fn vertices(&self) -> &[[f32; 45]] {
        &self.state.vertices
    }
}

impl State {
    fn frame(&mut self, mut done: impl FnMut(Phase)) -> u64 {
        let parts = self.shards.len();
        let count = self.columns.len();
        let columns = &mut self.columns;

        let motion = cut(&mut columns.position, parts)
            .zip(cut(&mut columns.velocity, parts))
            .zip(cut(&mut columns.acceleration, parts))
            .zip(cut(&mut columns.look, parts));
        each(motion, |(((p, v), a), look)| motion::advance(p, v, a, look));
        done(Phase::Move);

        let slice = |part: usize| bound(count, part, parts)..bound(count, part + 1, parts);
        each(self.shards.iter_mut().enumerate(), |(part, shard)| {
            shard.measure(&columns.position[slice(part)], &columns.look[slice(part)]);
        });
        done(Phase::Measure);
        each(self.shards.iter_mut(), Shard::reserve);
        done(Phase::Reserve);
        each(self.shards.iter_mut().enumerate(), |(part, shard)| {
            let rows = slice(part);
            let first = rows.start as u32;
            shard.fill(&columns.position[rows.clone()], &columns.look[rows], first);
        });
        done(Phase::Fill);

        each(self.finders.iter_mut().enumerate(), |(part, finder)| {
            let rows = slice(part);
            let first = rows.start;
            finder.find(&self.shards, &columns.position[rows.clone()], &columns.look[rows], first, part);
        });
        let contacts = self.finders.iter().map(Finder::found).sum();
        done(Phase::Collide);

        both(
            parts,
            || {
                collision::solve(
                    &self.finders,
                    &mut columns.position,
                    &mut columns.velocity,
                );
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

        self.vertices.truncate(count);
        let mut rest = self.vertices.as_mut_slice();
        let targets = (0..parts).map(|part| {
            let rows = slice(part);
            let target = rest.split_off_mut(..rows.len()).expect("as many as discs");
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
