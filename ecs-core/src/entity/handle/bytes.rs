//! Handles as bytes: by `serde`, and as plain old data.

use core::num::NonZeroU32;

use bytemuck::{CheckedBitPattern, NoUninit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Entity;

/// As the pair of index and generation.
impl Serialize for Entity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.index, self.generation).serialize(serializer)
    }
}

/// Any index and generation make a handle, which may be that of no entity.
impl<'de> Deserialize<'de> for Entity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u32, NonZeroU32)>::deserialize(deserializer)
            .map(|(index, generation)| Self::new(index, generation))
    }
}

// SAFETY: a `repr(C)` struct of two fields of four bytes and the same alignment has no padding, and both have all bytes
// initialized. It is `Copy` and `'static`.
unsafe impl NoUninit for Entity {}

// SAFETY: `[u32; 2]` has the size of an `Entity`, no larger alignment, and takes any bytes. If the first number is not 0, the
// second is a valid index, which may be any, and the first a valid `NonZeroU32`.
unsafe impl CheckedBitPattern for Entity {
    type Bits = [u32; 2];

    fn is_valid_bit_pattern(&[generation, _]: &[u32; 2]) -> bool {
        generation != 0
    }
}
