//! Queries in the tables: what their users read, and which systems must not write it.
//!
//! A system with `queries: [Q]` reads what `Q` reads, of the entities that `Q` is subscribed to, from any of
//! its subtasks. Both subscriptions conform to their filters from one refresh to the next: a refresh establishes
//! that, and until the next one entities only leave. So filters exempt here, as they do for own entities.
//!
//! A *sequential* system may write what it reads through a query, of own entities and of members, because it holds one
//! pair at a time. What it writes of members is in its own lists, where filters never exempt it.

use super::bits::{SystemBits, WORDS, add, has, pop};
use super::check::{ancestors, disjoint, reaches_own_only};
use super::message::Message;
use super::{Declaration, MAX_SYSTEMS, Phases, StagedChanges, SystemSignature, Tables};
use crate::component::MAX_COMPONENTS;

/// Fails to evaluate if a system reads through a query what it writes itself, or what an unordered system
/// writes, or lists a system that is not a query. The indices must be in range.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
pub(super) const fn check(tables: Tables<'_>, ancestors: &[SystemBits; MAX_SYSTEMS]) {
    let systems = tables.systems;
    let mut readers = [[0; WORDS]; MAX_COMPONENTS];
    let mut any = false;
    let mut s = 0;
    while s < systems.len() {
        let mut i = 0;
        while i < systems[s].queries.len() {
            let query = &systems[systems[s].queries[i]];
            if !query.query {
                not_a_query(&systems[s], query);
            }
            note(&mut readers, query.read, s);
            note(&mut readers, query.read_optional, s);
            any = true;
            i += 1;
        }
        s += 1;
    }
    if !any {
        return;
    }
    let mut s = 0;
    while s < systems.len() {
        if !systems[s].is_idle() {
            check_writes(tables, &readers, ancestors, systems[s].write, s);
            check_writes(tables, &readers, ancestors, systems[s].write_optional, s);
        }
        s += 1;
    }
    check_phases(tables);
}

const fn note(readers: &mut [SystemBits; MAX_COMPONENTS], components: &[usize], system: usize) {
    let mut i = 0;
    while i < components.len() {
        add(&mut readers[components[i]], system);
        i += 1;
    }
}

const fn not_a_query(system: &SystemSignature, listed: &SystemSignature) -> ! {
    Message::new()
        .text("[E0012] the system `")
        .text(system.name)
        .text("` names `")
        .text(listed.name)
        .text("` in `queries`, which is a system, not a query\nhelp: declare it as `query ")
        .text(listed.name)
        .text(" { read: [..] }`")
        .raise();
}

/// Validates the systems that read what the writer writes.
const fn check_writes(
    tables: Tables<'_>,
    readers: &[SystemBits; MAX_COMPONENTS],
    ancestors: &[SystemBits; MAX_SYSTEMS],
    written: &[usize],
    writer: usize,
) {
    let mut i = 0;
    while i < written.len() {
        let mut candidates = readers[written[i]];
        while let Some(reader) = pop(&mut candidates) {
            let ordered = has(&ancestors[writer], reader) || has(&ancestors[reader], writer);
            if reader == writer || !ordered {
                check_pair(tables, writer, reader, written[i]);
            }
        }
        i += 1;
    }
}

/// Validates two systems that may run at the same time, or a system against itself.
const fn check_pair(tables: Tables<'_>, writer: usize, reader: usize, component: usize) {
    let systems = tables.systems;
    let queries = systems[reader].queries;
    let mut i = 0;
    while i < queries.len() {
        let query = &systems[queries[i]];
        let told_apart = if writer == reader {
            // A sequential system holds one entity at a time, or two whose rows differ.
            systems[reader].sequential || disjoint(&systems[writer], query)
        } else {
            disjoint(&systems[writer], query) && reaches_own_only(&systems[writer], component)
        };
        if query.shown().contains(component) && !told_apart {
            if writer == reader {
                meets_itself(tables, &systems[reader], query, component);
            }
            conflict(tables, &systems[writer], &systems[reader], query, component);
        }
        i += 1;
    }
}

const fn meets_itself(
    tables: Tables<'_>,
    system: &SystemSignature,
    query: &SystemSignature,
    component: usize,
) -> ! {
    Message::new()
        .text("[E0038] the system `")
        .text(system.name)
        .text("` writes `")
        .text(tables.components[component].name())
        .text("`, which it reads through the query `")
        .text(query.name)
        .text("`, and an entity could belong to both\nhelp: tell them apart: require a component in `with: [..]` of the one, and exclude it in `without: [..]` of the other")
        .raise();
}

const fn conflict(
    tables: Tables<'_>,
    writer: &SystemSignature,
    reader: &SystemSignature,
    query: &SystemSignature,
    component: usize,
) -> ! {
    Message::new()
        .text("[E0032] the system `")
        .text(writer.name)
        .text("` writes `")
        .text(tables.components[component].name())
        .text("`, which the system `")
        .text(reader.name)
        .text("` reads through the query `")
        .text(query.name)
        .text("`, and nothing orders them")
        .raise();
}

/// Fails to evaluate if a refresh comes between an index and one of its users: rows may move at a refresh.
const fn check_phases(tables: Tables<'_>) {
    if !matches!(tables.staged_changes, StagedChanges::RefreshBeforeDependents) {
        return;
    }
    // If sequential systems run between the two, they cause no refresh.
    let phases = Phases::between_refreshes(tables.systems, &ancestors(tables.systems));
    let mut s = 0;
    while s < tables.systems.len() {
        let system = &tables.systems[s];
        let mut i = 0;
        while i < system.queries.len() {
            let query = &tables.systems[system.queries[i]];
            if query.indexed && phases.phase(system.queries[i]) != phases.phase(s) {
                Message::new()
                    .text("[E0039] the system `")
                    .text(system.name)
                    .text("` uses the index of the query `")
                    .text(query.name)
                    .text("`, but a refresh comes between them\nhelp: have the query run after it, too: add to its `dependencies` what stages something for `")
                    .text(system.name)
                    .text("`")
                    .raise();
            }
            i += 1;
        }
        s += 1;
    }
}

/// Fails to evaluate if a system that `starts` lead to uses an index that is not built in that execution.
pub(super) const fn check_starts<D: Declaration>(
    starts: &[usize],
    ancestors: &[SystemBits; MAX_SYSTEMS],
) {
    let mut s = 0;
    while s < D::SYSTEMS.len() {
        let system = &D::SYSTEMS[s];
        let mut i = 0;
        while i < system.queries.len() && executed(starts, ancestors, s) {
            let query = &D::SYSTEMS[system.queries[i]];
            if query.indexed && !executed(starts, ancestors, system.queries[i]) {
                Message::new()
                    .text("[E0087] the step executes `")
                    .text(system.name)
                    .text("`, but not the query `")
                    .text(query.name)
                    .text("`, whose index it uses: no start leads to it\nhelp: add `")
                    .text(query.name)
                    .text("` to `execute_systems_from::<(..)>`")
                    .raise();
            }
            i += 1;
        }
        s += 1;
    }
}

/// Whether an execution from `starts` executes the system `index`.
pub(super) const fn executed(
    starts: &[usize],
    ancestors: &[SystemBits; MAX_SYSTEMS],
    index: usize,
) -> bool {
    let mut i = 0;
    while i < starts.len() {
        if starts[i] == index || has(&ancestors[index], starts[i]) {
            return true;
        }
        i += 1;
    }
    false
}
