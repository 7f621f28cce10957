//! The spatial partition: cells of 8 × 8 pixels.
//!
//! A disc belongs to every cell from `trunc((p - r) / 8)` to `trunc((p + r) / 8 + 1)` on both axes, 5.65 cells on
//! average. It is stored once, under the number of the first of them. A search for the discs of a cell also visits the
//! cells before it, and leaves out the discs that end before the cell. Large discs are stored by larger cells, so that
//! few cells before have to be visited for them, too.

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

/// Rows of cells of the class. Cells of one column (one x) have consecutive numbers.
const fn height(class: usize) -> usize {
    (ROWS >> class) + 1 + 2 * SPARE_CELLS
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

/// The number, in a class, of the cell that contains a cell of 8 × 8 pixels within the box.
#[inline]
fn number(class: usize, [column, row]: [i32; 2]) -> usize {
    let (column, row) = (column as usize >> class, row as usize >> class);
    FIRST[class] + (column + SPARE_CELLS) * height(class) + row + SPARE_CELLS
}

impl Shape {
    /// The number that the disc is stored under.
    #[inline]
    fn number(self) -> usize {
        number(self.class(), [cell(self.x - self.radius), cell(self.y - self.radius)])
    }

    /// The class of the radius.
    #[inline]
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

    /// The numbers of the discs of class 0 that may touch this one and belong to the cell of its centre: a range for the
    /// column of the centre, and one for the column before it.
    #[inline]
    #[must_use]
    pub fn around(self) -> [Range<usize>; 2] {
        let centre = number(0, self.cell());
        let before = centre - height(0);
        [centre - 1..centre + 1, before - 1..before + 1]
    }

    /// The further ones around a large disc: those that start two cells before.
    #[must_use]
    pub fn further(self) -> [Range<usize>; 3] {
        let above = number(0, self.cell()) - 2;
        let column = above - 2 * height(0);
        [above..above + 1, above - height(0)..above - height(0) + 1, column..column + 3]
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
