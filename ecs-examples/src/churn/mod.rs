//! The thesis's second benchmark: entities that only live, die, and are born again.

mod hash;
mod life;

pub use hash::{hash_life, state_hash};
pub use life::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};
