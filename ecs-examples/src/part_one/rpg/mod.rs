//! A role-playing game (thesis, 3.2.1): a skeleton, a flying dragon, and warriors with a sword, a bow,
//! both or neither. An armed character strikes the one before it, by messages (3.3.2.3, 3.4.2.2).

pub mod composition;
pub mod ecs;
pub mod inheritance;
mod parts;

pub use parts::{Ai, Blow, Bow, Flight, Npc, Physics, Sprite, Sword, foe_of};

/// Seconds per frame.
pub const DT: f32 = 1.0 / 60.0;

/// A kind of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Walks.
    Skeleton,
    /// Walks and flies.
    Dragon,
    /// Walks, unarmed.
    Warrior,
    /// Walks and swings a sword.
    SwordWarrior,
    /// Walks and shoots with a bow.
    BowWarrior,
    /// Walks, swings and shoots: the diamond of the thesis's figure 3.3.
    SwordBowWarrior,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Skeleton,
        Self::Dragon,
        Self::Warrior,
        Self::SwordWarrior,
        Self::BowWarrior,
        Self::SwordBowWarrior,
    ];
}
