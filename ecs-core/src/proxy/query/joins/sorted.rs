//! The members of a query, sorted by number.
//!
//! The sort is a counting sort. It is shared among threads in one of two ways:
//!
//! - If there are few numbers, the records are cut into as many pieces as there are threads. Each thread sorts the records
//!   of its piece. Then the numbers are cut into ranges, and each thread copies the members of a range from all pieces.
//! - Many numbers would be counted in each piece in vain. Then the numbers are cut into ranges at once. Each thread goes over
//!   all records, and sorts those of its range.
//!
//! A thread goes over records in ascending order of rows, and pieces follow one another in it, so the members of a number are in
//! that order. The result depends neither on the number of threads nor on how the query was split.

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

/// A piece of the records, sorted.
struct Piece<V> {
    /// For each number the position after its last member.
    ends: Vec<u32>,
    members: Vec<Placed<V>>,
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

/// The numbers of one range while it is sorted.
struct Part<'p, V> {
    /// The first number.
    first: u32,
    /// Whether it is the only range.
    has_all: bool,
    /// For each number the count of its members, then the position after the last one that is copied.
    ends: &'p mut [u32],
    /// The number of members in the range.
    count: usize,
    /// The position of its first member.
    base: usize,
    members: &'p mut [Placed<V>],
}

impl<V: Copy> Part<'_, V> {
    /// Counts the members of each number.
    fn count<'a, K: Number + 'a, R: 'a>(
        &mut self,
        records: impl Iterator<Item = &'a [Record<K, R>]>,
    ) {
        self.ends.fill(0);
        let (first, ends, mut count) = (self.first, &mut *self.ends, 0);
        for_inside(records, first, ends.len(), self.has_all, |number, _| {
            ends[number] += 1;
            count += 1;
        });
        self.count = count;
    }

    /// Copies the members to their positions.
    fn fill<'a, K: Number + 'a, R: 'a>(
        &mut self,
        records: impl Iterator<Item = &'a [Record<K, R>]>,
        member: impl Fn(&Record<K, R>) -> Placed<V>,
    ) {
        let (first, base) = (self.first, self.base);
        let (ends, members) = (&mut *self.ends, &mut *self.members);
        let (mut next, mut number, numbers) = (base as u32, 0, ends.len());
        while number < numbers {
            let count = ends[number];
            ends[number] = next;
            next += count;
            number += 1;
        }
        for_inside(records, first, numbers, self.has_all, |number, record| {
            members[ends[number] as usize - base] = member(record);
            ends[number] += 1;
        });
    }
}

impl<V: Copy> Piece<V> {
    /// Sorts this number of records by numbers below `bound`. `any` is a placeholder.
    fn sort<'a, K: Number + 'a, R: 'a>(
        &mut self,
        bound: usize,
        count: usize,
        any: Placed<V>,
        records: impl Iterator<Item = &'a [Record<K, R>]> + Clone,
        member: impl Fn(&Record<K, R>) -> Placed<V>,
    ) {
        self.ends.resize(bound, 0);
        self.members.resize(count, any);
        let (ends, members) = (&mut self.ends[..], &mut self.members[..]);
        let mut part = Part { first: 0, has_all: true, ends, count, base: 0, members };
        part.count(records.clone());
        part.fill(records, member);
    }

    /// The members with this number.
    fn of(&self, number: usize) -> &[Placed<V>] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start as usize..self.ends[number] as usize]
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

/// Records that are selected at a time.
const SELECTED: usize = 64;

/// Calls `f` with each record whose number is one of the `numbers` from `first` on, and with how far the number is from
/// `first`.
///
/// Which records belong to a part is as good as random. So they are selected without a branch, which would be predicted
/// wrongly for many of them, and `f` is called with those that are selected. If a part `has_all`, none is selected.
#[inline(always)]
fn for_inside<'a, K: Number + 'a, R: 'a>(
    records: impl Iterator<Item = &'a [Record<K, R>]>,
    first: u32,
    numbers: usize,
    has_all: bool,
    mut f: impl FnMut(usize, &Record<K, R>),
) {
    let number = |record: &Record<K, R>| record.0.number().wrapping_sub(first) as usize;
    let mut selected = [0_u8; SELECTED];
    for records in records {
        if has_all {
            let (mut at, len) = (0, records.len());
            while at < len {
                let record = &records[at];
                f(number(record), record);
                at += 1;
            }
            continue;
        }
        for records in records.chunks(SELECTED) {
            let (mut at, mut count, len) = (0, 0, records.len());
            while at < len {
                selected[count] = at as u8;
                count += usize::from(number(&records[at]) < numbers);
                at += 1;
            }
            at = 0;
            while at < count {
                let record = &records[usize::from(selected[at])];
                f(number(record), record);
                at += 1;
            }
        }
    }
}

impl<V: Copy + Send + Sync + 'static> Sorted<V> {
    /// No members.
    pub(super) const NONE: Self =
        Self { bounds: Vec::new(), members: Vec::new(), pieces: Vec::new() };

    /// Sorts records by their numbers, which are below `bound`, into members.
    /// O(records + `bound` / threads). Allocates nothing if there were as many records before.
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
        let count: usize = records.clone().map(<[_]>::len).sum();
        self.bounds.resize(bound + 1, 0);
        self.members.truncate(count);
        let Some(first) = records.clone().flatten().next() else {
            return self.bounds.fill(0);
        };
        // A placeholder: each is overwritten.
        let any = reader()(first);
        self.members.resize(count, any);
        let number = if count < MANY { 1 } else { executor.concurrency().clamp(1, PARTS) };
        if number > 1 && bound * number <= count {
            return self.sort_pieces(executor, number, any, records, reader);
        }
        let length = bound.div_ceil(number).max(1);
        let mut ranges = self.bounds[1..].chunks_mut(length);
        let mut parts: [Part<'_, V>; PARTS] = core::array::from_fn(|part| Part {
            first: (part * length) as u32,
            has_all: number == 1,
            ends: ranges.next().unwrap_or_default(),
            count: 0,
            base: 0,
            members: &mut [],
        });
        let parts = &mut parts[..number];
        fork_each(executor, parts, &|_, part| part.count(records.clone()));
        let (mut base, mut rest) = (0, &mut self.members[..]);
        for part in &mut *parts {
            (part.members, rest) = rest.split_at_mut(part.count);
            part.base = base;
            base += part.count;
        }
        fork_each(executor, parts, &|_, part| part.fill(records.clone(), reader()));
    }

    /// Sorts the records, cut into this number of pieces, when there is room for all.
    fn sort_pieces<'a, K, R, F>(
        &mut self,
        executor: &impl ForkJoin,
        number: usize,
        any: Placed<V>,
        records: &(impl Iterator<Item = &'a [Record<K, R>]> + Clone + Sync),
        reader: &(impl Fn() -> F + Sync),
    ) where
        K: Number + 'a,
        R: Sync + 'a,
        F: Fn(&Record<K, R>) -> Placed<V>,
    {
        let Self { bounds, members, pieces } = self;
        let (bound, count) = (bounds.len() - 1, members.len());
        let new = || Piece { ends: Vec::new(), members: Vec::new() };
        pieces.resize_with(number, new);
        fork_each(executor, pieces, &|at, piece| {
            let range = count * at / number..count * (at + 1) / number;
            piece.sort(bound, range.len(), any, within(records.clone(), &range), reader());
        });
        // How many members of all pieces have numbers before the next one.
        for number in 0..bound {
            bounds[number + 1] = pieces.iter().map(|piece| piece.ends[number]).sum();
        }
        let (mut rest, mut first) = (&mut members[..], 0);
        let mut parts: [(Range<usize>, &mut [Placed<V>]); PARTS] = core::array::from_fn(|part| {
            let wanted = count * (part + 1).min(number) / number;
            let end = first + bounds[first + 1..].partition_point(|end| *end as usize <= wanted);
            let end = if part + 1 >= number { bound } else { end };
            let length = bounds[end] - bounds[first];
            let members = rest.split_off_mut(..length as usize).unwrap_or_default();
            (core::mem::replace(&mut first, end)..end, members)
        });
        fork_each(executor, &mut parts[..number], &|_, (numbers, members)| {
            let mut rest = &mut members[..];
            for number in numbers.clone() {
                for piece in &*pieces {
                    let from = piece.of(number);
                    let to = rest.split_off_mut(..from.len()).unwrap_or_default();
                    to.copy_from_slice(from);
                }
            }
        });
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

    type Records = Vec<Record<Numbered<u64, 90>>>;

    /// Records with increasing rows, each with a value of its own.
    fn records(numbers: &[usize]) -> Records {
        let records = numbers.iter().enumerate();
        records.map(|(at, &number)| (Numbered::new(number, at as u64 * 7), at as u32 * 3)).collect()
    }

    /// Whether each run is that of a stable sort.
    fn check(sorted: &Sorted<u64>, records: &Records) {
        let mut expected = records.clone();
        expected.sort_by_key(|(key, _)| key.number());
        let placed = |&(key, row): &Record<Numbered<u64, 90>>| {
            let place = Place::of(row as usize);
            Placed { value: key.value(), place }
        };
        for (start, end) in [(0, 90), (0, 0), (90, 90), (3, 4), (17, 60), (89, 90)] {
            let run: Vec<_> = expected
                .iter()
                .filter(|(key, _)| (start..end).contains(&(key.number() as usize)))
                .map(placed)
                .collect();
            assert_eq!(sorted.run(start..end), run);
            assert_eq!(sorted.all()[sorted.positions(start..end)], run);
        }
        assert_eq!(sorted.all().len(), records.len());
        assert!(
            sorted.counts(0..90).eq((0..90).map(|number| sorted.run(number..number + 1).len()))
        );
        assert!(sorted.counts(7..7).next().is_none());
    }

    fn make(sorted: &mut Sorted<u64>, executor: &impl ForkJoin, records: &Records, pieces: usize) {
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
                let records = records(&numbers);
                make(&mut sorted, &Inline, &records, pieces);
                check(&sorted, &records);
            }
        }
    }

    #[test]
    fn ranges_are_sorted_in_parallel() {
        let numbers = |n: usize| (0..n).map(|i| i.wrapping_mul(40_503) % 90).collect::<Vec<_>>();
        // The first two in pieces, the last one by ranges of numbers on many threads.
        let all = [
            records(&numbers(3 * MANY)),
            records(&vec![89; MANY]),
            records(&vec![0; MANY]),
            records(&numbers(7)),
        ];
        for threads in [1, 3, 5, 20] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Threads::Pool(std::sync::Arc::new(pool.expect("threads"))).run(|workers| {
                let mut sorted = Sorted::EMPTY;
                for records in &all {
                    make(&mut sorted, workers, records, 3);
                    check(&sorted, records);
                }
            });
        }
    }

    #[test]
    fn an_index_without_numbers_is_empty() {
        let mut sorted = Sorted::EMPTY;
        let none: [&[Record<Numbered<(), 0>>]; 0] = [];
        sorted.make(&Inline, &none.into_iter());
        assert!(sorted.all().is_empty() && sorted.run(0..0).is_empty());
    }
}
