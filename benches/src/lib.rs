//! The benchmark programs written by hand, with which the library is compared.

#![forbid(unsafe_code)]

pub mod beside;
pub mod boids;
pub mod bundle;
pub mod by_hand;
pub mod flock;
pub mod kernel;
pub mod snapshot;
