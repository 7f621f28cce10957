//! Cells within bounds, by number.

use core::ops::Range;

use super::grid::Grid;

/// The cells of a box, numbered so that those that follow one another along the last axis have consecutive numbers. On
/// each axis there is an empty cell more at either end, so that each cell of the box has neighbours.
///
/// A point outside the box belongs to the nearest cell of it. Two points whose coordinates differ by less than the size, as
/// `f32`, belong to the same cell or to adjacent ones, inside the box or outside, if there are less than 2²⁵ cells on an axis.
/// For the computed number of cells up to a point differs from the exact one by 2⁻⁵¹ of itself at most. So if two points belong
/// to cells that are not adjacent, they are at least the size apart, less 2⁻²⁵ of it, and their difference rounds to the size.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<const N: usize> {
    least: [f64; N],
    /// Cells per unit of length.
    scale: f64,
    /// The last cell on each axis, from 0: a whole number below 2³¹.
    last: [f64; N],
    /// How far the numbers of cells are apart that are neighbours on an axis.
    strides: [usize; N],
    /// The number of the first cell of the box.
    first: usize,
    count: usize,
}

impl<const N: usize> Bounds<N> {
    /// The cells of this size from the point `least` to the point `most`.
    ///
    /// # Panics
    /// If the size is not positive and finite; if a coordinate of `least` is not below that of `most`, or not finite; or if
    /// there are 2³¹ cells or more.
    #[track_caller]
    pub(super) fn new(size: f32, least: [f32; N], most: [f32; N]) -> Self {
        let scale = 1.0 / f64::from(Grid::<N>::new(size).size());
        let (least, most) = (least.map(f64::from), most.map(f64::from));
        let (mut last, mut strides, mut count) = ([0.0; N], [1; N], 1_usize);
        for axis in (0..N).rev() {
            let length = most[axis] - least[axis];
            assert!(
                length > 0.0 && length < f64::INFINITY,
                "the bounds of a grid are finite, and the second point is above the first"
            );
            let cells = (length * scale).ceil().max(1.0);
            strides[axis] = count;
            last[axis] = cells - 1.0;
            let all = (cells as usize).checked_add(2).and_then(|cells| cells.checked_mul(count));
            count = all.filter(|&count| count < 1 << 31).unwrap_or_else(|| too_many());
        }
        let first = strides.iter().sum();
        Self { least, scale, last, strides, first, count }
    }

    /// The number of cells, which is above their numbers.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of the cell that a point belongs to.
    #[inline]
    pub(super) fn number(&self, point: [f32; N]) -> usize {
        let (mut number, mut axis) = (self.first, 0);
        while axis < N {
            let cell = (f64::from(point[axis]) - self.least[axis]) * self.scale;
            // What is below the box, or no number, becomes 0.
            let cell = if cell > 0.0 { cell } else { 0.0 };
            let cell = if cell < self.last[axis] { cell } else { self.last[axis] };
            // SAFETY: it is between 0 and the last cell, which is an `i32`. A conversion by `as` would compare it once more.
            let cell = unsafe { cell.to_int_unchecked::<i32>() }.cast_unsigned() as usize;
            // The last stride is 1.
            number += if axis + 1 < N { cell * self.strides[axis] } else { cell };
            axis += 1;
        }
        number
    }

    /// The numbers of the cells around the point's, and its own: ranges along the last axis, ascending.
    #[inline]
    pub(super) fn around(&self, point: [f32; N]) -> impl Iterator<Item = Range<usize>> + use<N> {
        let (number, strides) = (self.number(point), self.strides);
        (0..const { 3_usize.pow(N as u32 - 1) }).map(move |row| run(number, strides, row))
    }

    /// The same, as a type that has a name.
    #[inline]
    pub(super) fn runs(&self, point: [f32; N]) -> Runs<N> {
        let rows = 0..const { 3_usize.pow(N as u32 - 1) };
        Runs { number: self.number(point), strides: self.strides, rows }
    }
}

/// The numbers of the cells in a row of those around the one with the `number`.
#[inline]
fn run<const N: usize>(number: usize, strides: [usize; N], mut row: usize) -> Range<usize> {
    let (mut first, mut axis) = (number - 1, N - 1);
    while axis > 0 {
        axis -= 1;
        first = first + row % 3 * strides[axis] - strides[axis];
        row /= 3;
    }
    first..first + 3
}

/// The numbers of the cells around a point's, and its own: as [`Bounds::around`].
#[derive(Clone, Debug)]
pub struct Runs<const N: usize> {
    number: usize,
    strides: [usize; N],
    rows: Range<usize>,
}

impl<const N: usize> Iterator for Runs<N> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        self.rows.next().map(|row| run(self.number, self.strides, row))
    }
}

#[cold]
#[track_caller]
fn too_many() -> ! {
    panic!(
        "the bounds of a grid hold 2³¹ cells or more: let the cells be larger, or the bounds closer"
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grid::tests::nearer_by_some_bits;
    use super::*;

    #[test]
    fn numbers_follow_one_another_along_the_last_axis() {
        let bounds = Bounds::new(2.0, [0.0, -4.0], [6.0, 4.0]);
        // Three by four cells, with one more at either end.
        assert_eq!(bounds.count(), 5 * 6);
        assert_eq!(bounds.number([0.0, -4.0]), 7);
        assert_eq!(bounds.number([0.0, -1.9]), 8);
        assert_eq!(bounds.number([2.5, 3.9]), 6 + 10);
        let around: Vec<_> = bounds.around([0.0, -4.0]).collect();
        assert_eq!(around, [0..3, 6..9, 12..15]);
        assert!(bounds.runs([0.0, -4.0]).eq(around));
    }

    #[test]
    fn what_is_outside_belongs_to_the_border() {
        let bounds = Bounds::new(1.0, [0.0; 3], [2.0; 3]);
        let number = |point| bounds.number(point);
        assert_eq!(number([-1e30, f32::NAN, f32::NEG_INFINITY]), number([0.0; 3]));
        assert_eq!(number([1e30, 2.0, f32::INFINITY]), number([1.9; 3]));
        assert_eq!(bounds.around([1.0; 3]).count(), 9);
        assert!(bounds.around([9.0; 3]).all(|cells| cells.end <= bounds.count()));
    }

    #[test]
    #[should_panic(expected = "2³¹ cells or more")]
    fn cells_have_numbers() {
        let _ = Bounds::new(1e-3, [0.0; 2], [1e3; 2]);
    }

    #[test]
    #[should_panic(expected = "the second point is above the first")]
    fn a_box_has_an_inside() {
        let _ = Bounds::new(1.0, [0.0, 1.0], [1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn what_is_near_is_in_a_cell_around(
            at in proptest::array::uniform3(-30_f32..30.0),
            by in proptest::array::uniform3(-0.99_f32..0.99),
            size in 0.5_f32..9.0,
        ) {
            let bounds = Bounds::new(size, [-10.0; 3], [12.0, 8.0, 10.5]);
            let other = bounds.number(core::array::from_fn(|axis| at[axis] + by[axis] * size));
            prop_assert!(bounds.around(at).any(|cells| cells.contains(&other)));
        }
    }

    #[test]
    fn what_is_nearer_by_a_bit_is_in_a_cell_around() {
        for start in [0.0, -306.1, 1_234.5] {
            for (size, x, y) in nearer_by_some_bits(start, 0..25) {
                let most = start + size * (1 << 25) as f32 * 0.999;
                let bounds = Bounds::new(size, [0.0, start], [size / 2.0, most]);
                let other = bounds.number([0.0, y]);
                assert!(
                    bounds.around([0.0, x]).any(|cells| cells.contains(&other)),
                    "{size}: {x}, {y}"
                );
            }
        }
    }
}
