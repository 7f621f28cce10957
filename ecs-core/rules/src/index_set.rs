//! A set of indices for `const` evaluation.

/// The most components, resources or systems that one declaration can have.
pub const MOST: usize = 1024;

const WORDS: usize = MOST / BITS;
const BITS: usize = u128::BITS as usize;

/// The words of two sets, combined by `|`, `&` or `& !`. The compiler interprets the checks of a declaration, and takes
/// longer for a loop.
macro_rules! combine {
    ($one:expr, $other:expr, $($operator:tt)+) => {{
        let ([a, b, c, d, e, f, g, h], [p, q, r, s, t, u, v, w]) = ($one.words, $other.words);
        [
            a $($operator)+ p, b $($operator)+ q, c $($operator)+ r, d $($operator)+ s,
            e $($operator)+ t, f $($operator)+ u, g $($operator)+ v, h $($operator)+ w,
        ]
    }};
}

/// A set of component (or system) indices: the thesis's dense *component bitset* (14.2).
///
/// Every operation is `const`, so that the access checks run in the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSet {
    words: [u128; WORDS],
}

impl IndexSet {
    /// The empty set.
    pub const EMPTY: Self = Self { words: [0; WORDS] };

    /// The set of the given indices.
    ///
    /// # Panics
    /// If an index is not below [`MOST`].
    #[must_use]
    pub const fn of(indices: &[usize]) -> Self {
        Self::of_all(&[indices])
    }

    /// The set of the indices of all lists.
    ///
    /// # Panics
    /// If an index is not below [`MOST`].
    #[must_use]
    pub const fn of_all(lists: &[&[usize]]) -> Self {
        // The compiler interprets it, and takes long for calls, so nothing is called here.
        let (mut words, mut lists) = ([0; WORDS], lists);
        while let [first, others @ ..] = lists {
            let mut indices = *first;
            while let [index, rest @ ..] = indices {
                assert!(*index < MOST, "a world has at most 1024 components and 1024 systems");
                words[*index / BITS] |= 1 << (*index % BITS);
                indices = rest;
            }
            lists = others;
        }
        Self { words }
    }

    /// This set with one more member.
    ///
    /// # Panics
    /// If `index` is not below [`MOST`].
    #[must_use]
    pub const fn with(mut self, index: usize) -> Self {
        self.add(index);
        self
    }

    /// Adds a member.
    ///
    /// # Panics
    /// If `index` is not below [`MOST`].
    pub const fn add(&mut self, index: usize) {
        assert!(index < MOST, "a world has at most 1024 components and 1024 systems");
        self.words[index / BITS] |= 1 << (index % BITS);
    }

    /// Adds the members of `other`.
    pub const fn unite(&mut self, other: &Self) {
        self.words = combine!(self, other, |);
    }

    /// Removes what is no member of `other`.
    pub const fn intersect(&mut self, other: &Self) {
        self.words = combine!(self, other, &);
    }

    /// Removes the members of `other`.
    pub const fn subtract(&mut self, other: &Self) {
        self.words = combine!(self, other, &!);
    }

    /// Removes the lowest member, and returns it.
    pub const fn pop(&mut self) -> Option<usize> {
        let first = self.first();
        if let Some(index) = first {
            let word = &mut self.words[index / BITS];
            *word &= *word - 1;
        }
        first
    }

    /// The union of the two sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self { words: combine!(self, other, |) }
    }

    /// Whether `index` is a member.
    #[must_use]
    pub const fn contains(&self, index: usize) -> bool {
        index < MOST && self.words[index / BITS] >> (index % BITS) & 1 == 1
    }

    /// The number of members below `index`.
    ///
    /// # Panics
    /// If `index` is not below [`MOST`].
    #[must_use]
    pub const fn rank(&self, index: usize) -> usize {
        assert!(index < MOST, "the index is out of range");
        let (mut rank, mut word) = (0, 0);
        while word < index / BITS {
            rank += self.words[word].count_ones() as usize;
            word += 1;
        }
        rank + (self.words[word] & !(u128::MAX << (index % BITS))).count_ones() as usize
    }

    /// Whether every member is a member of `other`.
    #[must_use]
    pub const fn is_subset(&self, other: &Self) -> bool {
        self.first_outside(other).is_none()
    }

    /// The lowest member that is not in `other`.
    #[must_use]
    pub const fn first_outside(&self, other: &Self) -> Option<usize> {
        Self { words: combine!(self, other, &!) }.first()
    }

    /// The lowest member.
    const fn first(&self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let mut i = 0;
        while self.words[i] == 0 {
            i += 1;
        }
        Some(i * BITS + self.words[i].trailing_zeros() as usize)
    }

    /// Whether the sets have no common member.
    #[must_use]
    pub const fn is_disjoint(&self, other: &Self) -> bool {
        Self { words: combine!(self, other, &) }.is_empty()
    }

    /// The key of the set of one index.
    #[must_use]
    pub const fn key_of(index: usize) -> u64 {
        scattered(index as u64 + 1)
    }

    /// A number that almost surely differs between different sets: the exclusive or of the keys of
    /// the members, so 0 for the empty set.
    #[must_use]
    pub const fn key(&self) -> u64 {
        let (mut key, mut word) = (0, 0);
        while word < WORDS {
            let mut rest = self.words[word];
            while rest != 0 {
                key ^= Self::key_of(word * BITS + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
            word += 1;
        }
        key
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let [a, b, c, d, e, f, g, h] = self.words;
        a | b | c | d | e | f | g | h == 0
    }
}

/// Mixes the bits of `n`, so that each bit of the result depends on all of them: the finalizer of
/// `SplitMix64` (Steele, Lea and Flood, 2014).
const fn scattered(n: u64) -> u64 {
    let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;

    #[test]
    fn set_algebra() {
        let a = IndexSet::of(&[0, 64, 1023]);
        let b = IndexSet::of(&[64, 7]);
        assert!(a.contains(1023) && !a.contains(1022) && !a.contains(5000));
        assert!(!a.is_disjoint(&b) && a.is_disjoint(&IndexSet::of(&[1, 2])));
        assert!(a.is_subset(&a.union(b)) && !a.is_subset(&b));
        assert_eq!(
            (b.first_outside(&a), a.first_outside(&IndexSet::of(&[0, 64]))),
            (Some(7), Some(1023))
        );
        assert!(IndexSet::EMPTY.is_empty() && !b.is_empty());
        let mut set = a;
        set.intersect(&b);
        assert_eq!((set.pop(), set.pop()), (Some(64), None));
        let mut set = b;
        set.subtract(&a);
        assert_eq!((set.pop(), set.pop()), (Some(7), None));
    }

    /// Every word, and both sides of each border between words, against sets of the standard library.
    #[test]
    fn members_of_all_words() {
        use std::collections::BTreeSet;
        use std::vec::Vec;

        let naive = |step: usize, from: usize| (from..MOST).step_by(step).collect::<BTreeSet<_>>();
        let set = |indices: &BTreeSet<usize>| {
            IndexSet::of(&indices.iter().copied().collect::<Vec<usize>>())
        };
        let members =
            |mut set: IndexSet| core::iter::from_fn(move || set.pop()).collect::<BTreeSet<usize>>();
        let sets = [
            naive(127, 0),
            naive(128, 0),
            naive(128, 127),
            naive(64, 3),
            naive(1, 0),
            naive(1, MOST),
        ];
        for a in &sets {
            assert_eq!(members(set(a)), *a);
            for index in 0..MOST {
                assert_eq!(set(a).contains(index), a.contains(&index));
                assert_eq!(set(a).rank(index), a.range(..index).count());
            }
            for b in &sets {
                let (mut both, mut rest) = (set(a), set(a));
                both.intersect(&set(b));
                rest.subtract(&set(b));
                assert_eq!(members(set(a).union(set(b))), a | b);
                assert_eq!(members(both), a & b);
                assert_eq!(members(rest), a - b);
                assert_eq!(set(a).first_outside(&set(b)), (a - b).first().copied());
                assert_eq!(set(a).is_disjoint(&set(b)), a.is_disjoint(b));
                assert_eq!(set(a).is_subset(&set(b)), a.is_subset(b));
            }
        }
    }

    #[test]
    fn a_key_tells_sets_apart() {
        let pairs = (0..200).flat_map(|a| (a..200).map(move |b| IndexSet::of(&[a, b])));
        let keys: std::collections::BTreeSet<u64> = pairs.map(|set| set.key()).collect();
        assert_eq!(keys.len(), 200 * 201 / 2);
        assert!(!keys.contains(&IndexSet::EMPTY.key()) && IndexSet::EMPTY.key() == 0);
        assert_eq!(IndexSet::of(&[3, 1]).key(), IndexSet::of(&[1]).with(3).key());
    }

    #[test]
    #[should_panic(expected = "at most 1024")]
    fn too_large_an_index() {
        let _ = IndexSet::EMPTY.with(MOST);
    }
}
