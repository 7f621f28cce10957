//! Equality of states up to the names of fresh entities (definition 4.1 and its footnote).
//!
//! Entities are opaque, so two states that differ in names alone are indistinguishable. The entities that
//! existed before anything ran keep their names: these are below some `first_fresh`. All others may be
//! renamed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Entity, Label, State, Value};

/// A color for each entity: what distinguishes it without its name.
type Colors = BTreeMap<Entity, u64>;

/// Whether a renaming of the entities from `first_fresh` on turns `a` into `b`. Next fresh names are not
/// compared.
pub fn same(a: &State, b: &State, first_fresh: Entity) -> bool {
    let (from, to) = (colors(a, first_fresh), colors(b, first_fresh));
    let sorted = |colors: &Colors| {
        let mut colors: Vec<u64> = colors.values().copied().collect();
        colors.sort_unstable();
        colors
    };
    sorted(&from) == sorted(&to) && {
        let unnamed: Vec<Entity> = from.keys().copied().filter(|e| *e >= first_fresh).collect();
        search(a, b, &unnamed, (&from, &to), &mut BTreeMap::new())
    }
}

/// A number that is equal for states which are the [`same`], and rarely for others.
///
/// It is the same in each run of a program, but may differ between compilers.
pub fn fingerprint(state: &State, first_fresh: Entity) -> u64 {
    let mut colors: Vec<u64> = colors(state, first_fresh).into_values().collect();
    colors.sort_unstable();
    digest(&colors)
}

/// The state with these entities renamed; the others keep their names.
#[must_use]
pub fn renamed(state: &State, names: &BTreeMap<Entity, Entity>) -> State {
    let name = |entity: Entity| names.get(&entity).copied().unwrap_or(entity);
    let value = |value: Value| match value {
        Value::Entity(entity) => Value::Entity(name(entity)),
        other => other,
    };
    let rows = state.rows().into_iter().map(|(entity, row)| {
        (name(entity), row.into_iter().map(|(label, old)| (label, value(old))).collect::<Vec<_>>())
    });
    State::from_rows(rows.collect::<Vec<_>>())
}

/// Extends a renaming to the rest of `unnamed`, entity by entity, and tests whether it maps `a` to `b`.
fn search(
    a: &State,
    b: &State,
    unnamed: &[Entity],
    (from, to): (&Colors, &Colors),
    names: &mut BTreeMap<Entity, Entity>,
) -> bool {
    let Some((entity, rest)) = unnamed.split_first() else {
        return renamed(a, names).rows() == b.rows();
    };
    let taken: BTreeSet<Entity> = names.values().copied().collect();
    for (candidate, color) in to {
        if *color == from[entity] && !taken.contains(candidate) {
            names.insert(*entity, *candidate);
            if search(a, b, rest, (from, to), names) {
                return true;
            }
            names.remove(entity);
        }
    }
    false
}

/// Colors every entity that is live or mentioned: by its name if it is known; else by its components, by the
/// entities that they name and by those that name it. Repeats this while it distinguishes more entities.
fn colors(state: &State, first_fresh: Entity) -> Colors {
    let rows = state.rows();
    let mentioned = rows.values().flat_map(|row| row.values()).filter_map(|value| match value {
        Value::Entity(entity) => Some(*entity),
        _ => None,
    });
    let entities: BTreeSet<Entity> = rows.keys().copied().chain(mentioned).collect();
    let start = |&entity: &Entity| {
        (entity, digest(&if entity < first_fresh { Some(entity) } else { None }))
    };
    let mut colors: Colors = entities.iter().map(start).collect();
    let mut kinds = 0;
    loop {
        let refined = refine(&rows, &colors);
        let refined_kinds = refined.values().collect::<BTreeSet<_>>().len();
        if refined_kinds <= kinds {
            return colors;
        }
        (colors, kinds) = (refined, refined_kinds);
    }
}

/// One round of coloring.
fn refine(rows: &BTreeMap<Entity, BTreeMap<Label, Value>>, colors: &Colors) -> Colors {
    let mut named_by: BTreeMap<Entity, Vec<(Label, u64)>> = BTreeMap::new();
    for (entity, row) in rows {
        for (&label, value) in row {
            if let Value::Entity(other) = value {
                named_by.entry(*other).or_default().push((label, colors[entity]));
            }
        }
    }
    let color = |(&entity, &old): (&Entity, &u64)| {
        let row = rows.get(&entity).into_iter().flatten();
        let row: Vec<(Label, bool, u64)> = row
            .map(|(&label, value)| match value {
                Value::Entity(other) => (label, true, colors[other]),
                other => (label, false, digest(other)),
            })
            .collect();
        let mut names = named_by.get(&entity).cloned().unwrap_or_default();
        names.sort_unstable();
        (entity, digest(&(old, row, names)))
    };
    colors.iter().map(color).collect()
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, renamed, same};
    use crate::{Entity, Label, State, Value};
    use std::collections::BTreeMap;

    const NUMBER: Label = Label("Number");
    const NEXT: Label = Label("Next");

    /// Entities that name each other in cycles of these lengths, numbered from `first` on.
    fn circles(first: u64, lengths: &[u64]) -> State {
        let (mut rows, mut start) = (Vec::new(), first);
        for &length in lengths {
            rows.extend((0..length).map(|place| {
                let next = Entity(start + (place + 1) % length);
                (Entity(start + place), [(NEXT, Value::Entity(next))])
            }));
            start += length;
        }
        State::from_rows(rows)
    }

    #[test]
    fn names_of_fresh_entities_do_not_matter() {
        let state = |a, b| {
            let (a, b) = (Entity(a), Entity(b));
            State::from_rows([
                (Entity(0), vec![(NEXT, Value::Entity(a))]),
                (a, vec![(NUMBER, Value::Int(1)), (NEXT, Value::Entity(b))]),
                (b, vec![(NUMBER, Value::Int(2))]),
            ])
        };
        assert!(same(&state(1, 2), &state(9, 3), Entity(1)));
        assert_eq!(fingerprint(&state(1, 2), Entity(1)), fingerprint(&state(9, 3), Entity(1)));
        assert!(!same(&state(1, 2), &state(9, 3), Entity(2)));
        let names = BTreeMap::from([(Entity(1), Entity(9)), (Entity(2), Entity(3))]);
        assert_eq!(renamed(&state(1, 2), &names).rows(), state(9, 3).rows());
    }

    #[test]
    fn names_of_known_entities_matter() {
        let state = |entity| State::from_rows([(Entity(entity), [(NUMBER, Value::Int(1))])]);
        assert!(same(&state(3), &state(4), Entity(3)));
        assert!(!same(&state(3), &state(4), Entity(5)));
        assert_ne!(fingerprint(&state(3), Entity(5)), fingerprint(&state(4), Entity(5)));
    }

    #[test]
    fn values_that_differ_are_seen() {
        let state = |values: [i64; 3]| {
            let row = |(n, value)| (Entity(n), [(NUMBER, Value::Int(value))]);
            State::from_rows((5..).zip(values).map(row))
        };
        assert!(same(&state([1, 1, 2]), &state([2, 1, 1]), Entity(0)));
        assert!(!same(&state([1, 1, 2]), &state([2, 2, 1]), Entity(0)));
    }

    #[test]
    fn circles_of_different_lengths_are_told_apart_by_the_search() {
        // No coloring distinguishes these: each entity names one and is named by one.
        let (two, one) = (circles(0, &[3, 3]), circles(0, &[6]));
        assert_eq!(fingerprint(&two, Entity(0)), fingerprint(&one, Entity(0)));
        assert!(!same(&two, &one, Entity(0)));
        assert!(same(&two, &circles(10, &[3, 3]), Entity(0)));
        assert!(same(&circles(4, &[6]), &one, Entity(0)));
    }
}
