//! The spatial partition, first half: the discs by strip of the grid.

use super::columns::Look;
use ecs_examples::particles::CELL_SIZE;

/// Columns of cells in a strip.
pub(super) const STRIP: usize = 8;
/// Strips of the grid.
pub(super) const STRIPS: usize = 23;

/// What collision needs to know of a disc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) radius: f32,
    pub(super) row: u32,
}

/// The discs of one subtask, by strip.
#[derive(Debug)]
pub(super) struct Sorter {
    pub(super) strips: [Vec<Record>; STRIPS + 1],
}

impl Sorter {
    pub(super) fn new() -> Self {
        Self { strips: std::array::from_fn(|_| Vec::new()) }
    }

    pub(super) fn clear(&mut self) {
        self.strips.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn add(&mut self, positions: &[[f32; 2]], looks: &[Look], first_row: u32) {
        for (row, (&[x, y], look)) in (first_row..).zip(positions.iter().zip(looks)) {
            let radius = look.radius;
            let column = ((x - radius) * (1.0 / CELL_SIZE)) as u32 as usize;
            let record = Record { x, y, radius, row };
            let strip = column / STRIP;
            self.strips[strip].push(record);
            if column % STRIP == STRIP - 1 {
                self.strips[strip + 1].push(record);
            }
        }
    }
}
