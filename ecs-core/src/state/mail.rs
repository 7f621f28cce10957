//! The messages of a subtask's entities, sorted by row.

use core::ops::Range;

/// Where the messages for some rows lie, in the order of rows; for each row in the order in which they were sent.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// The first of the rows.
    first: usize,
    /// For each row where its messages begin in `places`; then the end of the last ones.
    starts: Vec<u32>,
    /// The part of the queue that has the message, and the position in it.
    places: Vec<(u32, u32)>,
}

impl Mail {
    /// Sorts the messages for these rows. `rows` has the receiver of each message, and `parts` says where the messages
    /// lie: the number of each part of the queue, and the positions in it, in the same order. Returns the number of messages for these rows.
    /// O(messages + rows).
    pub(crate) fn sort(
        &mut self,
        rows: &[u32],
        parts: impl Iterator<Item = (usize, Range<usize>)>,
        of: &Range<usize>,
    ) -> usize {
        let Self { first, starts, places } = self;
        let count = of.len();
        // Beyond the end for rows before the first one, too.
        let offset = |row: u32| (row as usize).wrapping_sub(of.start);
        *first = of.start;
        starts.clear();
        places.clear();
        if !rows.iter().any(|row| offset(*row) < count) {
            return 0;
        }
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
        places.resize(sum as usize, (0, 0));
        let all = parts.flat_map(|(part, at)| at.map(move |at| (part as u32, at as u32)));
        for (row, place) in rows.iter().zip(all) {
            if let Some(start) = starts[1..=count].get_mut(offset(*row)) {
                places[*start as usize] = place;
                *start += 1;
            }
        }
        places.len()
    }

    /// Where the messages for the row lie, in the order in which they were sent.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> &[(u32, u32)] {
        let at = row.wrapping_sub(self.first);
        match (self.starts.get(at), self.starts.get(at.wrapping_add(1))) {
            (Some(&start), Some(&end)) => &self.places[start as usize..end as usize],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn messages_are_sorted_by_row_and_then_as_they_were_sent(
            parts in proptest::collection::vec(proptest::collection::vec(0_u32..300, 0..40), 0..6),
            skipped in 0_usize..5,
            (from, to) in (0_usize..200, 0_usize..200),
        ) {
            let of = from..from + to;
            // The first messages have been read.
            let mut skip = skipped;
            let mut expected = Vec::new();
            let (mut rows, mut places) = (Vec::new(), Vec::new());
            for (number, part) in parts.iter().enumerate() {
                let first = skip.min(part.len());
                skip -= first;
                places.push((number, first..part.len()));
                for (at, row) in part.iter().enumerate().skip(first) {
                    rows.push(*row);
                    if of.contains(&(*row as usize)) {
                        expected.push((*row, number as u32, at as u32));
                    }
                }
            }
            expected.sort_unstable();
            rows.push(u32::MAX); // of an entity that is not alive
            places.push((99, 7..8));
            let mut mail = Mail::default();
            for _ in 0..2 {
                prop_assert_eq!(mail.sort(&rows, places.iter().cloned(), &of), expected.len());
                let found = (0..600_usize).flat_map(|row| {
                    mail.of(row).iter().map(move |&(part, at)| (row as u32, part, at))
                });
                prop_assert_eq!(found.collect::<Vec<_>>(), expected.clone());
            }
        }
    }
}
