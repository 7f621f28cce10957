//! Sets of systems that `const` evaluation can compute with, word by word.

use super::MAX_SYSTEMS;

pub(super) const WORDS: usize = MAX_SYSTEMS / 64;

/// A set of system indices.
pub(super) type SystemBits = [u64; WORDS];

pub(super) const fn has(set: &SystemBits, index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 == 1
}

pub(super) const fn add(set: &mut SystemBits, index: usize) {
    set[index / 64] |= 1 << (index % 64);
}

/// Adds every member of `other`.
pub(super) const fn unite(set: &mut SystemBits, other: &SystemBits) {
    let mut w = 0;
    while w < WORDS {
        set[w] |= other[w];
        w += 1;
    }
}

/// Removes the members that are not members of `other`.
pub(super) const fn intersect(set: &mut SystemBits, other: &SystemBits) {
    let mut w = 0;
    while w < WORDS {
        set[w] &= other[w];
        w += 1;
    }
}

/// Removes the members of `other`.
pub(super) const fn remove(set: &mut SystemBits, other: &SystemBits) {
    let mut w = 0;
    while w < WORDS {
        set[w] &= !other[w];
        w += 1;
    }
}

/// Removes the lowest member, if there is one, and returns it.
pub(super) const fn pop(set: &mut SystemBits) -> Option<usize> {
    let mut w = 0;
    while w < WORDS {
        if set[w] != 0 {
            let index = w * 64 + set[w].trailing_zeros() as usize;
            set[w] &= set[w] - 1;
            return Some(index);
        }
        w += 1;
    }
    None
}
