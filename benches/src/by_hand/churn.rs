//! The churn benchmark by hand: a vector of lives.

use super::threads::{Threads, bound, cut, each};
use ecs_examples::churn::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};

/// The benchmark.
#[derive(Debug)]
pub struct Churn {
    threads: Threads,
    seed: u64,
    lives: Vec<Life>,
    /// The changes that each subtask defers to the end of the step.
    changes: Vec<Changes>,
    created: u64,
    destroyed: u64,
}

/// One entity: its remaining life, and its remaining successors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Life {
    v: f32,
    spawns: u32,
}

#[derive(Debug, Default)]
struct Changes {
    despawned: Vec<u32>,
    successors: Vec<Life>,
}

impl Churn {
    /// `entities` entities, on `threads` threads; with one, all work is on the calling thread.
    ///
    /// # Panics
    /// If `threads` is 0, or the threads cannot be started.
    pub fn new(entities: usize, seed: u64, threads: usize) -> Self {
        let life = |index| Life { v: initial_life(seed, index), spawns: SPAWNS };
        Self {
            threads: Threads::new(threads),
            seed,
            lives: (0..entities).map(life).collect(),
            changes: (0..threads).map(|_| Changes::default()).collect(),
            created: entities as u64,
            destroyed: 0,
        }
    }

    /// Runs a step, and returns the number of living entities after it.
    pub fn step(&mut self) -> usize {
        let Self { threads, seed, lives, changes, .. } = self;
        let (seed, parts, count) = (*seed, changes.len(), lives.len());
        threads.run(|| {
            let parts = cut(lives, parts)
                .zip(changes.iter_mut())
                .enumerate()
                .map(|(part, (lives, changes))| (bound(count, part, parts) as u32, lives, changes));
            each(parts, |(first, lives, changes)| changes.note(seed, first, lives));
        });
        self.apply();
        self.lives.len()
    }

    /// Spawned entities take the rows of despawned ones; the remaining gaps are closed.
    fn apply(&mut self) {
        let despawned = self.changes.iter().flat_map(|changes| &changes.despawned).copied();
        let mut successors = self.changes.iter().flat_map(|changes| &changes.successors).copied();
        let (mut created, mut destroyed) = (0, 0);
        let mut vacant = Vec::new();
        for row in despawned {
            destroyed += 1;
            match successors.next() {
                Some(life) => {
                    self.lives[row as usize] = life;
                    created += 1;
                }
                None => vacant.push(row),
            }
        }
        // From the last row down, so that the row that moves into a gap is of a living entity.
        for row in vacant.into_iter().rev() {
            self.lives.swap_remove(row as usize);
        }
        self.created += created;
        self.destroyed += destroyed;
    }

    /// The number of entities that were created, including the first ones.
    pub fn created(&self) -> u64 {
        self.created
    }

    /// The number of entities that were despawned.
    pub fn destroyed(&self) -> u64 {
        self.destroyed
    }

    /// The living entities, as the bits of their lives and their remaining spawns, in ascending
    /// order.
    pub fn sorted(&self) -> Vec<(u32, u32)> {
        let mut lives: Vec<_> = self.lives.iter().map(|l| (l.v.to_bits(), l.spawns)).collect();
        lives.sort_unstable();
        lives
    }
}

impl Changes {
    /// Shortens each life, and notes the rows of ended lives and the entities that replace them.
    fn note(&mut self, seed: u64, first: u32, lives: &mut [Life]) {
        self.despawned.clear();
        self.successors.clear();
        for (row, life) in (first..).zip(lives) {
            life.v -= DECAY_PER_FRAME;
            if life.v <= 0.0 {
                self.despawned.push(row);
                if life.spawns > 0 {
                    let v = next_life(seed, life.v.to_bits(), life.spawns);
                    self.successors.push(Life { v, spawns: life.spawns - 1 });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_goes_on_for_as_long_as_it_may() {
        let mut churn = Churn::new(100, 7, 1);
        while churn.step() > 0 {}
        assert_eq!(churn.created(), 100 * (u64::from(SPAWNS) + 1));
        assert_eq!(churn.destroyed(), churn.created());
    }

    #[test]
    fn threads_do_not_show() {
        let [mut one, mut two] = [1, 2].map(|threads| Churn::new(1000, 3, threads));
        for _ in 0..50 {
            assert_eq!(one.step(), two.step());
            assert_eq!(one.sorted(), two.sorted());
        }
    }
}
