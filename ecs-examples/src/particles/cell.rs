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
/// Cells on the y axis. Cells of one column (one x) have consecutive numbers.
const HEIGHT: usize = (BOX_HEIGHT / CELL_SIZE) as usize + 1 + 2 * SPARE_CELLS;

/// Up to this radius a disc is stored under its first cell. The cell that two such discs in contact share is then at
/// most one cell after the first cell of either: three radii are shorter than a cell.
const LARGEST: f32 = 2.6;
/// The number of all larger discs, which every search visits.
const LARGE: usize = WIDTH * HEIGHT;
/// The numbers.
const NUMBERS: usize = LARGE + 1;
/// The numbers of the discs that every search visits.
pub const EVERYWHERE: Range<usize> = LARGE..NUMBERS;

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

/// The number of a cell within the box.
fn number([column, row]: [i32; 2]) -> usize {
    (column as usize + SPARE_CELLS) * HEIGHT + row as usize + SPARE_CELLS
}

impl Shape {
    /// The number that the disc is stored under.
    #[inline]
    fn number(self) -> usize {
        let first = number([cell(self.x - self.radius), cell(self.y - self.radius)]);
        if self.is_large() { LARGE } else { first }
    }

    /// Whether the disc is one of those [`EVERYWHERE`].
    #[must_use]
    pub fn is_large(self) -> bool {
        self.radius > LARGEST
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
    /// [`EVERYWHERE`]: a range for the column of the centre, and one for the column before it.
    #[inline]
    #[must_use]
    pub fn around(self) -> [Range<usize>; 2] {
        let centre = number(self.cell());
        [centre - 1..centre + 1, centre - HEIGHT - 1..centre - HEIGHT + 1]
    }

    /// The further ones around a large disc: those that start two cells before.
    #[must_use]
    pub fn further(self) -> [Range<usize>; 3] {
        let above = number(self.cell()) - 2;
        let column = above - 2 * HEIGHT;
        [above..above + 1, above - HEIGHT..above - HEIGHT + 1, column..column + 3]
    }
}
