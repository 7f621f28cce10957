//! Whether rows and indices mostly have the same numbers.

use crate::entity::Entity;

/// An estimate of how many entities lie in the row with the number of their index, from samples.
///
/// Most do, until despawns have left gaps that others were moved into, and unless rows lie by archetype. Where a look-up expects
/// it, it need not wait for the slot: the processor goes on with the row of that number while the slot is being read, and only
/// starts anew where that was wrong. That costs about as much as twenty look-ups gain, so it must be rare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    /// From 0 to [`MOST`](Self::MOST).
    score: u32,
    /// Where the next sample is taken, as a fraction of 2³² of all rows.
    next: u32,
}

impl Identity {
    const MOST: u32 = 64;
    /// The score from which on a look-up expects the row with the number of the index.
    const LIKELY: u32 = 32;
    /// What an entity in another row takes from the score, to which one in its own adds 1. So the score rises where fewer than
    /// one in 25 lies in another row.
    const OTHER: u32 = 24;
    /// The fractional part of the golden ratio: any number of samples in sequence lies evenly.
    const STEP: u32 = 0x9e37_79b9;

    /// That of an empty table, whose first rows and indices come together.
    pub(super) const fn new() -> Self {
        Self { score: Self::MOST, next: 0 }
    }

    #[inline(always)]
    pub(super) const fn is_likely(self) -> bool {
        self.score >= Self::LIKELY
    }

    /// Takes samples among the entities by row, at most [`MOST`](Self::MOST). Rows without an index say nothing. O(samples).
    pub(super) fn sample(&mut self, rows: &[Entity], samples: usize) {
        for _ in 0..samples.min(Self::MOST as usize) {
            self.next = self.next.wrapping_add(Self::STEP);
            let row = ((u64::from(self.next) * rows.len() as u64) >> 32) as usize;
            match rows.get(row) {
                None | Some(&Entity::NEVER) => {}
                Some(entity) if entity.index() as usize == row => {
                    self.score = (self.score + 1).min(Self::MOST);
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
        let mut identity = Identity::new();
        let rows = rows(others_in_100);
        (0..1_000).for_each(|_| identity.sample(&rows, 2));
        identity.score
    }

    #[test]
    fn it_is_likely_if_hardly_any_entity_lies_elsewhere() {
        assert_eq!(score(0), Identity::MOST);
        assert!(score(1) >= Identity::LIKELY);
        assert!(score(10) < Identity::LIKELY);
        assert_eq!(score(100), 0);
    }

    #[test]
    fn it_follows_a_change() {
        let mut identity = Identity::new();
        identity.sample(&rows(50), 16);
        assert!(!identity.is_likely());
        identity.sample(&rows(0), Identity::LIKELY as usize);
        assert!(identity.is_likely());
    }

    #[test]
    fn rows_without_an_index_say_nothing() {
        let mut identity = Identity::new();
        identity.sample(&[], 2);
        identity.sample(&[Entity::NEVER; 3], 2);
        assert_eq!(identity.score, Identity::MOST);
    }
}
