//! How slots lie in memory.

use core::num::NonZeroU32;

use super::Slot;

/// A slot in the memory of a table: eight bytes, from which a [`Form`] makes the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::entity) struct Stored(u64);

impl Stored {
    /// What memory holds that was never written.
    pub(in crate::entity) const ZERO: Self = Self(0);

    #[inline(always)]
    pub(in crate::entity) fn bits(self) -> u64 {
        self.0
    }
}

/// How the slots of a table lie in its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::entity) struct Form {
    /// The bits of an index that the row differs by.
    index: u32,
    /// What the generation differs by.
    generation: u32,
}

impl Form {
    /// As the difference from the *first* slot of their index: that of its first entity, in the row with the same number. In a world
    /// that was only filled, all slots are these, which are 0 then. So the system gives no memory for them.
    pub(in crate::entity) const FIRST: Self =
        Self { index: u32::MAX, generation: NonZeroU32::MIN.get() };

    /// As they are: [`Slot::FREE`] is 0, and the system takes the memory of free slots back.
    pub(in crate::entity) const PLAIN: Self = Self { index: 0, generation: 0 };

    /// The generation of a slot.
    #[inline(always)]
    pub(in crate::entity) const fn generation(self, stored: Stored) -> u32 {
        stored.0 as u32 ^ self.generation
    }

    /// The row of the slot of an index.
    #[inline(always)]
    pub(in crate::entity) const fn row(self, index: u32, stored: Stored) -> u32 {
        (stored.0 >> 32) as u32 ^ (index & self.index)
    }

    /// The slot of an index.
    #[inline(always)]
    pub(in crate::entity) const fn slot(self, index: usize, stored: Stored) -> Slot {
        Slot::new(self.row(index as u32, stored), self.generation(stored))
    }

    /// What the slot of an index is in memory.
    #[inline(always)]
    pub(in crate::entity) const fn stored(self, index: usize, slot: Slot) -> Stored {
        Stored(self.slot(index, Stored(slot.0)).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::Entity;

    #[test]
    fn the_first_slot_of_an_index_is_zero_in_one_form_and_a_free_one_in_the_other() {
        for index in [0, 1, 700, (1 << 31) - 2] {
            let first = Slot::living(index, Entity::new(index as u32, NonZeroU32::MIN));
            assert_eq!(Form::FIRST.stored(index, first), Stored::ZERO);
            assert_eq!(Form::PLAIN.stored(index, Slot::FREE), Stored::ZERO);
            let other = Slot::living(5, Entity::new(index as u32, NonZeroU32::MAX));
            for slot in [first, Slot::FREE, other] {
                for form in [Form::FIRST, Form::PLAIN] {
                    assert_eq!(form.slot(index, form.stored(index, slot)), slot);
                }
            }
        }
    }
}
