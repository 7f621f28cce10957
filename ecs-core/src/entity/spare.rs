//! Indices that belong to no row.

use crate::rows::{bits, lowest};
use crate::types::{StateHash, StateHasher};

/// Words that are counted together.
const GROUP: usize = 64;

/// A set of indices from which the lowest is taken first. So the next index follows from the
/// members of the set, not from the order in which they were added.
///
/// It has a bit for each index, up to the highest index ever added.
#[derive(Debug, Default)]
pub(super) struct Spare {
    words: Vec<u64>,
    count: usize,
    /// No word below this one has a member.
    first: usize,
    /// The number of members before each group of words. Valid from a call of
    /// [`number`](Self::number) until the next change.
    before: Vec<u32>,
}

impl Spare {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds an index that is not a member. O(1), amortized.
    #[inline]
    pub(super) fn insert(&mut self, index: u32) {
        let (word, bit) = (index as usize / 64, 1 << (index % 64));
        if self.words.len() <= word {
            self.grow(word + 1);
        }
        debug_assert!(!self.contains(index), "an index is spare once");
        self.words[word] |= bit;
        self.first = if self.count == 0 { word } else { self.first.min(word) };
        self.count += 1;
    }

    /// Adds the 64 indices from this one on, none of which is a member. O(1), amortized.
    pub(super) fn insert_block(&mut self, first: u32) {
        // They are one word, or the end of one and the start of the next.
        let (word, shift, last) = (first as usize / 64, first % 64, (first as usize).div_ceil(64));
        if self.words.len() <= last {
            self.grow(last + 1);
        }
        debug_assert!(
            (first..first + 64).all(|index| !self.contains(index)),
            "an index is spare once"
        );
        self.words[word] |= u64::MAX << shift;
        if shift > 0 {
            self.words[last] |= u64::MAX >> (64 - shift);
        }
        self.first = if self.count == 0 { word } else { self.first.min(word) };
        self.count += 64;
    }

    /// Whether an index is a member, for checks in builds for tests.
    fn contains(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The `N` words from the word with this number on, of 64 indices each.
    pub(super) fn words<const N: usize>(&self, first: usize) -> [u64; N] {
        core::array::from_fn(|word| self.words.get(first + word).copied().unwrap_or(0))
    }

    /// Reserves memory for indices below `indices`.
    pub(super) fn expect(&mut self, indices: usize) {
        let more = indices.div_ceil(64).saturating_sub(self.words.len());
        self.words.reserve(more);
    }

    #[cold]
    fn grow(&mut self, words: usize) {
        self.words.resize(words, 0);
    }

    /// Removes the lowest member. O(1), amortized over the words passed.
    pub(super) fn pop(&mut self) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        let word = self.first + self.words[self.first..].iter().position(|&word| word != 0)?;
        let bit = self.words[word].trailing_zeros();
        self.words[word] &= self.words[word] - 1;
        self.first = word;
        self.count -= 1;
        Some(word as u32 * 64 + bit)
    }

    /// Counts the members, so that [`from`](Self::from) finds the `n`-th one. O(words).
    pub(super) fn number(&mut self) {
        let Self { words, before, .. } = self;
        before.clear();
        let mut count = 0;
        for group in words.chunks(GROUP) {
            before.push(count);
            count += group.iter().map(|word| word.count_ones()).sum::<u32>();
        }
    }

    /// The `n`-th of the [numbered](Self::number) members, and all after it. O(log members) to
    /// start.
    pub(super) fn from(&self, n: usize) -> impl Iterator<Item = u32> {
        let group = self.before.partition_point(|&before| before as usize <= n).saturating_sub(1);
        let mut skipped = n - self.before.get(group).map_or(0, |&before| before as usize);
        let first = (group * GROUP).min(self.words.len());
        let words = (first as u32..).zip(&self.words[first..]);
        let words = words.map(move |(number, &word)| {
            let count = if skipped == 0 { 0 } else { skipped.min(word.count_ones() as usize) };
            skipped -= count;
            (number, word & !lowest(word, count))
        });
        words.flat_map(|(number, word)| bits(word).map(move |bit| 64 * number + bit as u32))
    }

    /// Removes the `count` lowest members. There must be at least `count`. O(words).
    pub(super) fn remove_lowest(&mut self, count: usize) {
        let mut left = count;
        while left > 0 {
            let word = &mut self.words[self.first];
            let these = lowest(*word, left);
            *word &= !these;
            left -= these.count_ones() as usize;
            self.first += usize::from(left > 0);
        }
        self.count -= count;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (0_u32..).zip(&self.words);
        words.flat_map(|(number, &word)| bits(word).map(move |bit| 64 * number + bit as u32))
    }

    /// Becomes the same set as `from`, reusing its own memory.
    pub(super) fn copy(&mut self, from: &Self) {
        self.words.clone_from(&from.words);
        (self.count, self.first) = (from.count, from.first);
    }
}

impl StateHash for Spare {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.count.state_hash(hasher);
        // The number of words after the last member depends on the past.
        let words = self.words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        self.words[..words].iter().for_each(|word| word.state_hash(hasher));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn hash(spare: &Spare) -> u64 {
        let mut hasher = StateHasher::new();
        spare.state_hash(&mut hasher);
        hasher.finish()
    }

    proptest! {
        #[test]
        fn behaves_like_a_set(rounds in proptest::collection::vec(
            (proptest::collection::btree_set(0..500_u32, 0..40), 0..60_usize), 1..10,
        )) {
            let (mut spare, mut model) = (Spare::default(), BTreeSet::new());
            for (more, fewer) in rounds {
                for index in more {
                    if model.insert(index) {
                        spare.insert(index);
                    }
                }
                let block = fewer as u32 * 9;
                if model.range(block..block + 64).next().is_none() {
                    spare.insert_block(block);
                    model.extend(block..block + 64);
                }
                spare.number();
                for n in [0, fewer / 2, fewer] {
                    prop_assert!(spare.from(n).eq(model.iter().copied().skip(n)));
                }
                for _ in 0..fewer / 2 {
                    prop_assert_eq!(spare.pop(), model.pop_first());
                }
                let at_once = (fewer / 2).min(model.len());
                spare.remove_lowest(at_once);
                (0..at_once).for_each(|_| assert!(model.pop_first().is_some()));
                prop_assert_eq!(spare.len(), model.len());
                prop_assert!(spare.iter().eq(model.iter().copied()));
                // Equal sets have equal hashes, whatever their past.
                let mut anew = Spare::default();
                model.iter().rev().for_each(|&index| anew.insert(index));
                prop_assert_eq!(hash(&anew), hash(&spare));
                anew.copy(&spare);
                prop_assert_eq!(anew.pop(), model.first().copied());
            }
        }
    }
}
