//! The table of handles: from the index of an entity to its row.

mod buffer;
mod opaque;
mod packed;
mod row_estimate;
mod table;

use core::num::NonZeroU32;

use opaque::opaque;
use packed::PackedPages;
pub(super) use packed::{Packed, set};
pub(super) use table::SlotTable;

use super::Entity;

/// The state of one index, in eight bytes, so that a look-up reads one line of the cache. An index is never forgotten, as its
/// generation tells old handles apart; slots of spare indices may be [packed](SlotTable::pack).
///
/// A written slot holds the row and the generation of an entity that is alive and has the index. Else its generation is 0, which no
/// handle has. A spare index keeps its next generation in the place of the row. If a free index belongs to a
/// free row, the next generation lies with that row.
///
/// Memory that the system gives, and that is not written, has [`UNWRITTEN`](Self::UNWRITTEN) slots. In a page that is packed, the
/// slot is to be read there. Elsewhere it stands for the [first](Self::first) slot of the index, which takes no memory so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Slot(u64);

/// Slots of a page of the table: 4 096 bytes, a page of memory on most machines. (Not a page of rows, which has 4 096 of them.)
const PAGE_SLOTS: usize = 512;

/// Words of a set of slots of a page.
const PAGE_WORDS: usize = PAGE_SLOTS / 64;

/// The most entities that can exist at once, whatever the limit.
pub(crate) const MAX_ENTITIES: usize = (1 << 31) - 1;

/// The last generation of an index.
pub(super) const LAST_GENERATION: NonZeroU32 = NonZeroU32::new((1 << 31) - 1).unwrap();

impl Slot {
    /// Memory that was never written: the first slot of an index, or one of a packed page.
    pub(super) const UNWRITTEN: Self = Self::new(0, 0);

    /// No living entity has the index, and it is not spare.
    pub(super) const FREE: Self = Self::new(u32::MAX, 0);

    /// Marks an index that was read of a save, whose slot is free when all are there. No slot of a world is this one.
    #[cfg(feature = "serde")]
    pub(super) const NOTED: Self = Self::new(u32::MAX - 1, 0);

    /// The generation is the lower half, which can be compared without being cut out.
    #[inline(always)]
    const fn new(row: u32, generation: u32) -> Self {
        Self((row as u64) << 32 | generation as u64)
    }

    #[inline(always)]
    const fn row(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    const fn generation(self) -> u32 {
        self.0 as u32
    }

    /// The entity lies in this row.
    #[inline(always)]
    pub(super) const fn living(row: usize, entity: Entity) -> Self {
        Self::new(row as u32, entity.generation().get())
    }

    /// 0 for an unwritten slot.
    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// The slot of the first entity with an index, in the row with the same number.
    #[inline(always)]
    pub(super) const fn first(index: usize) -> Self {
        Self::new(index as u32, NonZeroU32::MIN.get())
    }

    /// This slot as one that is written, if it is that of an index whose page is not packed.
    #[inline(always)]
    const fn or_first(self, index: usize) -> Self {
        if self.0 == Self::UNWRITTEN.0 { Self::first(index) } else { self }
    }

    /// The index is spare; the next entity that gets it has this generation.
    pub(super) const fn spare(next: NonZeroU32) -> Self {
        Self::new(next.get(), 0)
    }

    /// The next generation of a spare index.
    ///
    /// # Panics
    /// If the index is that of a free row, or its page is packed. (That it is not that of a living entity, builds for tests assert.)
    pub(super) fn next_generation(self) -> NonZeroU32 {
        debug_assert!(self.generation() == 0, "a spare index");
        let next = NonZeroU32::new(self.row()).filter(|next| *next <= LAST_GENERATION);
        next.expect("a spare index")
    }
}

/// The table of handles, for look-ups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handles<'a> {
    pub(super) slots: &'a [Slot],
    packed: &'a PackedPages,
    /// Whether most entities lie in the row with the number of their index; see [`RowEstimate`](row_estimate::RowEstimate).
    expects_index: bool,
}

impl Handles<'_> {
    /// The row of an entity that is alive. O(1).
    #[inline(always)]
    pub(crate) fn row(self, entity: Entity) -> Option<usize> {
        let index = entity.index() as usize;
        let slot = *self.slots.get(index)?;
        if self.expects_index {
            // By halves: if those of a handle were just stored one by one, a load of both at once waits for the stores.
            if slot.generation() == entity.generation().get() && slot.row() == entity.index() {
                // Not the row of the slot, which is the same: so what follows does not wait for the slot.
                return Some(opaque(index));
            }
            core::hint::cold_path();
        }
        if slot.generation() == entity.generation().get() {
            return Some(slot.row() as usize);
        }
        if slot != Slot::UNWRITTEN {
            None
        } else if self.packed.is_empty() {
            entity.is_first().then_some(index)
        } else {
            self.packed.row(entity)
        }
    }

    /// The next generation of a spare index.
    ///
    /// # Panics
    /// As [`Slot::next_generation`].
    #[inline(always)]
    pub(super) fn next_generation(self, index: u32) -> NonZeroU32 {
        self.slots[index as usize].next_generation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::place::Row;

    #[test]
    fn a_handle_is_good_if_its_entity_lives() {
        let generation = |n| NonZeroU32::new(n).unwrap();
        let slots = [
            Slot::FREE,
            Slot::living(5, Entity::new(1, generation(3))),
            Slot::spare(generation(7)),
            Slot::spare(LAST_GENERATION),
            Slot::UNWRITTEN,
            Slot::living(5, Entity::new(5, generation(2))),
        ];
        let packed = PackedPages::default();
        for expects_index in [false, true] {
            let handles = Handles { slots: &slots, packed: &packed, expects_index };
            for index in 0..7 {
                for n in 1..9 {
                    let entity = Entity::new(index, generation(n));
                    entity.announce(handles);
                    let row = match (index, n) {
                        (1, 3) | (5, 2) => Some(5),
                        (4, 1) => Some(4),
                        _ => None,
                    };
                    assert_eq!(handles.row(entity), row);
                }
            }
            assert_eq!(handles.row(Entity::new(3, LAST_GENERATION)), None);
            // A handle with bits of its own making.
            for index in 0..6 {
                for n in [1 << 31, 1 << 31 | 7, u32::MAX] {
                    assert_eq!(handles.row(Entity::new(index, generation(n))), None);
                }
            }
        }
        assert_eq!(slots[2].next_generation(), generation(7));
        assert_eq!(slots[3].next_generation(), LAST_GENERATION);
    }

    #[test]
    fn a_slot_without_a_spare_index_has_no_generation() {
        let entity = Entity::new(4, NonZeroU32::MIN);
        for slot in [Slot::FREE, Slot::UNWRITTEN, Slot::living(0, entity)] {
            assert!(std::panic::catch_unwind(|| slot.next_generation()).is_err());
        }
    }
}
