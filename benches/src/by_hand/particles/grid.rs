//! The grid of the spatial partition: cells of 8 × 8 pixels.
//!
//! A disc belongs to every cell from `trunc((p - r) / 8)` to `trunc((p + r) / 8 + 1)` on both
//! axes, 5.65 cells on average. It is stored once, in the first of them. A search for the
//! discs of a cell also visits the cells before it, and skips the discs that end before the cell.
//! The discs of a cell are contiguous, four to a cache line, in the order of creation.
//!
//! `K` is the type of a disc's identifier; identifiers ascend in the order of creation.

use std::ops::Range;

use ecs_core::Output;
use ecs_examples::particles::{BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, SPARE_CELLS};

/// Cells on the x axis: the box, the cell after its end, and the spare ones.
const WIDTH: usize = (BOX_WIDTH / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS;
/// Cells on the y axis, rounded up to a power of two.
const HEIGHT: usize = ((BOX_HEIGHT / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS).next_power_of_two();
/// The number of cells. Cells of one column (one x) are contiguous.
const CELLS: usize = WIDTH * HEIGHT;

/// Discs in a block.
pub(super) const LANES: usize = 4;

/// The data of four discs for collision: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Block {
    /// Centres.
    pub(super) x: [f32; LANES],
    /// Centres.
    pub(super) y: [f32; LANES],
    /// Radii.
    pub(super) radius: [f32; LANES],
    /// Positions in the order of creation: of the shard, or of all shards in a merged grid.
    pub(super) ordinal: [i32; LANES],
}

/// Discs by their first cell, for all cells or a range of cells.
#[derive(Debug, Default)]
pub(super) struct Grid {
    /// The first cell of the range.
    base: usize,
    /// `starts[c + 1]` is where the discs of the cell `base + c` start, and those of the previous cell end.
    starts: Vec<u32>,
    /// The discs in the order of their first cells, and of creation within a cell.
    blocks: Vec<Block>,
}

/// The discs of one subtask, sorted by cell.
#[derive(Debug)]
pub(super) struct Shard<K> {
    /// The discs in the order of creation.
    pub(super) discs: Vec<K>,
    /// The first cell of every disc.
    cells: Vec<u16>,
    /// The discs by their first cell.
    pub(super) grid: Grid,
    /// The largest radius.
    pub(super) largest: f32,
}

const _: () = assert!(CELLS <= 1 << 16, "a cell's number fits into 16 bits");

/// A coordinate in cells, rounded towards 0.
#[must_use]
pub(super) fn cell(length: f32) -> i32 {
    (length / CELL_SIZE) as i32
}

/// The last cell of a disc on one axis.
#[must_use]
pub(super) fn last_cell(position: f32, radius: f32) -> i32 {
    ((position + radius) / CELL_SIZE + 1.0) as i32
}

impl Grid {
    /// Lays out the cells, after the discs of each cell are counted in `starts[c + 2]`.
    fn reserve(&mut self) {
        let mut next = 0;
        for start in &mut self.starts[2..] {
            next += std::mem::replace(start, next);
        }
        // The number of discs rarely grows in later frames, so the capacity is exact.
        let needed = (next as usize).div_ceil(LANES);
        self.blocks.reserve_exact(needed.saturating_sub(self.blocks.len()));
        self.resize(next as usize);
    }

    /// Resizes the grid to this many discs.
    fn resize(&mut self, discs: usize) {
        self.blocks.resize(discs.div_ceil(LANES), Block::default());
        // Slots after the last disc must not count as discs.
        if let Some(last) = self.blocks.last_mut() {
            last.ordinal = [i32::MAX; LANES];
        }
    }

    /// Appends a disc to its cell.
    #[inline]
    fn put(&mut self, cell: usize, [x, y]: [f32; 2], radius: f32, ordinal: i32) {
        let end = &mut self.starts[cell - self.base + 2];
        let slot = *end as usize;
        *end += 1;
        let (block, lane) = (&mut self.blocks[slot / LANES], slot % LANES);
        block.x[lane] = x;
        block.y[lane] = y;
        block.radius[lane] = radius;
        block.ordinal[lane] = ordinal;
    }

    /// The discs, in blocks of four.
    #[must_use]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The slots of the discs whose first cells are these.
    #[must_use]
    pub(super) fn slots_of(&self, cells: &Range<usize>) -> Range<usize> {
        let start = |cell: usize| self.starts[cell - self.base + 1] as usize;
        start(cells.start)..start(cells.end)
    }

    /// The slots of the discs whose first cell lies in this column, at most `above` rows above
    /// `row`, and not below it.
    #[inline]
    #[must_use]
    pub(super) fn slots(&self, column: usize, row: usize, above: usize) -> Range<usize> {
        let column = column * HEIGHT - self.base;
        let (first, last) = (column + row.saturating_sub(above), column + row);
        self.starts[first + 1] as usize..self.starts[last + 2] as usize
    }

    /// Makes this the grid of a range of whole columns of cells, with the discs of all shards. The ordinals are counted
    /// over all shards.
    pub(super) fn merge<'a, K: 'a>(
        &mut self,
        shards: impl Iterator<Item = &'a Shard<K>> + Clone,
        columns: Range<usize>,
    ) {
        let cells = columns.start * HEIGHT..columns.end * HEIGHT;
        self.base = cells.start;
        self.starts.clear();
        self.starts.resize(cells.len() + 2, 0);
        let mut discs = 0;
        for shard in shards.clone() {
            let theirs = &shard.grid.starts[cells.start + 1..][..cells.len()];
            for (start, their) in self.starts[2..].iter_mut().zip(theirs) {
                *start += their - theirs[0];
            }
            discs += shard.grid.slots_of(&cells).len();
        }
        self.resize(discs);
        let mut before = 0;
        for shard in shards {
            for slot in shard.grid.slots_of(&cells) {
                let (block, lane) = (&shard.grid.blocks[slot / LANES], slot % LANES);
                let ordinal = block.ordinal[lane];
                let cell = usize::from(shard.cells[ordinal as usize]);
                let centre = [block.x[lane], block.y[lane]];
                self.put(cell, centre, block.radius[lane], before + ordinal);
            }
            before += shard.discs.len() as i32;
        }
    }
}

/// The first cell before which at least this many discs start, over all shards. (The discs of a cell stay together: a
/// subtask has at least all discs of a cell.)
#[must_use]
pub(super) fn cell_behind<'a, K: 'a>(
    shards: &(impl Iterator<Item = &'a Shard<K>> + Clone),
    discs: usize,
) -> usize {
    let before = |cell: usize| -> usize {
        shards.clone().map(|shard| shard.grid.starts[cell + 1] as usize).sum()
    };
    let (mut low, mut high) = (0, CELLS);
    while low < high {
        let middle = usize::midpoint(low, high);
        if before(middle) < discs {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The columns of cells in which all discs start that can touch discs which start in `cells`. A disc's centre lies at
/// most `ahead` columns after its start, and other discs start at most `back` columns before the centre's column.
#[must_use]
pub(super) fn columns_around(cells: &Range<usize>, back: usize, ahead: usize) -> Range<usize> {
    let (first, last) = (cells.start / HEIGHT, cells.end.saturating_sub(1) / HEIGHT);
    first.saturating_sub(back)..(last + ahead + 1).min(WIDTH)
}

impl<K> Default for Shard<K> {
    fn default() -> Self {
        Self {
            discs: Vec::new(),
            cells: Vec::new(),
            grid: Grid { starts: vec![0; CELLS + 2], ..Grid::default() },
            largest: 0.0,
        }
    }
}

impl<K> Shard<K> {
    /// First pass, disc by disc: counts how many discs start in each cell.
    #[inline]
    pub(super) fn measure(&mut self, disc: K, [x, y]: [f32; 2], radius: f32) {
        let (column, row) = (cell(x - radius), cell(y - radius));
        let first = column as usize * HEIGHT + row as usize;
        self.discs.push(disc);
        self.cells.push(first as u16);
        self.grid.starts[first + 2] += 1;
        self.largest = self.largest.max(radius);
    }

    /// Between the passes: lays out the cells.
    pub(super) fn reserve(&mut self) {
        self.grid.reserve();
    }

    /// Second pass, disc by disc, in the same order: appends the disc to its cell.
    #[inline]
    pub(super) fn fill(&mut self, ordinal: usize, centre: [f32; 2], radius: f32) {
        self.grid.put(usize::from(self.cells[ordinal]), centre, radius, ordinal as i32);
    }
}

/// The shards of several subtasks, concatenated, are the grid.
impl<K: Send + Sync + 'static> Output for Shard<K> {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        self.discs.clear();
        self.cells.clear();
        self.grid.starts.fill(0);
        self.largest = 0.0;
    }
}
