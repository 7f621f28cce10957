//! Any number of pieces of work side by side, by recursive halving.

use super::ForkJoin;
use std::ops::Range;

/// Calls `f` with each of `0..count`, side by side as `executor` allows, and returns when all
/// calls have returned.
///
/// Allocates nothing. The stack grows by one frame for each doubling of `count`. On [`Inline`](super::Inline)
/// the calls are made in ascending order. To make every call even if one panics, catch panics in `f` with
/// [`PanicSlot::catch`](super::PanicSlot::catch).
///
/// # Panics
///
/// With the panic of a call. Other calls may then not have been made.
pub fn fork<E: ForkJoin, F: Fn(usize) + Sync>(executor: &E, count: usize, f: &F) {
    halve(executor, 0..count, 0, in_two, &|_, range: Range<usize>| {
        if !range.is_empty() {
            f(range.start);
        }
    });
}

/// Calls `f` with the position of each item and the item, side by side as `executor` allows. This is [`fork`]
/// over a slice.
///
/// # Panics
///
/// With the panic of a call. Other calls may then not have been made.
pub fn fork_each<E, T, F>(executor: &E, items: &mut [T], f: &F)
where
    E: ForkJoin,
    T: Send,
    F: Fn(usize, &mut T) + Sync,
{
    halve(executor, items, 0, in_two, &|first, items: &mut [T]| {
        if let [item] = items {
            f(first, item);
        }
    });
}

/// Calls `f` with chunks of `items` of at most `size` items, and with the position of the first item of each,
/// side by side as `executor` allows. This is [`fork_each`] over chunks.
///
/// # Panics
///
/// With the panic of a call. Other calls may then not have been made.
pub fn fork_chunks<E, T, F>(executor: &E, items: &mut [T], size: usize, f: &F)
where
    E: ForkJoin,
    T: Send,
    F: Fn(usize, &mut [T]) + Sync,
{
    halve(executor, items, 0, by(size), &|first, items: &mut [T]| f(first, items));
}

/// Cuts items in two until one or none is left.
fn in_two(count: usize) -> Option<usize> {
    (count > 1).then(|| count.div_ceil(2))
}

/// Cuts items in two, until at most `size` are left, at a multiple of `size`.
fn by(size: usize) -> impl Fn(usize) -> Option<usize> + Copy + Sync + Send {
    let size = size.max(1);
    move |count| (count > size).then(|| count.div_ceil(size).div_ceil(2) * size)
}

/// Calls `f` with pieces of the items and the position of the first item of each. `middle` is called with the
/// number of items of a piece, and returns where the piece is cut, if it is.
fn halve<E, C, M, F>(executor: &E, items: C, first: usize, middle: M, f: &F)
where
    E: ForkJoin,
    C: Cut,
    M: Fn(usize) -> Option<usize> + Copy + Sync + Send,
    F: Fn(usize, C) + Sync,
{
    let Some(at) = middle(items.count()) else { return f(first, items) };
    let (left, right) = items.cut(at);
    executor.join(
        || halve(executor, left, first, middle, f),
        || halve(executor, right, first + at, middle, f),
    );
}

/// [`fork_chunks`] over two slices of one length.
pub(crate) fn fork_chunks_of_both<E, T, U, F>(
    executor: &E,
    (ones, others): (&mut [T], &mut [U]),
    size: usize,
    f: &F,
) where
    E: ForkJoin,
    T: Send,
    U: Send,
    F: Fn(usize, &mut [T], &mut [U]) + Sync,
{
    assert_eq!(ones.len(), others.len(), "there is one for each");
    let f = |first, (ones, others): (&mut [T], &mut [U])| f(first, ones, others);
    halve(executor, (ones, others), 0, by(size), &f);
}

/// Items that can be cut in two: a range, a slice, or two slices of one length.
trait Cut: Send + Sized {
    /// The number of items.
    fn count(&self) -> usize;

    /// The items before `middle`, and the items from there on.
    fn cut(self, middle: usize) -> (Self, Self);
}

impl Cut for Range<usize> {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, middle: usize) -> (Self, Self) {
        let middle = self.start + middle;
        (self.start..middle, middle..self.end)
    }
}

impl<T: Send> Cut for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, middle: usize) -> (Self, Self) {
        self.split_at_mut(middle)
    }
}

impl<A: Cut, B: Cut> Cut for (A, B) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn cut(self, middle: usize) -> (Self, Self) {
        let (ones, others) = (self.0.cut(middle), self.1.cut(middle));
        ((ones.0, others.0), (ones.1, others.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{Inline, Threads};

    #[test]
    fn every_item_once_with_its_position() {
        for count in [0, 1, 2, 3, 7, 64] {
            let mut items = vec![0; count];
            fork_each(&Inline, &mut items, &|position, item| *item += position + 1);
            Threads::Global.run(|workers| {
                fork_each(workers, &mut items, &|position, item| *item += position + 1);
            });
            assert_eq!(items, (0..count).map(|p| 2 * (p + 1)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn pieces_cover_all_items_and_those_of_two_slices_belong_together() {
        let of_one = [(0, 3), (1, 3), (3, 3), (7, 3), (100, 9), (5, 0)];
        let of_both = [(0, 4), (1, 4), (4, 4), (5, 4), (100, 4)];
        for (count, size) in of_one.into_iter().chain(of_both) {
            let (mut ones, mut others) = (vec![0; count], vec![0; count]);
            let number = |first, ones: &mut [usize]| {
                assert!(ones.len() <= size.max(1));
                for (position, one) in ones.iter_mut().enumerate() {
                    *one += first + position + 1;
                }
            };
            Threads::Global.run(|workers| {
                fork_chunks(workers, &mut ones, size, &number);
                let both = (&mut ones[..], &mut others[..]);
                fork_chunks_of_both(workers, both, size, &|first, ones, others: &mut [_]| {
                    number(first, others);
                    ones.iter_mut().zip(others).for_each(|(one, other)| *one += *other);
                });
            });
            assert_eq!(others, (1..=count).collect::<Vec<_>>());
            assert!(ones.iter().zip(others).all(|(one, other)| *one == 2 * other));
        }
    }
}
