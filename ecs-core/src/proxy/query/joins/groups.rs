//! The members of a query by key, and events by key.
//!
//! An open-addressing hash table maps the hash of a key to its group. A group is a range of values, in the order of the
//! records: the rows of members, which ascend, or events. If there are many records, the table is split into parts by the
//! first bits of the hash. The parts are built in parallel: each goes over all records and takes those that belong to it.
//! Results depend neither on the number of parts nor on the order of groups, because nothing iterates over groups.

use core::hash::{BuildHasher as _, Hash};

use rustc_hash::FxBuildHasher;

use super::key::{FromKeys, Record, Table};
use super::{MANY, PARTS};
use crate::parallel::{ForkJoin, fork_each};
use crate::types::prefetch;

/// Values by key.
#[derive(Debug)]
pub struct Groups<K, V = u32> {
    parts: Vec<Part<K, V>>,
    /// The number of leading bits of a hash that select the part.
    bits: u32,
}

/// The groups whose hashes have the same leading bits.
#[derive(Debug)]
struct Part<K, V> {
    /// Slots of the hash table: the number of a group, or [`FREE`]. A group is in the slot that the last bits of its
    /// hash select, or in the next free one. At most half of the slots are in use.
    slots: Vec<u32>,
    groups: Vec<Group<K>>,
    /// The values of each group, one group after the other.
    values: Vec<V>,
    /// For each record the number of its group, and its value.
    records: Vec<(u32, V)>,
}

#[derive(Debug)]
struct Group<K> {
    key: K,
    /// Where its values start and end. While records are counted, `end` is the count.
    start: u32,
    end: u32,
}

const FREE: u32 = u32::MAX;

impl<K: Copy + Eq + Hash, V> Groups<K, V> {
    /// The table without values.
    pub(crate) const NONE: Self = Self { parts: Vec::new(), bits: 0 };

    /// The values with this key, in the order of the records. O(1).
    #[inline]
    pub(crate) fn of(&self, key: &K) -> &[V] {
        let hash = hash(key);
        self.parts.get(part_of(hash, self.bits)).map_or(&[], |part| part.find(hash, key))
    }

    /// Prefetches what [`of`](Self::of) reads first.
    #[inline]
    pub(crate) fn announce(&self, key: &K) {
        let hash = hash(key);
        if let Some(part) = self.parts.get(part_of(hash, self.bits)) {
            let slot = hash as usize & part.slots.len().wrapping_sub(1);
            prefetch(part.slots.as_ptr().wrapping_add(slot));
        }
    }
}

impl<K: Copy + Eq + Hash + Send + Sync, V: Copy + Send + Sync> Groups<K, V> {
    /// Builds the table. O(records / threads), plus a pass over all records on each thread. Allocates nothing if there were
    /// as many records before.
    pub(crate) fn group<'a>(
        &mut self,
        executor: &impl ForkJoin,
        records: &(impl Iterator<Item = &'a [(K, V)]> + Clone + Sync),
    ) where
        K: 'a,
        V: 'a,
    {
        let count: usize = records.clone().map(<[_]>::len).sum();
        let parts =
            if count < MANY { 1 } else { executor.concurrency().min(PARTS).next_power_of_two() };
        self.bits = parts.trailing_zeros();
        if self.parts.len() < parts {
            self.parts.resize_with(parts, Part::new);
        }
        let bits = self.bits;
        fork_each(executor, &mut self.parts[..parts], &|number, part: &mut Part<K, V>| {
            part.clear();
            for &(key, value) in records.clone().flatten() {
                let hash = hash(&key);
                if part_of(hash, bits) == number {
                    part.add(hash, key, value);
                }
            }
            part.gather();
        });
    }
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> Table for Groups<K> {
    const EMPTY: Self = Self::NONE;
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> FromKeys<K> for Groups<K> {
    fn make<'a>(
        &mut self,
        executor: &impl ForkJoin,
        records: &(impl Iterator<Item = &'a [Record<K>]> + Clone + Sync),
    ) {
        self.group(executor, records);
    }
}

/// The hash of a key. Its last bits select the slot in a part of the table, its first bits select the part.
#[inline]
fn hash(key: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

/// The number of the part, from the leading bits.
#[inline]
fn part_of(hash: u64, bits: u32) -> usize {
    // In two shifts, because a shift by all 64 bits overflows.
    (hash >> 1 >> (63 - bits)) as usize
}

impl<K, V> Part<K, V> {
    fn new() -> Self {
        Self { slots: Vec::new(), groups: Vec::new(), values: Vec::new(), records: Vec::new() }
    }

    fn clear(&mut self) {
        self.slots.fill(FREE);
        self.groups.clear();
        self.records.clear();
    }
}

impl<K: Copy + Eq + Hash, V> Part<K, V> {
    /// The slot of the key's group, or the slot where it would be inserted. There must be slots.
    #[inline]
    fn slot(&self, hash: u64, key: &K) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                FREE => return slot,
                group if self.groups[group as usize].key == *key => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    #[inline]
    fn find(&self, hash: u64, key: &K) -> &[V] {
        if self.slots.is_empty() {
            return &[];
        }
        match self.slots[self.slot(hash, key)] {
            FREE => &[],
            group => {
                let Group { start, end, .. } = &self.groups[group as usize];
                &self.values[*start as usize..*end as usize]
            }
        }
    }

    /// Counts a record.
    #[inline]
    fn add(&mut self, hash: u64, key: K, value: V) {
        if self.groups.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(hash, &key);
        if self.slots[slot] == FREE {
            self.slots[slot] = self.groups.len() as u32;
            self.groups.push(Group { key, start: 0, end: 0 });
        }
        let group = self.slots[slot];
        self.groups[group as usize].end += 1;
        self.records.push((group, value));
    }

    /// Doubles the slots.
    #[cold]
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(slots, FREE);
        for group in 0..self.groups.len() {
            // The slot found is free, because no two groups have the same key.
            let key = self.groups[group].key;
            let slot = self.slot(hash(&key), &key);
            self.slots[slot] = group as u32;
        }
    }
}

impl<K, V: Copy> Part<K, V> {
    /// Lays out the values, group by group.
    fn gather(&mut self) {
        let Self { groups, values, records, .. } = self;
        values.truncate(records.len());
        let Some(&(_, any)) = records.first() else { return };
        // Each is overwritten.
        values.resize(records.len(), any);
        let mut next = 0;
        for group in &mut *groups {
            group.start = next;
            next += group.end;
            group.end = group.start;
        }
        for &(group, value) in &*records {
            let end = &mut groups[group as usize].end;
            values[*end as usize] = value;
            *end += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::parallel::{Inline, Threads};
    use crate::proxy::query::joins::Cell;

    fn check(groups: &Groups<u16>, records: &[Record<u16>], keys: u16) {
        let mut expected: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
        for &(key, row) in records {
            expected.entry(key).or_default().push(row);
        }
        for key in 0..=keys {
            assert_eq!(groups.of(&key), expected.get(&key).map_or(&[][..], Vec::as_slice));
        }
    }

    /// Records with increasing rows.
    fn rows(keys: Vec<u16>) -> Vec<Record<u16>> {
        keys.into_iter().enumerate().map(|(row, key)| (key, row as u32 * 3)).collect()
    }

    proptest! {
        #[test]
        fn behaves_like_an_ordered_map(
            rounds in proptest::collection::vec(proptest::collection::vec(0..90_u16, 0..400), 1..4),
            pieces in 1..5_usize,
        ) {
            let mut groups = Groups::EMPTY;
            prop_assert!(groups.of(&0).is_empty());
            for keys in rounds {
                let records = rows(keys);
                let size = records.len().div_ceil(pieces).max(1);
                groups.make(&Inline, &records.chunks(size));
                check(&groups, &records, 91);
            }
        }
    }

    #[test]
    fn parts_hold_the_same() {
        let keys = |n: u32| (0..n).map(|i| (i.wrapping_mul(40_503) >> 4) as u16 % 3000).collect();
        let (many, few) = (rows(keys(3 * MANY as u32)), rows(keys(100)));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        Threads::Pool(std::sync::Arc::new(threads.expect("threads"))).run(|workers| {
            let mut groups = Groups::EMPTY;
            for records in [&many, &few, &many] {
                groups.make(workers, &records.chunks(1000));
                check(&groups, records, 3001);
            }
            assert_eq!(groups.bits, 2);
        });
    }

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
