//! The validation of a declaration's tables, in `const` evaluation.
//!
//! It decides the soundness of parallel access: two systems that no path of
//! dependencies orders never access the same component or resource of the same entity unless both
//! only read. It reads the same tables that drive the accesses at run time, and nothing
//! else; `World::new` forces it.

use core::marker::PhantomData;

use ecs_rules::alone::{Beside, Contradiction, OneSubtask};
use ecs_rules::{System, alone, conflict, contains_any, order};

use super::ancestors::{Ancestors, ancestors};
use super::message::Message;
use super::{Declaration, MAX_SYSTEMS, SystemSignature, Tables};
use super::{influence, queries, residual, streams};
use crate::entity::EntityLimit;
use crate::storage;
use crate::types::{Component, IndexSet, MAX_COMPONENTS};

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
    Validation::<D>::PASSED
}

/// The validation of `D`. The compiler evaluates it once, although the declaration and `World::new` both ask for it.
struct Validation<D>(PhantomData<D>);

impl<D: Declaration> Validation<D> {
    const PASSED: () = check_tables(Tables::of::<D>());
}

/// As [`check`](super::check()), for any tables.
pub(super) const fn check_tables(tables: Tables<'_>) {
    assert!(
        tables.components.len() <= MAX_COMPONENTS,
        "[ECS0018] a world has at most 1024 components"
    );
    assert!(tables.systems.len() <= MAX_SYSTEMS, "[ECS0018] a world has at most 1024 systems");
    for_each!(c < tables.components.len(), {
        if let Some(buffer) = tables.components[c].buffer() {
            assert!(
                buffer < tables.components.len(),
                "[ECS0070] a buffer's number is out of range"
            );
        }
        component(tables, c);
    });
    check_buffers(tables, storage::PAGE_ROWS);
    for_each!(s < tables.systems.len(), {
        check_system(tables, &tables.systems[s], s);
    });
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
            assert!(rows > 0, "[ECS0017] a world with a fixed limit of 0 entities has no room");
            rows
        }
        None => L::INITIAL,
    };
    assert!(
        rows <= most && L::INITIAL <= most,
        "[ECS0017] an entity limit must be at most 2147483647"
    );
    if L::FIXED.is_some() {
        assert!(
            !L::BY_ARCHETYPE,
            "[ECS0029] rows cannot lie by archetype under a fixed limit: let `FIXED` be `None`, or leave `BY_ARCHETYPE` out"
        );
        check_buffers(Tables::of::<D>(), rows);
    }
}

const fn in_range(lists: &[&[usize]], end: usize) -> bool {
    for_each!(list < lists.len(), {
        for_each!(i < lists[list].len(), {
            if lists[list][i] >= end {
                return false;
            }
        });
    });
    true
}

/// Fails to evaluate if a number of a declaration is out of range. `world!` evaluates it at the number, if that is not a
/// literal.
///
/// # Panics
/// Then, with ECS0017.
#[doc(hidden)]
#[track_caller]
pub const fn check_count<const N: usize>(what: &str) {
    if N == 0 || N > (1 << 31) - 1 {
        Message::new()
            .text("[ECS0017] ")
            .text(what)
            .text(" must be at least 1 and at most 2147483647\nhelp: write `")
            .text(if N == 0 { "1" } else { "2147483647" })
            .text("`")
            .raise();
    }
}

/// Compiles if a `C` can be a component. `set!` calls it, as no declaration has the component yet.
#[doc(hidden)]
pub const fn check_type<C: Component>() {}

/// Fails to evaluate if the component at `index` is by itself too large for its storage. Part of
/// [`check`]; `world!` evaluates it at the component's own token.
///
/// # Panics
/// Then, with ECS0077 or ECS0079.
pub const fn check_component<D: Declaration>(index: usize) {
    component(Tables::of::<D>(), index);
}

const fn component(tables: Tables<'_>, index: usize) {
    let component = &tables.components[index];
    if component.is_empty() && component.info().size() > 0 {
        Message::new()
            .text("[ECS0079] `")
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
        .text("[ECS0077] the buffer that holds `")
        .text(component)
        .text("` is larger than the address space\nhelp: put what is large behind a `Box`")
        .raise();
}

const fn check_range(tables: Tables<'_>, s: &System<'_>) {
    let (components, systems) = (tables.components.len(), tables.systems.len());
    assert!(
        in_range(&s.naming(), components) && in_range(&[s.insert, s.remove], components),
        "[ECS0070] a component's index is out of range"
    );
    assert!(
        in_range(&order::declared(s), systems) && in_range(&[s.streams], systems),
        "[ECS0070] a system's index is out of range"
    );
    assert!(
        in_range(&[s.read_resources, s.write_resources, s.add], tables.resources.len()),
        "[ECS0070] a resource's index is out of range"
    );
}

const fn check_system(tables: Tables<'_>, system: &SystemSignature, index: usize) {
    let declared = &system.declared;
    check_range(tables, declared);
    if contains_any(&order::declared(declared), index) {
        fail("[ECS0030] the system `", system, "` depends on itself");
    }
    let begin = "[ECS0021] the system `";
    match alone::contradiction(declared) {
        Some(Contradiction::Accesses) => {
            fail(begin, system, "` both reads and writes a component, or writes it twice")
        }
        Some(Contradiction::Update) => {
            fail(begin, system, "` updates a component that it also reads, writes or inserts")
        }
        Some(Contradiction::Resource) => fail(
            begin,
            system,
            "` declares a resource in two of `read_resources`, `write_resources` and `add`",
        ),
        None => {}
    }
    let begin = "[ECS0023] the system `";
    match alone::several_subtasks(declared) {
        Some(OneSubtask::Exclusive) => Message::new()
            .text(begin)
            .text(system.name)
            .text(if declared.sequential { "` is sequential" } else { "` is exclusive" })
            .text(", so it reaches any entity, and its subtasks could meet at one (Core ECS, corollary 4.9)\nhelp: one subtask: declare `parallelism: none`")
            .raise(),
        Some(OneSubtask::Consumer) => fail(
            begin,
            system,
            "` takes a stream, so it is one subtask\nhelp: declare `parallelism: none`",
        ),
        Some(OneSubtask::Resource) => fail(
            "[ECS0022] the system `",
            system,
            "` writes a resource, so it must declare `parallelism: none`",
        ),
        None => {}
    }
    let beside = match alone::beside_sequential(declared) {
        Some(Beside::Defer) => {
            "`defer`, but does everything at once\nhelp: remove `defer`, or `sequential`"
        }
        Some(Beside::Update) => {
            "`update`, but does everything at once\nhelp: list in `write` what it updates"
        }
        Some(Beside::Streams) => {
            "`streams`, but runs alone\nhelp: let the other end output a `Vec`, and declare `inputs`"
        }
        Some(Beside::Output) => "an output that is a stream, but runs alone\nhelp: output a `Vec`",
        None => return output(tables, index),
    };
    Message::new()
        .text("[ECS0027] the system `")
        .text(system.name)
        .text("` is sequential and declares ")
        .text(beside)
        .raise();
}

const fn fail(begin: &str, system: &SystemSignature, end: &str) -> ! {
    Message::new().text(begin).text(system.name).text(end).raise();
}

/// Fails to evaluate if the system at `index` has outputs that cannot be merged, or that have no order. Part of
/// [`check`]; `world!` evaluates it at the output's own token.
///
/// # Panics
/// Then, with ECS0071 or ECS0089.
pub const fn check_output<D: Declaration>(index: usize) {
    output(Tables::of::<D>(), index);
}

const fn output(tables: Tables<'_>, index: usize) {
    let s = &tables.systems[index];
    let declared = &s.declared;
    if !declared.output_concatenates && !s.is_single_subtask() && !declared.slice_dependent {
        Message::new()
            .text("[ECS0071] the outputs of the system `")
            .text(s.name)
            .text("` cannot be concatenated, and it has several subtasks\nhelp: output a `Vec`, or declare `parallelism: none` or `slice_dependent`")
            .raise();
    }
    if !declared.output_is_ordered && !declared.unordered {
        Message::new()
            .text("[ECS0089] the output of the system `")
            .text(s.name)
            .text("` has no order: its readers would see another one in each run\nhelp: output a `BTreeMap`, a `BTreeSet` or a `Vec`, or declare `unordered`")
            .raise();
    }
}

/// Fails to evaluate if two unordered systems conflict by their own accesses.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn check_conflicts(tables: Tables<'_>, ancestors: &Ancestors) {
    let mut accessors = [IndexSet::EMPTY; MAX_COMPONENTS];
    let mut resource_accessors = [IndexSet::EMPTY; MAX_COMPONENTS];
    assert!(
        tables.resources.len() <= MAX_COMPONENTS,
        "[ECS0018] a world has at most 1024 resources"
    );
    for_each!(s < tables.systems.len(), {
        let system = &tables.systems[s].declared;
        // What an idle query reads, its users read (`queries`).
        if !system.is_idle() {
            note(&mut accessors, &system.accessing(), s);
            let lists = [system.read_resources, system.write_resources, system.add];
            note(&mut resource_accessors, &lists, s);
        }
    });
    for_each!(s < tables.systems.len(), {
        let system = &tables.systems[s].declared;
        check_writes(tables, &accessors, ancestors, system.write, s, true);
        check_writes(tables, &accessors, ancestors, system.write_optional, s, true);
        check_writes(tables, &resource_accessors, ancestors, system.write_resources, s, false);
        check_writes(tables, &resource_accessors, ancestors, system.add, s, false);
    });
}

/// Adds the system to the sets of the indices in the lists.
pub(super) const fn note(sets: &mut [IndexSet], lists: &[&[usize]], system: usize) {
    for_each!(list < lists.len(), {
        for_each!(i < lists[list].len(), {
            sets[lists[list][i]].add(system);
        });
    });
}

/// Validates the writer beside each system that accesses what it writes.
const fn check_writes(
    tables: Tables<'_>,
    accessors: &[IndexSet; MAX_COMPONENTS],
    ancestors: &Ancestors,
    written: &[usize],
    writer: usize,
    components: bool,
) {
    for_each!(i < written.len(), {
        let mut candidates = accessors[written[i]];
        candidates.subtract(&ancestors[writer]);
        while let Some(other) = candidates.pop() {
            let (a, b) = (&tables.systems[writer].declared, &tables.systems[other].declared);
            let name = if other == writer || ancestors[other].contains(writer) {
                continue;
            } else if components && conflict::over_component(a, b, written[i]) {
                tables.components[written[i]].name()
            } else if !components && conflict::over_resource(a, b, written[i]) {
                tables.resources[written[i]].name()
            } else {
                continue;
            };
            Message::new()
                .text("[ECS0032] the systems `")
                .text(tables.systems[writer].name)
                .text("` and `")
                .text(tables.systems[other].name)
                .text("` both access `")
                .text(name)
                .text("`, one of them writes it, and nothing orders them")
                .raise();
        }
    });
}
