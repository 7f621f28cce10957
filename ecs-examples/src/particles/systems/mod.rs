//! The nine systems.

mod collision;
mod contacts;
mod life;
mod motion;
mod partition;
mod render;

pub use collision::Collide;
pub use contacts::SolveContacts;
pub use life::{Age, Fade};
pub use motion::{Accelerate, KeepInBounds, Move};
pub use partition::SpatialPartition;
pub use render::Render;
