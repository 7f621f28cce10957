//! Implementations of the traits that are open to users: they lie, panic, re-enter, forget and replace.
//!
//! Each must end in a panic with a message, or do no harm: values are exact, each is dropped once, and the world still
//! works.

mod bundles;
mod counted;
mod events;
mod executors;
mod hash_bytes;
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
