//! Implementations of the traits that users may implement, which lie, panic, re-enter, forget and replace.
//!
//! What must hold: a panic with a message, or no harm. Values are exact, each is dropped once, and the world goes on.

mod bundles;
mod counted;
mod events;
mod executors;
mod indices;
mod iterators;
mod outputs;
mod overrides;
mod restart;
mod scheduler;
mod settings;
mod snapshots;
mod storage;
mod tables;
mod traits;
