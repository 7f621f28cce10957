//! How slots lie in memory.

use core::num::NonZeroU32;

use super::Slot;

/// A slot in the memory of a table, by the [`Encoding`] of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::entity) struct Encoded(u64);

impl Encoded {
    /// What memory of the system has before it is written. Writing it makes its page resident, so callers compare first.
    pub(in crate::entity) const ZERO: Self = Self(0);

    #[inline(always)]
    pub(in crate::entity) fn bits(self) -> u64 {
        self.0
    }
}

/// A slot lies in memory as its XOR with a value of its index. The masks select that value, so that a look-up has no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::entity) struct Encoding {
    /// The value for the row is the index with these bits.
    row_mask: u32,
    /// The value for the generation.
    generation: u32,
}

impl Encoding {
    /// The value is the *first* slot of the index: that of its first entity, in the row with the same number. So this slot is 0, and
    /// takes no memory before it is written. In a world of one archetype that was only filled, all slots are first ones.
    pub(in crate::entity) const FROM_FIRST: Self =
        Self { row_mask: u32::MAX, generation: NonZeroU32::MIN.get() };

    /// The value is 0. So [`Slot::FREE`] is 0, and the system can take its memory back.
    pub(in crate::entity) const PLAIN: Self = Self { row_mask: 0, generation: 0 };

    /// The generation of a slot.
    #[inline(always)]
    pub(in crate::entity) const fn generation(self, encoded: Encoded) -> u32 {
        encoded.0 as u32 ^ self.generation
    }

    /// The row of the slot of an index.
    #[inline(always)]
    pub(in crate::entity) const fn row(self, index: u32, encoded: Encoded) -> u32 {
        (encoded.0 >> 32) as u32 ^ (index & self.row_mask)
    }

    /// The slot of an index.
    #[inline(always)]
    pub(in crate::entity) const fn decode(self, index: usize, encoded: Encoded) -> Slot {
        Slot::new(self.row(index as u32, encoded), self.generation(encoded))
    }

    /// What the slot of an index is in memory: XOR is its own inverse.
    #[inline(always)]
    pub(in crate::entity) const fn encode(self, index: usize, slot: Slot) -> Encoded {
        Encoded(self.decode(index, Encoded(slot.0)).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::Entity;

    #[test]
    fn the_first_slot_of_an_index_is_zero_in_one_encoding_and_a_free_one_in_the_other() {
        for index in [0, 1, 700, (1 << 31) - 2] {
            let first = Slot::living(index, Entity::new(index as u32, NonZeroU32::MIN));
            assert_eq!(Encoding::FROM_FIRST.encode(index, first), Encoded::ZERO);
            assert_eq!(Encoding::PLAIN.encode(index, Slot::FREE), Encoded::ZERO);
            let other = Slot::living(5, Entity::new(index as u32, NonZeroU32::MAX));
            for slot in [first, Slot::FREE, other] {
                for encoding in [Encoding::FROM_FIRST, Encoding::PLAIN] {
                    assert_eq!(encoding.decode(index, encoding.encode(index, slot)), slot);
                }
            }
        }
    }
}
