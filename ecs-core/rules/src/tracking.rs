//! Tracked components: those of which a system asks, by `changed` or `added`, what has changed since it last ran.
//!
//! A change is a mark in a word that 64 rows share. So a system that marks must be ordered with every other one that marks
//! or that asks, also where filters keep the two to different entities: such entities may lie in the same 64 rows. Who only
//! reads the component looks at no marks.

use crate::{IndexSet, List, System, conflict, contains, contains_any};

/// Whether the system asks what has changed of the component.
#[must_use]
pub const fn asks(system: &System<'_>, component: usize) -> bool {
    contains(system.changed, component) || contains(system.added, component)
}

/// The components that the systems ask about.
#[must_use]
pub const fn tracked(systems: &[System<'_>]) -> IndexSet {
    let (mut tracked, mut i) = (IndexSet::EMPTY, 0);
    while i < systems.len() {
        tracked.unite(&of(&systems[i]));
        i += 1;
    }
    tracked
}

/// The components that the system asks about.
#[must_use]
pub const fn of(system: &System<'_>) -> IndexSet {
    IndexSet::of_all(&[system.changed, system.added])
}

/// A component that the system asks about without accessing it of its own entities, and the list that names it.
#[must_use]
pub const fn not_accessed(system: &System<'_>) -> Option<(List, usize)> {
    let own = [system.read, system.write, system.update];
    let mut lists = [(List::Changed, system.changed), (List::Added, system.added)];
    let mut list = 0;
    while list < lists.len() {
        while let [index, rest @ ..] = lists[list].1 {
            if !contains_any(&own, *index) {
                return Some((lists[list].0, *index));
            }
            lists[list].1 = rest;
        }
        list += 1;
    }
    None
}

/// Whether the systems, if they are unordered, would meet at the marks of the tracked component, and at nothing else: by
/// filters they do not meet at its values.
#[must_use]
pub const fn over_marks(a: &System<'_>, b: &System<'_>, component: usize) -> bool {
    (meets(a, b, component) || meets(b, a, component)) && !conflict::over_component(a, b, component)
}

/// Whether the one marks, and the other one marks or asks.
const fn meets(one: &System<'_>, other: &System<'_>, component: usize) -> bool {
    !one.is_idle()
        && !other.is_idle()
        && one.writes(component)
        && (other.writes(component) || asks(other, component))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: System<'_> = System::BLANK;

    #[test]
    fn what_is_asked_about_is_tracked() {
        let systems = [
            System { changed: &[3], ..BLANK },
            System { write: &[1], ..BLANK },
            System { added: &[2, 3], ..BLANK },
        ];
        assert_eq!(tracked(&systems), IndexSet::of(&[2, 3]));
        assert!(asks(&systems[2], 2) && !asks(&systems[0], 2) && !asks(&systems[1], 1));
    }

    #[test]
    fn what_is_asked_about_is_accessed() {
        let asks = System { changed: &[3], added: &[4], ..BLANK };
        for (system, expected) in [
            (asks, Some((List::Changed, 3))),
            (System { with: &[3, 4], ..asks }, Some((List::Changed, 3))),
            (System { read_optional: &[3, 4], ..asks }, Some((List::Changed, 3))),
            (System { read: &[3], ..asks }, Some((List::Added, 4))),
            (System { read: &[3], write: &[4], ..asks }, None),
            (System { read: &[3], update: &[4], ..asks }, None),
            (BLANK, None),
        ] {
            assert_eq!(not_accessed(&system), expected, "{system:?}");
        }
    }

    #[test]
    fn marks_know_no_filters() {
        let write = System { write: &[0], with: &[1], ..BLANK };
        let other = System { without: &[1], ..BLANK };
        for (system, expected) in [
            (System { write: &[0], ..other }, true),
            (System { write_optional: &[0], ..other }, true),
            (System { read: &[0], changed: &[0], ..other }, true),
            (System { read: &[0], added: &[0], ..other }, true),
            // No marks are read.
            (System { read: &[0], ..other }, false),
            (System { read: &[0, 2], changed: &[2], ..other }, false),
            // A conflict over the values.
            (System { write: &[0], ..BLANK }, false),
        ] {
            assert_eq!(over_marks(&write, &system, 0), expected, "{system:?}");
            assert_eq!(over_marks(&system, &write, 0), expected, "{system:?}");
        }
        let reads = System { read: &[0], changed: &[0], ..other };
        assert!(!over_marks(&reads, &reads, 0), "each has marks of its own");
    }
}
