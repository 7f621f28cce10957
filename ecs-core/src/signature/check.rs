//! The validation of a declaration's tables, in `const` evaluation.
//!
//! It decides the soundness of parallel access: two systems that no path of
//! dependencies orders never access the same component or resource of the same entity unless both
//! only read. It reads the same tables that drive the accesses at run time, and nothing
//! else; `World::new` forces it.

pub(super) use super::ancestors::{all_done, ancestors, ancestors_with_streams};
use super::bits::{SystemBits, WORDS, add, has};
use super::message::Message;
use super::{Declaration, MAX_SYSTEMS, SystemSignature, Tables};
use super::{influence, queries, residual, streams};
use crate::component::{IndexSet, MAX_COMPONENTS};
use crate::settings::EntityLimit;
use crate::storage;

/// Fails to evaluate if the declaration `D` is unsound or contradicts itself.
///
/// `world!` finds the same faults earlier, with more detailed messages.
///
/// # Panics
/// In `const` evaluation, that is, as a compile error: if there are too many components or systems; if an index is out
/// of range; if dependencies form a cycle; if two unordered systems conflict, or stage changes whose order affects the
/// result; if a system accesses one component in two ways; if several subtasks would write a resource, or have outputs
/// that cannot be merged; if a page of a buffer would be larger than the address space; if a system runs before the
/// staged changes of an earlier one are applied, and the world denies that. The message begins with a
/// [code](crate::errors).
pub const fn check<D: Declaration>() {
    check_tables(Tables::of::<D>());
}

/// As [`check`](super::check()), for any tables.
pub(super) const fn check_tables(tables: Tables<'_>) {
    assert!(
        tables.components.len() <= MAX_COMPONENTS,
        "[E0018] a world has at most 1024 components"
    );
    assert!(tables.systems.len() <= MAX_SYSTEMS, "[E0018] a world has at most 1024 systems");
    let mut c = 0;
    while c < tables.components.len() {
        if let Some(buffer) = tables.components[c].buffer() {
            assert!(buffer < tables.components.len(), "[E0070] a buffer's number is out of range");
        }
        component(tables, c);
        c += 1;
    }
    check_buffers(tables, storage::PAGE_ROWS);
    let mut s = 0;
    while s < tables.systems.len() {
        check_system(tables, &tables.systems[s], s);
        s += 1;
    }
    let ancestors = ancestors(tables.systems);
    streams::check(tables);
    check_conflicts(tables, &ancestors);
    queries::check(tables, &ancestors);
    influence::check(tables, &ancestors);
    residual::check(tables, &ancestors);
}

/// Fails to evaluate if a buffer of `rows` rows is larger than the address space.
const fn check_buffers(tables: Tables<'_>, rows: usize) {
    if let Some(c) = storage::first_too_large(tables.components, rows) {
        too_large(tables.components[c].name());
    }
}

/// Fails to evaluate if a world of `D` with the entity limit `L` is impossible.
pub(crate) const fn check_limit<D: Declaration, L: EntityLimit>() {
    let most = (1 << 31) - 1;
    let rows = match L::FIXED {
        Some(rows) => {
            assert!(rows > 0, "[E0017] a world with a fixed limit of 0 entities has no room");
            rows
        }
        None => L::INITIAL,
    };
    assert!(
        rows <= most && L::INITIAL <= most,
        "[E0017] an entity limit must be at most 2147483647"
    );
    if L::FIXED.is_some() {
        assert!(
            !L::BY_ARCHETYPE,
            "[E0029] rows cannot lie by archetype under a fixed limit: let `FIXED` be `None`, or leave `BY_ARCHETYPE` out"
        );
        check_buffers(Tables::of::<D>(), rows);
    }
}

const fn in_range(indices: &[usize], end: usize) -> bool {
    let mut i = 0;
    while i < indices.len() {
        if indices[i] >= end {
            return false;
        }
        i += 1;
    }
    true
}

/// Fails to evaluate if the component at `index` is by itself too large for its storage. Part of
/// [`check`]; `world!` evaluates it at the component's own token.
///
/// # Panics
/// Then, with E0077 or E0079.
pub const fn check_component<D: Declaration>(index: usize) {
    component(Tables::of::<D>(), index);
}

const fn component(tables: Tables<'_>, index: usize) {
    let component = &tables.components[index];
    if component.is_empty() && component.info().size() > 0 {
        Message::new()
            .text("[E0079] `")
            .text(component.name())
            .text("` has a size, but is to be stored as `empty`\nhelp: write `component ")
            .text(component.name())
            .text(": contiguous_buffer;`")
            .raise();
    }
    if component.buffer().is_some()
        && component.info().size() > isize::MAX as usize / storage::PAGE_ROWS
    {
        too_large(component.name());
    }
}

const fn too_large(component: &str) -> ! {
    Message::new()
        .text("[E0077] the buffer that holds `")
        .text(component)
        .text("` is larger than the address space\nhelp: put what is large behind a `Box`")
        .raise();
}

const fn check_system(tables: Tables<'_>, s: &SystemSignature, index: usize) {
    let n = tables.components.len();
    assert!(
        in_range(s.read, n)
            && in_range(s.write, n)
            && in_range(s.read_optional, n)
            && in_range(s.write_optional, n)
            && in_range(s.read_any, n)
            && in_range(s.with, n)
            && in_range(s.without, n)
            && in_range(s.insert, n)
            && in_range(s.remove, n)
            && in_range(s.update, n),
        "[E0070] a component's index is out of range"
    );
    assert!(
        in_range(s.after, tables.systems.len())
            && in_range(s.inputs, tables.systems.len())
            && in_range(s.queries, tables.systems.len())
            && in_range(s.streams, tables.systems.len()),
        "[E0070] a system's index is out of range"
    );
    assert!(
        in_range(s.read_resources, tables.resources.len())
            && in_range(s.write_resources, tables.resources.len()),
        "[E0070] a resource's index is out of range"
    );
    if IndexSet::of(s.after)
        .union(IndexSet::of(s.inputs))
        .union(IndexSet::of(s.queries))
        .contains(index)
    {
        Message::new()
            .text("[E0030] the system `")
            .text(s.name)
            .text("` depends on itself")
            .raise();
    }
    let write = IndexSet::of(s.write);
    let write_optional = IndexSet::of(s.write_optional);
    let read = IndexSet::of(s.read);
    let read_optional = IndexSet::of(s.read_optional);
    let any = IndexSet::of(s.read_any);
    let update = IndexSet::of(s.update);
    if !(write.is_disjoint(&read)
        && write.is_disjoint(&read_optional)
        && write.is_disjoint(&write_optional)
        && write_optional.is_disjoint(&read)
        && write_optional.is_disjoint(&read_optional)
        && any.is_disjoint(&write.union(write_optional)))
    {
        Message::new()
            .text("[E0021] the system `")
            .text(s.name)
            .text("` both reads and writes a component, or writes it twice")
            .raise();
    }
    let others = read.union(read_optional).union(write).union(write_optional);
    if !update.is_disjoint(&others.union(IndexSet::of(s.insert))) {
        Message::new()
            .text("[E0021] the system `")
            .text(s.name)
            .text("` updates a component that it also reads, writes or inserts")
            .raise();
    }
    if !IndexSet::of(s.read_resources).is_disjoint(&IndexSet::of(s.write_resources)) {
        Message::new()
            .text("[E0021] the system `")
            .text(s.name)
            .text("` declares a resource both read and written")
            .raise();
    }
    if !s.write_resources.is_empty() && !s.is_single_subtask() {
        Message::new()
            .text("[E0022] the system `")
            .text(s.name)
            .text("` writes a resource, so it must declare `parallelism: none`")
            .raise();
    }
    if s.reaches_others() && !s.single_subtask {
        Message::new()
            .text("[E0023] the system `")
            .text(s.name)
            .text(if s.sequential { "` is sequential" } else { "` is exclusive" })
            .text(", so it reaches any entity, and its subtasks could meet at one (Core ECS, corollary 4.9)\nhelp: one subtask: declare `parallelism: none`")
            .raise();
    }
    if !s.streams.is_empty() && !s.single_subtask {
        Message::new()
            .text("[E0023] the system `")
            .text(s.name)
            .text("` takes a stream, so it is one subtask\nhelp: declare `parallelism: none`")
            .raise();
    }
    check_sequential(s);
    output(tables, index);
}

/// Fails to evaluate if a sequential system declares something that cannot happen at once, or cannot run alone.
const fn check_sequential(s: &SystemSignature) {
    let beside = if !s.sequential {
        return;
    } else if s.defer {
        "`defer`, but does everything at once\nhelp: remove `defer`, or `sequential`"
    } else if !s.update.is_empty() {
        "`update`, but does everything at once\nhelp: list in `write` what it updates"
    } else if !s.streams.is_empty() {
        "`streams`, but runs alone\nhelp: let the other end put out a `Vec`, and declare `inputs`"
    } else if s.output_streams {
        "an output that is a stream, but runs alone\nhelp: put out a `Vec`"
    } else {
        return;
    };
    Message::new()
        .text("[E0027] the system `")
        .text(s.name)
        .text("` is sequential and declares ")
        .text(beside)
        .raise();
}

/// Fails to evaluate if the system at `index` has outputs that cannot be merged, or that have no order. Part of
/// [`check`]; `world!` evaluates it at the output's own token.
///
/// # Panics
/// Then, with E0071 or E0089.
pub const fn check_output<D: Declaration>(index: usize) {
    output(Tables::of::<D>(), index);
}

const fn output(tables: Tables<'_>, index: usize) {
    let s = &tables.systems[index];
    if !s.output_concatenates && !s.is_single_subtask() && !s.slice_dependent {
        Message::new()
            .text("[E0071] the outputs of the system `")
            .text(s.name)
            .text("` cannot be concatenated, and it has several subtasks\nhelp: put out a `Vec`, or declare `parallelism: none` or `slice_dependent`")
            .raise();
    }
    if !s.output_is_ordered && !s.unordered {
        Message::new()
            .text("[E0089] the output of the system `")
            .text(s.name)
            .text("` has no order: its readers would see another one in each run\nhelp: put out a `BTreeMap`, a `BTreeSet` or a `Vec`, or declare `unordered`")
            .raise();
    }
}

/// Fails to evaluate if two unordered systems access the same component or resource, and one writes it.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn check_conflicts(tables: Tables<'_>, ancestors: &[SystemBits; MAX_SYSTEMS]) {
    let mut accessors = [[0; WORDS]; MAX_COMPONENTS];
    let mut resource_accessors = [[0; WORDS]; MAX_COMPONENTS];
    assert!(tables.resources.len() <= MAX_COMPONENTS, "[E0018] a world has at most 1024 resources");
    let mut s = 0;
    while s < tables.systems.len() {
        let system = &tables.systems[s];
        // What an idle query reads, its users read (`queries`).
        if system.is_idle() {
            s += 1;
            continue;
        }
        note(&mut accessors, system.read, s);
        note(&mut accessors, system.write, s);
        note(&mut accessors, system.read_optional, s);
        note(&mut accessors, system.write_optional, s);
        note(&mut accessors, system.read_any, s);
        note(&mut accessors, system.update, s);
        note(&mut resource_accessors, system.read_resources, s);
        note(&mut resource_accessors, system.write_resources, s);
        s += 1;
    }
    let mut s = 0;
    while s < tables.systems.len() {
        let system = &tables.systems[s];
        if system.is_idle() {
            s += 1;
            continue;
        }
        check_writes(tables, &accessors, ancestors, system.write, s, true);
        check_writes(tables, &accessors, ancestors, system.write_optional, s, true);
        check_writes(tables, &resource_accessors, ancestors, system.write_resources, s, false);
        s += 1;
    }
}

const fn note(accessors: &mut [SystemBits; MAX_COMPONENTS], indices: &[usize], system: usize) {
    let mut i = 0;
    while i < indices.len() {
        add(&mut accessors[indices[i]], system);
        i += 1;
    }
}

const fn check_writes(
    tables: Tables<'_>,
    accessors: &[SystemBits; MAX_COMPONENTS],
    ancestors: &[SystemBits; MAX_SYSTEMS],
    written: &[usize],
    writer: usize,
    components: bool,
) {
    let mut i = 0;
    while i < written.len() {
        let mut w = 0;
        while w < tables.systems.len().div_ceil(64) {
            let mut candidates = accessors[written[i]][w] & !ancestors[writer][w];
            while candidates != 0 {
                let other = w * 64 + candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                if other == writer || has(&ancestors[other], writer) {
                    continue;
                }
                if components
                    && disjoint(&tables.systems[writer], &tables.systems[other])
                    && reaches_own_only(&tables.systems[writer], written[i])
                    && reaches_own_only(&tables.systems[other], written[i])
                {
                    continue;
                }
                let name = if components {
                    tables.components[written[i]].name()
                } else {
                    tables.resources[written[i]].name()
                };
                Message::new()
                    .text("[E0032] the systems `")
                    .text(tables.systems[writer].name)
                    .text("` and `")
                    .text(tables.systems[other].name)
                    .text("` both access `")
                    .text(name)
                    .text("`, one of them writes it, and nothing orders them")
                    .raise();
            }
            w += 1;
        }
        i += 1;
    }
}

/// Whether no entity can be subscribed to both.
pub(super) const fn disjoint(a: &SystemSignature, b: &SystemSignature) -> bool {
    !a.required().is_disjoint(&b.excluded()) || !b.required().is_disjoint(&a.excluded())
}

pub(super) const fn reaches_own_only(system: &SystemSignature, component: usize) -> bool {
    !system.reaches_others() && !IndexSet::of(system.read_any).contains(component)
}
