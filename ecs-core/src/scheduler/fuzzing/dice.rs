//! A pseudo-random generator: the same numbers for a seed on every machine.

/// A sequence of pseudo-random numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// The sequence for these numbers. Sequences for different numbers, or for the same numbers in another
    /// order, are unrelated.
    pub(super) fn of(numbers: impl IntoIterator<Item = u64>) -> Self {
        Self(numbers.into_iter().fold(0, |state, number| mix(state ^ mix(number)).rotate_left(1)))
    }

    /// The next number of the sequence.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// The next number, below `limit`, which must not be 0. (The bias is at most `limit` / 2⁶⁴.)
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Shuffles the items. All orders are equally likely.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for rest in (2..=items.len()).rev() {
            items.swap(rest - 1, self.below(rest));
        }
    }
}

/// Spreads a change of any bit over all others. It is a bijection.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    value ^ (value >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn all_orders_are_about_as_likely() {
        let mut orders = BTreeMap::new();
        for seed in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            Dice::of([seed]).shuffle(&mut items);
            *orders.entry(items).or_insert(0) += 1;
        }
        assert_eq!(orders.len(), 24);
        assert!(orders.values().all(|count| (800..1_200).contains(count)), "{orders:?}");
    }

    #[test]
    fn every_number_below_the_limit_comes_up() {
        let mut dice = Dice::of([5, 7]);
        for limit in 1..9 {
            let seen: BTreeSet<usize> = (0..200).map(|_| dice.below(limit)).collect();
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), (0..limit).collect::<Vec<_>>());
        }
    }

    #[test]
    fn sequences_of_other_numbers_differ() {
        let numbers: [&[u64]; 6] = [&[], &[0], &[0, 0], &[0, 1], &[1, 0], &[1]];
        let first: BTreeSet<u64> =
            numbers.iter().map(|numbers| Dice::of(numbers.iter().copied()).next()).collect();
        assert_eq!(first.len(), numbers.len());
    }
}
