//! The spatial partition: cells of 8 × 8 pixels.
//!
//! A disc belongs to every cell from `trunc((p - r) / 8)` to `trunc((p + r) / 8 + 1)` on both axes, 5.65 cells on
//! average. It is stored once, under the number of the first of them. A search for the discs of a cell also visits the
//! cells before it, and leaves out the discs that end before the cell.

use std::ops::Range;

use ecs_core::joins::{Index, Numbered};

use super::world::SpatialPartitionEntry;
use super::{BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, SPARE_CELLS};

/// Cells on the x axis: the box, the cell after its end, and the spare ones.
const WIDTH: usize = (BOX_WIDTH / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS;
/// Steps in the height of a cell: within a column of cells, discs are sorted by the step in which they start.
const STEPS: usize = 2;
/// The height of a step, in pixels.
const STEP: f32 = CELL_SIZE / STEPS as f32;
/// Steps on the y axis. Numbers ascend along a column, so that several steps of a column are one run.
const HEIGHT: usize = ((BOX_HEIGHT / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS) * STEPS;

/// Up to this radius a disc is stored under its first cell. The cells that it shares with a smaller disc in contact are
/// then at most one cell after that one: three radii are shorter than a cell.
const LARGEST: f32 = 2.6;
/// The number of all larger discs, which every search visits.
const LARGE: usize = WIDTH * HEIGHT;
/// The numbers.
const NUMBERS: usize = LARGE + 1;
/// The numbers of the discs that every search visits.
pub const EVERYWHERE: Range<usize> = LARGE..NUMBERS;
/// More than the rounding errors of coordinates.
const MARGIN: f32 = 0.01;

/// What the search for contacts needs of a disc.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The centre.
    pub x: f32,
    /// The centre.
    pub y: f32,
    /// The radius.
    pub radius: f32,
}

/// The index of the spatial partition: discs by their first cell.
#[derive(Debug, Default)]
pub struct ByCell;

impl Index for ByCell {
    type Entry<'a> = SpatialPartitionEntry<'a>;
    type Key = Numbered<Shape, NUMBERS>;

    #[inline]
    fn key(&self, disc: SpatialPartitionEntry<'_>) -> Numbered<Shape, NUMBERS> {
        let ([x, y], radius) = (disc.position.0, disc.circle.0);
        let shape = Shape { x, y, radius };
        Numbered::new(shape.number(), shape)
    }
}

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

/// A coordinate in steps, rounded towards 0.
fn step(length: f32) -> i32 {
    (length / STEP) as i32
}

impl Shape {
    /// The number that the disc is stored under.
    #[inline]
    fn number(self) -> usize {
        let (column, row) = (cell(self.x - self.radius), step(self.y - self.radius));
        if self.radius > LARGEST { LARGE } else { column as usize * HEIGHT + row as usize }
    }

    /// Whether this disc belongs to the cell.
    #[inline]
    #[must_use]
    pub fn is_in(self, [column, row]: [i32; 2]) -> bool {
        (cell(self.x - self.radius)..=last_cell(self.x, self.radius)).contains(&column)
            && (cell(self.y - self.radius)..=last_cell(self.y, self.radius)).contains(&row)
    }

    /// The cell of the centre.
    #[inline]
    #[must_use]
    pub fn cell(self) -> [i32; 2] {
        [cell(self.x), cell(self.y)]
    }

    /// The numbers of the discs that may touch this one and belong to the cell of its centre, except those
    /// [`EVERYWHERE`]: one range for each column, which may be empty.
    #[inline]
    #[must_use]
    pub fn around(self) -> [Range<usize>; 3] {
        let [column, row] = self.cell();
        // The start of a disc in contact is at most this far before the centre.
        let before = self.radius + 2.0 * LARGEST + MARGIN;
        // A disc of two cells before ends before the cell of the centre, except for the margin.
        let first = cell((self.x - before).max(0.0)).max(column - 2);
        let start = step((self.y - before).max(0.0)).max((row - 2) * STEPS as i32);
        let end = step(self.y + self.radius + MARGIN).min((row + 1) * STEPS as i32 - 1) + 1;
        let numbers = |column: i32| {
            let first = column as usize * HEIGHT;
            first + start as usize..first + end as usize
        };
        let after = |columns: i32| {
            if first + columns <= column { numbers(first + columns) } else { 0..0 }
        };
        [numbers(first), after(1), after(2)]
    }
}
