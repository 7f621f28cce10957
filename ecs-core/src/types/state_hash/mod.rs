//! *State hash*: a world's whole state in one number, for comparing worlds.

pub(crate) mod bytes;
mod impls;

use core::{fmt, slice};

use super::xxh3::Xxh3;

/// A type that is part of a world's [`state_hash`](crate::World::state_hash), by its value, equally on every machine.
///
/// Two values that a program can distinguish should write different bytes, and equal ones the same bytes.
/// Numbers write their little-endian bytes (`usize` and `isize` as 64 bits, floats by their bits, so
/// `0.0` and `-0.0` differ). Sequences write their length first, variants of an `enum` their
/// number. Addresses, capacities and the order of a hash table are not written. So there is no impl for
/// `HashMap`, nor for types that other threads may change meanwhile, such as atomics and `Mutex`. A type that
/// has such a field decides what counts, by its own impl.
///
/// The derive writes all fields ([ECS0085](crate::errors::ecs0085) is about types for which that is impossible):
///
/// ```
/// use ecs_core::{StateHash, StateHasher};
///
/// #[derive(StateHash)]
/// struct Body {
///     position: [f32; 2],
///     name: String,
///     /// Made anew from the others.
///     #[state_hash(skip)]
///     cache: Option<u64>,
///     /// Of a type of another crate, which does not know the trait.
///     #[state_hash(with = of_range)]
///     range: std::ops::RangeInclusive<u8>,
/// }
///
/// fn of_range(range: &std::ops::RangeInclusive<u8>, hasher: &mut StateHasher) {
///     (range.start(), range.end()).state_hash(hasher);
/// }
/// ```
///
/// If a crate depends on this one by another name, `#[state_hash(crate = name)]` on the type gives the name.
#[diagnostic::on_unimplemented(
    message = "[ECS0084] `{Self}` has no state hash",
    label = "does not implement `StateHash`",
    note = "add `#[derive(ecs_core::StateHash)]` to `{Self}`; for a type of another crate, write `#[state_hash(with = function)]` or `#[state_hash(skip)]` on the field"
)]
pub trait StateHash {
    /// Puts the value into the hasher.
    fn state_hash(&self, hasher: &mut StateHasher);

    /// The memory of these values, if it is what they put into the hasher, one after the other. The library asks this before
    /// it hashes many values; the derive implements it. For given values of a type, the result must always be `None` or
    /// never.
    #[doc(hidden)]
    #[inline(always)]
    fn state_hash_bytes(_: &[Self]) -> Option<&[u8]>
    where
        Self: Sized,
    {
        None
    }
}

/// The number of bytes that are collected before they are hashed.
const ROOM: usize = 1024;

/// Computes a hash of a state, byte by byte: 64-bit XXH3, whose results are fixed for all
/// versions and machines.
///
/// It detects accidental differences, not forgeries: it is easy to construct two states with the same hash.
///
/// ```
/// use ecs_core::{StateHash, StateHasher};
///
/// let hash = |value: u32| {
///     let mut hasher = StateHasher::new();
///     value.state_hash(&mut hasher);
///     hasher.finish()
/// };
/// assert_eq!(hash(7), hash(7));
/// assert_ne!(hash(7), hash(8));
/// ```
#[derive(Clone)]
pub struct StateHasher {
    hash: Xxh3,
    /// The first `len` bytes have not been hashed yet.
    bytes: [u8; ROOM],
    len: usize,
}

impl StateHasher {
    /// A hasher without content.
    #[must_use]
    pub fn new() -> Self {
        Self { hash: Xxh3::new(), bytes: [0; ROOM], len: 0 }
    }

    /// Hashes the bytes, without their number.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) {
        if let Some(room) = self.bytes[self.len..].get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.overflow(bytes);
        }
    }

    /// Hashes these values, one after the other.
    #[inline]
    pub(crate) fn write_slice<T: StateHash>(&mut self, values: &[T]) {
        match T::state_hash_bytes(values) {
            Some(bytes) => self.write(bytes),
            None => values.iter().for_each(|value| value.state_hash(self)),
        }
    }

    /// Hashes these values, one after the other, which lie apart. `count` is their number, for speed.
    #[inline(always)]
    pub(crate) fn write_each<'a, T: StateHash + 'a>(
        &mut self,
        count: usize,
        mut values: impl Iterator<Item = &'a T>,
    ) {
        let size = const { if size_of::<T>() == 0 { 1 } else { size_of::<T>() } };
        let bytes = count.saturating_mul(size);
        if bytes <= ROOM {
            if bytes > ROOM - self.len {
                self.overflow(&[]);
            }
            let first = self.len;
            let mut rooms = self.bytes[first..first + bytes].chunks_exact_mut(size);
            let mut len = first;
            // One length is looked at for all of them.
            while let Some(room) = rooms.next()
                && let Some(value) = values.next()
            {
                match T::state_hash_bytes(slice::from_ref(value)) {
                    Some(bytes) if bytes.len() == size => room.copy_from_slice(bytes),
                    _ => {
                        self.len = len;
                        value.state_hash(self);
                        len = usize::MAX;
                        break;
                    }
                }
                len += size;
            }
            if len != usize::MAX {
                self.len = len;
            }
        }
        values.for_each(|value| value.state_hash(self));
    }

    #[cold]
    fn overflow(&mut self, bytes: &[u8]) {
        self.hash.update(&self.bytes[..self.len]);
        self.hash.update(bytes);
        self.len = 0;
    }

    /// The hash of all bytes so far.
    #[must_use]
    pub fn finish(&self) -> u64 {
        let mut hash = self.hash.clone();
        hash.update(&self.bytes[..self.len]);
        hash.digest()
    }
}

impl Default for StateHasher {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for StateHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateHasher").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn how_bytes_come_in_makes_no_difference(
            parts in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..700), 0..9)
        ) {
            let mut hasher = StateHasher::new();
            for part in &parts {
                hasher.write(part);
            }
            prop_assert_eq!(hasher.finish(), xxhash_rust::xxh3::xxh3_64(&parts.concat()));
        }
    }

    #[test]
    fn the_hash_is_fixed() {
        // As published with the algorithm's specification.
        assert_eq!(StateHasher::new().finish(), 0x2D06_8005_38D3_94C2);
    }
}
