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
}
