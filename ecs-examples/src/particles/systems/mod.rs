//! The systems, except the query [`SpatialPartition`](super::world::SpatialPartition).

mod collision;
mod contacts;
mod life;
mod motion;
mod render;

pub use collision::Collide;
pub use contacts::SolveContacts;
pub use life::{Age, Fade};
pub use motion::{Accelerate, KeepInBounds, Move};
pub use render::Render;
