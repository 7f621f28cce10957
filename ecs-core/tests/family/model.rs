//! A step of the model, and the schedule that it follows.
//!
//! Each system is conc(*s*). Its invocations are in the order of entities, which is that of rows at the
//! beginning of the step. Where several of them change one component of one entity, the last one counts.
//!
//! *If a refresh comes before dependents*, a step is *s₁* ⨟ *s₂* ⨟ …, in the order of the systems: the
//! paper's own semantics.
//!
//! *If staged changes show after the step*, systems look at the state in that order and see the owned updates
//! of the systems before them, but nothing else. Then the staged changes are applied as one sequence: system
//! by system in the same order, and within a system by entities. Despawns come last.
//!
//! *If systems are sequential*, each is seq(*s*), the paper's roll. Its matches are those at the beginning of
//! the step, without those that had lost a required component when the system began (of a pair, either
//! entity); or those at the beginning of the system where a refresh comes before dependents. Each match is
//! looked up again when it is visited, and its effects are visible to the next one.
//!
//! *Despawned entities.* In the model, an entity that is given a component is live again. The engine ignores
//! an effect on a despawned entity. So writes to such an entity are left out.

use std::collections::BTreeSet;

use core_ecs_model::program::Spec;
use core_ecs_model::{Entity, Invocation, Label, Schedule, State, Write};

use crate::case::Case;
use crate::components::LABELS;
use crate::members::{MEMBERS, Way};
use crate::table::{Kind, NAMES};

/// The result of a step.
pub(crate) struct Step {
    /// The state at its end.
    pub(crate) end: State,
    /// The number of entities that it creates.
    pub(crate) spawned: usize,
    /// The systems that write anything, by their numbers.
    pub(crate) active: BTreeSet<usize>,
}

/// Runs a step from this state.
pub(crate) fn step(case: &Case, before: &State) -> Step {
    if MEMBERS[case.member].way != Way::Stages {
        rolled(case, before)
    } else if MEMBERS[case.member].refreshes {
        one_after_the_other(case, before)
    } else {
        staged_until_the_end(case, before)
    }
}

fn one_after_the_other(case: &Case, before: &State) -> Step {
    let mut step = Step { end: before.clone(), spawned: 0, active: BTreeSet::new() };
    for (system, spec) in case.in_order() {
        let alive = step.end.live();
        let schedule = Schedule::Conc(spec.system(NAMES[system], &LABELS));
        for invocation in schedule.produce(&step.end).invocations() {
            let writes = effective(invocation, |entity| alive.contains(&entity));
            step.count(system, invocation, &writes);
            step.end.write_all(&writes);
        }
    }
    step
}

fn rolled(case: &Case, before: &State) -> Step {
    let mut step = Step { end: before.clone(), spawned: 0, active: BTreeSet::new() };
    let systems = case.in_order();
    let matches = |number: usize, spec: &Spec, state: &State| -> Vec<Vec<Entity>> {
        spec.system(NAMES[number], &LABELS).matches(state).into_keys().collect()
    };
    let mut subscribed: Vec<_> =
        systems.iter().map(|(number, spec)| matches(*number, spec, before)).collect();
    for (position, (number, spec)) in systems.iter().enumerate() {
        let (number, system) = (*number, spec.system(NAMES[*number], &LABELS));
        let current = matches(number, spec, &step.end);
        if MEMBERS[case.member].refreshes {
            subscribed[position].clone_from(&current);
        } else {
            for (entities, (_, spec)) in subscribed.iter_mut().zip(&systems) {
                let has = |entity, labels: &[Label]| {
                    labels.iter().all(|label| step.end.get(*label, entity).is_some())
                };
                entities.retain(|found| {
                    let mut member = spec.members.iter().zip(found.get(1));
                    has(found[0], &spec.incl) && member.all(|(query, it)| has(*it, &query.incl))
                });
            }
        }
        // If no effect is on a despawned entity, this is exactly the paper's seq.
        let mut seq = (subscribed[position] == current)
            .then(|| Schedule::Seq(system.clone()).apply(&step.end));
        for entities in subscribed[position].clone() {
            let Some(found) = system.match_of(&step.end, &entities) else { continue };
            let mut next_fresh = step.end.next_fresh();
            let invocation = Invocation::new(&system, entities, found, &mut next_fresh);
            let writes = effective(&invocation, |entity| step.end.is_live(entity));
            if writes.len() < invocation.writes.len() {
                seq = None;
            }
            step.count(number, &invocation, &writes);
            step.end.write_all(&writes);
            step.end.reserve(next_fresh);
        }
        assert!(seq.is_none_or(|seq| seq.rows() == step.end.rows()), "seq({system:?})");
    }
    step
}

fn staged_until_the_end(case: &Case, before: &State) -> Step {
    let mut step = Step { end: before.clone(), spawned: 0, active: BTreeSet::new() };
    let mut staged = Vec::new();
    let alive = before.live();
    for (system, spec) in case.in_order() {
        let schedule = Schedule::Conc(spec.system(NAMES[system], &LABELS));
        let production = schedule.produce(&step.end);
        for invocation in production.invocations() {
            let writes = effective(invocation, |entity| alive.contains(&entity));
            step.count(system, invocation, &writes);
            match Kind::of(system) {
                Kind::Update => step.end.write_all(&writes),
                kind => staged.push((kind == Kind::Despawn, writes)),
            }
            if let Some(last) = invocation.fresh.last() {
                step.end.reserve(Entity(last.0 + 1));
            }
        }
    }
    // Stable: other writes keep their order.
    staged.sort_by_key(|(is_despawn, _)| *is_despawn);
    for (_, writes) in &staged {
        step.end.write_all(writes);
    }
    step
}

impl Step {
    fn count(&mut self, system: usize, invocation: &Invocation, writes: &[Write]) {
        self.spawned += invocation.fresh.len();
        if !writes.is_empty() {
            self.active.insert(system);
        }
    }
}

/// The writes that the engine does not ignore.
fn effective(invocation: &Invocation, is_alive: impl Fn(Entity) -> bool) -> Vec<Write> {
    let counts = |write: &&Write| {
        let (entity, _) = write.place();
        is_alive(entity) || invocation.fresh.contains(&entity)
    };
    invocation.writes.iter().filter(counts).copied().collect()
}
