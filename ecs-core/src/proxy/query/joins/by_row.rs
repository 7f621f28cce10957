//! An output whose items are found in another order than that of rows, and put in that order.

use core::ops::{Deref, DerefMut, Range};

use super::sorted::Placed;
use crate::output::{Output, Sequence};
use crate::rows::{BLOCK_ROWS, rows_of};
use crate::state::opaque_debug;
use crate::types::prefetch;

/// Members that are selected at a time.
const SELECTED: usize = 64;

/// As many bytes are in a cache of the thread's core where they were just written.
const CACHED: usize = 1 << 20;

/// The output of a system that visits its own entities in the order of an index
/// ([`Effects::for_sorted`](crate::Effects::for_sorted)). Its items are in the order of the rows of those entities, so they
/// do not depend on how the system was split.
///
/// It derefs to a slice of them. It takes the memory of its items twice, and eight bytes and a bit for each row of the
/// subtask.
///
/// ```
/// # use ecs_core::joins::{ByRow, Index, Numbered};
/// # use ecs_core::{World, world};
/// # struct Floor(u8);
/// # #[derive(Default)]
/// # struct ByFloor;
/// # impl Index for ByFloor {
/// #     type Entry<'a> = FloorsEntry<'a>;
/// #     type Key = Numbered<u8, 10>;
/// #     fn key(&self, e: FloorsEntry<'_>) -> Self::Key { Numbered::new(e.floor.0.into(), e.floor.0) }
/// # }
/// world! {
///     world House;
///     component Floor;
///     query Floors { read: [Floor], index: ByFloor }
///     system List {
///         read: [Floor],
///         queries: [Floors],
///         output: ByRow<u8>,
///         run: |data| data.effects.for_sorted::<Floors, _>(&data.own, |own, _, items| items.push(own.value)),
///     }
/// }
/// let mut world = World::<House>::new();
/// world.spawn_batch([7, 2, 5].map(|floor| (Floor(floor),)));
/// world.step(|step| {
///     step.execute_systems();
///     // Visited by floor, listed by row.
///     assert!(step.outputs_of::<List>().flatten().eq(&[7, 2, 5]));
/// }).unwrap();
/// ```
pub struct ByRow<T> {
    /// The items in the order of rows.
    items: Vec<T>,
    /// The items in the order in which they are found.
    found: Vec<T>,
    /// For each row of the subtask from the first on: where its items start in `found`, and how many they are, if it
    /// is marked.
    runs: Vec<(u32, u32)>,
    /// The rows with items, from the first row of the subtask on: a word for each block.
    marked: Vec<u64>,
}

impl<T> Default for ByRow<T> {
    fn default() -> Self {
        Self { items: Vec::new(), found: Vec::new(), runs: Vec::new(), marked: Vec::new() }
    }
}

/// A copy of the items; all else is memory for the next execution.
impl<T: Clone> Clone for ByRow<T> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), ..Self::default() }
    }

    fn clone_from(&mut self, from: &Self) {
        self.items.clone_from(&from.items);
    }
}

opaque_debug! { [T] ByRow<T>: |this| len = this.items.len() }

impl<T> Deref for ByRow<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

#[diagnostic::do_not_recommend]
impl<T: Copy + Send + Sync + 'static> Output for ByRow<T> {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        self.items.clear();
    }
}

#[diagnostic::do_not_recommend]
impl<T: Copy + Send + Sync + 'static> Sequence for ByRow<T> {
    type Item<'a> = &'a T;

    fn items(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }
}

/// The items of one entity. It derefs to a slice of them, for example to sort them.
///
/// ```
/// use ecs_core::joins::Items;
///
/// /// Adds what is near, the nearest first.
/// fn add(near: &[u32], items: &mut Items<'_, u32>) {
///     near.iter().for_each(|&distance| items.push(distance));
///     items.sort_unstable();
/// }
/// # let _ = add;
/// ```
pub struct Items<'a, T> {
    all: &'a mut Vec<T>,
    start: usize,
}

opaque_debug! { [T] Items<'_, T>: |this| len = this.len() }

impl<T> Items<'_, T> {
    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.all.push(item);
    }
}

impl<T> Deref for Items<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.all[self.start..]
    }
}

impl<T> DerefMut for Items<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.start..]
    }
}

impl<T: Copy> ByRow<T> {
    /// Calls `f` with each of these members that lies in the rows and is an own one, and with a list that takes its
    /// items; and adds the items in the order of rows. O(members + rows + items).
    #[inline(always)]
    pub(crate) fn collect<V>(
        &mut self,
        members: &[Placed<V>],
        rows: &Range<usize>,
        is_own: impl Fn(usize) -> bool,
        mut f: impl FnMut(&Placed<V>, &mut Items<'_, T>),
    ) {
        self.found.clear();
        self.marked.clear();
        self.marked.resize(rows.len().div_ceil(BLOCK_ROWS), 0);
        self.runs.resize(rows.len(), (0, 0));
        let mut selected = [0; SELECTED];
        for group in members.chunks(SELECTED) {
            // Written unconditionally and kept only if the member is selected, which avoids a branch.
            let mut count = 0;
            for (at, member) in group.iter().enumerate() {
                selected[count] = at;
                let row = member.place.row() as usize;
                let is_near = row.wrapping_sub(rows.start) < rows.len();
                count += usize::from(is_near && is_own(row));
            }
            for &at in &selected[..count] {
                let start = self.found.len();
                f(&group[at], &mut Items { all: &mut self.found, start });
                let count = self.found.len() - start;
                if count > 0 {
                    let row = group[at].place.row() as usize - rows.start;
                    self.marked[row / BLOCK_ROWS] |= 1 << (row % BLOCK_ROWS);
                    self.runs[row] = (start as u32, count as u32);
                }
            }
        }
        let Self { items, found, runs, marked } = self;
        let run = |row: usize| {
            let (start, count) = runs[row];
            &found[start as usize..][..count as usize]
        };
        // The items of adjacent rows lie far apart in `found`. If those are many, the first ones of each row of a block are
        // prefetched while those of the block before are copied.
        let prefetches = size_of_val(&found[..]) > CACHED;
        for (block, &of_block) in marked.iter().enumerate() {
            if prefetches && let Some(&next) = marked.get(block + 1) {
                rows_of(block + 1, next).for_each(|row| prefetch(run(row).as_ptr()));
            }
            rows_of(block, of_block).for_each(|row| items.extend_from_slice(run(row)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::entity::Place;

    proptest! {
        #[test]
        fn items_are_in_the_order_of_rows(
            mut order in Just((0..200).collect::<Vec<u32>>()).prop_shuffle(),
            count in 0..200_usize,
            rows in (0..200_usize, 0..200_usize),
        ) {
            order.truncate(count);
            let members: Vec<Placed<u32>> =
                order.iter().map(|&row| Placed { value: row % 4, place: Place::of(row as usize) }).collect();
            let rows = rows.0.min(rows.1)..rows.0.max(rows.1);
            let is_own = |row: usize| !row.is_multiple_of(5);
            let mut output = ByRow::default();
            for round in 0..2 {
                output.reset();
                output.collect(&members, &rows, is_own, |member, items| {
                    assert!(items.is_empty());
                    (0..member.value).for_each(|n| items.push((member.place, n + round)));
                    items.reverse();
                });
                order.sort_unstable();
                let own = order.iter().filter(|row| {
                    rows.contains(&(**row as usize)) && !row.is_multiple_of(5)
                });
                let expected: Vec<_> = own
                    .flat_map(|&row| (0..row % 4).rev().map(move |n| (Place::of(row as usize), n + round)))
                    .collect();
                prop_assert_eq!(&output[..], &expected[..]);
                prop_assert!(output.items().eq(&expected));
            }
        }
    }

    #[test]
    fn items_that_are_more_than_a_cache_has_are_in_the_same_order() {
        const ROWS: usize = 700;
        let members: Vec<Placed<()>> =
            (0..ROWS).map(|at| Placed { value: (), place: Place::of(at * 199 % ROWS) }).collect();
        let mut output = ByRow::default();
        output.collect(
            &members,
            &(3..ROWS),
            |row| row % 3 > 0,
            |member, items| {
                items.push([member.place.row() as usize; 512]);
            },
        );
        assert!(size_of_val(&output[..]) > CACHED);
        let rows = (3..ROWS).filter(|row| row % 3 > 0);
        assert!(output.iter().map(|item| item[0]).eq(rows));
    }
}
