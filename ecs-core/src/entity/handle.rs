//! The handle to an entity.

use core::fmt;
use core::num::NonZeroU32;

/// A handle to an entity: an index and a *generation* (the thesis's validity counter, 12.3).
///
/// Handles are small (8 bytes, also in an `Option`), copyable, and stay valid as long as the entity
/// lives. A handle to a dead entity never comes alive again: an index is reused under another
/// generation only, and an index whose generations are used up is retired.
///
/// `None` of an `Option<Entity>` is the thesis's *null* handle; what it calls to access a handle is done by
/// whatever takes one, which finds nobody if the entity is dead ([`World::is_alive`](crate::World::is_alive)
/// tells).
///
/// Handles of one world mean nothing in another. They order by index first, so a handle created
/// earlier sorts first as long as no entity has died.
#[doc(alias = "entity_id")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity {
    index: u32,
    generation: NonZeroU32,
}

const _: () = assert!(size_of::<Option<Entity>>() == 8, "a null handle takes no room of its own");

impl Entity {
    pub(crate) const fn new(index: u32, generation: NonZeroU32) -> Self {
        Self { index, generation }
    }

    /// The entity's number: unique among the entities alive at one time, small, and handed out
    /// from 0 upwards. Two entities of different times may share it.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many entities have had this index, this one included.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> NonZeroU32 {
        self.generation
    }
}

impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}
