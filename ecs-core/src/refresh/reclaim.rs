//! Stage 2: the dead leave, and their rows and indices become free (thesis, algorithm 3).

use crate::scheduler::{PanicSlot, Workers};
use crate::signature::Declaration;
use crate::storage::BLOCK_ROWS;
use crate::world::Core;

/// Fewer dead are reclaimed on one thread: entering the pool would cost more.
const PARALLEL_FROM: u32 = 4096;

impl<D: Declaration> Core<D> {
    /// Turns the marks into masks of the dead, block by block; how many there are.
    pub(super) fn collect_dead(&mut self) -> u32 {
        let mut count = 0;
        if self.to_kill.is_empty() {
            return count;
        }
        let state = &mut self.refresh;
        state.dead.resize(self.storage.entities.rows().len().div_ceil(BLOCK_ROWS), 0);
        for row in self.to_kill.drain(..) {
            let (block, bit) = (row as usize / BLOCK_ROWS, 1 << (row as usize % BLOCK_ROWS));
            let Some(dead) = state.dead.get_mut(block) else { continue };
            if *dead == 0 {
                state.dead_blocks.push(block as u32);
            }
            *dead |= bit;
        }
        for &block in &state.dead_blocks {
            // A place may have been free already.
            let dead = &mut state.dead[block as usize];
            *dead &= self.storage.entities.alive().word(block as usize);
            count += dead.count_ones();
        }
        // From the first block to the last, so that what happens depends on who died only.
        state.dead_blocks.sort_unstable();
        count
    }

    /// Drops the components of so many dead, and frees their rows and indices.
    ///
    /// The components go column by column, in parallel where there are many dead. Subscriptions
    /// follow in stage 3, where each system looks at the blocks that changed.
    pub(super) fn reclaim_dead(&mut self, count: u32, panics: &PanicSlot) {
        let state = &mut self.refresh;
        let (dead, blocks) = (&state.dead, &state.dead_blocks);
        if count < PARALLEL_FROM {
            self.storage.drop_components(&Workers::inline(), blocks, dead, panics);
        } else {
            let storage = &mut self.storage;
            self.threads.run(|workers| storage.drop_components(workers, blocks, dead, panics));
        }
        for block in state.dead_blocks.drain(..) {
            let dead = core::mem::take(&mut state.dead[block as usize]);
            self.storage.entities.reclaim(block as usize, dead);
        }
    }
}
