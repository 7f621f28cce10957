//! The systems of the model: their numbers, and the entities that each is subscribed to.

use crate::arena::Parts;
use crate::arena::number::{COLUMN, NAME, RIGHT, SPARSE, TAG};

/// The systems, by number, in the order in which their staged changes are merged.
pub(super) const ALONE: usize = 0;
pub(super) const GROW: usize = 1;
pub(super) const REAP: usize = 2;
pub(super) const CHANGE: usize = 3;
pub(super) const BREED: usize = 4;
pub(super) const MEDDLE: usize = 5;
pub(super) const RAISE: usize = 6;
pub(super) const LOWER: usize = 7;
pub(super) const WATCH: usize = 8;
pub(super) const SEND: usize = 9;
pub(super) const SYSTEMS: usize = 10;

/// The components that each system requires, and those that it excludes.
pub(super) const FILTERS: [(&[usize], &[usize]); SYSTEMS] = [
    (&[NAME], &[TAG]),
    (&[NAME, COLUMN], &[]),
    (&[NAME], &[TAG]),
    (&[NAME], &[]),
    (&[NAME, COLUMN], &[]),
    (&[NAME], &[]),
    (&[NAME, RIGHT], &[]),
    (&[NAME, RIGHT], &[]),
    (&[COLUMN], &[SPARSE]),
    (&[NAME], &[]),
];

/// Whether the system is subscribed to an entity with these parts, without subscriptions by hand.
pub(super) fn matches(parts: &Parts, system: usize) -> bool {
    let (required, excluded) = FILTERS[system];
    required.iter().all(|&c| parts[c].is_some()) && excluded.iter().all(|&c| parts[c].is_none())
}

/// An entity with these components.
pub(super) fn bundle(components: &[(usize, u64)]) -> Parts {
    let mut parts = Parts::default();
    for &(component, value) in components {
        parts[component] = Some(value);
    }
    parts
}
