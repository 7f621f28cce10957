//! Removed components: each reader gets all that was removed since it last ran, with the last values, whatever removed it, and
//! the same in any storage and on any threads.

mod cases;
#[path = "../world/snapshots/keep.rs"]
mod keep;
mod model;
mod random;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod worlds;
