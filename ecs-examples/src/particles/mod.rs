//! The thesis's particle simulation (chapters 15 and 16): everything about it that is not a system.

mod constants;
pub mod csv;
mod disc;
mod hash;
mod random;

pub use constants::{
    BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, FRAME_SECONDS, LONGEST_RANDOM_LIFE, MAX_RADIUS, SPARE_CELLS,
};
pub use disc::Disc;
pub use hash::{hash_disc, state_hash};
pub use random::{RandomDiscs, random_discs};
