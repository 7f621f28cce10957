//! What the designs by hand need of a library: handles of enemies, and a grid in which they are found.

use super::cells::{self, CELLS};
use super::rules::{Nearest, Vector};

/// The name of an enemy. No later enemy has an equal one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Handle {
    slot: u32,
    generation: u32,
}

/// Where enemies are.
#[derive(Debug, Default)]
pub(super) struct Handles {
    /// For each slot its generation, and the index of the enemy.
    slots: Vec<(u32, u32)>,
    free: Vec<u32>,
}

impl Handles {
    /// The handle of an enemy at this index.
    pub(super) fn add(&mut self, index: usize) -> Handle {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, 0));
            self.slots.len() as u32 - 1
        });
        let place = &mut self.slots[slot as usize];
        place.1 = index as u32;
        Handle { slot, generation: place.0 }
    }

    /// The index of the enemy, if it is there.
    #[inline]
    pub(super) fn find(&self, handle: Handle) -> Option<usize> {
        let (generation, index) = self.slots[handle.slot as usize];
        (generation == handle.generation).then_some(index as usize)
    }

    /// The enemy is now at that index.
    pub(super) fn set(&mut self, handle: Handle, index: usize) {
        self.slots[handle.slot as usize].1 = index as u32;
    }

    /// The enemy is gone.
    pub(super) fn remove(&mut self, handle: Handle) {
        self.slots[handle.slot as usize].0 += 1;
        self.free.push(handle.slot);
    }
}

/// An enemy in the grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) position: Vector,
    pub(super) number: u32,
    pub(super) index: u32,
}

/// Enemies sorted by cell.
#[derive(Debug)]
pub(super) struct Grid {
    /// For each cell the number of enemies in the cells before it.
    starts: Vec<u32>,
    cells: Vec<u32>,
    sorted: Vec<Seen>,
}

impl Default for Grid {
    fn default() -> Self {
        let starts = vec![0; CELLS + 2];
        Self { starts, cells: Vec::new(), sorted: Vec::new() }
    }
}

impl Grid {
    /// Sorts the enemies.
    #[inline]
    pub(super) fn sort(&mut self, enemies: impl Iterator<Item = Seen> + Clone) {
        self.starts.fill(0);
        self.cells.clear();
        for enemy in enemies.clone() {
            let cell = cells::cell(enemy.position);
            self.cells.push(cell as u32);
            self.starts[cell + 2] += 1;
        }
        for cell in 2..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.sorted.resize(self.cells.len(), Seen::default());
        for (&cell, enemy) in self.cells.iter().zip(enemies) {
            let end = &mut self.starts[cell as usize + 1];
            self.sorted[*end as usize] = enemy;
            *end += 1;
        }
    }

    /// The enemies in the cells around a point.
    #[inline]
    pub(super) fn around(&self, point: Vector) -> [&[Seen]; 3] {
        cells::around(point).map(|cells| {
            let (start, end) = (self.starts[cells.start], self.starts[cells.end]);
            &self.sorted[start as usize..end as usize]
        })
    }

    /// The index of the enemy that a tower shoots at.
    // Inlined into a loop over towers, it has fewer registers, and takes longer.
    #[inline(never)]
    pub(super) fn nearest(&self, tower: Vector) -> Option<u32> {
        let mut nearest = Nearest::default();
        for enemies in self.around(tower) {
            for e in enemies {
                nearest.add(tower, e.position, e.number, e.index);
            }
        }
        nearest.enemy
    }
}
