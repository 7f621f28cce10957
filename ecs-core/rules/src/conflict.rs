//! Conflicts: accesses that two unordered systems must not both have.
//!
//! Two systems conflict over a component if both access it, one of them writes it at once, and both could reach the same
//! entity. Filters tell entities apart only where both systems access entities of their own. Resources know no filters.
//! An addition to a commutative resource counts as a write, but not beside another addition. The same holds for an event
//! that is emitted, except a delayed one: that reaches its readers between steps.
//!
//! Systems that [never run together](crate::timing) do not conflict, but over a resource that one of them adds to.
//!
//! A system also reads what its queries show, of their members. A query is subscribed to entities as a system is, from
//! one refresh to the next, so its filters count too. What an idle query names, its users read, and nothing else does.

use crate::timing::never_together;
use crate::{System, contains, contains_any};

/// Whether no entity can be subscribed to both.
#[must_use]
pub const fn disjoint(a: &System<'_>, b: &System<'_>) -> bool {
    excludes(a, b) || excludes(b, a)
}

/// Whether the one excludes what the other one requires.
const fn excludes(one: &System<'_>, other: &System<'_>) -> bool {
    !one.without.is_empty() && !one.excluded().is_disjoint(&other.required())
}

/// Whether the system reaches entities other than its own when it accesses the component.
#[must_use]
pub const fn reaches_others(system: &System<'_>, component: usize) -> bool {
    system.reaches_others() || contains(system.read_any, component)
}

/// Whether the systems, if they are unordered, conflict over the component by their own accesses.
#[must_use]
pub const fn over_component(a: &System<'_>, b: &System<'_>, component: usize) -> bool {
    let own = !reaches_others(a, component) && !reaches_others(b, component);
    !a.is_idle()
        && !b.is_idle()
        && (a.writes(component) && b.touches(component)
            || b.writes(component) && a.touches(component))
        && !(own && disjoint(a, b))
        && !never_together(a, b)
}

/// Whether the writer, if it is unordered with the user of the query, conflicts with it over the component of members.
/// The query is the system at the index `at`.
#[must_use]
pub const fn over_members(
    writer: &System<'_>,
    user: &System<'_>,
    (query, at): (&System<'_>, usize),
    component: usize,
) -> bool {
    !writer.is_idle()
        && writer.writes(component)
        && user.reads_through(query, at, component)
        && (reaches_others(writer, component) || !disjoint(writer, query))
        && !never_together(writer, user)
}

/// Whether the system writes the component of an entity that it could at the same time read as a member of its own
/// query. A sequential system holds one entity at a time, or two whose rows differ.
#[must_use]
pub const fn with_own_members(
    system: &System<'_>,
    (query, at): (&System<'_>, usize),
    component: usize,
) -> bool {
    !system.is_idle()
        && !system.sequential
        && system.writes(component)
        && system.reads_through(query, at, component)
        && !disjoint(system, query)
}

/// A component that the writer writes and from which the index of the query is made, of entities that both could be
/// subscribed to, if there is one. The index is stale once the writer has run.
#[must_use]
pub const fn over_index(writer: &System<'_>, query: &System<'_>) -> Option<usize> {
    let written = [writer.write, writer.write_optional];
    let mut list = 0;
    while query.indexed && list < written.len() {
        let mut i = 0;
        while i < written[list].len() {
            if over_component(writer, query, written[list][i]) {
                return Some(written[list][i]);
            }
            i += 1;
        }
        list += 1;
    }
    None
}

/// Whether the systems, if they are unordered, conflict over the resource.
#[must_use]
pub const fn over_resource(a: &System<'_>, b: &System<'_>, resource: usize) -> bool {
    let conflict = changes_for(a, b, resource) || changes_for(b, a, resource);
    let orders_additions = contributes(a, resource) || contributes(b, resource);
    conflict && !a.is_idle() && !b.is_idle() && (orders_additions || !never_together(a, b))
}

/// Whether the system adds to the resource, or emits the event. Such systems are told apart by nothing: all that read the
/// resource are ordered with them, and so part the additions that may happen at the same time from others.
const fn contributes(system: &System<'_>, resource: usize) -> bool {
    contains_any(&[system.add, system.emit], resource)
}

/// Whether the one changes the resource, and it matters to the other one when. Additions commute with one another, and
/// events are sorted.
const fn changes_for(one: &System<'_>, other: &System<'_>, resource: usize) -> bool {
    let links = [other.relations, other.after_parent];
    let lists = [other.read_resources, other.write_resources, other.on, links[0], links[1]];
    let emits = contains(one.emit, resource) && !contains(one.delayed, resource);
    let changes = emits || contains_any(&[one.write_resources, one.add], resource);
    changes && contains_any(&lists, resource)
}

/// A resource that the writer changes and that the condition of the other system reads, if there is one. The condition is
/// evaluated before any system of its phase runs.
#[must_use]
pub const fn over_condition(writer: &System<'_>, conditional: &System<'_>) -> Option<usize> {
    if never_together(writer, conditional) {
        return None;
    }
    let read = conditional.run_if;
    let mut i = 0;
    while i < read.len() {
        let emits = contains(writer.emit, read[i]) && !contains(writer.delayed, read[i]);
        let changes = emits || contains_any(&[writer.write_resources, writer.add], read[i]);
        if changes && !writer.is_idle() {
            return Some(read[i]);
        }
        i += 1;
    }
    None
}

/// A component that both systems update of an entity that both could be subscribed to, if there is one.
#[must_use]
pub const fn over_updates(a: &System<'_>, b: &System<'_>) -> Option<usize> {
    let mut i = 0;
    while i < a.update.len() {
        if contains(b.update, a.update[i]) && !disjoint(a, b) && !never_together(a, b) {
            return Some(a.update[i]);
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: System<'_> = System::BLANK;
    const READ: System<'_> = System { read: &[0], ..BLANK };
    const WRITE: System<'_> = System { write: &[0], ..BLANK };
    const WRITE_WITH: System<'_> = System { with: &[1], ..WRITE };
    const WRITE_WITHOUT: System<'_> = System { without: &[1], ..WRITE };
    const ANY: System<'_> = System { read_any: &[0], ..BLANK };

    #[test]
    #[expect(clippy::large_stack_arrays, reason = "it is a table")]
    fn the_rule_as_a_table() {
        for (a, b, expected) in [
            (READ, READ, false),
            (READ, WRITE, true),
            (WRITE, WRITE, true),
            (System { read_optional: &[0], ..BLANK }, WRITE, true),
            (READ, System { write_optional: &[0], ..BLANK }, true),
            (WRITE, System { update: &[0], ..BLANK }, true),
            (READ, System { update: &[0], ..BLANK }, false),
            (WRITE, System { write: &[1], ..BLANK }, false),
            (WRITE, System { with: &[0], insert: &[0], ..BLANK }, false),
            (ANY, READ, false),
            (ANY, WRITE, true),
            // Filters exempt accesses to own entities …
            (WRITE_WITH, WRITE_WITHOUT, false),
            (WRITE_WITH, System { without: &[1], ..READ }, false),
            (WRITE_WITH, WRITE_WITH, true),
            (WRITE_WITHOUT, WRITE_WITHOUT, true),
            (WRITE, WRITE_WITHOUT, true),
            // … but no other accesses.
            (WRITE_WITH, System { without: &[1], ..ANY }, true),
            (WRITE_WITH, System { exclusive: true, ..WRITE_WITHOUT }, true),
            (WRITE_WITH, System { sequential: true, ..WRITE_WITHOUT }, true),
            // What an idle query shows, its users read.
            (System { query: true, ..READ }, WRITE, false),
            (System { query: true, indexed: true, ..READ }, WRITE, true),
        ] {
            assert_eq!(over_component(&a, &b, 0), expected, "{a:?} {b:?}");
            assert_eq!(over_component(&b, &a, 0), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn an_access_is_a_requirement_unless_it_is_optional() {
        let without = System { without: &[1], ..BLANK };
        for required in [
            System { read: &[1], ..BLANK },
            System { write: &[1], ..BLANK },
            System { update: &[1], ..BLANK },
            System { with: &[1], ..BLANK },
        ] {
            assert!(disjoint(&required, &without) && disjoint(&without, &required));
        }
        let optional = System { read_optional: &[1], write_optional: &[1], ..BLANK };
        assert!(!disjoint(&optional, &without) && !disjoint(&without, &without));
    }

    #[test]
    fn a_query_shows_its_members() {
        let query = System { query: true, without: &[1], ..READ };
        let over =
            |writer: &System<'_>, query: &System<'_>| over_members(writer, &BLANK, (query, 9), 0);
        assert!(over(&WRITE, &query) && !over(&READ, &query));
        assert!(!over(&WRITE_WITH, &query), "told apart");
        assert!(over(&System { exclusive: true, ..WRITE_WITH }, &query));
        assert!(!over(&WRITE, &System { with: &[0], query: true, ..BLANK }));
        let own = |system: &System<'_>| with_own_members(system, (&query, 9), 0);
        assert!(own(&WRITE) && !own(&WRITE_WITH));
        assert!(!own(&System { sequential: true, ..WRITE }));
    }

    #[test]
    fn a_user_reads_what_it_names() {
        let query = System { query: true, read: &[0, 1], ..BLANK };
        for (through, expected) in [
            (&[][..], [true, true]),
            (&[(9, 1)], [false, true]),
            (&[(9, 0), (9, 1)], [true, true]),
            (&[(8, 1)], [true, true]),
        ] {
            let user = System { through, ..BLANK };
            let writer = System { write: &[0, 1], ..BLANK };
            let found = [0, 1].map(|c| over_members(&writer, &user, (&query, 9), c));
            assert_eq!(found, expected, "{through:?}");
            let itself = System { through, ..writer };
            assert_eq!([0, 1].map(|c| with_own_members(&itself, (&query, 9), c)), expected);
        }
    }

    #[test]
    fn an_index_is_made_from_some_of_what_its_query_shows() {
        let query = System { query: true, indexed: true, read: &[0, 1], ..BLANK };
        let writer = System { write: &[1], ..BLANK };
        assert_eq!(over_index(&writer, &query), Some(1));
        let of_the_first = System { index: Some(&[0]), ..query };
        assert_eq!(over_index(&writer, &of_the_first), None);
        assert!(!over_component(&writer, &of_the_first, 1));
        assert_eq!(over_index(&System { write_optional: &[0], ..BLANK }, &of_the_first), Some(0));
        assert_eq!(over_index(&WRITE_WITH, &System { without: &[1], ..of_the_first }), None);
        assert_eq!(over_index(&writer, &System { indexed: false, ..query }), None);
        assert_eq!(of_the_first.touched(), crate::IndexSet::of(&[0]));
    }

    #[test]
    fn resources_know_no_filters() {
        let reader = System { read_resources: &[7], with: &[1], ..BLANK };
        let writer = System { write_resources: &[7], without: &[1], ..BLANK };
        assert!(over_resource(&reader, &writer, 7) && over_resource(&writer, &reader, 7));
        assert!(over_resource(&writer, &writer, 7) && !over_resource(&reader, &reader, 7));
        assert!(!over_resource(&reader, &writer, 6));
        let adder = System { add: &[7], with: &[2], ..BLANK };
        assert!(over_resource(&adder, &reader, 7) && over_resource(&reader, &adder, 7));
        assert!(over_resource(&adder, &writer, 7) && over_resource(&writer, &adder, 7));
        assert!(!over_resource(&adder, &adder, 7), "sums do not depend on the order");
        for links in [System { relations: &[7], ..BLANK }, System { after_parent: &[7], ..BLANK }] {
            let linker = System { link: &[7], ..BLANK };
            assert!(!over_resource(&links, &linker, 7), "links change at the refresh");
            assert!(over_resource(&links, &System { write_resources: &[7], ..BLANK }, 7));
        }
        let (emits, reads) = (System { emit: &[7], ..BLANK }, System { on: &[7], ..BLANK });
        assert!(over_resource(&emits, &reads, 7) && over_resource(&reads, &emits, 7));
        assert!(!over_resource(&emits, &emits, 7) && !over_resource(&reads, &reads, 7));
        let later = System { delayed: &[7], ..emits };
        assert!(!over_resource(&later, &reads, 7) && !over_resource(&reads, &later, 7));
        assert!(over_resource(&writer, &reads, 7) && over_resource(&emits, &writer, 7));
    }

    #[test]
    fn systems_that_never_run_together_do_not_conflict() {
        let states: [&[_]; 2] = [&[(0, 1)], &[(0, 2)]];
        let both = |system: System<'static>| states.map(|states| System { states, ..system });
        let [first, second] = both(System { write_resources: &[7], read_any: &[1], ..WRITE });
        assert!(!over_component(&first, &second, 0) && !over_resource(&first, &second, 7));
        assert!(over_component(&first, &first, 0) && over_resource(&first, &first, 7));
        let adds = System { add: &[7], states: states[1], ..BLANK };
        assert!(over_resource(&first, &adds, 7), "additions are in rounds");
        let reads = System { on: &[7], states: states[0], ..BLANK };
        assert!(over_resource(&reads, &System { emit: &[7], states: states[1], ..BLANK }, 7));
        let query = System { query: true, indexed: true, ..READ };
        assert_eq!(over_index(&first, &query), Some(0), "it has an index in any execution");
        let user = System { states: states[1], ..BLANK };
        assert!(!over_members(&first, &user, (&query, 9), 0));
        assert!(over_members(&first, &BLANK, (&query, 9), 0));
        let [one, other] = both(System { update: &[1], ..BLANK });
        assert_eq!((over_updates(&one, &other), over_updates(&one, &one)), (None, Some(1)));
    }

    #[test]
    fn a_condition_reads_before_the_systems_of_its_phase() {
        let conditional = System { run_if: &[3, 7], ..BLANK };
        let writer = System { write_resources: &[7], ..BLANK };
        assert_eq!(over_condition(&writer, &conditional), Some(7));
        assert_eq!(over_condition(&System { add: &[3], ..BLANK }, &conditional), Some(3));
        assert_eq!(over_condition(&System { emit: &[3], ..BLANK }, &conditional), Some(3));
        let later = System { emit: &[3], delayed: &[3], ..BLANK };
        assert_eq!(over_condition(&later, &conditional), None);
        assert_eq!(over_condition(&System { read_resources: &[7], ..BLANK }, &conditional), None);
        assert_eq!(over_condition(&conditional, &writer), None);
        assert_eq!(over_condition(&System { query: true, ..writer }, &conditional), None);
        assert!(!over_resource(&writer, &conditional, 7), "it is no access of the system itself");
    }

    #[test]
    fn updates_meet_unless_filters_tell_them_apart() {
        let (one, both) = (System { update: &[1], ..BLANK }, System { update: &[0, 1], ..BLANK });
        assert_eq!((over_updates(&one, &both), over_updates(&both, &one)), (Some(1), Some(1)));
        assert_eq!(over_updates(&one, &System { update: &[0], ..BLANK }), None);
        let (with, without) = (System { with: &[7], ..both }, System { without: &[7], ..both });
        assert_eq!((over_updates(&with, &without), over_updates(&both, &without)), (None, Some(0)));
    }
}
