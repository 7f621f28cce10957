//! Whether most entities lie in the row with the number of their index.

use crate::entity::Entity;

/// An estimate, from samples, of whether most entities lie in the row with the number of their index.
///
/// They do, unless rows lie by archetype, or gaps that despawns have left were closed. Where a look-up
/// [expects](super::Handles::row) that row, the processor reads its values while it reads the slot, and starts anew if the row was
/// another one. One such start costs about as much as twenty look-ups gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowEstimate {
    /// From 0 to [`MAX_SCORE`](Self::MAX_SCORE).
    score: u32,
    /// Where the last sample was taken: 2³² is the end of all rows.
    last: u32,
    /// The number of rows when there were last many samples.
    rows: usize,
}

impl RowEstimate {
    const MAX_SCORE: u32 = 64;
    /// The most samples at once: more would hardly tell more.
    const MAX_SAMPLES: usize = 64;
    /// The score from which on a look-up expects the row with the number of the index.
    const LIKELY: u32 = 32;
    /// What an entity in another row takes from the score, to which one in its own adds 1. So the score rises where fewer than
    /// one in 25 lies in another row.
    const OTHER: u32 = 24;
    /// 2³² times the fractional part of the golden ratio: samples in sequence lie evenly, however many they are.
    const STEP: u32 = 0x9e37_79b9;

    /// That of an empty table, whose first rows and indices come together.
    pub(super) const fn new() -> Self {
        Self { score: Self::MAX_SCORE, last: 0, rows: 0 }
    }

    #[inline(always)]
    pub(super) const fn expects_index(self) -> bool {
        self.score >= Self::LIKELY
    }

    /// Updates it after `moves` entities were moved: from two samples, and from more after moves, or if there are half as many
    /// rows more or fewer than when there were many samples: perhaps the world does not change any more. O(1).
    pub(super) fn update(&mut self, rows: &[Entity], moves: usize) {
        let is_new = rows.len().abs_diff(self.rows) > self.rows / 2;
        if is_new {
            self.rows = rows.len();
        }
        self.sample(rows, if is_new { Self::MAX_SAMPLES } else { moves.saturating_add(2) });
    }

    /// Takes samples among the entities by row, at most [`MAX_SAMPLES`](Self::MAX_SAMPLES). Rows without an index say nothing. O(samples).
    fn sample(&mut self, rows: &[Entity], samples: usize) {
        for _ in 0..samples.min(Self::MAX_SAMPLES).min(rows.len()) {
            self.last = self.last.wrapping_add(Self::STEP);
            let row = ((u64::from(self.last) * rows.len() as u64) >> 32) as usize;
            match rows.get(row) {
                None | Some(&Entity::NEVER) => {}
                Some(entity) if entity.index() as usize == row => {
                    self.score = (self.score + 1).min(Self::MAX_SCORE);
                }
                Some(_) => self.score = self.score.saturating_sub(Self::OTHER),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroU32;

    use super::*;

    fn rows(others_in_100: usize) -> Vec<Entity> {
        let index = |row: usize| if row * 37 % 100 < others_in_100 { row + 1 } else { row };
        (0..10_000).map(|row| Entity::new(index(row) as u32, NonZeroU32::MIN)).collect()
    }

    fn score(others_in_100: usize) -> u32 {
        let mut estimate = RowEstimate::new();
        let rows = rows(others_in_100);
        (0..1_000).for_each(|_| estimate.sample(&rows, 2));
        estimate.score
    }

    #[test]
    fn the_index_is_expected_if_hardly_any_entity_lies_elsewhere() {
        assert_eq!(score(0), RowEstimate::MAX_SCORE);
        assert!(score(1) >= RowEstimate::LIKELY);
        assert!(score(10) < RowEstimate::LIKELY);
        assert_eq!(score(100), 0);
    }

    #[test]
    fn it_follows_a_change() {
        let mut estimate = RowEstimate::new();
        estimate.sample(&rows(50), 16);
        assert!(!estimate.expects_index());
        estimate.sample(&rows(0), RowEstimate::LIKELY as usize);
        assert!(estimate.expects_index());
    }

    #[test]
    fn rows_without_an_index_say_nothing() {
        let mut estimate = RowEstimate::new();
        estimate.sample(&[], 2);
        estimate.sample(&[Entity::NEVER; 3], 2);
        assert_eq!(estimate.score, RowEstimate::MAX_SCORE);
    }
}
