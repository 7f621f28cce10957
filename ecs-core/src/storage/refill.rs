//! Moves entities to other rows: spawned entities to rows of their archetype, the last entities of
//! each archetype into gaps, and those of the last pages to pages that no archetype owns.

use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, Buffers, Columns, Storage, Values};
use crate::parallel::PanicSlot;
use crate::rows::bits;
use crate::types::IndexSet;

impl Storage {
    /// Moves spawned entities to rows of their archetype, closes gaps between the rows in use, and moves pages down;
    /// see [`Entities::refill`](crate::entity::Entities::refill). `moves` becomes the pairs of old
    /// and new rows, in order.
    ///
    /// O(moves × components), and O(1) if there are no moves. With rows by archetype also
    /// O(archetypes), and O(components) for each block with spawned entities.
    pub(crate) fn refill(&mut self, moves: &mut Vec<(usize, usize)>, panics: &PanicSlot) {
        moves.clear();
        self.sort_out(moves, panics);
        let sorted = moves.len();
        // Rows that are moved are dirty, so that the version is forgotten when they are cleaned.
        let rows = self.entities.rows().len();
        self.entities.as_same().refill(|from, to| moves.push((from, to)));
        if self.entities.rows().len() != rows {
            self.entities.forget();
        }
        self.move_values(&moves[sorted..], panics);
    }

    /// Moves the components of entities to their new rows.
    fn move_values(&mut self, moves: &[(usize, usize)], panics: &PanicSlot) {
        if moves.is_empty() {
            return;
        }
        self.move_marks(moves);
        for (index, column) in self.columns.iter_mut().enumerate() {
            for &pair in moves {
                column.move_value(&mut self.buffers, pair, index, panics);
            }
        }
    }

    /// Moves spawned entities whose components differ from those of their archetype to rows of
    /// another archetype. Goes block by block, in the order in which blocks got their first spawned
    /// entity.
    fn sort_out(&mut self, moves: &mut Vec<(usize, usize)>, panics: &PanicSlot) {
        let mut spawned = core::mem::take(&mut self.entities.as_same().spawned);
        for (block, rows) in spawned.drain() {
            let rows = rows & self.entities.alive().word(block);
            if rows == 0 {
                continue;
            }
            let own = self.entities.key_of_page(block / BLOCKS_PER_PAGE);
            let keys = self.keys(block, rows);
            for bit in bits(rows).filter(|&bit| keys[bit] != own) {
                let row = block * BLOCK_ROWS + bit;
                let Self { entities, columns, buffers, .. } = &mut *self;
                let reserve = |to| reserve(columns, buffers, row, to);
                let Some(to) = entities.relocate(row, keys[bit], reserve) else { continue };
                // Immediately, as the new row may be in a block that is processed later.
                self.move_values(&[(row, to)], panics);
                moves.push((row, to));
            }
        }
        // For its memory.
        self.entities.as_same().spawned = spawned;
    }

    /// The [keys](IndexSet::key) of the components of a block's rows. O(components + components of
    /// the rows).
    fn keys(&self, block: usize, rows: u64) -> [u64; BLOCK_ROWS] {
        let mut keys = [0; BLOCK_ROWS];
        for (index, column) in self.columns.iter().enumerate() {
            for bit in bits(column.presence.word(block) & rows) {
                keys[bit] ^= IndexSet::key_of(index);
            }
        }
        keys
    }
}

/// Reserves memory in row `to` for the components of row `from`. Returns whether the system gives it.
fn reserve(columns: &Columns, buffers: &mut Buffers, from: usize, to: usize) -> bool {
    columns.iter().filter(|column| column.presence.contains(from)).all(|column| {
        match column.values {
            Values::Buffered { buffer, .. } => {
                buffers[buffer].try_reserve(to + 1, || column.presence.count())
            }
            Values::External(_) | Values::Elsewhere => true,
        }
    })
}
