//! The thesis's particle simulation (chapters 15 and 16).
//!
//! [`world`] has the declaration, [`components`] the components of a disc, and [`systems`] the longer code of systems.
//! [`cell`] has the index of the spatial partition, [`contact`] the search for contacts, and [`vertex`] the triangles.

pub mod cell;
pub mod components;
mod constants;
pub mod contact;
pub mod csv;
mod disc;
mod hash;
mod random;
mod simulation;
pub mod systems;
pub mod vertex;
pub mod walls;
pub mod world;

pub use constants::{
    BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, FRAME_SECONDS, LONGEST_RANDOM_LIFE, MAX_RADIUS, SPARE_CELLS,
};
pub use disc::Disc;
pub use hash::{hash_disc, state_hash};
pub use random::{RandomDiscs, random_discs};
pub use simulation::DiscWorld;
