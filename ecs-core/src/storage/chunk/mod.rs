//! *Chunks*: pieces of the storage that are changed in parallel.
//!
//! A refresh has work for many rows, so it is split by rows. A chunk is a fixed number of pages of
//! every column, with the entities in their rows. The thread that processes a chunk has exclusive
//! access to it, so no locks are needed. Chunks follow from rows, not from threads, so the result
//! does not depend on which thread processes which chunk.

mod column;

use core::ops::Range;

pub(crate) use column::ChunkColumn;

use super::column::Values;
use super::removals::Removals;
use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, Column, Columns, HasColumn, PAGE_ROWS, Storage, end_of};
use crate::entity::{AllocatedRows, Tables};
use crate::parallel::{PanicSlot, Workers, fork_each};
use crate::rows::{PresencePages, rows_of};
use crate::types::TypeInfo;

/// Pages per chunk.
const CHUNK_PAGES: usize = 4;

/// Rows per chunk.
pub(crate) const CHUNK_ROWS: usize = CHUNK_PAGES * PAGE_ROWS;

/// Blocks per chunk.
pub(crate) const CHUNK_BLOCKS: usize = CHUNK_PAGES * BLOCKS_PER_PAGE;

/// The tables of a column while chunks are changed.
#[derive(Clone, Copy, Debug)]
struct ColumnTables {
    presence: PresencePages,
    /// The buffer, if the values lie in one.
    buffer: Option<BufferTables>,
}

/// The buffer of a column.
#[derive(Clone, Copy, Debug)]
struct BufferTables {
    /// The address for the value of row 0.
    first: *mut u8,
    stride: usize,
    /// The number of rows that there is memory for.
    rows: usize,
    info: TypeInfo,
    /// What becomes of the values of despawned entities.
    dead: Dead,
}

/// What becomes of a value of a despawned entity.
#[derive(Clone, Copy, Debug)]
enum Dead {
    /// Nothing.
    Forgotten,
    Dropped,
    /// It is kept for systems that read what was removed.
    Kept,
}

/// The results of a chunk, reused for their memory.
#[derive(Debug, Default)]
struct ChunkResult {
    notes: Notes,
    panics: PanicSlot,
}

/// Work that a chunk leaves until all chunks are done.
#[derive(Debug, Default)]
struct Notes {
    /// Pages of columns that have become dirty, as `(column, page)`.
    dirty: Vec<(u32, u32)>,
    /// Rows whose indices are used up.
    retired: Vec<u32>,
    /// The number of rows freed in each page.
    freed: [usize; CHUNK_PAGES],
    /// By column, values that were removed, and are kept for systems that read them.
    removed: Vec<(u32, Removals)>,
}

/// The removed values of the column among the notes of a chunk.
fn removed_of(removed: &mut Vec<(u32, Removals)>, column: u32, info: TypeInfo) -> &mut Removals {
    let at = removed.iter().position(|(of, _)| *of == column).unwrap_or_else(|| {
        removed.push((column, Removals::new(info)));
        removed.len() - 1
    });
    &mut removed[at].1
}

/// Memory that is reused.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    tables: Vec<ColumnTables>,
    results: Vec<ChunkResult>,
    /// Rows of spawned entities.
    pub(crate) spawned: Vec<AllocatedRows>,
}

// SAFETY: the pointers are used only while `Storage::for_chunks` or `for_allocated` runs, which has
// made them from `&mut Storage` and hands out chunks that do not overlap, or one chunk at a time.
unsafe impl Send for Scratch {}
// SAFETY: as above.
unsafe impl Sync for Scratch {}

/// The tables that all chunks share.
struct Shared<'a> {
    tables: &'a [ColumnTables],
    entities: Tables,
    /// The rows in use, a set like those of the columns.
    alive: PresencePages,
    rows: usize,
    /// For their lanes, which are atomic.
    columns: &'a Columns,
}

// SAFETY: as for `Scratch`. Each `Chunk` uses these pointers only for its own pages and rows.
unsafe impl Sync for Shared<'_> {}

impl Storage {
    /// Calls `f` with each chunk of the rows in use, in parallel as `workers` allow. Panics go into
    /// `panics`; among equals, the panic of the lowest chunk counts.
    pub(crate) fn for_chunks(
        &mut self,
        workers: &Workers,
        panics: &PanicSlot,
        f: &(impl Fn(&mut Chunk<'_>) + Sync),
    ) {
        self.for_chunks_of(0..usize::MAX, workers, panics, f);
    }

    /// As [`for_chunks`](Self::for_chunks), for the chunks from the first to the last of these blocks. O(these chunks + columns).
    pub(crate) fn for_chunks_of(
        &mut self,
        blocks: Range<usize>,
        workers: &Workers,
        panics: &PanicSlot,
        f: &(impl Fn(&mut Chunk<'_>) + Sync),
    ) {
        let (shared, results) = self.cut();
        let chunks = chunks_of(&blocks, results.len());
        let (first, results) = (chunks.start, &mut results[chunks]);
        fork_each(workers, results, &|index, ChunkResult { notes, panics }: &mut ChunkResult| {
            // Panics that arrive here are not a user's, but those of a wrong declaration.
            let all = || f(&mut Chunk { shared: &shared, index: first + index, notes, panics });
            panics.catch(0, None, all);
        });
        self.take_notes(&blocks, panics);
    }

    /// Calls `f` with each chunk that contains some of these rows, and with its rows, as long as
    /// `f` returns `true`. The rows must be ascending. A panic goes into `panics` and ends the
    /// calls.
    pub(crate) fn for_allocated(
        &mut self,
        blocks: &[AllocatedRows],
        panics: &PanicSlot,
        mut f: impl FnMut(&mut Chunk<'_>, &[AllocatedRows]) -> bool,
    ) {
        let (shared, results) = self.cut();
        panics.catch(0, None, || {
            let chunk_of = |allocated: &AllocatedRows| allocated.block as usize / CHUNK_BLOCKS;
            blocks.chunk_by(|one, next| chunk_of(one) == chunk_of(next)).all(|allocated| {
                let index = chunk_of(&allocated[0]);
                let ChunkResult { notes, panics } = &mut results[index];
                f(&mut Chunk { shared: &shared, index, notes, panics }, allocated)
            })
        });
        let numbers = blocks.iter().map(|allocated| allocated.block);
        self.take_notes(&span(numbers), panics);
    }

    /// Splits the rows in use into chunks: the shared tables, and the notes of each chunk.
    fn cut(&mut self) -> (Shared<'_>, &mut [ChunkResult]) {
        let rows = self.row_count();
        let count = rows.div_ceil(CHUNK_ROWS);
        let pages = count * CHUNK_PAGES;
        self.reserve_marks(pages * BLOCKS_PER_PAGE);
        let Scratch { tables, results, .. } = &mut self.scratch;
        tables.clear();
        for column in self.columns.iter_mut() {
            let buffer = match column.values {
                Values::Buffered { buffer, layout } => {
                    let buffer = &self.buffers[buffer];
                    Some(BufferTables {
                        first: buffer.start().wrapping_add(layout.offset),
                        stride: layout.stride,
                        rows: buffer.rows(),
                        info: column.info,
                        dead: match &column.removals {
                            Some(_) => Dead::Kept,
                            None if column.info.needs_drop() => Dead::Dropped,
                            None => Dead::Forgotten,
                        },
                    })
                }
                Values::External(_) | Values::Elsewhere => None,
            };
            if !matches!(column.values, Values::Elsewhere) {
                column.presence.reserve(pages);
            }
            tables.push(ColumnTables { presence: column.presence.pages_mut(), buffer });
        }
        results.resize_with(results.len().max(count), ChunkResult::default);
        // Rows that are freed are dirty, so that the version is forgotten when they are cleaned.
        let alive = self.entities.as_same().alive_mut();
        alive.reserve(pages);
        let alive = alive.pages_mut();
        let entities = self.entities.as_same().tables();
        let shared = Shared { tables, entities, alive, rows, columns: &self.columns };
        (shared, &mut results[..count])
    }

    /// Does the work that the chunks of these blocks have left. Their panics go into `panics`.
    fn take_notes(&mut self, blocks: &Range<usize>, panics: &PanicSlot) {
        let chunks = chunks_of(blocks, self.row_count().div_ceil(CHUNK_ROWS));
        let results = &mut self.scratch.results[chunks.clone()];
        for (index, ChunkResult { notes, panics: own }) in chunks.zip(&mut *results) {
            if let Some(failure) = own.take() {
                panics.record(failure);
            }
            for (column, page) in notes.dirty.drain(..) {
                let alive = column as usize == self.columns.len();
                let set = if alive {
                    self.entities.alive_mut()
                } else {
                    &mut self.columns[column as usize].presence
                };
                set.note_dirty(page);
            }
            for (column, removed) in &mut notes.removed {
                if let Some(log) = &mut self.columns[*column as usize].removals {
                    log.removals.append(removed);
                }
            }
            for (page, freed) in (index * CHUNK_PAGES..).zip(&mut notes.freed) {
                if *freed > 0 {
                    self.entities.freed(page * BLOCKS_PER_PAGE, core::mem::take(freed));
                }
            }
        }
        for ChunkResult { notes, .. } in results {
            for row in notes.retired.drain(..) {
                self.entities.replace_retired(row as usize);
            }
        }
    }
}

/// The blocks from the first to the last of these, which are ascending.
pub(crate) fn span(mut blocks: impl DoubleEndedIterator<Item = u32>) -> Range<usize> {
    let Some(first) = blocks.next() else { return 0..0 };
    let last = blocks.next_back().unwrap_or(first);
    first as usize..last as usize + 1
}

/// The chunks of these blocks, among the first `count` chunks.
fn chunks_of(blocks: &Range<usize>, count: usize) -> Range<usize> {
    let end = blocks.end.div_ceil(CHUNK_BLOCKS).min(count);
    (blocks.start / CHUNK_BLOCKS).min(end)..end
}

/// Some pages of every column, with the entities in their rows.
pub(crate) struct Chunk<'a> {
    shared: &'a Shared<'a>,
    pub(crate) index: usize,
    notes: &'a mut Notes,
    pub(crate) panics: &'a PanicSlot,
}

impl Chunk<'_> {
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.index * CHUNK_BLOCKS..(self.index + 1) * CHUNK_BLOCKS
    }

    /// Enters the entities of allocated rows into the table of handles.
    ///
    /// # Panics
    /// If a row belongs to another chunk or is not in use.
    pub(crate) fn occupy(&mut self, allocated: &[AllocatedRows]) {
        for allocated in allocated {
            self.assert_rows(allocated.block as usize, allocated.rows);
            // SAFETY: the rows are in the table and belong to this chunk only.
            unsafe { self.shared.entities.occupy_rows(allocated.block as usize, allocated.rows) };
        }
    }

    /// Frees the rows of despawned entities. `blocks` are blocks of this chunk, ascending and each once. `dead` has a
    /// mask for each block of the world; the masks of `blocks` have only rows in use. Page by page, the components in buffers are dropped,
    /// or kept, column by column; then the rows become free. Panics of destructors are noted with the index
    /// of the component, and all other values are still dropped.
    ///
    /// # Panics
    /// Like [`occupy`](Self::occupy).
    pub(crate) fn free(&mut self, blocks: &[u32], dead: &[u64]) {
        debug_assert!(blocks.is_sorted_by(|one, next| one < next), "rows would be freed twice");
        let page_of = |block: u32| block as usize / BLOCKS_PER_PAGE;
        let Shared { tables, alive, entities, .. } = *self.shared;
        for blocks in blocks.chunk_by(|&one, &next| page_of(one) == page_of(next)) {
            let page = page_of(blocks[0]);
            let masks = || blocks.iter().map(|&block| (block as usize, dead[block as usize]));
            // SAFETY: every presence set spans the pages of all chunks, and the page belongs to this chunk.
            let mut alive = unsafe { alive.page(page) };
            let mut total = 0;
            for (block, rows) in masks() {
                self.assert_rows(block, rows);
                let used = alive.word(block % BLOCKS_PER_PAGE);
                debug_assert!(rows & !used == 0, "rows that are not in use");
                total += rows.count_ones() as usize;
                entities.prefetch_entities(block, rows);
            }
            for (index, table) in tables.iter().enumerate() {
                let Some(buffer) = table.buffer else { continue };
                let removed = &mut self.notes.removed;
                let gone = |block, gone| match buffer.dead {
                    Dead::Forgotten => {}
                    Dead::Dropped => drop_values(buffer, block, gone, index, self.panics),
                    Dead::Kept => {
                        keep_values(buffer, block, gone, (index as u32, removed), entities);
                    }
                };
                // SAFETY: every presence set spans the pages of all chunks, and the page belongs to
                // this chunk.
                if unsafe { table.presence.page(page) }.clear_each(masks(), total, gone) {
                    self.notes.dirty.push((index as u32, page as u32));
                }
            }
            self.notes.freed[page % CHUNK_PAGES] += total;
            if alive.clear_each(masks(), total, |_, _| ()) {
                self.notes.dirty.push((tables.len() as u32, page as u32));
            }
            // A separate, short loop. The slots of the rows are mostly not in a cache, and a short
            // loop lets the processor load those of many rows at once.
            for (block, rows) in masks() {
                let retired = &mut self.notes.retired;
                // SAFETY: the rows are in the table and belong to this chunk only.
                unsafe { entities.free_rows(block, rows, |row| retired.push(row as u32)) };
            }
        }
    }

    fn assert_rows(&self, block: usize, rows: u64) {
        let end = end_of(block, rows);
        assert!(
            block / CHUNK_BLOCKS == self.index && end <= self.shared.entities.len(),
            "rows of another chunk"
        );
    }

    /// The values of `C`, which must lie in a buffer.
    ///
    /// # Panics
    /// If the values are in external storage, or the declaration gives `C` the index of another
    /// type.
    #[inline]
    pub(crate) fn column<D: HasColumn<C>, C: 'static>(&mut self) -> ChunkColumn<'_, D, C> {
        super::assert_names::<D, C>();
        let column = <D as HasColumn<C>>::INDEX;
        let table = &self.shared.tables[column];
        let Range { start, end } = self.blocks();
        let rows = start * BLOCK_ROWS..(end * BLOCK_ROWS).min(self.shared.rows);
        let Notes { dirty, removed, .. } = &mut *self.notes;
        let removed = (removed, self.shared.entities, self.shared.alive);
        let Column { lanes, versions, .. } = &*self.shared.columns[column];
        ChunkColumn::new(table, rows, (lanes, versions), dirty, removed)
    }
}

/// Drops the values of a block's rows, which have left the presence set.
fn drop_values(buffer: BufferTables, block: usize, rows: u64, index: usize, panics: &PanicSlot) {
    panics.catch_each(index, None, rows_of(block, rows), |row| {
        let value = buffer.first.wrapping_add(row * buffer.stride);
        // SAFETY: the row was in the presence set, so a live value of the column's type lies there.
        // It has left the set and occurs once in `rows`, so nothing uses it again.
        unsafe { buffer.info.drop_in_place(value) };
    });
}

/// Keeps the values of a block's rows, which have left the presence set. Rows of this chunk, whose entities are not freed yet.
#[inline(never)]
fn keep_values(
    buffer: BufferTables,
    block: usize,
    rows: u64,
    (column, removed): (u32, &mut Vec<(u32, Removals)>),
    entities: Tables,
) {
    let removed = removed_of(removed, column, buffer.info);
    for row in rows_of(block, rows) {
        // SAFETY: the row was in a presence set, so it is in the table. It belongs to the chunk, so no other thread uses it.
        let entity = unsafe { entities.entity(row) };
        // SAFETY: as in `drop_values`; the value moves, and is of the type of the column that `removed` is for.
        unsafe { removed.take(row, entity, buffer.first.wrapping_add(row * buffer.stride)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_those_from_the_first_block_to_the_last() {
        assert_eq!(span([].into_iter()), 0..0);
        assert_eq!(span([7].into_iter()), 7..8);
        assert_eq!(span([7, 9, 500].into_iter()), 7..501);
        let end = CHUNK_BLOCKS;
        assert_eq!(chunks_of(&(0..0), 5), 0..0);
        assert_eq!(chunks_of(&(0..usize::MAX), 5), 0..5);
        assert_eq!(chunks_of(&(end - 1..end), 5), 0..1);
        assert_eq!(chunks_of(&(end - 1..end + 1), 5), 0..2);
        assert_eq!(chunks_of(&(3 * end..9 * end), 5), 3..5);
        assert_eq!(chunks_of(&(8 * end..9 * end), 5), 5..5);
    }
}
