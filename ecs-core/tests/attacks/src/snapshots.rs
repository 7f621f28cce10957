//! Snapshots and restorations at random.
