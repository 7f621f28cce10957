//! The members of a query, sorted by number.
//!
//! The sort is a counting sort. Few records are sorted at once. Otherwise they are sorted in two levels, so that the memory to which
//! a level writes stays in the cache:
//!
//! 1. The records are cut into pieces. Each piece puts its records in the order of *ranges* of numbers.
//! 2. Each range takes its records out of all pieces, in order, and puts them in the order of numbers.
//!
//! Threads take pieces, and then ranges, in parallel. Records come in ascending order of rows, and both levels are stable, so the
//! members of a number are in that order. The result depends neither on the number of threads nor on how the query was split.

use core::ops::Range;

use super::key::{FromKeys, Number, Numbered, Record, Table};
use super::{MANY, PARTS};
use crate::entity::Place;
use crate::parallel::{ForkJoin, fork_each};
use crate::state::opaque_debug;

/// A value and the place of the member that it belongs to.
///
/// ```
/// use ecs_core::joins::Placed;
///
/// /// The member with the greatest value.
/// fn highest(members: &[Placed<f32>]) -> Option<&Placed<f32>> {
///     members.iter().max_by(|a, b| a.value.total_cmp(&b.value))
/// }
/// # assert_eq!(highest(&[]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<V> {
    /// The value that the index gave to the member.
    pub value: V,
    /// Where the member lies.
    pub place: Place,
}

/// The members of a query in ascending order of their numbers ([`Numbered`]), and of rows for the same number.
///
/// ```
/// # use ecs_core::joins::{Index, Numbered};
/// # struct Floor(u8);
/// # #[derive(Default)]
/// # struct ByFloor;
/// # impl Index for ByFloor {
/// #     type Entry<'a> = FloorsEntry<'a>;
/// #     type Key = Numbered<u8, 10>;
/// #     fn key(&self, e: FloorsEntry<'_>) -> Self::Key { Numbered::new(e.floor.0.into(), e.floor.0) }
/// # }
/// ecs_core::world! {
///     world House;
///     component Floor;
///     query Floors { read: [Floor], index: ByFloor }
///     system Look {
///         queries: [Floors],
///         run: |data| {
///             let floors = data.effects.sorted::<Floors>();
///             assert!(floors.all().iter().map(|member| member.value).eq([2, 5, 5, 7]));
///             assert_eq!(floors.run(3..7).len(), 2);
///             assert_eq!(floors.positions(3..7), 1..3);
///             assert!(floors.by_number(4..7).map(|members| members.len()).eq([0, 2, 0]));
///             assert!(floors.counts(4..7).eq([0, 2, 0]));
///         },
///     }
/// }
/// # let mut world = ecs_core::World::<House>::new();
/// # world.spawn_batch([7, 5, 2, 5].map(|floor| (Floor(floor),)));
/// # world.tick().unwrap();
/// ```
pub struct Sorted<V> {
    /// `bounds[n]` is the number of members with a number below `n`.
    bounds: Vec<u32>,
    members: Vec<Placed<V>>,
    pieces: Vec<Piece<V>>,
}

/// A piece of the records, in the order of ranges.
struct Piece<V> {
    /// For each range the position after its last record.
    ends: Vec<u32>,
    records: Vec<Parted<V>>,
}

/// A member with its number. As a [`Numbered`], it has no padding before a value of eight bytes.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct Parted<V> {
    number: u32,
    place: Place,
    value: V,
}

opaque_debug! { [V] Sorted<V>: |this| len = this.members.len() }

impl<V> Sorted<V> {
    /// All members.
    #[inline]
    #[must_use]
    pub fn all(&self) -> &[Placed<V>] {
        &self.members
    }

    /// The members whose numbers are in the range: the part of [`all`](Self::all) at their
    /// [`positions`](Self::positions). O(1).
    ///
    /// # Panics
    /// As `positions`.
    #[inline]
    #[must_use]
    pub fn run(&self, numbers: Range<usize>) -> &[Placed<V>] {
        &self.members[self.positions(numbers)]
    }

    /// The members of each number in the range, in order: [`run`](Self::run) for one number after the other, without
    /// a test of each. O(1) a number.
    ///
    /// # Panics
    /// As [`positions`](Self::positions).
    #[inline]
    pub fn by_number(&self, numbers: Range<usize>) -> impl Iterator<Item = &[Placed<V>]> {
        assert!(numbers.start <= numbers.end, "a range starts after its end");
        let members = &*self.members;
        let ends = self.bounds[numbers.start..=numbers.end].windows(2);
        // The bounds ascend, and the last one is the number of members.
        ends.map(move |ends| members.get(ends[0] as usize..ends[1] as usize).unwrap_or(&[]))
    }

    /// How many members each number in the range has, in order: the lengths of what
    /// [`by_number`](Self::by_number) yields, without the slices. O(1) a number.
    ///
    /// # Panics
    /// As [`positions`](Self::positions).
    #[inline]
    pub fn counts(&self, numbers: Range<usize>) -> impl Iterator<Item = usize> {
        assert!(numbers.start <= numbers.end, "a range starts after its end");
        let bounds = &self.bounds[numbers.start..=numbers.end];
        bounds.iter().zip(&bounds[1..]).map(|(start, end)| (end - start) as usize)
    }

    /// Where in [`all`](Self::all) the members lie whose numbers are in the range. O(1).
    ///
    /// # Panics
    /// If the range ends beyond the bound of the numbers, or starts after its end.
    #[inline]
    #[must_use]
    pub fn positions(&self, numbers: Range<usize>) -> Range<usize> {
        let bounds = &self.bounds[numbers.start..=numbers.end];
        bounds[0] as usize..bounds[bounds.len() - 1] as usize
    }
}

/// Sorts what is in the lists, by counting: copies the `value` of each item into `sorted`, in ascending order of their numbers,
/// which are below the number of `ends`. Then `ends[n]` is the position after the last one of *n*, where that of the first value is
/// `base`.
///
/// Loops over slices, and no adapters, each of which would be a call for each item in a build that is not optimised.
#[inline(always)]
fn sort_by_counting<'a, T: 'a, U>(
    lists: impl Iterator<Item = &'a [T]> + Clone,
    number: impl Fn(&T) -> usize,
    value: impl Fn(&T) -> U,
    (ends, sorted, base): (&mut [u32], &mut [U], usize),
) {
    ends.fill(0);
    for list in lists.clone() {
        let (mut at, len) = (0, list.len());
        while at < len {
            ends[number(&list[at])] += 1;
            at += 1;
        }
    }
    let mut next = base as u32;
    let (mut at, len) = (0, ends.len());
    while at < len {
        next += core::mem::replace(&mut ends[at], next);
        at += 1;
    }
    for list in lists {
        let (mut at, len) = (0, list.len());
        while at < len {
            let item = &list[at];
            let end = &mut ends[number(item)];
            sorted[*end as usize - base] = value(item);
            *end += 1;
            at += 1;
        }
    }
}

/// How numbers are cut into ranges: each has 2^`shift` of them.
#[derive(Clone, Copy)]
struct Ranges {
    shift: u32,
    count: usize,
}

impl Ranges {
    /// Ranges of the numbers below `bound`, which is not 0: about [`RANGES`], of up to [`RANGE_NUMBERS`] numbers. More numbers
    /// make more ranges, up to about [`MOST_RANGES`].
    fn of(bound: usize) -> Self {
        let wanted = (bound / RANGES).min(RANGE_NUMBERS).max(bound / MOST_RANGES).max(1);
        let shift = wanted.next_power_of_two().trailing_zeros();
        Self { shift, count: bound.div_ceil(1 << shift) }
    }

    /// Where the ranges are cut into parts of about as much work, for [`PARTS`] parts. `ends` has the position after the last
    /// record of each range.
    fn cut(self, ends: &[u32]) -> [Range<usize>; PARTS] {
        let work = |range: usize| ends[range] as usize + ((range + 1) << self.shift) / PER_RECORD;
        let (all, mut first) = (work(self.count - 1), 0);
        core::array::from_fn(|part| {
            let wanted = all * (part + 1) / PARTS;
            let (mut end, last) = (first, part + 1 == PARTS);
            while end < self.count && (last || work(end) <= wanted) {
                end += 1;
            }
            core::mem::replace(&mut first, end)..end
        })
    }
}

/// Ranges that one thread sorts.
struct Part<'p, V> {
    ranges: Range<usize>,
    /// For each number the position after its last member.
    ends: &'p mut [u32],
    members: &'p mut [Placed<V>],
    /// The position of the first member.
    base: usize,
}

impl<V: Copy> Part<'_, V> {
    /// Puts the records of all pieces in the order of numbers.
    fn sort(&mut self, ranges: Ranges, pieces: &[Piece<V>]) {
        let (mut ends, mut members, mut base) = (&mut *self.ends, &mut *self.members, self.base);
        for range in self.ranges.clone() {
            let records = pieces.iter().map(|piece| piece.of(range));
            let count = records.clone().map(<[_]>::len).sum();
            let first = range << ranges.shift;
            let of_range = (1 << ranges.shift).min(ends.len());
            sort_by_counting(
                records,
                |record| record.number as usize - first,
                |record| Placed { value: record.value, place: record.place },
                (
                    ends.split_off_mut(..of_range).unwrap_or_default(),
                    members.split_off_mut(..count).unwrap_or_default(),
                    base,
                ),
            );
            base += count;
        }
    }
}

impl<V: Copy> Piece<V> {
    const NEW: Self = Self { ends: Vec::new(), records: Vec::new() };

    /// Puts as many records in the order of ranges. `any` is a placeholder.
    fn part<'a, K: Number + 'a, R: 'a>(
        &mut self,
        ranges: Ranges,
        count: usize,
        any: Placed<V>,
        records: impl Iterator<Item = &'a [Record<K, R>]> + Clone,
        member: impl Fn(&Record<K, R>) -> Placed<V>,
    ) {
        let Self { ends, records: parted } = self;
        ends.resize(ranges.count, 0);
        parted.resize(count, Parted { number: 0, place: any.place, value: any.value });
        sort_by_counting(
            records,
            |record| (record.0.number() >> ranges.shift) as usize,
            |record| {
                let Placed { value, place } = member(record);
                Parted { number: record.0.number(), place, value }
            },
            (ends, parted, 0),
        );
    }

    /// The records of the range.
    fn of(&self, range: usize) -> &[Parted<V>] {
        let start = range.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.records[start as usize..self.ends[range] as usize]
    }
}

/// Those in the lists whose positions, counted over all lists, are in the range.
fn within<'a, T: 'a>(
    lists: impl Iterator<Item = &'a [T]> + Clone,
    range: &Range<usize>,
) -> impl Iterator<Item = &'a [T]> + Clone {
    let Range { start, end } = *range;
    let mut first = 0;
    lists.map(move |list| {
        let at = |position: usize| position.clamp(first, first + list.len()) - first;
        let part = &list[at(start)..at(end)];
        first += list.len();
        part
    })
}

/// About as many ranges, of up to [`RANGE_NUMBERS`] numbers each: the positions of so many fit in the first-level cache.
const RANGES: usize = 64;
const RANGE_NUMBERS: usize = 4096;
/// About the largest number of ranges.
const MOST_RANGES: usize = 1024;

/// As many numbers without records take as long as one record.
const PER_RECORD: usize = 16;

impl<V: Copy + Send + Sync + 'static> Sorted<V> {
    /// No members.
    pub(super) const NONE: Self =
        Self { bounds: Vec::new(), members: Vec::new(), pieces: Vec::new() };

    /// Sorts records by their numbers, which are below `bound`, into members.
    /// O(records + `bound`), shared by the threads. Allocates nothing if there were as many records before.
    ///
    /// `reader` returns the function from a record to its member. Each thread calls it for itself.
    pub(super) fn sort<'a, K, R, F>(
        &mut self,
        executor: &impl ForkJoin,
        bound: usize,
        records: &(impl Iterator<Item = &'a [Record<K, R>]> + Clone + Sync),
        reader: &(impl Fn() -> F + Sync),
    ) where
        K: Number + 'a,
        R: Sync + 'a,
        F: Fn(&Record<K, R>) -> Placed<V>,
    {
        let Self { bounds, members, .. } = self;
        let count: usize = records.clone().map(<[_]>::len).sum();
        bounds.resize(bound + 1, 0);
        members.truncate(count);
        let Some(first) = records.clone().flatten().next() else { return bounds.fill(0) };
        // A placeholder: each is overwritten.
        let any = reader()(first);
        members.resize(count, any);
        if executor.concurrency() > 1 && count >= MANY {
            return self.sort_in_two_levels(executor, any, records, reader);
        }
        let number = |record: &Record<K, R>| record.0.number() as usize;
        sort_by_counting(records.clone(), number, reader(), (&mut bounds[1..], members, 0));
    }

    /// Sorts the records when there is room for all.
    fn sort_in_two_levels<'a, K, R, F>(
        &mut self,
        executor: &impl ForkJoin,
        any: Placed<V>,
        records: &(impl Iterator<Item = &'a [Record<K, R>]> + Clone + Sync),
        reader: &(impl Fn() -> F + Sync),
    ) where
        K: Number + 'a,
        R: Sync + 'a,
        F: Fn(&Record<K, R>) -> Placed<V>,
    {
        let Self { bounds, members, pieces } = self;
        let (ranges, count) = (Ranges::of(bounds.len() - 1), members.len());
        let number = (2 * executor.concurrency()).min(PARTS);
        pieces.resize_with(number, || Piece::NEW);
        fork_each(executor, pieces, &|at, piece| {
            let range = count * at / number..count * (at + 1) / number;
            piece.part(ranges, range.len(), any, within(records.clone(), &range), reader());
        });
        // For now, the position after the last member of each range.
        let end_of = |range: usize| pieces.iter().map(|piece| piece.ends[range]).sum::<u32>();
        let ends = &mut bounds[1..];
        (0..ranges.count).for_each(|range| ends[range] = end_of(range));
        let cuts = ranges.cut(ends);
        let (mut ends, mut members, mut base) = (ends, &mut members[..], 0);
        let mut parts = cuts.map(|cut| {
            let numbers = (cut.len() << ranges.shift).min(ends.len());
            let end = cut.end.checked_sub(1).map_or(0, |last| end_of(last) as usize);
            Part {
                ranges: cut,
                ends: ends.split_off_mut(..numbers).unwrap_or_default(),
                members: members.split_off_mut(..end - base).unwrap_or_default(),
                base: core::mem::replace(&mut base, end),
            }
        });
        fork_each(executor, &mut parts, &|_, part| part.sort(ranges, pieces));
    }
}

impl<V: Copy + Send + Sync + 'static> Table for Sorted<V> {
    const EMPTY: Self = Self::NONE;
}

impl<V, const BOUND: usize> FromKeys<Numbered<V, BOUND>> for Sorted<V>
where
    V: Copy + Send + Sync + 'static,
{
    fn make<'a>(
        &mut self,
        executor: &impl ForkJoin,
        records: &(impl Iterator<Item = &'a [Record<Numbered<V, BOUND>>]> + Clone + Sync),
    ) {
        let member = |&(key, row): &Record<Numbered<V, BOUND>>| Placed {
            value: key.value(),
            place: Place::of(row as usize),
        };
        self.sort(executor, BOUND, records, &|| member);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parallel::{Inline, Threads};

    type Records<const BOUND: usize> = Vec<Record<Numbered<u64, BOUND>>>;

    /// Records with increasing rows, each with a value of its own.
    fn records<const BOUND: usize>(numbers: &[usize]) -> Records<BOUND> {
        let records = numbers.iter().enumerate();
        records.map(|(at, &number)| (Numbered::new(number, at as u64 * 7), at as u32 * 3)).collect()
    }

    /// Whether each run is that of a stable sort.
    fn check<const BOUND: usize>(sorted: &Sorted<u64>, records: &Records<BOUND>) {
        let mut expected = records.clone();
        expected.sort_by_key(|(key, _)| key.number());
        let placed = |&(key, row): &Record<Numbered<u64, BOUND>>| {
            let place = Place::of(row as usize);
            Placed { value: key.value(), place }
        };
        let (middle, end) = (BOUND / 2, BOUND);
        let runs = [(0, end), (0, 0), (end, end), (3, 4), (17, middle), (end - 1, end)];
        for (start, end) in runs {
            let run: Vec<_> = expected
                .iter()
                .filter(|(key, _)| (start..end).contains(&(key.number() as usize)))
                .map(placed)
                .collect();
            assert_eq!(sorted.run(start..end), run);
            assert_eq!(sorted.all()[sorted.positions(start..end)], run);
        }
        assert_eq!(sorted.all().len(), records.len());
        let run = |number| sorted.run(number..number + 1);
        assert!(sorted.counts(0..BOUND).eq((0..BOUND).map(|number| run(number).len())));
        assert!(sorted.counts(7..7).next().is_none());
    }

    fn make<const BOUND: usize>(
        sorted: &mut Sorted<u64>,
        executor: &impl ForkJoin,
        records: &Records<BOUND>,
        pieces: usize,
    ) {
        let size = records.len().div_ceil(pieces).max(1);
        sorted.make(executor, &records.chunks(size));
    }

    proptest! {
        #[test]
        fn equals_a_stable_sort(
            rounds in proptest::collection::vec(proptest::collection::vec(0..90_usize, 0..400), 1..4),
            pieces in 1..5_usize,
        ) {
            let mut sorted = Sorted::EMPTY;
            for numbers in rounds {
                let records = records::<90>(&numbers);
                make(&mut sorted, &Inline, &records, pieces);
                check(&sorted, &records);
            }
        }
    }

    /// Numbers below the bound, as good as random.
    fn scattered(count: usize, bound: usize) -> Vec<usize> {
        (0..count).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % bound).collect()
    }

    /// Sorts one list after the other, on several numbers of threads.
    fn check_in_parallel<const BOUND: usize>(all: &[Records<BOUND>]) {
        for threads in [1, 3, 5, 20] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Threads::Pool(std::sync::Arc::new(pool.expect("threads"))).run(|workers| {
                let mut sorted = Sorted::EMPTY;
                for records in all {
                    make(&mut sorted, workers, records, 3);
                    check(&sorted, records);
                }
            });
        }
    }

    #[test]
    fn few_numbers_are_sorted_in_parallel() {
        check_in_parallel::<90>(&[
            records(&scattered(3 * MANY, 90)),
            records(&vec![89; MANY]),
            records(&vec![0; MANY]),
            records(&scattered(7, 90)),
        ]);
    }

    #[test]
    fn many_numbers_are_sorted_in_parallel() {
        const BOUND: usize = 16 * MANY + 77;
        check_in_parallel::<BOUND>(&[
            records(&scattered(3 * MANY, BOUND)),
            // Few records, whose numbers alone are much work.
            records(&scattered(7, BOUND)),
            // Nearly all are in one range.
            records(&[vec![5; MANY], vec![BOUND - 1; 9]].concat()),
            records(&[]),
        ]);
    }

    #[test]
    fn ranges_have_all_numbers_and_each_is_in_one_part() {
        for bound in [1, 2, 63, 64, 65, 90, 5_000, 1 << 18, (1 << 18) + 1, 50_000_000] {
            let ranges = Ranges::of(bound);
            assert!(
                ((ranges.count - 1) << ranges.shift..ranges.count << ranges.shift)
                    .contains(&(bound - 1))
            );
            assert!(ranges.count <= 2 * RANGES.max(MOST_RANGES));
            for share in [0, 1, 1_000] {
                // As many records in each range, and all in the first one or in the last one.
                let even = (0..ranges.count).map(|range| (range as u32 + 1) * share).collect();
                let first = vec![9 * share; ranges.count];
                let mut last = vec![0; ranges.count];
                last[ranges.count - 1] = 9 * share;
                for ends in [even, first, last] {
                    let cuts = ranges.cut(&ends);
                    let all: Vec<usize> = cuts.into_iter().flatten().collect();
                    assert!(all.into_iter().eq(0..ranges.count));
                }
            }
        }
    }

    #[test]
    fn parts_have_about_the_same_work() {
        let ranges = Ranges::of(1 << 18);
        let ends: Vec<u32> = (1..=ranges.count as u32).map(|range| range * 900).collect();
        let lengths = ranges.cut(&ends).map(|cut| cut.len());
        assert_eq!(lengths, [ranges.count / PARTS; PARTS]);
    }

    #[test]
    fn an_index_without_numbers_is_empty() {
        let mut sorted = Sorted::EMPTY;
        let none: [&[Record<Numbered<(), 0>>]; 0] = [];
        sorted.make(&Inline, &none.into_iter());
        assert!(sorted.all().is_empty() && sorted.run(0..0).is_empty());
    }
}
