//! The thesis's second benchmark: entities that are despawned and replaced by successors.
//!
//! [`world`] has the declaration and the system.

mod hash;
mod life;
mod simulation;
pub mod world;

pub use hash::{hash_life, state_hash};
pub use life::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};
pub use simulation::LifeWorld;
