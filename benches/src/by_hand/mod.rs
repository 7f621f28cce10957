//! Plain vectors, slices and `rayon`, no entity-component-system: the yardstick.

pub mod churn;
pub mod particles;
mod threads;
