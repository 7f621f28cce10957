//! The spatial partition: cells of 8 × 8 pixels.
//!
//! A disc belongs to every cell from `trunc((p - r) / 8)` to `trunc((p + r) / 8 + 1)` on both axes, 5.65 cells on
//! average. It is stored once, under the number of the first of them. A search for the discs of a cell also visits the
//! cells before it, and leaves out the discs that end before the cell. Large discs are stored by larger cells, so that
//! few cells before have to be visited for them, too. Small discs are stored by slices of cells, 8 × 2 pixels: of 200 000
//! discs, this saves 15 % of the instructions of a frame.

use std::ops::Range;

use ecs_core::joins::{Index, Numbered};

use super::world::SpatialPartitionEntry;
use super::{BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, MAX_RADIUS, SPARE_CELLS};

/// Cells on the x axis: those of the box, and the cell after its end.
const COLUMNS: usize = (BOX_WIDTH / CELL_SIZE) as usize + 1;
/// Cells on the y axis.
const ROWS: usize = (BOX_HEIGHT / CELL_SIZE) as usize + 1;

/// The largest radius of class 0. The cell that two such discs in contact share is then at most one cell after the
/// first cell of either: three radii are shorter than a cell.
const LARGEST: f32 = 2.6;
/// Numbers of a cell of class 0, one below the other: discs of that class are stored by slices of cells, so that a search
/// visits fewer discs above and below.
const SLICES: usize = 4;
/// More than what is lost by rounding a coordinate, in pixels.
const ROUNDING: f32 = 0.01;
/// Classes of discs. From one class to the next, the largest radius doubles, and so do the cells that discs are stored
/// by. The last class has discs up to [`MAX_RADIUS`].
const CLASSES: usize = 9;
/// The first number of each class, and the number after the last one.
const FIRST: [usize; CLASSES + 1] = {
    let mut first = [0; CLASSES + 1];
    let mut class = 0;
    while class < CLASSES {
        first[class + 1] = first[class] + width(class) * height(class);
        class += 1;
    }
    assert!(LARGEST * (1 << (CLASSES - 1)) as f32 > MAX_RADIUS);
    first
};
/// The numbers of the discs of all classes but 0.
pub const LARGER: Range<usize> = FIRST[1]..FIRST[CLASSES];

/// Columns of cells of the class, with the spare ones.
const fn width(class: usize) -> usize {
    (COLUMNS >> class) + 1 + 2 * SPARE_CELLS
}

/// Numbers of a column of cells of the class. Cells of one column (one x) have consecutive numbers.
const fn height(class: usize) -> usize {
    ((ROWS >> class) + 1 + 2 * SPARE_CELLS) * if class == 0 { SLICES } else { 1 }
}

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
    type Key = Numbered<Shape, { FIRST[CLASSES] }>;

    #[inline]
    fn key(&self, disc: SpatialPartitionEntry<'_>) -> Self::Key {
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

/// A coordinate in slices of cells, rounded towards 0.
#[inline]
fn slice(length: f32) -> i32 {
    (length / (CELL_SIZE / SLICES as f32)) as i32
}

/// The number, in class 0, of a slice of a cell.
#[inline]
fn slice_number(column: i32, slice: i32) -> usize {
    (column as usize + SPARE_CELLS) * height(0) + (slice + (SPARE_CELLS * SLICES) as i32) as usize
}

/// The number, in another class, of the cell that contains a cell of 8 × 8 pixels within the box.
fn number(class: usize, [column, row]: [i32; 2]) -> usize {
    let (column, row) = (column as usize >> class, row as usize >> class);
    FIRST[class] + (column + SPARE_CELLS) * height(class) + row + SPARE_CELLS
}

impl Shape {
    /// The number that the disc is stored under.
    #[inline]
    fn number(self) -> usize {
        let [left, top] = [self.x - self.radius, self.y - self.radius];
        if self.is_large() {
            number(self.class(), [cell(left), cell(top)])
        } else {
            slice_number(cell(left), slice(top))
        }
    }

    /// The class of the radius.
    fn class(self) -> usize {
        let (mut class, mut largest) = (0, LARGEST);
        while self.radius > largest && class + 1 < CLASSES {
            (class, largest) = (class + 1, 2.0 * largest);
        }
        class
    }

    /// Whether the disc is of a class other than 0.
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

    /// The numbers of the discs of class 0 that may touch this one and start in the cell of its centre or one cell
    /// before, on either axis: a range for the column of the centre, and one for the column before it.
    #[inline]
    #[must_use]
    pub fn around(self) -> [Range<usize>; 2] {
        let [column, row] = self.cell();
        let cells = SLICES as i32;
        // A disc that touches this one starts at most its own diameter before this one starts, and before this one ends.
        let back = self.radius + (2.0 * LARGEST + ROUNDING);
        let first = slice(self.y - back).max((row - 1) * cells);
        let last = slice(self.y + (self.radius + ROUNDING)).min(row * cells + cells - 1);
        let centre = slice_number(column, first);
        let count = (last + 1 - first) as usize;
        let before = centre - height(0);
        // Nothing of the column before is near if the disc is far enough to the right in its cell.
        let is_near = self.x - back < column as f32 * CELL_SIZE;
        [centre..centre + count, before..before + if is_near { count } else { 0 }]
    }

    /// The further ones around a large disc: those that start two cells before.
    #[must_use]
    pub fn further(self) -> [Range<usize>; 3] {
        let [column, row] = self.cell();
        let above = slice_number(column, (row - 2) * SLICES as i32);
        let [before, first] = [above - height(0), above - 2 * height(0)];
        [above..above + SLICES, before..before + SLICES, first..first + 3 * SLICES]
    }

    /// The numbers of the discs of all other classes that belong to the cell of the centre. A disc of a class ends at
    /// most two of the class's cells after the one in which it starts.
    pub fn around_larger(self) -> impl Iterator<Item = Range<usize>> {
        let columns = (1..CLASSES).flat_map(|class| (0..3).map(move |back| (class, back)));
        columns.map(move |(class, back)| {
            let last = number(class, self.cell()) - back * height(class);
            last - 2..last + 1
        })
    }
}
