//! The grid of the spatial partition: cells of 8 × 8 pixels.
//!
//! A disc belongs into every cell from `trunc((p - r) / 8)` to `trunc((p + r) / 8 + 1)` on both
//! axes, 5.65 cells on average. It is stored once, in the first of them; whoever looks for the
//! discs of a cell looks at the cells before it, too, and leaves out the discs that end before it.
//! The discs of a cell lie together, four to a cache line, in the order of creation.
//!
//! `K` is what names a disc; it ascends with the order of creation.

use ecs_core::Output;

use super::{BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, SPARE_CELLS};

/// Cells on the x axis: the box, the cell behind its end, and the spare ones.
const WIDTH: usize = (BOX_WIDTH / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS;
/// Cells on the y axis, rounded up to a power of two.
const HEIGHT: usize = ((BOX_HEIGHT / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS).next_power_of_two();
/// All cells. Cells of one column (one x) follow one another.
const CELLS: usize = WIDTH * HEIGHT;

/// Discs in a block.
pub const LANES: usize = 4;

/// What collision needs to know of four discs: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Block {
    /// Centres.
    pub x: [f32; LANES],
    /// Centres.
    pub y: [f32; LANES],
    /// Radii.
    pub radius: [f32; LANES],
    /// Which disc of the shard it is, in the order of creation.
    pub ordinal: [i32; LANES],
}

/// The discs of one subtask, sorted by cell.
#[derive(Debug)]
pub struct Shard<K> {
    /// The discs in the order of creation.
    pub discs: Vec<K>,
    /// For every disc its first cell.
    cells: Vec<u16>,
    /// `starts[c + 1]` is where the discs of the cell `c` start, and those before it end.
    starts: Vec<u32>,
    /// The discs in the order of their first cells, and of creation within a cell.
    blocks: Vec<Block>,
    /// The largest radius.
    pub largest: f32,
}

const _: () = assert!(CELLS <= 1 << 16, "a cell's number fits into 16 bits");

/// A coordinate in cells, rounded towards 0.
#[must_use]
pub fn cell(length: f32) -> i32 {
    (length / CELL_SIZE) as i32
}

/// The last cell of a disc on one axis.
#[must_use]
pub fn last_cell(position: f32, radius: f32) -> i32 {
    ((position + radius) / CELL_SIZE + 1.0) as i32
}

impl<K> Default for Shard<K> {
    fn default() -> Self {
        Self {
            discs: Vec::new(),
            cells: Vec::new(),
            starts: vec![0; CELLS + 2],
            blocks: Vec::new(),
            largest: 0.0,
        }
    }
}

impl<K> Shard<K> {
    /// First pass, disc by disc: counts how many discs start in each cell.
    #[inline]
    pub fn measure(&mut self, disc: K, [x, y]: [f32; 2], radius: f32) {
        let (column, row) = (cell(x - radius), cell(y - radius));
        let first = column as usize * HEIGHT + row as usize;
        self.discs.push(disc);
        self.cells.push(first as u16);
        self.starts[first + 2] += 1;
        self.largest = self.largest.max(radius);
    }

    /// Between the passes: lays out the cells.
    pub fn reserve(&mut self) {
        let mut next = 0;
        for start in &mut self.starts[2..] {
            next += std::mem::replace(start, next);
        }
        let needed = (next as usize).div_ceil(LANES);
        self.blocks.reserve_exact(needed.saturating_sub(self.blocks.len()));
        self.blocks.resize(needed, Block::default());
        // Slots behind the last disc must not pass for discs.
        if let Some(last) = self.blocks.last_mut() {
            last.ordinal = [i32::MAX; LANES];
        }
    }

    /// Second pass, disc by disc, in the same order: puts the disc into its cell.
    #[inline]
    pub fn fill(&mut self, ordinal: usize, [x, y]: [f32; 2], radius: f32) {
        let end = &mut self.starts[usize::from(self.cells[ordinal]) + 1 + 1];
        let slot = *end as usize;
        *end += 1;
        let (block, lane) = (&mut self.blocks[slot / LANES], slot % LANES);
        block.x[lane] = x;
        block.y[lane] = y;
        block.radius[lane] = radius;
        block.ordinal[lane] = ordinal as i32;
    }

    /// The discs, by their first cell: the blocks, and the slots in use.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The slots of the discs whose first cell lies in this column, at most `above` rows above
    /// `row`, and not below it.
    #[inline]
    #[must_use]
    pub fn slots(&self, column: usize, row: usize, above: usize) -> std::ops::Range<usize> {
        let (first, last) = (column * HEIGHT + row.saturating_sub(above), column * HEIGHT + row);
        self.starts[first + 1] as usize..self.starts[last + 2] as usize
    }
}

/// The shards of several subtasks, one after the other, are the grid.
impl<K: Send + Sync + 'static> Output for Shard<K> {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        self.discs.clear();
        self.cells.clear();
        self.starts.fill(0);
        self.largest = 0.0;
    }
}
