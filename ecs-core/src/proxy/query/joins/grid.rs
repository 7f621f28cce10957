//! Grids: cells of one size, for finding points that are near each other.

use core::hash::{Hash, Hasher};
use core::ops::Range;

/// Cells of one size in `N` dimensions.
///
/// Points that are less than the size apart on each axis lie in the same cell or in adjacent cells
/// ([`Cell::around`]), however far they are from the origin.
///
/// ```
/// use ecs_core::joins::{Cell, Grid};
///
/// let grid = Grid::new(2.0);
/// assert_eq!(grid.cell([3.0, -0.5]), Cell([1, -1]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<const N: usize> {
    size: f32,
}

impl<const N: usize> Grid<N> {
    /// Cells of this size on each axis.
    ///
    /// # Panics
    /// If the size is not positive and finite.
    #[must_use]
    pub const fn new(size: f32) -> Self {
        assert!(size > 0.0 && size < f32::INFINITY, "the size of a cell is positive and finite");
        Self { size }
    }

    /// The size.
    #[must_use]
    pub const fn size(self) -> f32 {
        self.size
    }

    /// The cell in which a point lies. Each coordinate of the cell is the point's divided by the size and
    /// rounded down. It saturates at the bounds of `i32`, and is `i32::MIN` for a `NaN`. So each point has a cell.
    #[inline]
    #[must_use]
    pub fn cell(self, point: [f32; N]) -> Cell<N> {
        // Coordinates `x < y` in cells that are not adjacent are at least the size apart: there is an integer `n` such that
        // `x / size` is rounded to less than `n`, and `y / size` to `n + 1` or more. So `x / size` is at most `n - a / 2`, and
        // `y / size` at least `n + 1 - b / 2`, where `a` and `b` are the distances from `n` and from `n + 1` to the `f32` below.
        // - If `b` is not above `a`, the quotients differ by 1 or more.
        // - If `n` is a power of two, `b` is `2 a`. Then `n * size` is an `f32`, and the one below it is lower by `a * size` or
        //   more. `x` is that one or lower.
        // - If `n` is 0, `y` is at least the size: the quotient of a lower one is not rounded to 1.
        // From 2^24 cells on, where not all integers are an `f32`, different coordinates are the size apart or more.
        Cell(point.map(|coordinate| {
            let cell = (coordinate / self.size).floor();
            // The conversion saturates.
            if cell.is_nan() { i32::MIN } else { cell as i32 }
        }))
    }
}

/// A cell of a [`Grid`]: how far it is from the origin, in cells, on each axis.
///
/// ```
/// use ecs_core::joins::Cell;
///
/// let cell = Cell([3, 4]);
/// assert_eq!(cell.at([1, 0]), Cell([4, 4]));
/// assert_eq!(cell.around()[0], Cell([2, 3])); // the least of nine
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell<const N: usize>(pub [i32; N]);

impl<const N: usize> Cell<N> {
    /// The cell that lies `offset` cells further on each axis. Coordinates wrap around at the bounds of `i32`.
    #[inline]
    #[must_use]
    pub fn at(self, offset: [i32; N]) -> Self {
        let mut cell = self.0;
        for (coordinate, offset) in cell.iter_mut().zip(offset) {
            *coordinate = coordinate.wrapping_add(offset);
        }
        Self(cell)
    }

    /// This cell and those around it, each once, in ascending order (except at the bounds of `i32`).
    #[inline]
    pub(super) fn neighbours(self) -> impl Iterator<Item = Self> {
        (0..const { 3_u32.pow(N as u32) }).map(move |number| self.neighbour(number))
    }

    /// The neighbour of this number, in ascending order.
    #[inline]
    fn neighbour(self, mut number: u32) -> Self {
        let mut offset = [0; N];
        for axis in offset.iter_mut().rev() {
            *axis = (number % 3).cast_signed() - 1;
            number /= 3;
        }
        self.at(offset)
    }
}

/// A cell and those around it, as [`Cell::neighbours`].
#[derive(Clone, Debug)]
pub struct Neighbours<const N: usize> {
    cell: Cell<N>,
    numbers: Range<u32>,
}

impl<const N: usize> Neighbours<N> {
    pub(super) fn of(cell: Cell<N>) -> Self {
        Self { cell, numbers: 0..const { 3_u32.pow(N as u32) } }
    }
}

impl<const N: usize> Iterator for Neighbours<N> {
    type Item = Cell<N>;

    #[inline]
    fn next(&mut self) -> Option<Cell<N>> {
        self.numbers.next().map(|number| self.cell.neighbour(number))
    }
}

impl Cell<2> {
    /// This cell and the eight around it, each once, in ascending order (except at the bounds of `i32`).
    #[inline]
    #[must_use]
    pub fn around(self) -> [Self; 9] {
        core::array::from_fn(|i| {
            let i = i as i32;
            self.at([i / 3 - 1, i % 3 - 1])
        })
    }
}

impl Cell<3> {
    /// This cell and the 26 around it, each once, in ascending order (except at the bounds of `i32`).
    #[inline]
    #[must_use]
    pub fn around(self) -> [Self; 27] {
        core::array::from_fn(|i| {
            let i = i as i32;
            self.at([i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1])
        })
    }
}

impl<const N: usize> Hash for Cell<N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Two coordinates per word. The number of coordinates is part of the type, so it is not hashed.
        for pair in self.0.chunks(2) {
            let low = u64::from(pair[0].cast_unsigned());
            let high = pair.get(1).map_or(0, |&high| u64::from(high.cast_unsigned()));
            state.write_u64(high << 32 | low);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_are_rounded_down_and_saturate() {
        let grid = Grid::<3>::new(2.0);
        assert_eq!(grid.cell([0.0, 1.9, 2.0]), Cell([0, 0, 1]));
        assert_eq!(grid.cell([-0.1, -2.0, -2.1]), Cell([-1, -1, -2]));
        let (least, most) = (i32::MIN, i32::MAX);
        assert_eq!(grid.cell([f32::NAN, f32::INFINITY, -1e30]), Cell([least, most, least]));
    }

    #[test]
    fn around_is_each_neighbour_once() {
        for cell in [Cell([3, -1]), Cell([i32::MAX, i32::MIN])] {
            let all: BTreeSet<_> = cell.around().into_iter().collect();
            assert_eq!(all.len(), 9);
            assert!(all.contains(&cell) && all.contains(&cell.at([-1, 1])));
        }
        let all: BTreeSet<_> = Cell([0, 7, i32::MAX]).around().into_iter().collect();
        assert_eq!(all.len(), 27);
        assert!(Cell([0, 0, 0]).around().is_sorted());
        assert!(Cell([5, -1]).neighbours().eq(Cell([5, -1]).around()));
        assert!(Cell([5, 0, 7]).neighbours().eq(Cell([5, 0, 7]).around()));
        assert!(Neighbours::of(Cell([5, 0, 7])).eq(Cell([5, 0, 7]).around()));
    }

    #[test]
    #[should_panic(expected = "positive and finite")]
    fn a_cell_has_a_size() {
        let _ = Grid::<2>::new(0.0);
    }

    proptest! {
        #[test]
        fn what_is_near_is_in_a_cell_around(
            x in -1e4_f32..1e4,
            y in -1e4_f32..1e4,
            to in proptest::array::uniform2(-0.99_f32..0.99),
            size in 0.5_f32..30.0,
        ) {
            let grid = Grid::<2>::new(size);
            let other = [x + to[0] * size, y + to[1] * size];
            prop_assert!(grid.cell([x, y]).around().contains(&grid.cell(other)));
        }
    }

    /// Pairs whose first number is about a power of two times a size, and whose second one is about the size above it and
    /// nearer, by some bits. At powers of two the spacing of numbers changes. The size comes first.
    pub(in super::super) fn nearer_by_some_bits(
        start: f32,
        powers: core::ops::Range<i32>,
    ) -> impl Iterator<Item = (f32, f32, f32)> {
        let bits = |number: f32, by| f32::from_bits(number.to_bits().wrapping_add_signed(by));
        let sizes = (0..100).map(|n| 0.5 + 0.147_7 * n as f32);
        let firsts = sizes.flat_map(move |size| {
            let powers = powers.clone().flat_map(|power| [2_f32.powi(power), -2_f32.powi(power)]);
            powers.map(move |power| (size, start + power * size))
        });
        let beside = firsts.flat_map(move |(size, x)| (-3..=3).map(move |by| (size, bits(x, by))));
        let all =
            beside.flat_map(move |(size, x)| (-3..=3).map(move |by| (size, x, bits(x + size, by))));
        all.filter(|(size, x, y)| (y - x).abs() < *size)
    }

    #[test]
    fn what_is_nearer_by_a_bit_is_in_a_cell_around() {
        for (size, x, y) in nearer_by_some_bits(0.0, -3..33) {
            let grid = Grid::<2>::new(size);
            assert!(grid.cell([x, y]).around().contains(&grid.cell([y, x])), "{size}: {x}, {y}");
        }
    }
}
