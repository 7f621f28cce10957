//! Stage 2: the dead leave, and their rows and indices become free (thesis, algorithm 3).

use crate::scheduler::{PanicSlot, Workers};
use crate::signature::Declaration;
use crate::storage::BLOCK_ROWS;
use crate::world::Core;

/// Fewer dead are reclaimed on one thread: entering the pool would cost more.
const PARALLEL_FROM: usize = 4096;

impl<D: Declaration> Core<D> {
    /// Drops the components of everyone marked as dead and frees their rows and indices.
    ///
    /// The components go column by column, in parallel where there are many dead. Subscriptions
    /// follow in stage 3, where each system looks at the blocks that changed.
    pub(super) fn reclaim_dead(&mut self, panics: &PanicSlot) {
        if self.to_kill.is_empty() {
            return;
        }
        let mut count = 0;
        let state = &mut self.refresh;
        state.dead.resize(self.storage.entities.rows().len().div_ceil(BLOCK_ROWS), 0);
        for entity in self.to_kill.drain(..) {
            if let Some(row) = self.storage.entities.row(entity) {
                let (block, bit) = (row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
                if state.dead[block] == 0 {
                    state.dead_blocks.push(block as u32);
                }
                count += usize::from(state.dead[block] & bit == 0);
                state.dead[block] |= bit;
            }
        }
        // From the last block to the first, so that indices come free in an order that depends on
        // who died only, and are reused in ascending order.
        state.dead_blocks.sort_unstable_by(|a, b| b.cmp(a));
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
