//! Relations: links by key.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ecs_core::{Entity, Refused};

use super::Model;
use crate::parts::{by_age, fold};
use crate::program::Bond;

/// The links of both relations, and what is staged.
#[derive(Clone, Default)]
pub(crate) struct Bonds {
    /// By child.
    pub(crate) parents: BTreeMap<u64, u64>,
    /// The values, by source and target.
    pub(crate) likes: BTreeMap<(u64, u64), u64>,
    /// Each with two entities and a value.
    staged: Vec<(Bond, u64, u64, u64)>,
    /// What the last step has refused.
    pub(crate) refused: [Vec<Refused>; 2],
    /// The entities that the act chooses from.
    pub(crate) handles: HashMap<u64, Entity>,
}

impl Bonds {
    pub(super) fn are_staged(&self) -> bool {
        !self.staged.is_empty()
    }

    /// Adds the children of these entities, and theirs; then ends the links of all.
    pub(super) fn despawn(&mut self, dead: &mut BTreeSet<u64>) {
        // Children are younger, but not in the order of keys below each other.
        loop {
            let more = self.parents.iter().filter(|(_, parent)| dead.contains(parent));
            let more: Vec<u64> = more.map(|(child, _)| *child).collect();
            let count = dead.len();
            dead.extend(more);
            if dead.len() == count {
                break;
            }
        }
        self.parents.retain(|child, _| !dead.contains(child));
        self.likes.retain(|(source, target), _| !dead.contains(source) && !dead.contains(target));
    }
}

impl Model {
    /// Stages a change of the links between two entities.
    pub(crate) fn bond(&mut self, bond: Bond, one: u64, other: u64, value: u64) {
        let is_valid = one != other || !matches!(bond, Bond::Link | Bond::Relink);
        if is_valid {
            self.bonds.staged.push((bond, one, other, value));
        }
    }

    pub(super) fn apply_bonds(&mut self) {
        for (bond, one, other, value) in std::mem::take(&mut self.bonds.staged) {
            let [parent, child] = by_age(one, other);
            let lives = [one, other].map(|key| self.is_alive(key));
            let [lives_child, lives_parent] = [child, parent].map(|key| self.is_alive(key));
            let Bonds { parents, likes, refused, handles, .. } = &mut self.bonds;
            let [(source, target), (of_child, of_parent)] =
                [(one, other), (child, parent)].map(|(a, b)| (handles[&a], handles[&b]));
            match bond {
                Bond::Insert => match lives {
                    [true, true] => drop(likes.insert((one, other), value)),
                    [true, false] => refused[1].push(Refused::DeadTarget { source, target }),
                    _ => refused[1].push(Refused::DeadSource { source, target }),
                },
                Bond::Remove => drop(likes.remove(&(one, other))),
                Bond::Unlink => drop(parents.remove(&child)),
                Bond::Link | Bond::Relink => {
                    let (child, parent, key) = (of_child, of_parent, child);
                    let of = by_age(one, other)[0];
                    match parents.get(&key) {
                        _ if !lives_child => refused[0].push(Refused::DeadChild { child, parent }),
                        _ if !lives_parent => {
                            refused[0].push(Refused::DeadParent { child, parent });
                        }
                        Some(&has) if has != of && bond == Bond::Link => {
                            let has = handles[&has];
                            refused[0].push(Refused::SecondParent { child, parent, has });
                        }
                        _ => drop(parents.insert(key, of)),
                    }
                }
            }
        }
    }

    /// What the system finds that reads the links of an entity.
    pub(super) fn linked(&mut self, key: u64) -> u64 {
        let is_alive = self.is_alive(key);
        let Self { bonds: Bonds { parents, likes, .. }, beings, .. } = self;
        let mut seen = u64::from(is_alive && parents.contains_key(&key));
        let children = parents.values().filter(|parent| is_alive && **parent == key);
        fold(&mut seen, children.count() as u64);
        if is_alive {
            let rows = || beings.values().map(|being| being.key);
            for value in rows().filter_map(|other| likes.get(&(key, other))) {
                fold(&mut seen, *value);
            }
            for value in rows().filter_map(|other| likes.get(&(other, key))) {
                fold(&mut seen, *value);
            }
        }
        seen
    }
}
