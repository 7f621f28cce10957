//! How slots lie in memory.

use core::num::NonZeroU32;

use super::Slot;
use crate::entity::Entity;

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

/// How slots lie in memory: the row as its XOR with the index, if the slot is that of a living entity, and the generation as its
/// XOR with the number of the encoding.
///
/// So the XOR of a slot in memory and the handle that it belongs to has the row in its upper half, and that number in its lower one: a look-up
/// takes no step more than one that compares generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::entity) struct Encoding(u32);

impl Encoding {
    /// The *first* slot of an index is 0: that of its first entity, in the row with the same number. So it takes no memory before it is
    /// written. In a world of one archetype that was only filled, all slots are first ones.
    pub(in crate::entity) const FROM_FIRST: Self = Self(NonZeroU32::MIN.get());

    /// [`Slot::FREE`] is 0, so the system can take its memory back.
    pub(in crate::entity) const PLAIN: Self = Self(0);

    /// The row of an entity, if this is its slot. (A slot of no living entity has the generation 0, which no handle has.)
    #[inline(always)]
    pub(in crate::entity) const fn row(self, encoded: Encoded, entity: Entity) -> Option<usize> {
        if encoded.0 as u32 == entity.generation().get() ^ self.0 {
            Some(((encoded.0 >> 32) as u32 ^ entity.index()) as usize)
        } else {
            None
        }
    }

    /// The slot of an index.
    #[inline(always)]
    pub(in crate::entity) const fn decode(self, index: usize, encoded: Encoded) -> Slot {
        let slot = Slot(encoded.0 ^ self.0 as u64);
        if slot.generation() == 0 { slot } else { Slot(slot.0 ^ bits(index, 0)) }
    }

    /// What the slot of an index is in memory.
    #[inline(always)]
    pub(in crate::entity) const fn encode(self, index: usize, slot: Slot) -> Encoded {
        let row = if slot.generation() == 0 { 0 } else { bits(index, 0) };
        Encoded(slot.0 ^ row ^ self.0 as u64)
    }
}

/// An index and a generation where a slot has its row and its generation.
#[inline(always)]
const fn bits(index: usize, generation: u32) -> u64 {
    (index as u64) << 32 | generation as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_slot_of_an_index_is_zero_in_one_encoding_and_a_free_one_in_the_other() {
        for index in [0, 1, 700, (1 << 31) - 2] {
            let first = Slot::living(index, Entity::new(index as u32, NonZeroU32::MIN));
            assert_eq!(Encoding::FROM_FIRST.encode(index, first), Encoded::ZERO);
            assert_eq!(Encoding::PLAIN.encode(index, Slot::FREE), Encoded::ZERO);
            let other = Slot::living(5, Entity::new(index as u32, NonZeroU32::MAX));
            let spare = Slot::spare(NonZeroU32::MAX);
            for slot in [first, Slot::FREE, other, spare] {
                for encoding in [Encoding::FROM_FIRST, Encoding::PLAIN] {
                    let encoded = encoding.encode(index, slot);
                    assert_eq!(encoding.decode(index, encoded), slot);
                    for generation in [NonZeroU32::MIN, NonZeroU32::MAX] {
                        let row = encoding.row(encoded, Entity::new(index as u32, generation));
                        let is_its = slot.generation() == generation.get();
                        assert_eq!(row, is_its.then_some(slot.row() as usize));
                    }
                }
            }
        }
    }
}
