//! The spatial partition: the discs sorted by the first cell that they reach.

use super::columns::Look;

/// Cells of a column, rounded up to a power of two.
pub(super) const COLUMN: usize = 128;
/// Cells of the grid.
pub(super) const CELLS: usize = 184 * COLUMN;
/// Discs in a block.
pub(super) const LANES: usize = 4;

/// What collision needs to know of four discs: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Block {
    pub(super) x: [f32; LANES],
    pub(super) y: [f32; LANES],
    pub(super) radius: [f32; LANES],
    pub(super) row: [i32; LANES],
}

/// The part of the grid that one subtask fills with its discs.
#[derive(Debug)]
pub(super) struct Shard {
    /// For every disc its first cell.
    cells: Vec<u16>,
    /// Where each cell begins in `blocks`, counted in discs.
    pub(super) starts: Vec<u32>,
    pub(super) blocks: Vec<Block>,
}

impl Shard {
    pub(super) fn new() -> Self {
        Self { cells: Vec::new(), starts: vec![0; CELLS + 2], blocks: Vec::new() }
    }

    pub(super) fn measure(&mut self, positions: &[[f32; 2]], looks: &[Look]) {
        self.cells.clear();
        self.cells.extend(positions.iter().zip(looks).map(|(p, look)| first_cell(*p, look.radius)));
        self.starts.fill(0);
        for &cell in &self.cells {
            self.starts[cell as usize + 2] += 1;
        }
    }

    pub(super) fn reserve(&mut self) {
        let mut next = 0;
        for start in &mut self.starts[2..] {
            let count = *start;
            *start = next;
            next += count;
        }
        let needed = (next as usize).div_ceil(LANES);
        if self.blocks.len() < needed {
            self.blocks.reserve_exact(needed - self.blocks.len());
            self.blocks.resize(needed, Block::default());
        }
    }

    pub(super) fn fill(&mut self, positions: &[[f32; 2]], looks: &[Look], first_row: u32) {
        let discs = positions.iter().zip(looks).zip(&self.cells);
        for (row, ((&[x, y], look), &cell)) in (first_row..).zip(discs) {
            let end = &mut self.starts[cell as usize + 2];
            let slot = *end as usize;
            *end += 1;
            let block = &mut self.blocks[slot / LANES];
            block.x[slot % LANES] = x;
            block.y[slot % LANES] = y;
            block.radius[slot % LANES] = look.radius;
            block.row[slot % LANES] = row as i32;
        }
    }
}

/// The first cell of a disc.
fn first_cell([x, y]: [f32; 2], radius: f32) -> u16 {
    let left = ((x - radius) * 0.125) as i32;
    let top = ((y - radius) * 0.125) as i32;
    (left * COLUMN as i32 + top) as u16
}
