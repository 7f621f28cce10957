//! The naive validation: the accesses of systems to entities of every archetype, pair by pair.

use ecs_core::signature::{Phases, StagedChanges};

use super::spec::{COMPONENT_COUNT, Form, Mask, Spec, has, members};

/// For each system, the systems that run before it, directly or not. It follows edges until nothing changes.
fn before(specs: &[Spec]) -> Vec<Vec<bool>> {
    let count = specs.len();
    let mut before = vec![vec![false; count]; count];
    for (system, spec) in specs.iter().enumerate() {
        for other in
            members(spec.after | spec.inputs | spec.queries | spec.sees).filter(|&s| s < count)
        {
            before[system][other] = true;
        }
    }
    for through in 0..count {
        for system in 0..count {
            for other in 0..count {
                before[system][other] |= before[system][through] && before[through][other];
            }
        }
    }
    before
}

/// Whether the system is subscribed to entities with exactly these components.
fn matches(spec: &Spec, entity: Mask) -> bool {
    let required = spec.read | spec.write | spec.with | spec.update;
    required & !entity == 0 && spec.without & entity == 0
}

/// Whether it excludes a component that it also names elsewhere.
fn contradicts_itself(spec: &Spec) -> bool {
    let optional = spec.read_optional | spec.write_optional;
    (spec.read | spec.write | spec.with | spec.update | optional) & spec.without != 0
}

/// Whether it is a query that is never executed. The systems that use it read its components instead.
fn is_idle(spec: &Spec) -> bool {
    spec.query && !spec.indexed
}

/// The components that the system may write of such an entity. With `anywhere`, filters do not restrict systems that
/// reach other entities.
fn writes(specs: &[Spec], spec: &Spec, entity: Mask, anywhere: bool) -> Mask {
    let all = spec.write | spec.write_optional;
    let reaches = anywhere && (spec.exclusive || spec.sequential);
    let own = if matches(spec, entity) || reaches { all } else { 0 };
    // It also writes members of its queries.
    let members = if spec.sequential { query_touches(specs, spec, entity) } else { 0 };
    if is_idle(spec) { 0 } else { (own | members & all) & entity }
}

/// The components that the system may read or write of such an entity, without queries.
fn own_touches(spec: &Spec, entity: Mask, anywhere: bool) -> Mask {
    if is_idle(spec) {
        return 0;
    }
    let reaches = anywhere && (spec.exclusive || spec.sequential);
    let all = spec.read | spec.read_optional | spec.update | spec.write | spec.write_optional;
    let own = if matches(spec, entity) || reaches { all } else { 0 };
    (own | spec.read_any) & entity
}

/// The components that the system may read of such an entity as a member of a query.
fn query_touches(specs: &[Spec], spec: &Spec, entity: Mask) -> Mask {
    let queries = members(spec.queries).map(|query| &specs[query]);
    let met = queries.filter(|query| matches(query, entity));
    met.fold(0, |all, query| all | query.read | query.read_optional) & entity
}

/// Whether one of two systems may write what the other one may touch, of the same entity or resource.
fn conflict(specs: &[Spec], one: &Spec, other: &Spec, anywhere: bool) -> bool {
    let resources = |a: &Spec, b: &Spec| {
        let accessed = b.read_resources | b.write_resources;
        (a.write_resources | a.add) & accessed != 0 && !is_idle(a) && !is_idle(b)
    };
    let entity = |a: &Spec, b: &Spec| {
        (0..1 << COMPONENT_COUNT).any(|entity: Mask| {
            let touched = own_touches(b, entity, anywhere) | query_touches(specs, b, entity);
            // A system that reaches other entities also writes to members of the other's query.
            writes(specs, a, entity, anywhere) & touched != 0
        })
    };
    // Filters are about own entities, so they do not restrict `read_any`.
    let any = |a: &Spec, b: &Spec| {
        anywhere && !is_idle(a) && !is_idle(b) && (a.write | a.write_optional) & b.read_any != 0
    };
    let both = |f: &dyn Fn(&Spec, &Spec) -> bool| f(one, other) || f(other, one);
    both(&resources)
        || both(&entity)
        || both(&any)
        || (anywhere && (reaches(one) || reaches(other)) && named(one, other))
}

/// The components that the system asks about.
fn asked(spec: &Spec) -> Mask {
    spec.changed | spec.added
}

/// Whether one of two systems may mark a component as changed that the other one marks or asks about, of any entity.
fn at_marks(specs: &[Spec], a: &Spec, b: &Spec) -> bool {
    let tracked = specs.iter().fold(0, |all, spec| all | asked(spec));
    let marks = |spec: &Spec| if is_idle(spec) { 0 } else { spec.write | spec.write_optional };
    let meets = |a: &Spec, b: &Spec| {
        let looks = if is_idle(b) { 0 } else { asked(b) };
        marks(a) & tracked & (marks(b) | looks) != 0
    };
    meets(a, b) || meets(b, a)
}

fn reaches(spec: &Spec) -> bool {
    (spec.exclusive || spec.sequential) && !is_idle(spec)
}

/// Whether one writes what the other one accesses, without regard to filters.
fn named(one: &Spec, other: &Spec) -> bool {
    let writes = |spec: &Spec| spec.write | spec.write_optional;
    let all =
        |spec: &Spec| spec.read | spec.read_optional | spec.update | spec.read_any | writes(spec);
    !is_idle(one)
        && !is_idle(other)
        && (writes(one) & all(other) != 0 || writes(other) & all(one) != 0)
}

fn is_single(spec: &Spec) -> bool {
    matches!(spec.form, Form::Single | Form::Hashed)
        || spec.exclusive
        || spec.sequential
        || spec.streams != 0
}

/// Returns an error if the accepted tables are unsound.
pub(super) fn sound(specs: &[Spec], staged: StagedChanges, phases: &Phases) -> Result<(), String> {
    for (index, spec) in specs.iter().enumerate() {
        alone(specs, spec).map_err(|fault| format!("S{index} {fault}"))?;
    }
    let before = before(specs);
    for one in 0..specs.len() {
        if before[one][one] {
            return Err(format!("S{one} waits for itself"));
        }
        for other in 0..specs.len() {
            if before[one][other] {
                ordered(specs, staged, phases, other, one)?;
            } else if other < one && !before[other][one] {
                unordered(specs, one, other)?;
            }
            if specs[one].sequential
                && one != other
                && !is_idle(&specs[other])
                && phases.phase(one) == phases.phase(other)
            {
                return Err(format!("S{other} runs in the phase of S{one}, which is sequential"));
            }
        }
        for producer in members(specs[one].streams) {
            if before[one][producer] || before[producer][one] {
                return Err(format!("the ends of a stream, S{producer} and S{one}, are ordered"));
            }
            if phases.phase(one) != phases.phase(producer) {
                return Err(format!("S{one} and S{producer} stream from phase to phase"));
            }
            let between = |s: usize| {
                (before[s][producer] && before[one][s]) || (before[s][one] && before[producer][s])
            };
            if let Some(middle) = (0..specs.len()).find(|&s| between(s)) {
                return Err(format!(
                    "S{middle} waits for one end of a stream, and the other for it"
                ));
            }
        }
    }
    Ok(())
}

/// Returns an error if one system is unsound.
fn alone(specs: &[Spec], spec: &Spec) -> Result<(), String> {
    let components = spec.read
        | spec.write
        | spec.read_optional
        | spec.write_optional
        | spec.read_any
        | spec.with
        | spec.without
        | spec.update
        | spec.insert
        | spec.remove
        | asked(spec);
    let systems = spec.after | spec.inputs | spec.queries | spec.streams | spec.sees;
    let resources = spec.read_resources | spec.write_resources | spec.add;
    let beyond = |mask: Mask, end: usize| members(mask).any(|number| number >= end);
    if beyond(components, COMPONENT_COUNT) || beyond(systems, specs.len()) || beyond(resources, 2) {
        return Err("names what is not there".into());
    }
    for component in 0..COMPONENT_COUNT {
        let lists = [spec.read, spec.write, spec.read_optional, spec.write_optional, spec.read_any];
        let count = lists.iter().filter(|&&list| has(list, component)).count();
        if count > 1 && has(spec.write | spec.write_optional, component) {
            return Err("has two ways to a component that it writes".into());
        }
    }
    if asked(spec) & !(spec.read | spec.write | spec.update) != 0 {
        return Err("asks about what it does not access".into());
    }
    if asked(spec) != 0 && spec.sequential {
        return Err("asks while its entities change".into());
    }
    let changed = spec.write_resources | spec.add;
    if spec.read_resources & changed != 0 || spec.write_resources & spec.add != 0 {
        return Err("has two ways to a resource that it changes".into());
    }
    if !is_single(spec) && spec.write_resources != 0 {
        return Err("writes a resource from several subtasks".into());
    }
    // With several subtasks, no subtask accesses what another one writes of an own entity.
    let mixed = (0..1 << COMPONENT_COUNT).any(|entity: Mask| {
        let elsewhere = (spec.read_any & entity) | query_touches(specs, spec, entity);
        writes(specs, spec, entity, false) & elsewhere != 0
    });
    if mixed && !spec.sequential {
        return Err("writes what it reads of others".into());
    }
    if (spec.exclusive || spec.sequential || spec.streams != 0)
        && !matches!(spec.form, Form::Single | Form::Hashed)
    {
        return Err("reaches others from several subtasks".into());
    }
    if spec.form == Form::Whole && !is_single(spec) && !spec.slice_dependent {
        return Err("outputs what does not concatenate".into());
    }
    if spec.form == Form::Hashed && !spec.unordered {
        return Err("outputs what has no order".into());
    }
    for query in members(spec.queries) {
        if !specs[query].query {
            return Err("uses what is no query".into());
        }
    }
    for producer in members(spec.streams) {
        let takers = specs.iter().filter(|other| has(other.streams, producer)).count();
        if specs[producer].form != Form::Sender || takers > 1 || spec.streams.count_ones() > 1 {
            return Err("takes a stream that is none, or not its own".into());
        }
    }
    Ok(())
}

/// Returns an error if two systems that may run at the same time are unsound.
fn unordered(specs: &[Spec], one: usize, other: usize) -> Result<(), String> {
    let (a, b) = (&specs[one], &specs[other]);
    if conflict(specs, a, b, false) {
        return Err(format!("S{one} and S{other} conflict, and nothing orders them"));
    }
    if at_marks(specs, a, b) {
        return Err(format!("S{one} and S{other} meet at marks, and nothing orders them"));
    }
    if staged_conflict(a, b) {
        return Err(format!("S{one} and S{other} stage changes whose order shows"));
    }
    Ok(())
}

/// Whether the order of the staged changes of two systems is observable.
fn staged_conflict(one: &Spec, other: &Spec) -> bool {
    if one.sequential || other.sequential {
        return false;
    }
    let changes = |spec: &Spec| spec.insert | spec.remove | spec.update;
    let conflicts = |a: &Spec, b: &Spec| {
        a.insert & changes(b) != 0 || (a.defer && (b.defer || changes(b) != 0))
    };
    conflicts(one, other) || conflicts(other, one)
}

/// Whether the one writes what the condition of the other one reads.
fn writes_for_condition(one: &Spec, other: &Spec) -> bool {
    (one.write_resources | one.add) & other.run_if != 0 && !is_idle(one)
}

/// Returns an error if two ordered systems are unsound.
fn ordered(
    specs: &[Spec],
    staged: StagedChanges,
    phases: &Phases,
    first: usize,
    second: usize,
) -> Result<(), String> {
    let (earlier, later) = (&specs[first], &specs[second]);
    if phases.phase(first) > phases.phase(second) {
        return Err(format!("S{first} runs after S{second}, which waits for it"));
    }
    if phases.phase(first) == phases.phase(second) && writes_for_condition(earlier, later) {
        return Err(format!("the condition of S{second} does not see what S{first} writes"));
    }
    let named = later.read
        | later.write
        | later.read_optional
        | later.write_optional
        | later.with
        | later.without
        | later.update;
    let has_entities = named != 0 || later.opt_in;
    let sees = (earlier.insert | earlier.remove) & (named | later.read_any) != 0
        || (earlier.despawn && (has_entities || later.read_any != 0))
        || (earlier.spawn && has_entities)
        || earlier.defer;
    let mut between = phases.phase(first) + 1..=phases.phase(second);
    let refreshed = between.any(|phase| phases.begins_with_refresh(phase));
    if has(later.sees, first) && !refreshed {
        return Err(format!("S{second} sees S{first}, and no refresh comes between them"));
    }
    if refreshed && staged != StagedChanges::RefreshBeforeDependents {
        let seer = specs.iter().any(|spec| spec.sees != 0);
        return if seer { Ok(()) } else { Err("a refresh that none asked for".into()) };
    }
    if !sees || earlier.sequential || refreshed {
        return Ok(());
    }
    match staged {
        StagedChanges::Deny => Err(format!("S{second} does not see what S{first} has staged")),
        StagedChanges::RefreshBeforeDependents => {
            Err(format!("no refresh comes between S{first} and S{second}"))
        }
        StagedChanges::AfterStep => Ok(()),
    }
}

/// Returns an error if a rejection is unjustified, for the codes about pairs of systems.
pub(super) fn justified(specs: &[Spec], message: &str) -> Result<(), String> {
    let before = before(specs);
    let count = specs.len();
    let pairs = || (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
    let apart = |&(one, other): &(usize, usize)| !before[one][other] && !before[other][one];
    let reason = match &message[..9] {
        "[ECS0031]" => (0..count).any(|system| before[system][system]),
        // Filters that contradict another list are not considered.
        "[ECS0032]" if specs.iter().any(contradicts_itself) => true,
        "[ECS0032]" => pairs()
            .filter(apart)
            .any(|(one, other)| conflict(specs, &specs[one], &specs[other], true)),
        "[ECS0152]" => {
            pairs().filter(apart).any(|(one, other)| at_marks(specs, &specs[one], &specs[other]))
        }
        "[ECS0151]" => {
            specs.iter().any(|spec| asked(spec) & !(spec.read | spec.write | spec.update) != 0)
        }
        // A system also waits for the other end of a stream of one that it waits for.
        "[ECS0131]" => (0..count).any(|one| {
            let waits = |other| before[one][other] || specs.iter().any(|spec| spec.streams != 0);
            (0..count).any(|other| waits(other) && writes_for_condition(&specs[other], &specs[one]))
        }),
        "[ECS0021]" | "[ECS0070]" | "[ECS0022]" => specs.iter().any(|spec| {
            let own = spec.read | spec.read_optional | spec.write | spec.write_optional;
            alone(specs, spec).is_err() || spec.update & (own | spec.insert) != 0
        }),
        _ => true,
    };
    if reason { Ok(()) } else { Err("there is no reason".into()) }
}
