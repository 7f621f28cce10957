//! The hash that keys are found by.
//!
//! It decides where a key lies in a table that is never iterated over, so no result depends on it.

use core::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// The hash of a key. Its last bits select the slot in a part of the table, its first bits select the part.
#[inline]
pub(super) fn hash(key: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::hash;
    use crate::joins::Cell;

    #[test]
    fn neighbours_are_spread_over_tables_and_parts() {
        let hashes: Vec<u64> =
            (-64..64).flat_map(|x: i32| (-64..64).map(move |y: i32| hash(&Cell([x, y])))).collect();
        let all: BTreeSet<u64> = hashes.iter().copied().collect();
        assert_eq!(all.len(), hashes.len());
        // 16 384 hashes in 32 768 slots by the last bits: a random hash would use about 12 900 slots.
        let places: BTreeSet<u64> = hashes.iter().map(|hash| hash & 0x7FFF).collect();
        assert!(places.len() > 10_000, "{} places", places.len());
        // And in 16 parts by the first.
        for part in 0..16 {
            let members = hashes.iter().filter(|hash| *hash >> 60 == part).count();
            assert!((700..1400).contains(&members), "{members} in part {part}");
        }
    }
}
