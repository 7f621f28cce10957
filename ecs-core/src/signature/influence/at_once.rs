//! Immediate changes of a sequential system, and the unordered systems that would see them or not.
//!
//! A sequential system has a phase to itself. A system that is not ordered with it runs before or after it. The
//! declaration determines which, but does not state it. So such a pair is refused if the order affects the result.
//!
//! | at once | beside a system that | |
//! | --- | --- | --- |
//! | `insert: [C]`, `remove: [C]` | names `C` in `read`, `write`, their optional forms, `read_any`, `with` or `without` | refused |
//! | `insert: [C]` | inserts or removes `C` at once | refused |
//! | `despawn` | is subscribed to entities, or has a `read_any` | refused |
//! | `spawn` | anything | accepted, as for staged spawns |
//!
//! Writes are validated like those of any system. Beside *staged* changes, all immediate changes count as
//! writes: they come first, unless a refresh may come between.

use super::super::bits::{SystemBits, WORDS, add, intersect, remove, unite};
use super::super::message::Message;
use super::super::system::any_sequential;
use super::super::{MAX_SYSTEMS, SystemSignature, Tables};
use super::unordered;
use crate::component::MAX_COMPONENTS;

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
pub(super) const fn check(tables: Tables<'_>, ancestors: &[SystemBits; MAX_SYSTEMS]) {
    let Some(sight) = first_sight(tables.systems, ancestors) else { return };
    let message = Message::new()
        .text("[E0037] the system `")
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
    ancestors: &[SystemBits; MAX_SYSTEMS],
) -> Option<Sight> {
    if !any_sequential(systems) {
        return None;
    }
    let seers = Seers::of(systems);
    let mut s = 0;
    while s < systems.len() {
        let system = &systems[s];
        if system.sequential {
            let lists = [system.insert, system.remove];
            let mut list = 0;
            while list < lists.len() {
                let mut i = 0;
                while i < lists[list].len() {
                    let component = lists[list][i];
                    let mut candidates = seers.changers[component];
                    if list == 1 {
                        // Two removals of one component commute.
                        intersect(&mut candidates, &seers.inserters[component]);
                    }
                    unite(&mut candidates, &seers.namers[component]);
                    remove(&mut candidates, &ancestors[s]);
                    if let Some(other) = unordered(&mut candidates, ancestors, s) {
                        return Some(Sight { sequential: s, other, component: Some(component) });
                    }
                    i += 1;
                }
                list += 1;
            }
            let mut candidates = seers.lookers;
            remove(&mut candidates, &ancestors[s]);
            if system.despawn
                && let Some(other) = unordered(&mut candidates, ancestors, s)
            {
                return Some(Sight { sequential: s, other, component: None });
            }
        }
        s += 1;
    }
    None
}

/// Which systems see which changes.
struct Seers {
    /// The systems that name the component.
    namers: [SystemBits; MAX_COMPONENTS],
    /// The systems that insert or remove it at once.
    changers: [SystemBits; MAX_COMPONENTS],
    /// The systems that insert it at once.
    inserters: [SystemBits; MAX_COMPONENTS],
    /// The systems that see which entities exist.
    lookers: SystemBits,
}

impl Seers {
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    const fn of(systems: &[SystemSignature]) -> Self {
        let mut this = Self {
            namers: [[0; WORDS]; MAX_COMPONENTS],
            changers: [[0; WORDS]; MAX_COMPONENTS],
            inserters: [[0; WORDS]; MAX_COMPONENTS],
            lookers: [0; WORDS],
        };
        let mut s = 0;
        while s < systems.len() {
            let system = &systems[s];
            // What an idle query sees, its users see.
            if !system.is_idle() {
                this.sees(system, s);
            }
            let mut query = 0;
            while query < system.queries.len() {
                this.sees(&systems[system.queries[query]], s);
                query += 1;
            }
            if system.sequential {
                note(&mut this.changers, system.insert, s);
                note(&mut this.changers, system.remove, s);
                note(&mut this.inserters, system.insert, s);
            }
            s += 1;
        }
        this
    }

    /// Records that the system at `index` sees what `seer` sees: `seer` is the system itself, or one of its queries.
    const fn sees(&mut self, seer: &SystemSignature, index: usize) {
        let named = [
            seer.read,
            seer.write,
            seer.update,
            seer.read_optional,
            seer.write_optional,
            seer.read_any,
            seer.with,
            seer.without,
        ];
        let mut list = 0;
        while list < named.len() {
            note(&mut self.namers, named[list], index);
            list += 1;
        }
        if seer.has_entities() || !seer.read_any.is_empty() {
            add(&mut self.lookers, index);
        }
    }
}

const fn note(
    by_component: &mut [SystemBits; MAX_COMPONENTS],
    components: &[usize],
    system: usize,
) {
    let mut i = 0;
    while i < components.len() {
        add(&mut by_component[components[i]], system);
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::ancestors::ancestors;
    use super::super::super::bits::has;
    use super::super::super::residual::tests::{BLANK, declarations, with_room};
    use super::*;
    use crate::component::IndexSet;

    /// Whether the second one sees the immediate changes of the first one: the rule.
    fn sees(one: &SystemSignature, other: &SystemSignature) -> bool {
        let meets = |a: IndexSet, b: IndexSet| !a.is_disjoint(&b);
        let lists = |system: &SystemSignature| {
            let lists = [system.insert, system.remove].map(IndexSet::of);
            if system.sequential { lists } else { [IndexSet::EMPTY; 2] }
        };
        let ([insert, remove], [inserted, removed]) = (lists(one), lists(other));
        let looks = other.has_entities() || !other.read_any.is_empty();
        meets(insert.union(remove), other.named())
            || meets(insert, inserted.union(removed))
            || meets(remove, inserted)
            || (one.sequential && one.despawn && looks)
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
                (at_once.spawn(), BLANK.read(&[1])),
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
        with_room(|| {
            let config =
                ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) };
            proptest!(config, |(systems in declarations())| {
                let order = ancestors(&systems);
                let ordered = |a: usize, b: usize| a == b || has(&order[a], b) || has(&order[b], a);
                let seen = |a: usize, b: usize| !ordered(a, b) && sees(&systems[a], &systems[b]);
                let expected = (0..systems.len())
                    .find(|&a| (0..systems.len()).any(|b| seen(a, b)));
                let found = first_sight(&systems, &order);
                prop_assert_eq!(found.map(|sight| sight.sequential), expected);
                if let Some(Sight { sequential, other, .. }) = found {
                    prop_assert!(seen(sequential, other));
                }
            });
        });
    }
}
