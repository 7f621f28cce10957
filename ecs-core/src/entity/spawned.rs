//! The handles of entities that were spawned together.

use core::iter::FusedIterator;

use super::{AllocatedRows, Entity};
use crate::rows::{BLOCK_ROWS, bits};

/// The entities that [`spawn_batch`](crate::Defer::spawn_batch) has created, in the order of their
/// bundles.
///
/// Handles are computed on demand, so unused ones cost nothing.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Mass(u32);
/// # world! { world Scale; component Mass; }
/// let mut world = World::<Scale>::new();
/// let mut last = None;
/// world.step(|step| {
///     let spawned = step.spawn_batch([5, 7].map(|mass| (Mass(mass),)));
///     assert_eq!(spawned.len(), 2);
///     last = spawned.last();
/// }).unwrap();
/// assert_eq!(world.get::<Mass>(last.unwrap()).unwrap().0, 7);
/// ```
#[derive(Clone, Default)]
pub struct Spawned<'a> {
    /// The entity in each row.
    entities: &'a [Entity],
    blocks: core::slice::Iter<'a, AllocatedRows>,
    block: usize,
    /// The remaining rows of that block.
    rows: u64,
    left: usize,
}

impl<'a> Spawned<'a> {
    pub(crate) fn new(entities: &'a [Entity], blocks: &'a [AllocatedRows]) -> Self {
        let left = blocks.last().map_or(0, AllocatedRows::end);
        Self { entities, blocks: blocks.iter(), block: 0, rows: 0, left }
    }
}

impl Spawned<'_> {
    /// The entities that are left, 64 at a time where they lie side by side. O(entities).
    pub(crate) fn into_vec(mut self) -> Vec<Entity> {
        let mut entities = Vec::with_capacity(self.left);
        while self.rows != 0 {
            entities.extend(self.next());
        }
        for &AllocatedRows { block, rows, .. } in self.blocks {
            let first = block as usize * BLOCK_ROWS;
            if rows == u64::MAX {
                entities.extend_from_slice(&self.entities[first..first + BLOCK_ROWS]);
            } else {
                entities.extend(bits(rows).map(|bit| self.entities[first + bit]));
            }
        }
        entities
    }
}

impl Iterator for Spawned<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        while self.rows == 0 {
            let next = self.blocks.next()?;
            (self.block, self.rows) = (next.block as usize, next.rows);
        }
        let row = self.block * BLOCK_ROWS + self.rows.trailing_zeros() as usize;
        self.rows &= self.rows - 1;
        self.left -= 1;
        Some(self.entities[row])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Spawned<'_> {}

impl FusedIterator for Spawned<'_> {}

impl core::fmt::Debug for Spawned<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
