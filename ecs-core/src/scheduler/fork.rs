//! Any number of pieces of work side by side, by recursive halving.

use super::Executor;
use std::ops::Range;

/// Calls `f` with each of `0..count`, side by side as `executor` allows, and returns when all
/// calls have returned.
///
/// Allocates nothing; the stack grows by one frame for each doubling of `count`. On
/// [`Inline`](super::Inline) the calls are made in ascending order. To have every call made even
/// if one panics, catch in `f`, with [`PanicSlot::catch`](super::PanicSlot::catch).
///
/// # Panics
///
/// With the panic of a call; other calls may then not have been made.
pub fn fork<E, F>(executor: &E, count: usize, f: &F)
where
    E: Executor,
    F: Fn(usize) + Sync,
{
    halve(executor, 0..count, f);
}

fn halve<E, F>(executor: &E, range: Range<usize>, f: &F)
where
    E: Executor,
    F: Fn(usize) + Sync,
{
    match range.len() {
        0 => {}
        1 => f(range.start),
        len => {
            let middle = range.start + len.div_ceil(2);
            executor.join(
                || halve(executor, range.start..middle, f),
                || halve(executor, middle..range.end, f),
            );
        }
    }
}

/// Calls `f` with the position of each item and the item, side by side as `executor` allows: as
/// [`fork`], over a slice.
///
/// # Panics
///
/// With the panic of a call; other calls may then not have been made.
pub fn fork_each<E, T, F>(executor: &E, items: &mut [T], f: &F)
where
    E: Executor,
    T: Send,
    F: Fn(usize, &mut T) + Sync,
{
    halve_slice(executor, items, 0, f);
}

fn halve_slice<E, T, F>(executor: &E, items: &mut [T], first: usize, f: &F)
where
    E: Executor,
    T: Send,
    F: Fn(usize, &mut T) + Sync,
{
    match items {
        [] => {}
        [item] => f(first, item),
        _ => {
            let middle = items.len().div_ceil(2);
            let (left, right) = items.split_at_mut(middle);
            executor.join(
                || halve_slice(executor, left, first, f),
                || halve_slice(executor, right, first + middle, f),
            );
        }
    }
}

/// Calls `f` with pieces of `items` of at most `size`, and with the position of the first item of each, side
/// by side as `executor` allows: as [`fork_each`], over pieces.
///
/// # Panics
///
/// With the panic of a call; other calls may then not have been made.
pub fn fork_chunks<E, T, F>(executor: &E, items: &mut [T], size: usize, f: &F)
where
    E: Executor,
    T: Send,
    F: Fn(usize, &mut [T]) + Sync,
{
    halve_chunks(executor, items, 0, size.max(1), f);
}

fn halve_chunks<E, T, F>(executor: &E, items: &mut [T], first: usize, size: usize, f: &F)
where
    E: Executor,
    T: Send,
    F: Fn(usize, &mut [T]) + Sync,
{
    if items.len() <= size {
        return f(first, items);
    }
    let middle = items.len().div_ceil(size).div_ceil(2) * size;
    let (left, right) = items.split_at_mut(middle);
    executor.join(
        || halve_chunks(executor, left, first, size, f),
        || halve_chunks(executor, right, first + middle, size, f),
    );
}

#[cfg(test)]
mod tests {
    use super::super::{Inline, Threads};
    use super::*;

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
    fn pieces_cover_all_items() {
        for (count, size) in [(0, 3), (1, 3), (3, 3), (7, 3), (100, 9), (5, 0)] {
            let mut items = vec![0; count];
            Threads::Global.run(|workers| {
                fork_chunks(workers, &mut items, size, &|first, items: &mut [usize]| {
                    assert!(items.len() <= size.max(1));
                    for (position, item) in items.iter_mut().enumerate() {
                        *item += first + position + 1;
                    }
                });
            });
            assert_eq!(items, (1..=count).collect::<Vec<_>>());
        }
    }
}
