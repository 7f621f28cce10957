//! Snapshots and restorations at random.
pub fn run(_: &[u8]) {}
