//! Plain vectors, slices and `rayon`, without an entity-component-system, for comparison.

pub mod boids;
pub mod churn;
pub mod particles;
mod threads;
