//! *Effects* of a system, and which other systems see them: *residual conflicts* (*The Essence of Entity Component
//! System*, 4.4), and immediate changes of a sequential system.
//!
//! A staged change is applied at the refresh. It comes too late for a system that runs before that, if it could make a
//! difference for the system:
//!
//! | effect | for systems that |
//! | --- | --- |
//! | `insert: [C]`, `remove: [C]` | name `C` in `read`, `write`, their optional forms, `read_any`, `with` or `without` |
//! | `accumulate: [C]` | as `insert: [C]` |
//! | `remove: [C]`, `despawn` | have `C`, or anything, in `removed` |
//! | `update: [C]` | read or write `C`, in any list |
//! | `spawn: [B]` | are subscribed to entities with exactly the components of `B`; if these are not known, to any entities |
//! | `despawn` | are subscribed to entities, or have a `read_any` |
//! | `defer` | are any, but for ends of stages, which do nothing |
//!
//! A *sequential* system changes entities at once, but subscribes no system to them. An entity that is despawned, or
//! loses what a system requires, is gone from the next phase on. Optional terms and `read_any` see a component that is
//! inserted or removed. Only new matches wait for the refresh:
//!
//! | effect at once | comes too late for systems that |
//! | --- | --- |
//! | `insert: [C]` | name `C` in `read`, `write`, `with` or `without` |
//! | `remove: [C]` | name `C` in `without` |
//! | `spawn: [B]` | as above |
//! | `despawn` | none |
//!
//! What is removed at once can be read by `removed` from the next phase on.
//!
//! A system that is not ordered with the sequential one runs before or after it. The declaration determines which, but
//! does not state it. So such a pair is refused if the order affects the result:
//!
//! | at once | beside a system that | |
//! | --- | --- | --- |
//! | `insert: [C]`, `remove: [C]` | names `C` in `read`, `write`, their optional forms, `read_any`, `with` or `without` | refused |
//! | `insert: [C]` | inserts or removes `C` at once | refused |
//! | `despawn` | is subscribed to entities, or has a `read_any` | refused |
//! | `remove: [C]`, `despawn` | has `C`, or anything, in `removed` | refused |
//! | `spawn` | anything | accepted, as for staged spawns |
//!
//! Writes are validated like those of any system. Beside *staged* changes, all immediate changes count as writes: they
//! come first, unless a refresh may come between.
//!
//! Filters of the despawning system do not say which entities it despawns: a handle may come from anywhere, such as a
//! component, a resource, an input, the system's own state, a closure that overrides it, or a `static`.

use crate::{IndexSet, System, contains};

/// What one system can change for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It inserts the component.
    Insert(usize),
    /// It removes the component.
    Remove(usize),
    /// It replaces the component.
    Update(usize),
    /// It merges values into the component, or inserts them.
    Accumulate(usize),
    /// It despawns entities.
    Despawn,
    /// It spawns entities.
    Spawn,
    /// It defers functions.
    Defer,
}

/// What `earlier` changes too late for `later`, of what `later` sees by itself, if anything.
#[must_use]
pub const fn first_late(earlier: &System<'_>, later: &System<'_>) -> Option<Effect> {
    let mut i = 0;
    while i < earlier.insert.len() {
        if is_late(earlier, Effect::Insert(earlier.insert[i]), later) {
            return Some(Effect::Insert(earlier.insert[i]));
        }
        i += 1;
    }
    let mut i = 0;
    while i < earlier.remove.len() {
        if is_late(earlier, Effect::Remove(earlier.remove[i]), later) {
            return Some(Effect::Remove(earlier.remove[i]));
        }
        i += 1;
    }
    let mut i = 0;
    while i < earlier.update.len() {
        if is_late(earlier, Effect::Update(earlier.update[i]), later) {
            return Some(Effect::Update(earlier.update[i]));
        }
        i += 1;
    }
    let mut i = 0;
    while i < earlier.accumulate.len() {
        if is_late(earlier, Effect::Accumulate(earlier.accumulate[i]), later) {
            return Some(Effect::Accumulate(earlier.accumulate[i]));
        }
        i += 1;
    }
    if earlier.despawn && is_late(earlier, Effect::Despawn, later) {
        return Some(Effect::Despawn);
    }
    if earlier.spawns() && is_late(earlier, Effect::Spawn, later) {
        return Some(Effect::Spawn);
    }
    if earlier.defer && is_late(earlier, Effect::Defer, later) { Some(Effect::Defer) } else { None }
}

/// Whether the effect of the earlier system comes too late for the later one, which sees it by itself.
#[must_use]
pub const fn is_late(earlier: &System<'_>, effect: Effect, later: &System<'_>) -> bool {
    match (effect, earlier.sequential) {
        (Effect::Insert(c), false) | (Effect::Accumulate(c), _) => later.names(c),
        (Effect::Remove(c), false) => later.names(c) || contains(later.removed, c),
        (Effect::Insert(c), true) => later.requires(c) || contains(later.without, c),
        (Effect::Remove(c), true) => contains(later.without, c),
        (Effect::Update(c), _) => later.accesses(c),
        (Effect::Despawn, at_once) => {
            !at_once && (later.sees_entities() || !later.removed.is_empty())
        }
        (Effect::Spawn, _) => sees_spawns(earlier, later),
        (Effect::Defer, _) => !later.stage,
    }
}

const fn sees_spawns(parent: &System<'_>, later: &System<'_>) -> bool {
    let mut i = 0;
    while i < parent.bundles.len() {
        let sees = match parent.bundles[i] {
            Some(components) => matches(later, components),
            None => later.has_entities(),
        };
        if sees {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the system is subscribed to an entity with exactly these components.
#[must_use]
pub const fn matches(system: &System<'_>, components: &[usize]) -> bool {
    let bundle = IndexSet::of(components);
    system.has_entities()
        && system.required().is_subset(&bundle)
        && system.excluded().is_disjoint(&bundle)
}

/// Whether `seer`, by itself, sees the immediate effect of a sequential system only if it runs later.
#[must_use]
pub const fn seen_now(effect: Effect, seer: &System<'_>) -> bool {
    match effect {
        Effect::Insert(c) => {
            seer.names(c)
                || seer.sequential && (contains(seer.insert, c) || contains(seer.remove, c))
        }
        // Two removals of one component commute.
        Effect::Remove(c) => {
            seer.names(c)
                || contains(seer.removed, c)
                || seer.sequential && contains(seer.insert, c)
        }
        Effect::Despawn => seer.sees_entities() || !seer.removed.is_empty(),
        Effect::Update(_) | Effect::Accumulate(_) | Effect::Spawn | Effect::Defer => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: System<'_> = System::BLANK;
    const READ: System<'_> = System { read: &[1], ..BLANK };
    const WRITE: System<'_> = System { write: &[1], ..BLANK };
    const WITH: System<'_> = System { with: &[1], ..BLANK };
    const WITHOUT: System<'_> = System { without: &[1], ..BLANK };
    const READ_ANY: System<'_> = System { read_any: &[1], ..BLANK };
    const OPTIONAL: [System<'_>; 2] =
        [System { read_optional: &[1], ..BLANK }, System { write_optional: &[1], ..BLANK }];
    const INSERT: System<'_> = System { insert: &[0, 1], ..BLANK };
    const REMOVE: System<'_> = System { remove: &[1], ..BLANK };
    const ACCUMULATE: System<'_> = System { accumulate: &[0, 1], ..BLANK };

    fn at_once<'a>(system: &System<'a>) -> System<'a> {
        System { sequential: true, ..*system }
    }

    #[test]
    fn a_change_of_a_component_is_for_those_that_name_it() {
        for later in [READ, WRITE, WITH, WITHOUT, READ_ANY].into_iter().chain(OPTIONAL) {
            assert_eq!(first_late(&INSERT, &later), Some(Effect::Insert(1)));
            assert_eq!(first_late(&REMOVE, &later), Some(Effect::Remove(1)));
            assert_eq!(first_late(&ACCUMULATE, &later), Some(Effect::Accumulate(1)));
        }
        // A system that changes the component without reading it sees nothing of the change.
        for later in [System { read: &[2], ..BLANK }, INSERT, REMOVE, BLANK] {
            assert_eq!((first_late(&INSERT, &later), first_late(&REMOVE, &later)), (None, None));
            assert_eq!(first_late(&ACCUMULATE, &later), None);
        }
    }

    #[test]
    fn a_removal_is_for_those_that_read_what_was_removed() {
        let reader = System { removed: &[1], ..BLANK };
        let despawn = System { despawn: true, ..BLANK };
        assert_eq!(first_late(&REMOVE, &reader), Some(Effect::Remove(1)));
        assert_eq!(first_late(&despawn, &reader), Some(Effect::Despawn));
        let other = System { removed: &[0], ..BLANK };
        assert_eq!(first_late(&REMOVE, &other), None);
        let update = System { update: &[1], ..BLANK };
        for effect in [INSERT, update, at_once(&REMOVE), at_once(&despawn)] {
            assert_eq!(first_late(&effect, &reader), None, "{effect:?}");
        }
        assert!(seen_now(Effect::Remove(1), &reader) && seen_now(Effect::Despawn, &reader));
        assert!(!seen_now(Effect::Remove(1), &other) && !seen_now(Effect::Insert(1), &reader));
    }

    #[test]
    fn an_update_is_for_those_that_read_the_component() {
        let update = System { update: &[0, 1], ..BLANK };
        for later in
            [READ, WRITE, READ_ANY, System { update: &[1], ..BLANK }].into_iter().chain(OPTIONAL)
        {
            assert_eq!(first_late(&update, &later), Some(Effect::Update(1)));
        }
        for later in [WITH, WITHOUT, INSERT, System { update: &[2], ..BLANK }] {
            assert_eq!(first_late(&update, &later), None, "presence does not change");
        }
    }

    #[test]
    fn a_spawn_is_for_those_that_would_be_subscribed() {
        let parent = System { bundles: &[Some(&[0, 1]), Some(&[2])], ..BLANK };
        let read = System { read: &[0], ..BLANK };
        for later in [System { with: &[1], ..read }, WITHOUT, System { opt_in: true, ..BLANK }]
            .into_iter()
            .chain(OPTIONAL)
        {
            assert_eq!(first_late(&parent, &later), Some(Effect::Spawn), "{later:?}");
        }
        let (without, with_another) =
            (System { without: &[1], ..read }, System { with: &[2], ..read });
        for later in [without, with_another, READ_ANY, BLANK] {
            assert_eq!(first_late(&parent, &later), None, "{later:?}");
        }
        let anything = System { bundles: &[Some(&[2]), None], ..BLANK };
        assert_eq!(first_late(&anything, &without), Some(Effect::Spawn));
        assert_eq!(first_late(&anything, &BLANK), None);
    }

    #[test]
    fn a_despawn_is_for_those_that_see_entities_whatever_the_filters() {
        for despawner in [
            System { despawn: true, ..BLANK },
            System { despawn: true, with: &[0], without: &[1], ..BLANK },
        ] {
            for later in [READ, WITHOUT, WITH, READ_ANY] {
                assert_eq!(first_late(&despawner, &later), Some(Effect::Despawn));
            }
            let resources = System { write_resources: &[0], ..BLANK };
            assert_eq!(first_late(&despawner, &resources), None, "it has no entities");
            assert_eq!(first_late(&at_once(&despawner), &READ), None, "they are gone");
        }
    }

    #[test]
    fn what_is_done_at_once_is_late_for_what_it_makes_a_match() {
        let (insert, remove) = (at_once(&INSERT), at_once(&REMOVE));
        for later in [READ, WRITE, WITH] {
            assert_eq!(first_late(&insert, &later), Some(Effect::Insert(1)));
            assert_eq!(first_late(&remove, &later), None, "what has lost it is let go");
        }
        assert_eq!(first_late(&insert, &WITHOUT), Some(Effect::Insert(1)));
        assert_eq!(first_late(&remove, &WITHOUT), Some(Effect::Remove(1)));
        for later in OPTIONAL.into_iter().chain([READ_ANY]) {
            assert_eq!((first_late(&insert, &later), first_late(&remove, &later)), (None, None));
        }
    }

    #[test]
    fn a_deferred_function_is_for_all() {
        let defer = System { defer: true, ..BLANK };
        assert_eq!(first_late(&defer, &BLANK), Some(Effect::Defer));
        assert_eq!(first_late(&defer, &System { stage: true, ..BLANK }), None, "it does nothing");
        assert_eq!(first_late(&BLANK, &READ), None);
    }

    #[test]
    fn a_change_at_once_is_seen_by_what_runs_later() {
        for seer in [READ, WRITE, WITH, WITHOUT, READ_ANY].into_iter().chain(OPTIONAL) {
            assert!(seen_now(Effect::Insert(1), &seer) && seen_now(Effect::Remove(1), &seer));
            assert!(seen_now(Effect::Despawn, &seer));
            assert!(!seen_now(Effect::Insert(0), &seer) && !seen_now(Effect::Spawn, &seer));
        }
        let (insert, remove) = (at_once(&INSERT), at_once(&REMOVE));
        assert!(seen_now(Effect::Insert(1), &insert) && seen_now(Effect::Insert(1), &remove));
        assert!(seen_now(Effect::Remove(1), &insert) && !seen_now(Effect::Remove(1), &remove));
        assert!(!seen_now(Effect::Insert(1), &INSERT), "staged changes come later");
        assert!(!seen_now(Effect::Despawn, &System { write_resources: &[1], ..BLANK }));
    }
}
