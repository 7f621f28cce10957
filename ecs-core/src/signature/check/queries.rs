//! Queries in the tables: what their users read, and which systems must not write it.
//!
//! A system with `queries: [Q]` reads what `Q` reads, of the entities that `Q` is subscribed to, from any of
//! its subtasks. Both subscriptions conform to their filters from one refresh to the next: a refresh establishes
//! that, and until the next one entities only leave. So filters exempt here, as they do for own entities.
//!
//! A *sequential* system may write what it reads through a query, of own entities and of members, because it holds one
//! pair at a time. What it writes of members is in its own lists, where filters never exempt it.

use ecs_rules::{conflict, order};

use crate::signature::check::ancestors::{Ancestors, ancestors};
use crate::signature::check::message::Message;
use crate::signature::check::note;
use crate::signature::{Declaration, Phases, SystemSignature, Tables};
use crate::types::{IndexSet, MAX_COMPONENTS};

/// Fails to evaluate if a system reads through a query what it writes itself, or what an unordered system
/// writes, or lists a system that is not a query. The indices must be in range.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
pub(crate) const fn check(tables: Tables<'_>, ancestors: &Ancestors) {
    let systems = tables.systems;
    let mut readers = [IndexSet::EMPTY; MAX_COMPONENTS];
    let mut any = false;
    for_each!(s < systems.len(), {
        for_each!(i < systems[s].declared.queries.len(), {
            let query = &systems[systems[s].declared.queries[i]];
            if !query.declared.query {
                not_a_query(&systems[s], query);
            }
            note(&mut readers, &[query.declared.read, query.declared.read_optional], s);
            if query.declared.indexed {
                between_users(tables, ancestors, systems[s].declared.queries[i], s);
            }
            any = true;
        });
    });
    if !any {
        return;
    }
    for_each!(s < systems.len(), {
        check_writes(tables, &readers, ancestors, systems[s].declared.write, s);
        check_writes(tables, &readers, ancestors, systems[s].declared.write_optional, s);
    });
    check_phases(tables);
}

/// Fails to evaluate if a system writes what the index of the query is made from, after the index is made and before
/// the user: the user would find members by what they were.
const fn between_users(tables: Tables<'_>, ancestors: &Ancestors, query: usize, user: usize) {
    let systems = tables.systems;
    let mut earlier = ancestors[user];
    while let Some(writer) = earlier.pop() {
        if ancestors[writer].contains(query)
            && let Some(component) =
                conflict::over_index(&systems[writer].declared, &systems[query].declared)
        {
            Message::new()
                .text("[ECS0097] the system `")
                .text(systems[writer].name)
                .text("` writes `")
                .text(tables.components[component].name())
                .text("`, from which the index of the query `")
                .text(systems[query].name)
                .text("` is made, after that is made and before the system `")
                .text(systems[user].name)
                .text("` uses it\nhelp: declare a second query for `")
                .text(systems[user].name)
                .text("`, with the same keys")
                .raise();
        }
    }
}

const fn not_a_query(system: &SystemSignature, listed: &SystemSignature) -> ! {
    Message::new()
        .text("[ECS0012] the system `")
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
    readers: &[IndexSet; MAX_COMPONENTS],
    ancestors: &Ancestors,
    written: &[usize],
    writer: usize,
) {
    for_each!(i < written.len(), {
        let mut candidates = readers[written[i]];
        while let Some(reader) = candidates.pop() {
            if reader == writer || !order::are_ordered(ancestors, writer, reader) {
                check_pair(tables, writer, reader, written[i]);
            }
        }
    });
}

/// Validates two systems that may run at the same time, or a system against itself.
const fn check_pair(tables: Tables<'_>, writer: usize, reader: usize, component: usize) {
    let systems = tables.systems;
    let queries = systems[reader].declared.queries;
    for_each!(i < queries.len(), {
        let query = &systems[queries[i]];
        let (user, members) = (&systems[reader].declared, (&query.declared, queries[i]));
        if writer == reader {
            if conflict::with_own_members(user, members, component) {
                meets_itself(tables, &systems[reader], query, component);
            }
        } else if conflict::over_members(&systems[writer].declared, user, members, component) {
            conflict(tables, &systems[writer], &systems[reader], query, component);
        }
    });
}

const fn meets_itself(
    tables: Tables<'_>,
    system: &SystemSignature,
    query: &SystemSignature,
    component: usize,
) -> ! {
    Message::new()
        .text("[ECS0038] the system `")
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
        .text("[ECS0032] the system `")
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
    if !Phases::may_refresh(tables) {
        return;
    }
    // If sequential systems run between the two, they cause no refresh.
    let phases = Phases::between_refreshes(
        tables.systems,
        tables.staged_changes,
        &ancestors(tables.systems),
    );
    for_each!(s < tables.systems.len(), {
        let system = &tables.systems[s];
        let queries = system.declared.queries;
        for_each!(i < queries.len(), {
            let query = &tables.systems[queries[i]];
            if query.declared.indexed && phases.phase(queries[i]) != phases.phase(s) {
                Message::new()
                    .text("[ECS0039] the system `")
                    .text(system.name)
                    .text("` uses the index of the query `")
                    .text(query.name)
                    .text("`, but a refresh comes between them: the index is made for an earlier one\nhelp: declare a second query for `")
                    .text(system.name)
                    .text("`, with the same keys")
                    .raise();
            }
        });
    });
}

/// Fails to evaluate if a system that `starts` lead to uses an index that is not built in that execution.
pub(crate) const fn check_starts<D: Declaration>(starts: &[usize], ancestors: &Ancestors) {
    for_each!(s < D::SYSTEMS.len(), {
        let system = &D::SYSTEMS[s];
        let queries = system.declared.queries;
        for_each!(i < queries.len(), {
            let query = &D::SYSTEMS[queries[i]];
            let is_built = !query.declared.indexed || executed(starts, ancestors, queries[i]);
            if !is_built && executed(starts, ancestors, s) {
                Message::new()
                    .text("[ECS0087] the step executes `")
                    .text(system.name)
                    .text("`, but not the query `")
                    .text(query.name)
                    .text("`, whose index it uses: no start leads to it\nhelp: add `")
                    .text(query.name)
                    .text("` to `execute_systems_from::<(..)>`")
                    .raise();
            }
        });
    });
}

/// Whether an execution from `starts` executes the system `index`.
pub(crate) const fn executed(starts: &[usize], ancestors: &Ancestors, index: usize) -> bool {
    for_each!(i < starts.len(), {
        if starts[i] == index || ancestors[index].contains(starts[i]) {
            return true;
        }
    });
    false
}
