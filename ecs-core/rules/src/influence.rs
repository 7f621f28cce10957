//! *Influence*: staged changes of two unordered systems whose order shows (Core ECS, 4.2: theorem 4.7 and its corollary
//! 4.8).
//!
//! By the corollary, two schedules may run in parallel if they influence different components. For immediate writes,
//! [`conflict`](crate::conflict) says so. For staged changes a weaker condition is enough: both orders of the two
//! systems must have the same result.
//!
//! | one | the other | |
//! | --- | --- | --- |
//! | `insert: [C]` | `insert: [C]`, `remove: [C]`, `update: [C]` | refused: the later one counts |
//! | `insert: [C]` | writes `C` | refused if a refresh may come between them; else all writes come before all insertions |
//! | `remove: [C]` | `remove: [C]`, `update: [C]`, writes `C` | accepted: in any order `C` is gone |
//! | `update: [C]` | `update: [C]` | accepted: the refresh checks that they update different entities; refused if they are in different phases, as there is a refresh between them, and filters do not prove them disjoint |
//! | `accumulate: [C]` | `accumulate: [C]` | accepted: the values are merged in the order of merging, which the declaration determines |
//! | `accumulate: [C]` | `insert: [C]`, `remove: [C]`, `update: [C]` | refused: it shows which comes first |
//! | `accumulate: [C]` | writes `C` | as an insertion |
//! | `despawn` | anything | accepted: a despawned entity loses everything, whatever else was staged for it |
//! | `spawn` | anything | accepted: no other system has a handle of a spawned entity |
//! | `defer` | `insert`, `remove`, `update`, `accumulate`, `defer`, as well as a write if a refresh may come between them | refused: a function may change anything |
//!
//! Otherwise filters exempt no system, because a staged change applies to any entity whose handle the system has. (An
//! update applies to own entities, but an insertion beside it does not.) A write beside an update is a conflict over
//! the component, because the update reads. What a *sequential* system inserts and removes counts here as written,
//! because it comes before all staged changes; [`effect::seen_now`](crate::effect::seen_now) says which systems see it.

use crate::timing::never_together;
use crate::{IndexSet, System, contains, contains_any};

/// The lists of components whose changes count: `update`, `accumulate`, `insert`, `remove`, `write` and
/// `write_optional`, empty where they do not count. `refreshes` says whether a refresh may come between two unordered systems.
#[must_use]
pub const fn changes<'a>(system: &System<'a>, refreshes: bool) -> [&'a [usize]; 6] {
    let mut lists = [system.update, system.accumulate, &[], &[], &[], &[]];
    if system.stages() || refreshes {
        lists[2] = system.insert;
        lists[3] = system.remove;
    }
    if refreshes {
        lists[4] = system.write;
        lists[5] = system.write_optional;
    }
    lists
}

/// Whether the systems, if they are unordered, change the component in an order that shows.
#[must_use]
pub const fn over_component(
    a: &System<'_>,
    b: &System<'_>,
    component: usize,
    refreshes: bool,
) -> bool {
    let changed = precedes(a, b, component, refreshes) || precedes(b, a, component, refreshes);
    changed && !never_together(a, b)
}

/// Whether the first system inserts the component, or accumulates into it, and the other one changes it in a way that does
/// not commute with that.
const fn precedes(a: &System<'_>, b: &System<'_>, component: usize, refreshes: bool) -> bool {
    let [_, accumulated, inserted, ..] = changes(a, refreshes);
    let [updates, accumulates, others @ ..] = changes(b, refreshes);
    let changes = contains(updates, component) || contains_any(&others, component);
    contains(inserted, component) && (changes || contains(accumulates, component))
        || contains(accumulated, component) && changes
}

/// Whether the systems, if they are unordered, change components in an order that shows, because one of them defers
/// functions.
#[must_use]
pub const fn over_functions(a: &System<'_>, b: &System<'_>, refreshes: bool) -> bool {
    let changed = a.defer && changes_any(b, refreshes) || b.defer && changes_any(a, refreshes);
    changed && !never_together(a, b)
}

/// Whether the system makes a change that counts, or defers functions.
#[must_use]
pub const fn changes_any(system: &System<'_>, refreshes: bool) -> bool {
    let lists = changes(system, refreshes);
    let mut i = 0;
    while i < lists.len() {
        if !lists[i].is_empty() {
            return true;
        }
        i += 1;
    }
    system.defer
}

/// The components that the system can change of an existing entity: those that it writes, inserts, removes, updates and
/// accumulates into. The entities that it spawns are left out, because no other system has their handles (Core ECS, 4.2: infl).
#[must_use]
pub const fn of(system: &System<'_>) -> IndexSet {
    let System { write, write_optional, insert, remove, update, accumulate, .. } = *system;
    IndexSet::of_all(&[write, write_optional, insert, remove, update, accumulate])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: System<'_> = System::BLANK;
    const INSERT: System<'_> = System { insert: &[0], ..BLANK };
    const REMOVE: System<'_> = System { remove: &[0], ..BLANK };
    const UPDATE: System<'_> = System { update: &[0], ..BLANK };
    const WRITE: System<'_> = System { write: &[0], ..BLANK };
    const ACCUMULATE: System<'_> = System { accumulate: &[0], ..BLANK };

    #[test]
    fn an_insertion_does_not_commute() {
        let sequential = System { sequential: true, ..REMOVE };
        for (a, b, expected) in [
            (&INSERT, &INSERT, [true, true]),
            (&INSERT, &REMOVE, [true, true]),
            (&INSERT, &UPDATE, [true, true]),
            (&INSERT, &WRITE, [false, true]),
            (&INSERT, &sequential, [false, true]),
            (&INSERT, &System { insert: &[1], ..BLANK }, [false, false]),
            (&REMOVE, &REMOVE, [false, false]),
            (&REMOVE, &UPDATE, [false, false]),
            (&REMOVE, &WRITE, [false, false]),
            (&UPDATE, &UPDATE, [false, false]),
            (&ACCUMULATE, &ACCUMULATE, [false, false]),
            (&ACCUMULATE, &INSERT, [true, true]),
            (&ACCUMULATE, &REMOVE, [true, true]),
            (&ACCUMULATE, &UPDATE, [true, true]),
            (&ACCUMULATE, &WRITE, [false, true]),
            (&ACCUMULATE, &System { insert: &[1], ..BLANK }, [false, false]),
        ] {
            for (refreshes, expected) in [false, true].into_iter().zip(expected) {
                assert_eq!(over_component(a, b, 0, refreshes), expected, "{a:?} {b:?}");
                assert_eq!(over_component(b, a, 0, refreshes), expected, "{b:?} {a:?}");
            }
        }
    }

    #[test]
    fn a_function_may_change_anything() {
        let defer = System { defer: true, ..BLANK };
        for (other, expected) in [
            (defer, [true, true]),
            (REMOVE, [true, true]),
            (WRITE, [false, true]),
            (System { despawn: true, bundles: &[None], read: &[0], ..BLANK }, [false, false]),
        ] {
            for (refreshes, expected) in [false, true].into_iter().zip(expected) {
                assert_eq!(over_functions(&defer, &other, refreshes), expected, "{other:?}");
                assert_eq!(over_functions(&other, &defer, refreshes), expected, "{other:?}");
            }
        }
        assert!(!over_functions(&INSERT, &INSERT, true));
    }
}
