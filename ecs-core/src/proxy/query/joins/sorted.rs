//! The members of a query, sorted by number.
//!
//! The sort is a counting sort. One thread sorts all records at once. Several threads sort [`MANY`] records or more in two levels, so that
//! in each level one thread goes over a record:
//!
//! 1. The records are cut into chunks. Each chunk puts its records in the order of *buckets*, which are ranges of numbers. If there are
//!    few numbers, each is a bucket.
//! 2. Each bucket takes its records out of all chunks, in order, and puts them in the order of numbers. Those of one number are copied.
//!
//! Threads take chunks, and then runs of buckets, in parallel. Both levels are stable. Records of members come in ascending order of rows,
//! so the members of a number are in that order. The result depends neither on the number of threads nor on how the query was split.

use core::ops::Range;

use super::key::{FromKeys, Number, Numbered, Record, Table};
use super::{MANY, PARTS};
use crate::entity::Place;
use crate::parallel::{ForkJoin, fork_each};
use crate::state::opaque_debug;

/// There are about this many buckets, of up to [`BUCKET_NUMBERS`] numbers. A level writes at one position for each bucket, or for each
/// number of a bucket, and these positions fit in the first-level cache.
const BUCKETS: usize = 64;
const BUCKET_NUMBERS: usize = 4096;
/// About the largest number of buckets. Still more numbers make larger buckets.
const MOST_BUCKETS: usize = 1024;

/// A bucket takes about as long for this many numbers as for one record.
const NUMBERS_PER_RECORD: usize = 4;

/// Copies from a chunk to a number have at least this many records, on average. With fewer, counting takes less time.
const RECORDS_PER_COPY: usize = 4;

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
    /// Memory of the sort, for few numbers and for many. One of them is empty.
    few: Vec<Chunk<Placed<V>>>,
    many: Vec<Chunk<NumberedMember<V>>>,
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

impl<V: Copy + Send + Sync + 'static> Sorted<V> {
    /// No members.
    pub(super) const NONE: Self =
        Self { bounds: Vec::new(), members: Vec::new(), few: Vec::new(), many: Vec::new() };

    /// Sorts records by their numbers, which are below `bound`, into members.
    /// O(records + `bound`), on all threads from [`MANY`] records on. Allocates nothing if the sort before had as many records, the
    /// same bound and as many threads.
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
        let Self { bounds, members, few, many } = self;
        let count: usize = records.clone().map(<[_]>::len).sum();
        bounds.resize(bound + 1, 0);
        members.truncate(count);
        let Some(first) = records.clone().flatten().next() else { return bounds.fill(0) };
        // A placeholder: each is overwritten.
        let any = reader()(first);
        members.resize(count, any);
        let sorted = (&mut bounds[1..], &mut members[..], 0);
        let number = |record: &Record<K, R>| record.0.number();
        let threads = executor.concurrency().clamp(1, PARTS);
        if threads == 1 || count < MANY {
            return sort_by_counting(records.clone(), |it| number(it) as usize, reader(), sorted);
        }
        // More than there are threads, so that a thread that comes later finds some.
        let chunks = (2 * threads).min(PARTS);
        let lists = |at: usize| {
            let (start, end) = (count * at / chunks, count * (at + 1) / chunks);
            (end - start, within(records.clone(), start, end))
        };
        if bound.saturating_mul(chunks * RECORDS_PER_COPY) <= count {
            *many = Vec::new();
            few.resize_with(chunks, || Chunk::NEW);
            let buckets = Buckets { shift: 0, count: bound };
            let to_chunk = |at: usize, chunk: &mut Chunk<_>| {
                chunk.sort(lists(at), any, (buckets, number), reader());
            };
            sort_in_two_levels(executor, few, (buckets, to_chunk), sorted, copy_one_number);
        } else {
            *few = Vec::new();
            many.resize_with(chunks, || Chunk::NEW);
            let buckets = Buckets::of(bound);
            let to_chunk = |at: usize, chunk: &mut Chunk<_>| {
                let (member, any) = (reader(), NumberedMember::new(0, any));
                chunk.sort(lists(at), any, (buckets, number), |record| {
                    NumberedMember::new(number(record), member(record))
                });
            };
            let to_members = |chunks: &[Chunk<NumberedMember<V>>], bucket: usize, to: To<'_, V>| {
                let number =
                    |it: &NumberedMember<V>| it.number as usize - (bucket << buckets.shift);
                let member = |it: &NumberedMember<V>| Placed { value: it.value, place: it.place };
                sort_by_counting(chunks.iter().map(|chunk| chunk.of(bucket)), number, member, to);
            };
            sort_in_two_levels(executor, many, (buckets, to_chunk), sorted, to_members);
        }
    }
}

/// Where sorted members go: for each number the position after its last member, the members, and the position of the first one.
type To<'t, V> = (&'t mut [u32], &'t mut [Placed<V>], usize);

/// Sorts on several threads: each chunk by `to_chunk`, which gets its position; then each bucket by `to_members`, which gets
/// the chunks, and its number.
fn sort_in_two_levels<T: Copy + Send + Sync, V: Copy + Send + Sync>(
    executor: &impl ForkJoin,
    chunks: &mut [Chunk<T>],
    (buckets, to_chunk): (Buckets, impl Fn(usize, &mut Chunk<T>) + Sync),
    (mut ends, mut members, mut base): To<'_, V>,
    to_members: impl Fn(&[Chunk<T>], usize, To<'_, V>) + Sync,
) {
    fork_each(executor, chunks, &to_chunk);
    let chunks = &*chunks;
    let end_of = |bucket: usize| chunks.iter().map(|chunk| chunk.ends[bucket]).sum::<u32>();
    let mut runs = buckets.cut(end_of).map(|run| {
        let numbers = (run.len() << buckets.shift).min(ends.len());
        let end = run.end.checked_sub(1).map_or(0, |last| end_of(last) as usize);
        let ends = ends.split_off_mut(..numbers).expect(COMPLETE);
        let members = members.split_off_mut(..end - base).expect(COMPLETE);
        let to = (ends, members, base);
        base = end;
        (run, to)
    });
    fork_each(
        executor,
        &mut runs,
        &|_, (run, (ends, members, base)): &mut (Range<_>, To<'_, V>)| {
            for bucket in run.clone() {
                let count = chunks.iter().map(|chunk| chunk.of(bucket).len()).sum();
                let numbers = (1 << buckets.shift).min(ends.len());
                let ends = ends.split_off_mut(..numbers).expect(COMPLETE);
                let members = members.split_off_mut(..count).expect(COMPLETE);
                to_members(chunks, bucket, (ends, members, *base));
                *base += count;
            }
        },
    );
}

/// Why a slice has as many items as a bucket takes out of it.
const COMPLETE: &str = "buckets have all numbers and all members, each once";

/// Copies the members of a bucket that has one number.
fn copy_one_number<V: Copy>(
    chunks: &[Chunk<Placed<V>>],
    bucket: usize,
    (ends, mut members, base): To<'_, V>,
) {
    ends[0] = (base + members.len()) as u32;
    for chunk in chunks {
        let from = chunk.of(bucket);
        members.split_off_mut(..from.len()).expect(COMPLETE).copy_from_slice(from);
    }
}

/// How numbers are cut into buckets: each has 2^`shift` of them.
#[derive(Clone, Copy)]
struct Buckets {
    shift: u32,
    count: usize,
}

impl Buckets {
    /// Buckets for the numbers below `bound`, which is not 0.
    fn of(bound: usize) -> Self {
        let wanted = (bound / BUCKETS).min(BUCKET_NUMBERS).max(bound / MOST_BUCKETS).max(1);
        let shift = wanted.next_power_of_two().trailing_zeros();
        Self { shift, count: bound.div_ceil(1 << shift) }
    }

    /// Cuts the buckets into [`PARTS`] runs of about the same work: a run has at most the work of its first bucket more than its
    /// share. Some are empty, if there are few buckets, or if one has much of the work. `end_of` gives the position after the
    /// last record of a bucket.
    fn cut(self, end_of: impl Fn(usize) -> u32) -> [Range<usize>; PARTS] {
        let work = |bucket: usize| {
            end_of(bucket) as usize + ((bucket + 1) << self.shift) / NUMBERS_PER_RECORD
        };
        let (all, mut first) = (work(self.count - 1), 0);
        core::array::from_fn(|run| {
            let (wanted, mut end) = (all * (run + 1) / PARTS, first);
            while end < self.count && work(end) <= wanted {
                end += 1;
            }
            core::mem::replace(&mut first, end)..end
        })
    }
}

/// A part of the records, as `T`, in the order of buckets.
struct Chunk<T> {
    /// For each bucket the position after its last record.
    ends: Vec<u32>,
    records: Vec<T>,
}

/// A member with its number. (A number beside a [`Placed`] would be padded for a value of eight bytes.)
#[derive(Clone, Copy)]
struct NumberedMember<V> {
    number: u32,
    place: Place,
    value: V,
}

impl<V> NumberedMember<V> {
    fn new(number: u32, Placed { value, place }: Placed<V>) -> Self {
        Self { number, place, value }
    }
}

impl<T: Copy> Chunk<T> {
    const NEW: Self = Self { ends: Vec::new(), records: Vec::new() };

    /// Puts `count` records in the order of buckets. `any` fills new memory.
    fn sort<'a, R: 'a>(
        &mut self,
        (count, records): (usize, impl Iterator<Item = &'a [R]> + Clone),
        any: T,
        (buckets, number): (Buckets, impl Fn(&R) -> u32),
        value: impl Fn(&R) -> T,
    ) {
        self.ends.resize(buckets.count, 0);
        // Chunks of one sort differ by one record. With room for it, a smaller sort asks for no memory.
        self.records.reserve((count + 1).saturating_sub(self.records.len()));
        self.records.resize(count, any);
        let bucket = |record: &R| (number(record) >> buckets.shift) as usize;
        sort_by_counting(records, bucket, value, (&mut self.ends, &mut self.records, 0));
    }

    /// The records of the bucket.
    fn of(&self, bucket: usize) -> &[T] {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.records[start as usize..self.ends[bucket] as usize]
    }
}

/// Sorts the items of the lists by number, by counting: writes the `value` of each to `sorted`, in ascending order of numbers,
/// and in the order of the lists for the same number. Numbers are below the number of `ends`, and `sorted` has a place for each
/// item. `base` is the position of the first one. At the end, `ends[n]` is the position after the last item of number *n*.
///
/// Loops over slices, and no adapters, each of which would be a call for each item in a build that is not optimised.
///
/// # Panics
/// If a number is too large, or a place is missing.
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
    let (mut at, len, mut next) = (0, ends.len(), base as u32);
    while at < len {
        let count = ends[at];
        ends[at] = next;
        next += count;
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

/// Those in the lists whose positions, counted over all lists, are from `start` on and before `end`.
fn within<'a, T: 'a>(
    lists: impl Iterator<Item = &'a [T]> + Clone,
    start: usize,
    end: usize,
) -> impl Iterator<Item = &'a [T]> + Clone {
    let mut first = 0;
    lists.map(move |list| {
        let at = |position: usize| position.clamp(first, first + list.len()) - first;
        let part = &list[at(start)..at(end)];
        first += list.len();
        part
    })
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

    /// Whether all is as a stable sort has it.
    fn check<const BOUND: usize>(sorted: &Sorted<u64>, records: &Records<BOUND>) {
        let mut expected = records.clone();
        expected.sort_by_key(|(key, _)| key.number());
        let placed = |&(key, row): &Record<Numbered<u64, BOUND>>| {
            let place = Place::of(row as usize);
            Placed { value: key.value(), place }
        };
        let (middle, end) = (BOUND / 2, BOUND);
        let runs = [(0, end), (0, 0), (end, end), (3, 4), (1, middle), (end - 1, end)];
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
        let mut counts = vec![0; BOUND];
        for (key, _) in records {
            counts[key.number() as usize] += 1;
        }
        assert!(sorted.counts(0..BOUND).eq(counts));
        let mut left = &expected[..];
        for (number, members) in sorted.by_number(0..BOUND).enumerate() {
            let (of_number, rest) = left.split_at(members.len());
            assert!(of_number.iter().all(|(key, _)| key.number() as usize == number));
            assert!(of_number.iter().map(placed).eq(members.iter().copied()));
            left = rest;
        }
        assert!(sorted.counts(2..2).next().is_none());
    }

    fn make<const BOUND: usize>(
        sorted: &mut Sorted<u64>,
        executor: &impl ForkJoin,
        records: &Records<BOUND>,
        lists: usize,
    ) {
        let size = records.len().div_ceil(lists).max(1);
        // An empty list among the others.
        let lists = records.chunks(size).chain([&[][..]]).chain([&[][..]]);
        sorted.make(executor, &lists);
    }

    proptest! {
        #[test]
        fn equals_a_stable_sort(
            rounds in proptest::collection::vec(proptest::collection::vec(0..90_usize, 0..400), 1..4),
            lists in 1..5_usize,
        ) {
            let mut sorted = Sorted::EMPTY;
            for numbers in rounds {
                let records = records::<90>(&numbers);
                make(&mut sorted, &Inline, &records, lists);
                check(&sorted, &records);
            }
        }

        #[test]
        fn two_levels_equal_a_stable_sort(
            numbers in proptest::collection::vec(0..5_003_usize, 1..600),
            times in 1..30_usize,
            lists in 1..5_usize,
        ) {
            let records = records::<5_003>(&numbers.repeat(times));
            let mut sorted = Sorted::EMPTY;
            for executor in [Some(Several(5)), None, Some(Several(2))] {
                match executor {
                    Some(several) => make(&mut sorted, &several, &records, lists),
                    None => make(&mut sorted, &Inline, &records, lists),
                }
                check(&sorted, &records);
            }
        }
    }

    /// As many threads, whose pieces run one after the other.
    struct Several(usize);

    impl ForkJoin for Several {
        fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
            b();
            a();
        }

        fn threads(&self) -> usize {
            self.0
        }
    }

    /// Numbers below the bound, as good as random.
    fn scattered(count: usize, bound: usize) -> Vec<usize> {
        (0..count).map(|i| i.wrapping_mul(40_503) % bound).collect()
    }

    /// Sorts one list after the other, on several numbers of threads.
    fn check_in_parallel<const BOUND: usize>(all: &[Records<BOUND>]) {
        let mut sorted = Sorted::EMPTY;
        for threads in [1, 3, 20, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let threads = Threads::Pool(std::sync::Arc::new(pool.expect("threads")));
            threads.run(|workers| {
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
        check_in_parallel::<5>(&[records(&scattered(2 * MANY, 5))]);
    }

    #[test]
    fn many_numbers_are_sorted_in_parallel() {
        const BOUND: usize = 16 * MANY + 77;
        check_in_parallel::<BOUND>(&[
            records(&scattered(3 * MANY, BOUND)),
            // At once, after two levels.
            records(&scattered(7, BOUND)),
            // Nearly all are in one bucket.
            records(&[vec![5; MANY], vec![BOUND - 1; 9]].concat()),
            records(&[]),
        ]);
    }

    #[test]
    fn another_bound_after_a_sort() {
        let mut sorted = Sorted::EMPTY;
        for _ in 0..2 {
            let small = records::<90>(&scattered(MANY, 90));
            make(&mut sorted, &Several(2), &small, 2);
            check(&sorted, &small);
            let large = records::<70_000>(&scattered(2 * MANY, 70_000));
            make(&mut sorted, &Several(3), &large, 2);
            check(&sorted, &large);
        }
    }

    #[test]
    fn buckets_are_neither_few_nor_large() {
        let of = |bound| (Buckets::of(bound).shift, Buckets::of(bound).count);
        assert_eq!([of(1), of(90), of(561)], [(0, 1), (0, 90), (3, 71)]);
        assert_eq!([of(1 << 18), of((1 << 18) + 1)], [(12, 64), (12, 65)]);
        assert_eq!(of(50_000_000), (16, 763));
    }

    #[test]
    fn each_bucket_is_in_one_run_and_runs_have_about_the_same_work() {
        for bound in [1, 90, 5_000, 1 << 18, (1 << 18) + 1, 50_000_000] {
            let buckets = Buckets::of(bound);
            let last = buckets.count - 1;
            // As many records in each bucket; all in the first one; all in the last one; half in the first four.
            let even = |bucket: usize| 1_000 * (bucket as u32 + 1);
            let skewed =
                |bucket: usize| if bucket < 4 { 9_000 * (bucket as u32 + 1) } else { 36_000 };
            let ends: [&dyn Fn(usize) -> u32; 4] =
                [&even, &|_| 9_000, &|bucket| if bucket == last { 9_000 } else { 0 }, &skewed];
            for end_of in ends {
                let cuts = buckets.cut(end_of);
                assert!(cuts.iter().cloned().flatten().eq(0..buckets.count));
                // The work of the buckets before this one.
                let before = |bucket: usize| {
                    let records = bucket.checked_sub(1).map_or(0, end_of);
                    records as usize + (bucket << buckets.shift) / NUMBERS_PER_RECORD
                };
                let share = before(buckets.count) / PARTS + 1;
                for Range { start, end } in cuts.into_iter().filter(|cut| !cut.is_empty()) {
                    let first = before(start + 1) - before(start);
                    assert!(before(end) - before(start) <= share + first);
                }
            }
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
