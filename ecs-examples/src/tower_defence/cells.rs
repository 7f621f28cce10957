//! The cells of the map, by which enemies are found.

use std::ops::Range;

use super::rules::{MAP, RANGE, Vector};

/// The size of a cell: more than [`RANGE`], because positions are rounded.
pub const SIZE: f32 = RANGE * 1.001;
/// Cells on each axis, with one more at either end, so that each has neighbours.
const AXES: [usize; 2] = [(MAP[0] / SIZE) as usize + 3, (MAP[1] / SIZE) as usize + 3];
/// The number of cells.
pub const CELLS: usize = AXES[0] * AXES[1];

/// The number of the cell of a point: outside of the map, of the nearest cell. Those of a column follow one another, and
/// so do the columns.
#[inline]
#[must_use]
pub fn cell([x, y]: Vector) -> usize {
    let at = |position: f32, cells: usize| {
        let cell = (f64::from(position) * (1.0 / f64::from(SIZE))) as u32;
        cell.min(cells as u32 - 3) as usize + 1
    };
    at(x, AXES[0]) * AXES[1] + at(y, AXES[1])
}

/// The numbers of that cell and of those around it.
#[inline]
#[must_use]
pub fn around(point: Vector) -> [Range<usize>; 3] {
    let cell = cell(point);
    [cell - AXES[1], cell, cell + AXES[1]].map(|cell| cell - 1..cell + 2)
}
