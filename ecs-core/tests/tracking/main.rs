//! Tracked components: each reader sees what has changed since it last ran, whatever wrote it, and the same on any threads.

mod declaration;
mod late;
mod model;
mod random;
mod sets;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod writers;
