//! Snapshots and hashes of worlds.

use std::hint::black_box;

use benches::snapshot::{change, scene};

use super::{anew, steadily};

const ENTITIES: usize = 10_000;

/// A snapshot in memory of its own.
pub(super) fn snapshot() {
    let world = scene(ENTITIES, true);
    anew(|| None, |snapshot| *snapshot = Some(world.snapshot()));
}

/// A snapshot in the memory of another one, after all values have changed.
pub(super) fn snapshot_again() {
    let mut world = scene(ENTITIES, true);
    let mut snapshot = world.snapshot();
    steadily(|| {
        change(&mut world);
        world.snapshot_into(&mut snapshot);
    });
}

pub(super) fn restore() {
    let mut world = scene(ENTITIES, true);
    let snapshot = world.snapshot();
    steadily(|| {
        change(&mut world);
        world.restore(&snapshot).expect("the limit is dynamic");
    });
}

pub(super) fn hash() {
    let mut world = scene(ENTITIES, true);
    steadily(|| {
        change(&mut world);
        black_box(world.state_hash());
    });
}
