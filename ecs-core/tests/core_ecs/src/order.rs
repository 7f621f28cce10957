//! Partial orders and their linearizations (4.1).

use std::ops::ControlFlow;

/// A strict partial order over the numbers from 0 up to a length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precedence {
    /// For each number, those that must come before it.
    predecessors: Vec<Vec<usize>>,
    /// The number of linearizations, saturating.
    count: u128,
}

impl Precedence {
    /// The empty order of `length` numbers.
    pub fn none(length: usize) -> Self {
        let count = (1..=length as u128).fold(1, u128::saturating_mul);
        Self { predecessors: vec![Vec::new(); length], count }
    }

    /// The total order of `length` numbers.
    pub fn total(length: usize) -> Self {
        Self { predecessors: (0..length).map(|number| (0..number).collect()).collect(), count: 1 }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.predecessors.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.predecessors.is_empty()
    }

    /// Both orders, without order between the two. The numbers of `other` are shifted by the length of
    /// `self`.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Self {
        let (length, moved) = (self.len(), other.moved_by(self.len()));
        let predecessors = self.predecessors.iter().cloned().chain(moved).collect();
        // The number of ways to interleave two sequences.
        let shuffles = choose((length + other.len()) as u128, length as u128);
        let count = self.count.saturating_mul(other.count).saturating_mul(shuffles);
        Self { predecessors, count }
    }

    /// All of `other` after all of `self`. The numbers of `other` are shifted by the length of `self`.
    #[must_use]
    pub fn before(&self, other: &Self) -> Self {
        let length = self.len();
        let moved = other.moved_by(length).map(|own| (0..length).chain(own).collect());
        let predecessors = self.predecessors.iter().cloned().chain(moved).collect();
        Self { predecessors, count: self.count.saturating_mul(other.count) }
    }

    fn moved_by(&self, offset: usize) -> impl Iterator<Item = Vec<usize>> {
        let moved = move |own: &Vec<usize>| own.iter().map(|number| number + offset).collect();
        self.predecessors.iter().map(moved)
    }

    /// Whether `a` must come before `b`.
    pub fn precedes(&self, a: usize, b: usize) -> bool {
        self.predecessors[b].contains(&a)
    }

    /// The pairs without an order between them, each listed once.
    pub fn concurrent_pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for b in 0..self.len() {
            for a in 0..b {
                if !self.precedes(a, b) && !self.precedes(b, a) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    /// The number of linearizations; `u128::MAX` stands for that many or more.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Calls a function with every linearization, until it breaks.
    ///
    /// # Errors
    ///
    /// The value that the function breaks with.
    pub fn for_each<B>(&self, mut visit: impl FnMut(&[usize]) -> ControlFlow<B>) -> ControlFlow<B> {
        self.extend(&mut Vec::new(), &mut visit)
    }

    fn extend<B>(
        &self,
        order: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if order.len() == self.len() {
            return visit(order);
        }
        for number in self.ready(order) {
            order.push(number);
            self.extend(order, visit)?;
            order.pop();
        }
        ControlFlow::Continue(())
    }

    /// The elements that may come next after `order`.
    fn ready(&self, order: &[usize]) -> Vec<usize> {
        let is_ready = |&number: &usize| {
            let before = &self.predecessors[number];
            !order.contains(&number) && before.iter().all(|earlier| order.contains(earlier))
        };
        (0..self.len()).filter(is_ready).collect()
    }

    /// All linearizations, in ascending order. [`count`](Self::count) tells how many they are.
    pub fn linearizations(&self) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        let end: ControlFlow<()> = self.for_each(|order| {
            all.push(order.to_vec());
            ControlFlow::Continue(())
        });
        debug_assert!(end.is_continue());
        all
    }

    /// One linearization, which the seed selects. Each is possible; not all are equally likely.
    pub fn linearization(&self, seed: u64) -> Vec<usize> {
        let (mut order, mut random) = (Vec::new(), SplitMix(seed));
        while order.len() < self.len() {
            let ready = self.ready(&order);
            order.push(ready[random.below(ready.len())]);
        }
        order
    }
}

/// The binomial coefficient, or `u128::MAX` if it is that large or larger.
fn choose(n: u128, k: u128) -> u128 {
    let k = k.min(n - k);
    let step = |ways: Option<u128>, i| Some(ways?.checked_mul(n - i)? / (i + 1));
    (0..k).fold(Some(1), step).unwrap_or(u128::MAX)
}

/// The generator `SplitMix64`: small, and sufficient for shuffling.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Precedence;

    #[test]
    fn linearizations_are_counted_as_they_are_enumerated() {
        let none = Precedence::none(3);
        let chain = Precedence::total(2);
        for order in [
            none.clone(),
            chain.clone(),
            none.beside(&chain),
            none.before(&chain),
            chain.before(&none).beside(&chain),
        ] {
            let all = order.linearizations();
            assert_eq!(all.len() as u128, order.count());
            for one in &all {
                for (place, &b) in one.iter().enumerate() {
                    assert!(!one[place..].iter().any(|&a| order.precedes(a, b)));
                }
            }
            for seed in 0..20 {
                assert!(all.contains(&order.linearization(seed)));
            }
        }
        assert_eq!(Precedence::none(200).count(), u128::MAX);
        assert_eq!(none.beside(&chain).concurrent_pairs().len(), 3 + 6);
        assert_eq!(chain.before(&none).concurrent_pairs(), [(2, 3), (2, 4), (3, 4)]);
    }
}
