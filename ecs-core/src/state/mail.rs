//! The messages to the entities of a system, sorted by row.

use core::ops::Range;

use crate::parallel::{ForkJoin, fork_each};

/// Where a message lies: the part of its queue, and the position in it.
pub(crate) type MessagePlace = (u32, u32);

/// Where the messages of one event lie, in the order of their receivers' rows; for each row in the order in which they were
/// sent.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// The row of the receiver of each message, in the order in which they were sent.
    pub(crate) rows: Vec<u32>,
    /// Where the messages lie, in the same order: the number of each part of the queue, and the positions in it.
    pub(crate) parts: Vec<(usize, Range<usize>)>,
    /// Each is about as many rows as the others.
    pieces: Vec<Piece>,
    /// The number of rows of a piece.
    size: usize,
}

/// The distance to the messages that are prefetched.
const AHEAD: usize = 64;

/// The messages for rows that follow one another.
#[derive(Debug, Default)]
struct Piece {
    /// For each row where its messages begin in `places`; then the end of the last ones.
    starts: Vec<u32>,
    places: Vec<MessagePlace>,
}

impl Mail {
    /// Sorts the messages of `rows` and `parts` by a counting sort on all threads of `executor`. Each thread sorts those for
    /// some of the rows. A message whose row is `none` is left out. O((messages + rows) × threads).
    pub(crate) fn sort<E: ForkJoin>(&mut self, executor: &E, threads: usize, none: u32) {
        let Self { rows, parts, pieces, size } = self;
        let end = rows.iter().map(|row| if *row == none { 0 } else { row + 1 }).max();
        *size = (end.unwrap_or(0) as usize).div_ceil(threads);
        // Pieces without rows keep their memory.
        if pieces.len() < threads {
            pieces.resize_with(threads, Piece::default);
        }
        fork_each(executor, pieces, &|number, piece: &mut Piece| {
            piece.sort(rows, parts, number * *size, *size);
        });
    }

    /// Where the messages for the row lie, in the order in which they were sent; and where as many lie that follow some
    /// rows later, to be prefetched.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> [&[MessagePlace]; 2] {
        let piece = row.checked_div(self.size).and_then(|number| self.pieces.get(number));
        piece.map_or([&[], &[]], |piece| piece.of(row % self.size))
    }

    /// Whether there is no message.
    pub(crate) fn is_empty(&self) -> bool {
        self.size == 0
    }
}

impl Piece {
    /// Sorts the messages for `count` rows from `first` on.
    fn sort(&mut self, rows: &[u32], parts: &[(usize, Range<usize>)], first: usize, count: usize) {
        let Self { starts, places } = self;
        // Beyond the end for rows before the first one, too.
        let offset = |row: u32| (row as usize).wrapping_sub(first);
        starts.clear();
        // The number of messages, two places behind the row's own.
        starts.resize(count + 2, 0);
        for row in rows {
            if let Some(start) = starts[2..].get_mut(offset(*row)) {
                *start += 1;
            }
        }
        // Where the row's messages begin, one place behind its own.
        let mut sum = 0;
        for start in &mut starts[2..] {
            sum += *start;
            *start = sum;
        }
        // Each place is written below.
        places.resize(sum as usize, (0, 0));
        let (starts, mut rest) = (&mut starts[1..=count], rows);
        for (part, positions) in parts {
            let (rows, more) = rest.split_at(positions.len().min(rest.len()));
            for (row, at) in rows.iter().zip(positions.clone()) {
                if let Some(start) = starts.get_mut(offset(*row)) {
                    places[*start as usize] = (*part as u32, at as u32);
                    *start += 1;
                }
            }
            rest = more;
        }
    }

    #[inline]
    fn of(&self, at: usize) -> [&[MessagePlace]; 2] {
        let starts = self.starts.get(at..).and_then(|starts| starts.first_chunk());
        let Some(&[start, end]) = starts else { return [&[], &[]] };
        let (start, end) = (start as usize, end as usize);
        let later = self.places.get(start + AHEAD..end + AHEAD).unwrap_or(&[]);
        [&self.places[start..end], later]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parallel::{Inline, Rayon};

    const NO_ENTITY: u32 = u32::MAX;

    proptest! {
        #[test]
        fn messages_are_sorted_by_row_and_then_as_they_were_sent(
            parts in proptest::collection::vec(proptest::collection::vec(0_u32..300, 0..40), 0..6),
            skipped in 0_usize..5,
            threads in 1_usize..5,
        ) {
            // The first messages have been read.
            let mut skip = skipped;
            let mut expected = Vec::new();
            let mut mail = Mail::default();
            for (number, part) in parts.iter().enumerate() {
                let first = skip.min(part.len());
                skip -= first;
                mail.parts.push((number, first..part.len()));
                for (at, row) in part.iter().enumerate().skip(first) {
                    mail.rows.push(*row);
                    expected.push((*row, number as u32, at as u32));
                }
            }
            expected.sort_unstable();
            // Of an entity that is not alive.
            mail.rows.push(NO_ENTITY);
            mail.parts.push((99, 7..8));
            for round in 0..2 {
                if round == 0 {
                    mail.sort(&Inline, threads, NO_ENTITY);
                } else {
                    mail.sort(&Rayon, threads, NO_ENTITY);
                }
                let found = (0..600_usize).flat_map(|row| {
                    mail.of(row)[0].iter().map(move |&(part, at)| (row as u32, part, at))
                });
                prop_assert_eq!(found.collect::<Vec<_>>(), expected.clone());
                prop_assert_eq!(mail.is_empty(), expected.is_empty());
                prop_assert!(mail.of(usize::MAX)[0].is_empty());
            }
            mail.rows.clear();
            mail.parts.clear();
            mail.sort(&Inline, threads, NO_ENTITY);
            prop_assert!(mail.is_empty() && (0..600).all(|row| mail.of(row)[0].is_empty()));
        }
    }
}
