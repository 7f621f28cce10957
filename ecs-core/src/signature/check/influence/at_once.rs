//! Immediate changes of a sequential system, and the unordered systems that would see them or not.
//!
//! [`seen_now`] is the rule for a change and a system.

use ecs_rules::System;
use ecs_rules::effect::{Effect, seen_now};
use ecs_rules::timing::never_together;

use super::super::ancestors::Ancestors;
use super::super::message::Message;
use super::unordered;
use crate::signature::check::note;
use crate::signature::tables::system::any_sequential;
use crate::signature::{SystemSignature, Tables};
use crate::types::{IndexSet, MAX_COMPONENTS};

/// An immediate change, and an unordered system that would see it or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    /// The sequential system.
    pub(super) sequential: usize,
    pub(super) other: usize,
    /// The component that is inserted or removed; `None` if entities are despawned.
    pub(super) component: Option<usize>,
}

/// Fails to evaluate if a sequential system is not ordered with a system that sees its changes.
pub(super) const fn check(tables: Tables<'_>, ancestors: &Ancestors) {
    let Some(sight) = first_sight(tables.systems, ancestors) else { return };
    let message = Message::new()
        .text("[ECS0037] the system `")
        .text(tables.systems[sight.sequential].name)
        .text("` is sequential, and ");
    let message = match sight.component {
        Some(c) => message.text("changes at once who has `").text(tables.components[c].name()),
        None => message.text("despawns at once, by `despawn"),
    };
    message
        .text("`; nothing orders it with the system `")
        .text(tables.systems[sight.other].name)
        .text("`, which would see that or not\nhelp: order them")
        .raise();
}

/// The first pair.
pub(super) const fn first_sight(
    systems: &[SystemSignature],
    ancestors: &Ancestors,
) -> Option<Sight> {
    if !any_sequential(systems) {
        return None;
    }
    let seers = Seers::of(systems);
    for_each!(s < systems.len(), {
        let system = &systems[s].declared;
        if system.sequential {
            let lists = [system.insert, system.remove];
            for_each!(list < lists.len(), {
                for_each!(i < lists[list].len(), {
                    let component = lists[list][i];
                    let effect = if list == 0 {
                        Effect::Insert(component)
                    } else {
                        Effect::Remove(component)
                    };
                    let candidates = seers.by_component[component];
                    if let Some(other) = seer(systems, ancestors, s, effect, candidates) {
                        return Some(Sight { sequential: s, other, component: Some(component) });
                    }
                });
            });
            if system.despawn
                && let Some(other) = seer(systems, ancestors, s, Effect::Despawn, seers.of_entities)
            {
                return Some(Sight { sequential: s, other, component: None });
            }
        }
    });
    None
}

/// The lowest of the candidates that is not ordered with the system `s`, and sees its effect.
const fn seer(
    systems: &[SystemSignature],
    ancestors: &Ancestors,
    s: usize,
    effect: Effect,
    mut candidates: IndexSet,
) -> Option<usize> {
    while let Some(other) = unordered(&mut candidates, ancestors, s) {
        let system = &systems[other].declared;
        if never_together(&systems[s].declared, system) {
            continue;
        }
        // What an idle query sees, its users see.
        if !system.is_idle() && seen_now(effect, system) {
            return Some(other);
        }
        for_each!(query < system.queries.len(), {
            if seen_now(effect, &systems[system.queries[query]].declared) {
                return Some(other);
            }
        });
    }
    None
}

/// Which systems may see which changes, by themselves or through their queries.
struct Seers {
    /// The systems that name the component, or change it at once.
    by_component: [IndexSet; MAX_COMPONENTS],
    /// The systems that see which entities exist.
    of_entities: IndexSet,
}

impl Seers {
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    const fn of(systems: &[SystemSignature]) -> Self {
        let mut this =
            Self { by_component: [IndexSet::EMPTY; MAX_COMPONENTS], of_entities: IndexSet::EMPTY };
        for_each!(s < systems.len(), {
            let system = &systems[s].declared;
            this.add(system, s);
            for_each!(query < system.queries.len(), {
                this.add(&systems[system.queries[query]].declared, s);
            });
        });
        this
    }

    /// Records that the system at `index` may see what `seer` sees: `seer` is the system itself, or one of its queries.
    const fn add(&mut self, seer: &System<'_>, index: usize) {
        note(&mut self.by_component, &seer.naming(), index);
        if seer.sequential {
            note(&mut self.by_component, &[seer.insert, seer.remove], index);
        }
        if seer.sees_entities() {
            self.of_entities.add(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::check::ancestors::ancestors;
    use crate::signature::check::residual::tests::{BLANK, for_declarations, with_room};

    fn named(system: &SystemSignature) -> IndexSet {
        let any = IndexSet::of(system.declared.read_any);
        system.readable().union(system.required()).union(system.excluded()).union(any)
    }

    /// Whether the second one sees the immediate changes of the first one: the rule.
    fn sees(one: &SystemSignature, other: &SystemSignature) -> bool {
        let meets = |a: IndexSet, b: IndexSet| !a.is_disjoint(&b);
        let lists = |system: &SystemSignature| {
            let lists = [system.declared.insert, system.declared.remove].map(IndexSet::of);
            if system.declared.sequential { lists } else { [IndexSet::EMPTY; 2] }
        };
        let ([insert, remove], [inserted, removed]) = (lists(one), lists(other));
        let looks = other.has_entities() || !other.declared.read_any.is_empty();
        meets(insert.union(remove), named(other))
            || meets(insert, inserted.union(removed))
            || meets(remove, inserted)
            || (one.declared.sequential && one.declared.despawn && looks)
    }

    fn sight(systems: &[SystemSignature]) -> Option<(usize, usize, Option<usize>)> {
        let Sight { sequential, other, component } = first_sight(systems, &ancestors(systems))?;
        Some((sequential, other, component))
    }

    #[test]
    fn who_sees_what() {
        with_room(|| {
            let at_once = BLANK.sequential();
            for (one, other, component) in [
                (at_once.insert(&[1]), BLANK.with(&[1]), Some(1)),
                (at_once.remove(&[1]), BLANK.without(&[1]), Some(1)),
                (at_once.remove(&[1]), BLANK.read_optional(&[0, 1]), Some(1)),
                (at_once.insert(&[1]), BLANK.read_any(&[1]), Some(1)),
                (at_once.insert(&[1]), at_once.remove(&[1]), Some(1)),
                (at_once.remove(&[1]), at_once.insert(&[1]), Some(1)),
                (at_once.despawn(), BLANK.without(&[1]), None),
                (at_once.despawn(), BLANK.read_any(&[1]), None),
            ] {
                assert_eq!(sight(&[one, other]), Some((0, 1, component)), "{one:?} {other:?}");
                assert_eq!(sight(&[one, other.after(&[0])]), None);
                assert_eq!(sight(&[one.after(&[1]), other]), None);
            }
            for (one, other) in [
                (at_once.remove(&[1]), at_once.remove(&[1])),
                // Staged changes come later, in any order.
                (at_once.insert(&[1]), BLANK.insert(&[1])),
                (at_once.despawn(), BLANK.despawn().insert(&[1])),
                (at_once.spawn(&[None]), BLANK.read(&[1])),
                (BLANK.insert(&[1]).despawn(), BLANK.read(&[1])),
            ] {
                assert_eq!(sight(&[one, other]), None, "{one:?} {other:?}");
            }
            // Ordered with a query, but not with a system that uses it.
            let query = BLANK.with(&[1]);
            let (one, user) = (at_once.insert(&[1]).after(&[0]), BLANK.read(&[0]).queries(&[0]));
            assert_eq!(sight(&[query, one, user]), Some((1, 2, Some(1))));
            assert_eq!(sight(&[query, one, user.after(&[1])]), None);
            // An idle query is not executed. A system that uses it sees what it names, whichever of the two comes
            // first.
            let (query, one) = (BLANK.with(&[1]).query(), at_once.insert(&[1]));
            assert_eq!(sight(&[query, one]), None);
            assert_eq!(sight(&[query, one, user]), Some((1, 2, Some(1))));
            assert_eq!(sight(&[query, one, user.sequential().after(&[1])]), None);
        });
    }

    #[test]
    fn it_is_found_if_there_is_any() {
        for_declarations(500, |systems| {
            let order = ancestors(systems);
            let ordered =
                |a: usize, b: usize| a == b || order[a].contains(b) || order[b].contains(a);
            let seen = |a: usize, b: usize| !ordered(a, b) && sees(&systems[a], &systems[b]);
            let expected = (0..systems.len()).find(|&a| (0..systems.len()).any(|b| seen(a, b)));
            let found = first_sight(systems, &order);
            assert_eq!(found.map(|sight| sight.sequential), expected);
            if let Some(Sight { sequential, other, .. }) = found {
                assert!(seen(sequential, other));
            }
        });
    }
}
