//! Rows, sets of rows, and memory that grows with them.
//!
//! A *row* is a place in the columns. 64 rows are a *block*, one word of a set. 64 blocks are a *page*, the unit
//! of memory.

mod lanes;
mod lanes_view;
mod marks;
mod memory;
mod once_box;
mod presence;
mod runs;
mod sparse_set;
mod touched;
mod versions;
mod words;

pub(crate) use lanes::{LaneCount, Lanes, marked};
pub(crate) use lanes_view::LanesView;
pub(crate) use marks::{Marks, Masks};
pub(crate) use memory::{Memory, Use};
pub(crate) use presence::{Presence, PresencePage, PresencePages, end_of, lowest};
pub(crate) use runs::{Blocks, Runs};
pub(crate) use sparse_set::{Offsets, Pages, Slice, SparseSet};
pub(crate) use touched::Touched;
pub(crate) use versions::{PageHash, PageHashes, Versioned, Versions};
pub(crate) use words::{Members, PageWords, Words, bits, is_member, next_run, rows_of};

/// Rows per block. Slices of a system are cut between blocks, so no two subtasks share a word of
/// any presence set.
pub const BLOCK_ROWS: usize = 64;

/// Blocks per page: one bit per block of a page fits into one word.
pub(crate) const BLOCKS_PER_PAGE: usize = 64;

/// Rows per page.
pub const PAGE_ROWS: usize = BLOCK_ROWS * BLOCKS_PER_PAGE;
