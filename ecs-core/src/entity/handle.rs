//! The handle to an entity.

#[cfg(feature = "serde")]
mod bytes;

use core::cmp::Ordering;
use core::fmt;
use core::num::NonZeroU32;

use crate::types::{FieldBytes, Fields, StateHash, StateHasher};

/// A handle to an entity: an index and a *generation* (the thesis's validity counter, 12.3).
///
/// Handles are small (8 bytes, also in an `Option`), copyable, and valid until the entity is
/// despawned. An outdated handle never becomes valid again: an index is reused only with another
/// generation, and an index whose generations are used up is retired.
///
/// `None` of an `Option<Entity>` is the thesis's *null* handle. What the thesis calls to access a
/// handle is part of every method that takes one: it finds nothing if the entity was despawned
/// ([`World::is_alive`](crate::World::is_alive) checks that).
///
/// Handles of one world are meaningless in another. They are ordered by index first, so a handle
/// created earlier sorts first as long as no entity has been despawned.
///
/// ```
/// use ecs_core::{Entity, World, world};
/// # struct Mass(f32);
/// # struct Orbits(Entity);
///
/// world! {
///     world Sky;
///     component Mass, Orbits;
/// }
///
/// let mut world = World::<Sky>::new();
/// let star = world.spawn((Mass(1.0),));
/// let planet = world.spawn((Orbits(star),));
/// let of = world.get::<Orbits>(planet).unwrap().0;
/// assert_eq!(world.get::<Mass>(of).unwrap().0, 1.0);
///
/// world.despawn(star);
/// let other = world.spawn((Mass(2.0),));
/// assert_eq!(other.index(), star.index()); // the index is reused, the handle is not
/// assert!(world.get::<Mass>(star).is_none());
/// ```
#[doc(alias = "entity_id")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
// In this order as the compiler had chosen it: with the other one, loops that take rows of handles are longer.
#[repr(C)]
pub struct Entity {
    generation: NonZeroU32,
    index: u32,
}

const _: () = assert!(size_of::<Option<Entity>>() == 8, "a null handle takes no room of its own");

impl Entity {
    /// A handle that is never valid, as no world has an entity with the index `u32::MAX`: that of an entity that found no
    /// room, and of a row without an index.
    pub(crate) const NEVER: Self = Self::new(u32::MAX, NonZeroU32::MAX);

    /// Whether it is [`NEVER`](Self::NEVER).
    pub(crate) fn is_never(self) -> bool {
        self == Self::NEVER
    }

    /// Whether it is the first entity with its index.
    #[inline(always)]
    pub(crate) const fn is_first(self) -> bool {
        self.generation.get() == NonZeroU32::MIN.get()
    }

    pub(crate) const fn new(index: u32, generation: NonZeroU32) -> Self {
        Self { generation, index }
    }

    /// The entity's number: unique among the entities alive at one time, small, and assigned from 0
    /// upwards. Entities that are alive at different times may share it.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of entities that have had this index, including this one.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> NonZeroU32 {
        self.generation
    }
}

/// By index, then by generation.
impl Ord for Entity {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (self.index, self.generation).cmp(&(other.index, other.generation))
    }
}

impl PartialOrd for Entity {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}

impl StateHash for Entity {
    #[inline]
    fn state_hash(&self, hasher: &mut StateHasher) {
        // In the order in which they lie in memory, so that many are hashed at once.
        (self.generation(), self.index()).state_hash(hasher);
    }

    #[inline(always)]
    fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
        Fields::of(values)
            .and(|entity| &entity.generation, FieldBytes::<NonZeroU32>::BYTES)
            .and(|entity| &entity.index, FieldBytes::<u32>::BYTES)
            .bytes()
    }
}
