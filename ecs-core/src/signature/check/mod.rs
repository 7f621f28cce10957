//! The validation of a declaration's tables, in `const` evaluation.
//!
//! It decides the soundness of parallel access: two systems that no path of
//! dependencies orders never access the same component or resource of the same entity unless both
//! only read. It reads the same tables that drive the accesses at run time, and nothing
//! else; `World::new` forces it.

pub(crate) mod ancestors;
pub(crate) mod influence;
pub(crate) mod message;
pub(crate) mod overrides;
pub(crate) mod queries;
pub(crate) mod residual;
pub(crate) mod unordered_updates;

use core::marker::PhantomData;

use ecs_rules::alone::{Beside, BesideParents, Contradiction, OneSubtask};
use ecs_rules::{System, alone, conflict, contains_any, order};

use crate::entity::EntityLimit;
use crate::signature::check::ancestors::{Ancestors, ancestors};
use crate::signature::check::message::Message;
use crate::signature::tables::{condition, states, streams, tracking};
use crate::signature::{Declaration, MAX_SYSTEMS, SystemSignature, Tables};
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
/// staged changes of an earlier one are applied, and the world denies that; if the condition of a system reads what an earlier
/// system of the same phase writes. The message begins with a
/// [code](crate::errors).
pub const fn check<D: Declaration>() {
    let () = Validation::<D>::PASSED;
}

/// The validation of `D`. The compiler evaluates it once, although the declaration and `World::new` both ask for it.
struct Validation<D>(PhantomData<D>);

impl<D: Declaration> Validation<D> {
    const PASSED: () = {
        check_tables(Tables::of::<D>());
        states::check::<D>();
    };
}

/// As [`check`](crate::signature::check()), for any tables.
pub(crate) const fn check_tables(tables: Tables<'_>) {
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
    check_ranges(tables);
    let contradictions = may_contradict(tables.systems);
    for_each!(s < tables.systems.len(), {
        check_system(tables, &tables.systems[s], s, contradictions.contains(s));
    });
    let ancestors = ancestors(tables.systems);
    streams::check(tables);
    check_conflicts(tables, &ancestors);
    tracking::check(tables, &ancestors);
    queries::check(tables, &ancestors);
    influence::check(tables, &ancestors);
    residual::check(tables, &ancestors);
    condition::check(tables);
    states::check_streams(tables);
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

/// Whether all elements of the lists are below the end. It is a macro, as it would be many calls.
macro_rules! in_range {
    ($system:ident.[$($list:ident)+], $end:expr) => {{
        let mut all = true;
        $(
            let mut list = $system.$list;
            while let [first, rest @ ..] = list {
                all &= *first < $end;
                list = rest;
            }
        )+
        all
    }};
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

/// Fails to evaluate if a system names an index that is out of range.
const fn check_ranges(tables: Tables<'_>) {
    let (components, systems) = (tables.components.len(), tables.systems.len());
    let resources = tables.resources.len();
    for_each!(s < systems, {
        let system = &tables.systems[s].declared;
        assert!(
            in_range!(system.[read write read_optional write_optional update accumulate read_any with without insert remove changed added removed], components),
            "[ECS0070] a component's index is out of range"
        );
        assert!(
            in_range!(system.[after inputs queries sees streams], systems),
            "[ECS0070] a system's index is out of range"
        );
        assert!(
            in_range!(system.[read_resources write_resources add emit on delayed link relations after_parent run_if], resources),
            "[ECS0070] a resource's index is out of range"
        );
    });
}

/// The systems of which [`alone::contradiction`] must be asked; most worlds have none. It may name too many systems, and
/// never too few. It is one loop over all lists, and makes few [calls](crate::signature).
const fn may_contradict(systems: &[SystemSignature]) -> IndexSet {
    // By component: one more than the last system that writes it.
    let mut writer = [0; MAX_COMPONENTS];
    let mut found = IndexSet::EMPTY;
    for_each!(s < systems.len(), {
        let System { write, write_optional, read, read_optional, read_any, .. } =
            &systems[s].declared;
        let System { update, accumulate, write_resources, add, emit, on, .. } =
            &systems[s].declared;
        let mut may = !matches!((update, accumulate, write_resources, add), ([], [], [], []));
        may |= !matches!((emit, on), ([], []));
        let System { link, relations, after_parent, .. } = &systems[s].declared;
        may |= !matches!((link, relations, after_parent), ([], [], []));
        let mut written = [*write, *write_optional, *read, *read_optional, *read_any];
        for_each!(list < written.len(), {
            while let [index, rest @ ..] = written[list] {
                may |= writer[*index] == s + 1;
                if list < 2 {
                    writer[*index] = s + 1;
                }
                written[list] = rest;
            }
        });
        if may {
            found.add(s);
        }
    });
    found
}

/// Validates a system by itself. Unless it `may_contradict` itself, the rule about its lists is not asked.
const fn check_system(
    tables: Tables<'_>,
    system: &SystemSignature,
    index: usize,
    may_contradict: bool,
) {
    let declared = &system.declared;
    if contains_any(&order::declared(declared), index) {
        fail("[ECS0030] the system `", system, "` depends on itself");
    }
    let begin = "[ECS0021] the system `";
    match if may_contradict { alone::contradiction(declared) } else { None } {
        Some(Contradiction::Accesses) => {
            fail(begin, system, "` both reads and writes a component, or writes it twice")
        }
        Some(Contradiction::Update) => {
            fail(begin, system, "` updates a component that it also reads, writes or inserts")
        }
        Some(Contradiction::Accumulate) => fail(
            begin,
            system,
            "` accumulates into a component that it also inserts, removes or updates",
        ),
        Some(Contradiction::Resource) => fail(
            begin,
            system,
            "` declares a resource in two of `read_resources`, `write_resources` and `add`, or an event or a relation in two keys",
        ),
        None => {}
    }
    if alone::reads_in_batches(declared) {
        fail("[ECS0124] the system `", system, "` receives a stream, and reads events or changes");
    }
    match alone::beside_parents(declared) {
        Some(BesideParents::Relation) => fail(
            "[ECS0162] the system `",
            system,
            "` goes along two relations\nhelp: make two systems of it",
        ),
        Some(_) => fail(
            "[ECS0162] the system `",
            system,
            "` goes to parents before their children, and declares `exclusive`, `sequential`, `slice_dependent`, `changed`, `added` or a stream, or is a query",
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
        Some(OneSubtask::Events) => fail(
            begin,
            system,
            "` has no entities, so its subtasks would share the events that it reads, and it reads others, too, or removed components\nhelp: declare `parallelism: none`, or a system for each of them",
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
        Some(Beside::Accumulate) => {
            "`accumulate`, but does everything at once\nhelp: list in `write` what it merges values into"
        }
        Some(Beside::Tracking) => {
            "`changed` or `added`, but its entities change while it runs\nhelp: ask in another system, which runs before it"
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

/// By component, whether its accessors are [`chained`].
type Chained = [bool; MAX_COMPONENTS];

/// By component, whether all systems that access it are a chain, each before the next one in the table: then they are
/// ordered, and none conflicts over it.
const fn chained(systems: &[SystemSignature], ancestors: &Ancestors) -> Chained {
    // One more than the last system that accesses the component.
    let mut last = [0; MAX_COMPONENTS];
    let mut chained = [true; MAX_COMPONENTS];
    for_each!(s < systems.len(), {
        let System { write, write_optional, read, read_optional, read_any, update, .. } =
            &systems[s].declared;
        let mut accessed = [*write, *write_optional, *read, *read_optional, *read_any, *update];
        for_each!(list < accessed.len(), {
            while let [index, rest @ ..] = accessed[list] {
                let before = last[*index];
                if before != 0 && before != s + 1 && chained[*index] {
                    chained[*index] = ancestors[s].contains(before - 1);
                }
                last[*index] = s + 1;
                accessed[list] = rest;
            }
        });
    });
    chained
}

/// Fails to evaluate if two unordered systems conflict by their own accesses.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn check_conflicts(tables: Tables<'_>, ancestors: &Ancestors) {
    assert!(
        tables.resources.len() <= MAX_COMPONENTS,
        "[ECS0018] a world has at most 1024 resources"
    );
    let chained = chained(tables.systems, ancestors);
    if tables.resources.is_empty() && !any_unchained(tables.systems, &chained) {
        return;
    }
    let mut accessors = [IndexSet::EMPTY; MAX_COMPONENTS];
    let mut resource_accessors = [IndexSet::EMPTY; MAX_COMPONENTS];
    for_each!(s < tables.systems.len(), {
        let system = &tables.systems[s].declared;
        // What an idle query reads, its users read (`queries`).
        if !system.is_idle() {
            note(&mut accessors, &system.accessing(), s);
            let (reads, emits) = ([system.read_resources, system.on], system.emit);
            let links = [system.relations, system.after_parent];
            let [a, b, c, d] = [reads[0], reads[1], links[0], links[1]];
            let lists = [a, b, c, d, system.write_resources, system.add, emits];
            note(&mut resource_accessors, &lists, s);
        }
    });
    for_each!(s < tables.systems.len(), {
        let system = &tables.systems[s].declared;
        check_writes(tables, &accessors, ancestors, system.write, s, Some(&chained));
        check_writes(tables, &accessors, ancestors, system.write_optional, s, Some(&chained));
        check_writes(tables, &resource_accessors, ancestors, system.write_resources, s, None);
        check_writes(tables, &resource_accessors, ancestors, system.add, s, None);
        check_writes(tables, &resource_accessors, ancestors, system.emit, s, None);
    });
}

/// Whether a system writes a component whose accessors are no chain.
const fn any_unchained(systems: &[SystemSignature], chained: &Chained) -> bool {
    for_each!(s < systems.len(), {
        let System { write, write_optional, .. } = &systems[s].declared;
        let mut written = [*write, *write_optional];
        for_each!(list < written.len(), {
            while let [index, rest @ ..] = written[list] {
                if !chained[*index] {
                    return true;
                }
                written[list] = rest;
            }
        });
    });
    false
}

/// Adds the system to the sets of the indices in the lists.
pub(crate) const fn note(sets: &mut [IndexSet], lists: &[&[usize]], system: usize) {
    let mut lists = lists;
    while let [first, others @ ..] = lists {
        let mut list = *first;
        while let [index, rest @ ..] = list {
            sets[*index].add(system);
            list = rest;
        }
        lists = others;
    }
}

/// Validates the writer beside each system that accesses what it writes: components if `chained` is given, else
/// resources.
const fn check_writes(
    tables: Tables<'_>,
    accessors: &[IndexSet; MAX_COMPONENTS],
    ancestors: &Ancestors,
    written: &[usize],
    writer: usize,
    chained: Option<&Chained>,
) {
    for_each!(i < written.len(), {
        let components = chained.is_some();
        if let Some(chained) = chained
            && chained[written[i]]
        {
            continue;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::check::residual::tests::for_declarations;

    /// What the short ways leave out is no fault by the long way, and they leave out something.
    #[test]
    fn the_short_ways_leave_out_no_fault() {
        use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        static LEFT_OUT: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        for_declarations(1500, |systems| {
            let ancestors = ancestors(systems);
            let chained = chained(systems, &ancestors);
            let may = may_contradict(systems);
            for (s, system) in systems.iter().enumerate() {
                if !may.contains(s) {
                    assert_eq!(alone::contradiction(&system.declared), None);
                    LEFT_OUT[0].fetch_add(1, Relaxed);
                }
                for other in 0..s {
                    for (c, &chained) in chained.iter().enumerate().take(8) {
                        let both =
                            [s, other].map(|s| contains_any(&systems[s].declared.accessing(), c));
                        if both == [true; 2] && chained {
                            assert!(order::are_ordered(&ancestors, s, other));
                            LEFT_OUT[1].fetch_add(1, Relaxed);
                        }
                    }
                }
            }
            let unchained = |s: &SystemSignature| {
                let written = [s.declared.write, s.declared.write_optional].concat();
                written.iter().any(|&c| !chained[c])
            };
            assert_eq!(any_unchained(systems, &chained), systems.iter().any(unchained));
        });
        for count in &LEFT_OUT {
            assert!(count.load(Relaxed) > 100, "{LEFT_OUT:?}");
        }
    }
}
