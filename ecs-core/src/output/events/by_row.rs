//! The messages that a system has not read, sorted by the rows of their receivers.
//!
//! They are sorted by counting, in two levels, so that the memory to which a level writes stays in the cache:
//!
//! 1. The messages are cut into chunks of [`CHUNK`], in the order in which they were sent. Each chunk finds the rows of its
//!    receivers, and puts its messages in the order of *buckets*, which are ranges of rows.
//! 2. Each bucket takes its messages out of all chunks, in order, and puts them in the order of rows.
//!
//! Threads take chunks, and then buckets, in parallel. Both levels are stable, so the messages to a row keep the order in
//! which they were sent, on any number of threads.

use super::{EventPlace, EventQueue};
use crate::parallel::{ForkJoin, fork_each};

/// Messages by the rows of their receivers, and for each row in the order in which they were sent. `V` stands for a
/// message: it is its place, or a copy.
#[derive(Debug)]
pub(crate) struct ByRow<V> {
    chunks: Vec<Chunk<V>>,
    /// The first `layout.buckets` are in use. The others keep their memory.
    buckets: Vec<Bucket<V>>,
    layout: Layout,
}

/// Which rows a bucket has.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    /// The lowest row with a message.
    first: u32,
    /// A bucket has 2^`shift` rows.
    shift: u32,
    /// The number of buckets that are in use.
    buckets: usize,
}

/// Messages that were sent one after the other.
#[derive(Debug)]
struct Chunk<V> {
    /// The row of the receiver of each message, as they were sent; [`NO_ROW`] for a receiver that is not alive.
    rows: Vec<u32>,
    /// The position in `records` where each bucket begins, and the end of the last one.
    starts: Vec<u32>,
    /// The number of the row in its bucket, and the message.
    records: Vec<(u32, V)>,
}

/// The messages to rows that follow one another.
#[derive(Debug)]
struct Bucket<V> {
    /// The position in `values` where the messages of each row begin, and the end of the last ones. Empty if there are no messages.
    starts: Vec<u32>,
    values: Vec<V>,
}

/// The number of messages of a chunk. Their records fit into the second-level cache.
const CHUNK: usize = 8192;

/// A layout has about this many buckets, of up to [`BUCKET_ROWS`] rows. More rows make more buckets.
const BUCKETS: u32 = 32;
const BUCKET_ROWS: u32 = 4096;
/// The largest number of buckets. Still more rows make larger buckets.
const MOST_BUCKETS: u32 = 1024;

/// The row of no entity. It is larger than all others.
const NO_ROW: u32 = u32::MAX;

/// The distance to the messages that are prefetched, in messages.
const PREFETCH_DISTANCE: usize = 64;

impl<V> Default for ByRow<V> {
    fn default() -> Self {
        let layout = Layout::default();
        Self { chunks: Vec::new(), buckets: Vec::new(), layout }
    }
}

impl<V> Default for Chunk<V> {
    fn default() -> Self {
        Self { rows: Vec::new(), starts: Vec::new(), records: Vec::new() }
    }
}

impl<V> Default for Bucket<V> {
    fn default() -> Self {
        Self { starts: Vec::new(), values: Vec::new() }
    }
}

impl Layout {
    /// Buckets for these rows.
    fn of(first: u32, end: u32) -> Self {
        let rows = end - first;
        let wanted = (rows / BUCKETS).min(BUCKET_ROWS).max(rows / MOST_BUCKETS).max(1);
        let shift = wanted.next_power_of_two().trailing_zeros();
        Self { first, shift, buckets: rows.div_ceil(1 << shift) as usize }
    }

    /// The bucket of the row. For rows outside of the layout and for [`NO_ROW`], it is beyond the last one.
    #[inline(always)]
    fn bucket(self, row: u32) -> usize {
        (row.wrapping_sub(self.first) >> self.shift) as usize
    }

    /// The row's number in its bucket.
    #[inline(always)]
    fn offset(self, row: u32) -> u32 {
        row.wrapping_sub(self.first) & ((1 << self.shift) - 1)
    }
}

impl<V: Copy + Send + Sync> ByRow<V> {
    /// Sorts the messages of the queue that the system has not read, on all threads of `executor`. `row_of` gives the row of the
    /// receiver of a message; a message without one is left out. `value` makes the `V` of a message from its
    /// place and the message. O(messages + rows from the first to the last receiver).
    pub(crate) fn sort<T: Sync>(
        &mut self,
        executor: &impl ForkJoin,
        queue: &EventQueue<T>,
        system: usize,
        row_of: &(impl Fn(&T) -> Option<usize> + Sync),
        value: &(impl Fn(EventPlace, &T) -> V + Sync),
    ) {
        let Self { chunks, buckets, layout } = self;
        *layout = Layout::default();
        let count = queue.unread(system).len();
        let messages =
            |chunk: usize| queue.unread_pieces(system, chunk * CHUNK..(chunk + 1) * CHUNK);
        let chunks = first_of(chunks, count.div_ceil(CHUNK));
        fork_each(executor, chunks, &|number, chunk: &mut Chunk<V>| {
            chunk.find_rows(messages(number), row_of);
        });
        let first = chunks.iter().filter_map(Chunk::first_row).min();
        let end = chunks.iter().map(Chunk::end_of_rows).max();
        let (Some(first), Some(end)) = (first, end) else { return };
        *layout = Layout::of(first, end);
        let layout = *layout;
        fork_each(executor, chunks, &|number, chunk: &mut Chunk<V>| {
            chunk.part(layout, || messages(number), value);
        });
        let buckets = first_of(buckets, layout.buckets);
        let sort = |number, bucket: &mut Bucket<V>| bucket.sort(chunks, number, 1 << layout.shift);
        if count <= CHUNK {
            buckets.iter_mut().enumerate().for_each(|(number, bucket)| sort(number, bucket));
        } else {
            fork_each(executor, buckets, &sort);
        }
    }
}

impl<V> ByRow<V> {
    /// The messages for the row, in the order in which they were sent; and as many messages to rows behind it, to be
    /// prefetched.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> [&[V]; 2] {
        let Self { buckets, layout, .. } = self;
        let used = &buckets[..layout.buckets];
        let bucket = used.get(layout.bucket(row as u32));
        bucket.map_or([&[], &[]], |bucket| bucket.of(layout.offset(row as u32) as usize))
    }

    /// Whether there is no message.
    pub(crate) fn is_empty(&self) -> bool {
        self.layout.buckets == 0
    }
}

/// The first `count` items of a list. A shorter list is extended.
fn first_of<T: Default>(list: &mut Vec<T>, count: usize) -> &mut [T] {
    if list.len() < count {
        list.resize_with(count, T::default);
    }
    &mut list[..count]
}

/// Counts `numbers` below `len`, and returns their count. After the call, `starts[n + 1]` is where the items of number *n* begin. The caller puts
/// each item there, and increments it. At the end, the items of *n* lie from `starts[n]` to `starts[n + 1]`.
fn count(starts: &mut Vec<u32>, len: usize, numbers: impl Iterator<Item = usize>) -> usize {
    starts.clear();
    starts.resize(len + 2, 0);
    let counts = &mut starts[2..];
    numbers.for_each(|number| {
        if let Some(count) = counts.get_mut(number) {
            *count += 1;
        }
    });
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
    sum as usize
}

impl<V> Chunk<V> {
    /// The row of the first receiver, if there is one.
    fn first_row(&self) -> Option<u32> {
        self.rows.iter().copied().min().filter(|row| *row != NO_ROW)
    }

    /// The row behind the last receiver, or 0.
    fn end_of_rows(&self) -> u32 {
        self.rows.iter().map(|row| row.wrapping_add(1)).max().unwrap_or(0)
    }

    fn find_rows<'a, T: 'a>(
        &mut self,
        messages: impl Iterator<Item = (EventPlace, &'a [T])>,
        row_of: impl Fn(&T) -> Option<usize>,
    ) {
        self.rows.clear();
        for (_, messages) in messages {
            self.rows.extend(
                messages.iter().map(|message| row_of(message).map_or(NO_ROW, |row| row as u32)),
            );
        }
    }
}

impl<V: Copy> Chunk<V> {
    /// Puts the messages in the order of buckets.
    fn part<'a, T: 'a, I: Iterator<Item = (EventPlace, &'a [T])>>(
        &mut self,
        layout: Layout,
        messages: impl Fn() -> I,
        value: impl Fn(EventPlace, &T) -> V,
    ) {
        let Self { rows, starts, records } = self;
        let len = count(starts, layout.buckets, rows.iter().map(|row| layout.bucket(*row)));
        records.clear();
        let some = messages().find_map(|(place, messages)| Some(value(place, messages.first()?)));
        let Some(some) = some else { return };
        // Each record is overwritten below, at scattered places. This first pass brings their memory into the cache.
        records.resize(len, (0, some));
        let (mut rows, next) = (rows.iter(), &mut starts[1..=layout.buckets]);
        for ((part, first), messages) in messages() {
            // `rows` is the last of the zipped iterators, so that the end of a piece takes no item of it.
            for ((at, message), row) in (first..).zip(messages).zip(rows.by_ref()) {
                if let Some(next) = next.get_mut(layout.bucket(*row)) {
                    records[*next as usize] = (layout.offset(*row), value((part, at), message));
                    *next += 1;
                }
            }
        }
    }

    /// The records of a bucket, as their messages were sent.
    fn of_bucket(&self, number: usize) -> &[(u32, V)] {
        let starts = self.starts.get(number..).and_then(|starts| starts.first_chunk());
        starts.map_or(&[], |&[start, end]| &self.records[start as usize..end as usize])
    }
}

impl<V: Copy> Bucket<V> {
    /// Takes its messages out of all chunks, and puts them in the order of `size` rows.
    fn sort(&mut self, chunks: &[Chunk<V>], number: usize, size: usize) {
        let Self { starts, values } = self;
        starts.clear();
        values.clear();
        let records = || chunks.iter().map(|chunk| chunk.of_bucket(number));
        let Some(&(_, some)) = records().flatten().next() else { return };
        let rows = records().flatten().map(|(row, _)| *row as usize);
        let len = count(starts, size, rows);
        // As in `Chunk::part`.
        values.resize(len, some);
        let next = &mut starts[1..=size];
        for records in records() {
            for (row, value) in records {
                let next = &mut next[*row as usize];
                values[*next as usize] = *value;
                *next += 1;
            }
        }
    }
}

impl<V> Bucket<V> {
    /// The messages for the row of this number, and some later ones.
    #[inline]
    fn of(&self, row: usize) -> [&[V]; 2] {
        let starts = self.starts.get(row..).and_then(|starts| starts.first_chunk());
        let Some(&[start, end]) = starts else { return [&[], &[]] };
        let (start, end) = (start as usize, end as usize);
        let later =
            self.values.get(start + PREFETCH_DISTANCE..end + PREFETCH_DISTANCE).unwrap_or(&[]);
        [&self.values[start..end], later]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::output::Emitted;
    use crate::parallel::{Inline, Rayon};

    /// A message: the row of its receiver, if that is alive, and a number.
    type Message = (Option<usize>, u16);

    /// Messages in parts. The rows are near each other, or far.
    fn parts() -> impl Strategy<Value = Vec<Vec<Message>>> {
        let rows = prop_oneof![0..9_usize, 0..300_usize, 0..200_000_usize, Just(5_000_000)];
        let message = (proptest::option::weighted(0.9, rows), any::<u16>());
        proptest::collection::vec(proptest::collection::vec(message, 0..40), 0..6)
    }

    /// A queue with these parts, of which the system has read the first ones.
    fn queue_of<T: Clone>(parts: &[Vec<T>], read: usize, system: usize) -> EventQueue<T> {
        let mut queue = EventQueue::new(0, false);
        for (number, part) in parts.iter().enumerate() {
            if number == read {
                queue.mark_read(system);
            }
            let mut emitted = Emitted::default();
            for message in part {
                emitted.push(message.clone());
            }
            queue.append(&mut emitted);
        }
        queue
    }

    /// The messages by row, from a naive sort.
    fn expected(parts: &[Vec<Message>], read: usize) -> Vec<(usize, u16)> {
        let unread = parts.iter().skip(if read < parts.len() { read } else { 0 }).flatten();
        let mut all: Vec<_> = unread.filter_map(|(row, n)| Some(((*row)?, *n))).collect();
        all.sort_by_key(|(row, _)| *row);
        all
    }

    /// What is found at these rows.
    fn found<V: Copy + Send + Sync>(mail: &ByRow<V>, mut rows: Vec<usize>) -> Vec<(usize, V)> {
        rows.sort_unstable();
        rows.dedup();
        let of = |row: usize| mail.of(row)[0].iter().map(move |value| (row, *value));
        rows.into_iter().flat_map(of).collect()
    }

    /// The rows of the messages, and those around them.
    fn rows_to_ask(parts: &[Vec<Message>]) -> Vec<usize> {
        let rows = parts.iter().flatten().filter_map(|message| message.0);
        let around = |row: usize| [row.saturating_sub(1), row, row + 1];
        rows.flat_map(around).chain([0, 4096, u32::MAX as usize]).collect()
    }

    proptest! {
        #[test]
        fn messages_are_sorted_by_row_and_then_as_they_were_sent(
            rounds in proptest::collection::vec((parts(), 0..4_usize), 1..4),
        ) {
            // Each round meets the memory of the one before.
            let (mut copies, mut places) = (ByRow::default(), ByRow::default());
            for (parts, read) in &rounds {
                let (queue, expected) = (queue_of(parts, *read, 7), expected(parts, *read));
                let rows = rows_to_ask(parts);
                let row_of = |message: &Message| message.0;
                copies.sort(&Inline, &queue, 7, &row_of, &|_, message| message.1);
                prop_assert_eq!(&found(&copies, rows.clone()), &expected);
                copies.sort(&Rayon, &queue, 7, &row_of, &|_, message| message.1);
                prop_assert_eq!(&found(&copies, rows.clone()), &expected);
                prop_assert_eq!(copies.is_empty(), expected.is_empty());
                places.sort(&Rayon, &queue, 7, &row_of, &|place, _| place);
                let at = |(row, place): (usize, EventPlace)| {
                    (row, queue.at(place).unwrap().1)
                };
                let found: Vec<_> = found(&places, rows).into_iter().map(at).collect();
                prop_assert_eq!(&found, &expected);
            }
        }

        #[test]
        fn buckets_have_all_rows(first in 0..1_u32 << 30, rows in 1..1_u32 << 30) {
            let layout = Layout::of(first, first + rows);
            let last = first + rows - 1;
            prop_assert_eq!((layout.bucket(first), layout.offset(first)), (0, 0));
            prop_assert!(layout.bucket(last) < layout.buckets);
            prop_assert!(layout.buckets <= MOST_BUCKETS as usize);
            prop_assert!(layout.bucket(NO_ROW) >= layout.buckets);
            let row = layout.bucket(last) << layout.shift | layout.offset(last) as usize;
            prop_assert_eq!(row, (rows - 1) as usize);
        }
    }

    /// More messages than a chunk has, in parts that chunks cut, to more rows than a bucket has.
    #[test]
    fn chunks_and_buckets_are_joined_in_order() {
        let message = |n: u32| {
            let row = n.wrapping_mul(0x9E37_79B9) >> 12;
            ((!row.is_multiple_of(7)).then_some(row as usize % 150_000), (n % 60_000) as u16)
        };
        let lengths = [1, CHUNK - 1, 3 * CHUNK + 5, 0, 2, CHUNK, 10_000];
        let mut numbers = 0..;
        let part = |len: usize| numbers.by_ref().take(len).map(message).collect();
        let parts: Vec<Vec<Message>> = lengths.map(part).into();
        for read in [0, 1, 3, 7] {
            let (queue, expected) = (queue_of(&parts, read, 2), expected(&parts, read));
            let mut mail = ByRow::default();
            mail.sort(&Rayon, &queue, 2, &|message: &Message| message.0, &|_, message| message.1);
            assert!(found(&mail, rows_to_ask(&parts)) == expected);
        }
    }

    #[test]
    fn messages_without_a_size_are_counted() {
        let parts = [vec![3_usize; 2 * CHUNK], vec![4; 5]];
        let mut mail = ByRow::default();
        mail.sort(&Rayon, &queue_of(&parts, 0, 0), 0, &|row| Some(*row), &|_, _| ());
        assert_eq!([2, 3, 4, 5].map(|row| mail.of(row)[0].len()), [0, 2 * CHUNK, 5, 0]);
    }
}
