//! Components that expire: each is counted down by its system, and removed, or its entity despawned, in the step in which it is
//! over, the same in any storage and on any threads.

mod cases;
mod random;
mod sets;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
