//! The state hash of entities and components: by row, independent of how values are stored.

use super::stored::Stored;
use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, Presence, Storage};
use crate::rows::rows_of;
use crate::storage::HasColumn;
use crate::types::{StateHash, StateHasher};

impl Storage {
    /// Hashes the presence of `C`, and each value with `value`, in the order of rows.
    pub(crate) fn hash_component<D: HasColumn<C>, C: 'static>(
        &self,
        hasher: &mut StateHasher,
        value: impl Fn(&C, &mut StateHasher),
    ) {
        let presence = &self.column::<D, C>().presence;
        let blocks = self.entities.rows().len().div_ceil(BLOCK_ROWS);
        presence.state_hash(blocks, hasher);
        let table = D::Strategy::table::<D>(self);
        for page in 0..blocks.div_ceil(BLOCKS_PER_PAGE) {
            let Some(words) = presence.page(page) else { continue };
            let Some(cursor) = D::Strategy::page(table, page) else { continue };
            for (block, &word) in words.iter().enumerate() {
                for offset in rows_of(block, word) {
                    // SAFETY: the row is in the presence set, so it has a `C`.
                    let place = unsafe { D::Strategy::at::<D>(cursor, offset) };
                    // SAFETY: `at` points to the row's live `C`. Only subtasks write components
                    // through `&Storage`, and between steps there are none.
                    value(unsafe { &*place }, hasher);
                }
            }
        }
    }
}

impl Presence {
    /// Hashes the rows of the first `blocks` blocks.
    pub(crate) fn state_hash(&self, blocks: usize, hasher: &mut StateHasher) {
        (0..blocks).for_each(|block| self.word(block).state_hash(hasher));
    }
}
