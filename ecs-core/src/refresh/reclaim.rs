//! Stage 2: frees the rows and indices of despawned entities (thesis, algorithm 3).

use core::ops::Range;

use crate::parallel::PanicSlot;
use crate::refresh::inner_threads;
use crate::rows::{BLOCK_ROWS, Presence};
use crate::state::{CoreData, RefreshState};
use crate::storage::span;

impl RefreshState {
    /// Removes rows that are free from the masks of despawned rows, and sorts the blocks, so that the result depends only on which
    /// entities were despawned. Returns the number of rows. A block without rows leaves the list: an empty mask means that a block is not
    /// listed.
    pub(super) fn keep_dead(&mut self, alive: &Presence) -> u32 {
        let (mut count, dead) = (0, &mut self.dead);
        self.dead_blocks.retain(|&block| {
            let dead = &mut dead[block as usize];
            *dead &= alive.word(block as usize);
            count += dead.count_ones();
            *dead != 0
        });
        self.dead_blocks.sort_unstable();
        count
    }
}

impl CoreData {
    /// Collects the marks into masks of despawned rows, block by block. Includes entities that
    /// sequential systems have despawned immediately. Returns the number of rows.
    pub(super) fn collect_dead(&mut self) -> u32 {
        let to_despawn = &mut self.to_despawn;
        self.storage.entities.as_same().give_back(|block, rows| to_despawn.mark_block(block, rows));
        if self.to_despawn.is_empty() {
            return 0;
        }
        let state = &mut self.refresh;
        state.dead.resize(self.storage.entities.rows().len().div_ceil(BLOCK_ROWS), 0);
        for (block, rows) in self.to_despawn.drain() {
            let Some(dead) = state.dead.get_mut(block) else { continue };
            if *dead == 0 {
                state.dead_blocks.push(block as u32);
            }
            *dead |= rows;
        }
        // A marked row may be free already.
        state.keep_dead(self.storage.entities.alive())
    }

    /// Drops the components of the `count` despawned entities, and frees their rows and indices.
    ///
    /// Chunks of rows are processed in parallel if there are many; before that, columns in external
    /// storage. Subscriptions follow in stage 3, which matches the changed blocks.
    pub(super) fn reclaim_dead(&mut self, count: u32, panics: &PanicSlot) {
        if count == 0 {
            return;
        }
        let RefreshState { dead, dead_blocks: blocks, .. } = &mut self.refresh;
        let span = span(blocks.iter().copied());
        let storage = &mut self.storage;
        let threads = inner_threads(&self.threads, self.inner_parallelism);
        self.policies.share(threads, count as usize, |workers| {
            storage.drop_external(workers, blocks, dead, panics);
            storage.for_chunks_of(span, workers, panics, &|chunk| {
                let Range { start, end } = chunk.blocks();
                let before = |end: usize| blocks.partition_point(|&block| (block as usize) < end);
                chunk.free(&blocks[before(start)..before(end)], dead);
            });
        });
    }

    /// Clears the masks of despawned rows.
    pub(super) fn forget_dead(&mut self) {
        let RefreshState { dead, dead_blocks, .. } = &mut self.refresh;
        for block in dead_blocks.drain(..) {
            dead[block as usize] = 0;
        }
    }
}
