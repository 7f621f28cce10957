//! Deltas: the bytes that make one save, the *target*, out of another one, the *base*.
//!
//! A delta is a list of steps over the base. Each step copies some of its bytes, leaves out some, and adds others. Bytes of the base after the
//! last step are left out. The steps never go back in the base, so the target has at most as many bytes as base and delta together.
//!
//! The bytes of a delta, with numbers little endian: `ecsdelta`, the number of the format of saves (`u32`), the XXH3 of the base (`u64`), the length
//! and the XXH3 of the target (`u64` each), and the steps up to the end. A step has three numbers, each with seven bits in a byte, the lowest
//! first: how many bytes of the base it copies, how many of them it leaves out then, and how many bytes it adds. These follow.
//!
//! Frames of the two saves are compared if they are of the same part and the same page. In a pair of frames, a change in place is looked
//! for first, as of a value that has changed. Without one, a hash finds the next bytes of the target that the base has, too,
//! as when rows were added or have gone.

use core::{error, fmt};
use std::collections::HashMap;
use std::ops::Range;

use super::{COMPONENT, END, FORMAT, MAGIC};
use crate::types::bytes::{Decoder, Fault, Frames};
use crate::types::xxh3::xxh3_64;

/// The first bytes of a delta.
const DELTA: &[u8; 8] = b"ecsdelta";

/// The least number of equal bytes that are copied by a step of their own.
const ENOUGH: usize = 16;

/// The longest change in place that is looked for, in bytes.
const IN_PLACE: usize = 64;

/// The bytes from which [`apply_delta`] makes `save` out of `base`, an earlier save of the same declaration. A host sends them to a peer that has
/// `base`.
///
/// The less has changed, the shorter a delta is: about 48 bytes, and for each value that has changed its bytes and about two more.
///
/// O(bytes of both) time and memory. `base` and `save` may also be bytes that are no saves.
///
/// ```
/// use ecs_core::{World, save, world};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Age(u32);
///
/// world! { world Village; component Age; }
///
/// let mut host = World::<Village>::new();
/// let villagers = host.spawn_batch((0..1000).map(|n| (Age(n),)));
/// let mut first = Vec::new();
/// host.save(&mut first)?;
///
/// // A peer joins: it gets the whole state.
/// let mut peer = World::<Village>::new();
/// peer.load(&first)?;
///
/// // From now on, it gets what changes.
/// host.get_mut::<Age>(villagers[17]).unwrap().0 = 99;
/// let mut second = Vec::new();
/// host.save(&mut second)?;
/// let delta = save::delta(&first, &second);
/// assert!(delta.len() < 70 && second.len() > 4000);
/// peer.load(&save::apply_delta(&first, &delta)?)?;
/// assert_eq!(peer.get::<Age>(villagers[17]).unwrap().0, 99);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn delta(base: &[u8], save: &[u8]) -> Vec<u8> {
    let mut steps = Steps::default();
    steps.bytes.extend(DELTA);
    steps.bytes.extend(FORMAT.to_le_bytes());
    steps.bytes.extend(xxh3_64(base).to_le_bytes());
    steps.bytes.extend((save.len() as u64).to_le_bytes());
    steps.bytes.extend(xxh3_64(save).to_le_bytes());
    let mut parts = HashMap::new();
    let [old, new] = [base, save].map(|save| segments(save, &mut parts));
    let mut place_of: HashMap<Key, usize> = HashMap::new();
    for (place, segment) in old.iter().enumerate() {
        place_of.entry(segment.key).or_insert(place);
    }
    let mut next = 0;
    for segment in &new {
        match place_of.get(&segment.key) {
            Some(&place) if place >= next => {
                let range = &old[place].range;
                next = place + 1;
                steps.skip_to(range.start);
                steps.segment(&base[..range.end], &save[segment.range.clone()]);
            }
            _ => steps.add(&save[segment.range.clone()]),
        }
    }
    steps.finish()
}

/// The save that [`delta`] was called with, from the same `base`.
///
/// Any bytes are safe as arguments, as for [loads](crate::save#untrusted-bytes): the result is the save or an error. A save has no more bytes than
/// `base` and `delta` together. O(bytes).
///
/// # Errors
/// See [`DeltaError`].
pub fn apply_delta(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, DeltaError> {
    let mut from = Decoder::new(delta);
    if from.take(DELTA.len()).ok() != Some(DELTA) || from.u32().ok() != Some(FORMAT) {
        return Err(DeltaError::NotADelta);
    }
    let damaged = |Fault(_)| DeltaError::Damaged;
    let (of_base, len) = (from.u64().map_err(damaged)?, from.u64().map_err(damaged)?);
    let of_save = from.u64().map_err(damaged)?;
    if of_base != xxh3_64(base) {
        return Err(DeltaError::OtherBase);
    }
    // Longer ones are forged.
    let most = base.len() + delta.len();
    let len = usize::try_from(len).ok().filter(|&len| len <= most).ok_or(DeltaError::Damaged)?;
    let mut save = Vec::with_capacity(len);
    let mut base = Decoder::new(base);
    while !from.is_empty() {
        let mut number = || from.varint().ok().and_then(|number| usize::try_from(number).ok());
        let numbers = [number(), number(), number()];
        let [Some(copied), Some(skipped), Some(added)] = numbers else {
            return Err(DeltaError::Damaged);
        };
        save.extend(base.take(copied).map_err(damaged)?);
        base.take(skipped).map_err(damaged)?;
        save.extend(from.take(added).map_err(damaged)?);
    }
    if save.len() != len || xxh3_64(&save) != of_save {
        return Err(DeltaError::Damaged);
    }
    Ok(save)
}

/// Why a delta gives no save.
///
/// ```
/// use ecs_core::save::{self, DeltaError};
///
/// let delta = save::delta(b"one base", b"a save");
/// assert_eq!(save::apply_delta(b"one base", &delta), Ok(b"a save".to_vec()));
/// assert_eq!(save::apply_delta(b"another one", &delta), Err(DeltaError::OtherBase));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeltaError {
    /// It is no delta, or one of another format.
    NotADelta,
    /// It was made from another base.
    OtherBase,
    /// Its bytes are not those that [`delta`] has given.
    Damaged,
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotADelta => "the bytes are no delta of this version of the library",
            Self::OtherBase => "the delta is for another base; send the whole save",
            Self::Damaged => "the delta is damaged; send the whole save",
        })
    }
}

impl error::Error for DeltaError {}

/// Frames of two saves with the same key are compared. A key is the number of the part, and for a component the first bytes of the
/// frame, which have the page; else the number of the frame.
type Key = (usize, u64);

/// The numbers of parts, by kind and name. The number 0 is of no part.
type Parts<'a> = HashMap<(u8, &'a str), usize>;

/// Some bytes of a save: a frame with its length, or what is between frames.
struct Segment {
    key: Key,
    range: Range<usize>,
}

/// All bytes of the save, cut into segments. Other bytes are one segment.
fn segments<'a>(save: &'a [u8], parts: &mut Parts<'a>) -> Vec<Segment> {
    let whole = |_| vec![Segment { key: (0, 0), range: 0..save.len() }];
    frames_of(save, parts).unwrap_or_else(whole)
}

fn frames_of<'a>(save: &'a [u8], parts: &mut Parts<'a>) -> Result<Vec<Segment>, Fault> {
    let mut from = Decoder::new(save);
    let at = |from: &Decoder<'_>| save.len() - from.clone().rest().len();
    if from.take(MAGIC.len())? != MAGIC {
        return Err(Fault::new("it is no save"));
    }
    // The format and the order of bytes.
    from.take(5)?;
    from.text()?;
    let mut segments = Vec::new();
    let mut start = 0;
    loop {
        let kind = from.u8()?;
        if kind == END {
            break;
        }
        let name = from.text()?;
        // The form, the version and the size.
        from.take(13)?;
        let next = parts.len() + 1;
        let part = *parts.entry((kind, name)).or_insert(next);
        segments.push(Segment { key: (part, u64::MAX), range: start..at(&from) });
        start = at(&from);
        let mut all = from.clone();
        Frames::split(&mut from)?;
        for number in 0.. {
            let frame = all.frame()?.rest();
            let key = match frame.first_chunk() {
                Some(&[tag, a, b, c, d]) if kind == COMPONENT => {
                    u64::from_le_bytes([a, b, c, d, tag, 0, 0, 0])
                }
                _ => number,
            };
            segments.push(Segment { key: (part, key), range: start..at(&all) });
            start = at(&all);
            if frame.is_empty() {
                break;
            }
        }
    }
    segments.push(Segment { key: (0, 0), range: start..save.len() });
    Ok(segments)
}

/// The steps of a delta, of which the last one is not yet written.
#[derive(Default)]
struct Steps<'a> {
    bytes: Vec<u8>,
    /// The bytes of the base before this position are copied or left out.
    base: usize,
    copied: usize,
    skipped: usize,
    /// In pieces, one after the other.
    added: Vec<&'a [u8]>,
}

impl<'a> Steps<'a> {
    fn copy(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if self.skipped > 0 || !self.added.is_empty() {
            self.flush();
        }
        self.copied += count;
        self.base += count;
    }

    fn skip_to(&mut self, base: usize) {
        self.skipped += base - self.base;
        self.base = base;
    }

    fn add(&mut self, bytes: &'a [u8]) {
        if !bytes.is_empty() {
            self.added.push(bytes);
        }
    }

    fn flush(&mut self) {
        let added = self.added.iter().map(|bytes| bytes.len()).sum();
        for number in [self.copied, self.skipped, added] {
            put_varint(&mut self.bytes, number);
        }
        self.added.drain(..).for_each(|bytes| self.bytes.extend(bytes));
        (self.copied, self.skipped) = (0, 0);
    }

    /// All bytes. The base's bytes after the last copy are left out without a step. So the last step gives some of the target, and without it a
    /// delta is too short.
    fn finish(mut self) -> Vec<u8> {
        self.skipped = 0;
        if self.copied > 0 || !self.added.is_empty() {
            self.flush();
        }
        self.bytes
    }

    /// Makes `new` out of the bytes of `base` that no step has used yet, and uses up all of them.
    fn segment(&mut self, base: &[u8], mut new: &'a [u8]) {
        let mut places = None;
        loop {
            let old = &base[self.base..];
            let equal = common(old, new);
            self.copy(equal);
            let (old, rest) = (&old[equal..], &new[equal..]);
            new = rest;
            if old.is_empty() || new.is_empty() {
                break;
            }
            let found = differs_in_place(old, new).map(|len| (len, len)).or_else(|| {
                let places = places.get_or_insert_with(|| Places::of(base, self.base));
                places.next(base, self.base, new)
            });
            let Some((skipped, added)) = found else { break };
            self.skip_to(self.base + skipped);
            self.add(&new[..added]);
            new = &new[added..];
        }
        self.skip_to(base.len());
        self.add(new);
    }
}

/// How many of the first bytes are equal.
fn common(one: &[u8], other: &[u8]) -> usize {
    const WORD: usize = size_of::<u64>();
    let (words, _) = one.as_chunks::<WORD>();
    let (others, _) = other.as_chunks::<WORD>();
    let equal = words.iter().zip(others).take_while(|(one, other)| one == other).count() * WORD;
    let rest = one[equal..].iter().zip(&other[equal..]);
    equal + rest.take_while(|(one, other)| one == other).count()
}

/// The number of bytes after which both go on with the same bytes.
fn differs_in_place(old: &[u8], new: &[u8]) -> Option<usize> {
    let most = old.len().min(new.len());
    // At the end, fewer equal bytes are enough.
    (1..=IN_PLACE.min(most)).find(|&len| {
        let end = most.min(len + ENOUGH);
        old[len..end] == new[len..end] && (end == len + ENOUGH || old.len() == new.len())
    })
}

/// By each run of `ENOUGH` bytes of the base, the positions where it begins, ascending. Runs begin at multiples of `ENOUGH`.
struct Places {
    /// A bit for each hash that a run has. Most bytes that are looked for have no position, and this tells it fast.
    hashes: Vec<u64>,
    /// How many bits of a hash there are.
    bits: u32,
    by_bytes: HashMap<[u8; ENOUGH], Vec<usize>>,
}

impl Places {
    /// The most bits of a hash. A frame has up to 4 096 values.
    const MOST_BITS: u32 = 18;

    fn of(base: &[u8], from: usize) -> Self {
        let (chunks, _) = base[from..].as_chunks::<ENOUGH>();
        // No more memory than there are bytes, as there may be many small frames.
        let wanted = (ENOUGH * chunks.len()).max(1).ilog2() + 1;
        let bits = wanted.clamp(u64::BITS.ilog2(), Self::MOST_BITS);
        let mut hashes = vec![0; 1 << (bits - u64::BITS.ilog2())];
        let mut by_bytes: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, chunk) in chunks.iter().enumerate() {
            let hash = Self::hash(*chunk, bits);
            hashes[hash / 64] |= 1 << (hash % 64);
            by_bytes.entry(*chunk).or_default().push(from + number * ENOUGH);
        }
        Self { hashes, bits, by_bytes }
    }

    /// By a multiplication, as Knuth has it (TAOCP 3, 6.4).
    #[inline]
    fn hash(bytes: [u8; ENOUGH], bits: u32) -> usize {
        let all = u128::from_le_bytes(bytes);
        let mixed = (all as u64 ^ (all >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - bits)) as usize
    }

    /// The first position of these bytes at `from` or later.
    #[inline]
    fn find(&self, bytes: [u8; ENOUGH], from: usize) -> Option<usize> {
        let hash = Self::hash(bytes, self.bits);
        if self.hashes[hash / 64] >> (hash % 64) & 1 == 0 {
            return None;
        }
        let all = self.by_bytes.get(&bytes)?;
        all.get(all.partition_point(|&place| place < from)).copied()
    }

    /// The next bytes of `new` that the base has at `from` or later: how many bytes come before them in the base, from `from` on, and in `new`.
    fn next(&self, base: &[u8], from: usize, new: &[u8]) -> Option<(usize, usize)> {
        let mut windows = new.array_windows::<ENOUGH>().enumerate();
        let (mut added, mut place) =
            windows.find_map(|(added, window)| Some((added, self.find(*window, from)?)))?;
        // What is before them may be equal, too.
        while added > 0 && place > from && base[place - 1] == new[added - 1] {
            (place, added) = (place - 1, added - 1);
        }
        Some((place - from, added))
    }
}

fn put_varint(to: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An edit of bytes: a place, how many are removed there, and what comes in their place.
    type Edit = (prop::sample::Index, usize, Vec<u8>);

    fn edited(base: &[u8], edits: &[Edit]) -> Vec<u8> {
        let mut bytes = base.to_vec();
        for (place, removed, added) in edits {
            let start = place.index(bytes.len() + 1);
            let end = bytes.len().min(start + removed);
            bytes.splice(start..end, added.iter().copied());
        }
        bytes
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(
            // Few different ones, so that much is equal by chance.
            base in prop::collection::vec(0..3_u8, 0..600),
            edits in prop::collection::vec(
                (any::<prop::sample::Index>(), 0..40_usize, prop::collection::vec(0..3_u8, 0..40)),
                0..6,
            ),
        ) {
            let save = edited(&base, &edits);
            let delta = delta(&base, &save);
            prop_assert_eq!(apply_delta(&base, &delta), Ok(save));
        }

        #[test]
        fn an_insertion_in_random_bytes_is_found(
            base in prop::collection::vec(any::<u8>(), 600..900),
            place in 0..600_usize,
            added in prop::collection::vec(any::<u8>(), 1..30),
        ) {
            let mut save = base.clone();
            save.splice(place..place, added.iter().copied());
            let delta = delta(&base, &save);
            prop_assert!(delta.len() < 36 + 2 * ENOUGH + added.len() + 12, "{}", delta.len());
            prop_assert_eq!(apply_delta(&base, &delta), Ok(save));
        }

        #[test]
        fn damaged_deltas_are_errors(
            base in prop::collection::vec(any::<u8>(), 0..200),
            save in prop::collection::vec(any::<u8>(), 0..200),
            at in any::<prop::sample::Index>(),
            bit in 0..8_u32,
        ) {
            let mut bytes = delta(&base, &save);
            let at = at.index(bytes.len());
            prop_assert!(apply_delta(&base, &bytes[..at]).is_err());
            bytes[at] ^= 1 << bit;
            let applied = apply_delta(&base, &bytes);
            prop_assert!(applied.is_err() || applied == Ok(save));
        }

        #[test]
        fn a_truncated_delta_is_an_error(
            base in prop::collection::vec(0..2_u8, 0..40),
            save in prop::collection::vec(0..2_u8, 0..3),
        ) {
            let bytes = delta(&base, &save);
            for len in 0..bytes.len() {
                prop_assert!(apply_delta(&base, &bytes[..len]).is_err(), "{len} of {}", bytes.len());
            }
        }

        #[test]
        fn any_bytes_are_no_delta(steps in prop::collection::vec(any::<u8>(), 0..60)) {
            let base = [7; 50];
            let mut bytes = delta(&base, &[]);
            bytes.truncate(36);
            // A length that may be right.
            bytes[20..28].copy_from_slice(&(steps.len() as u64).to_le_bytes());
            bytes.extend(steps);
            let _ = apply_delta(&base, &bytes);
        }
    }

    #[test]
    fn a_value_that_changes_costs_little() {
        let base: Vec<u8> =
            (0..10_000_u32).flat_map(|n| n.wrapping_mul(77_777).to_le_bytes()).collect();
        let mut save = base.clone();
        for value in (0..10_000).step_by(100) {
            save[4 * value] ^= 0xff;
        }
        let delta = delta(&base, &save);
        assert!(delta.len() <= 36 + 100 * (3 + 1 + 4), "{}", delta.len());
        assert_eq!(apply_delta(&base, &delta), Ok(save));
    }

    #[test]
    fn a_length_without_bytes_is_not_believed() {
        let mut bytes = delta(b"base", b"save");
        bytes[20..28].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(apply_delta(b"base", &bytes), Err(DeltaError::Damaged));
        assert_eq!(apply_delta(b"base", b"ecsdelta"), Err(DeltaError::NotADelta));
        assert_eq!(apply_delta(b"other", &delta(b"base", b"save")), Err(DeltaError::OtherBase));
    }
}
