//! Relations by plain maps.

use std::collections::{BTreeMap, BTreeSet};

use ecs_core::{Entity, Refused};

use super::Order;

type Parents = BTreeMap<Entity, Entity>;

/// The links of the three relations.
#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) parents: [Parents; 3],
    /// Whatever was despawned.
    pub(crate) dead: BTreeSet<Entity>,
    /// What the last step has refused.
    pub(crate) refused: [Vec<Refused>; 3],
}

/// The cycle on which the entity is, if it is on one.
fn cycle_of(parents: &Parents, entity: Entity) -> Option<BTreeSet<Entity>> {
    let mut cycle = BTreeSet::new();
    let mut at = entity;
    while cycle.insert(at) {
        at = *parents.get(&at)?;
    }
    (at == entity).then_some(cycle)
}

impl Model {
    pub(crate) fn parents_of(&self, entity: Entity) -> [Option<Entity>; 3] {
        [0, 1, 2].map(|number: usize| self.parents[number].get(&entity).copied())
    }

    /// A step with these orders, in which these entities are to be despawned. `living` has all entities in the order of
    /// iteration.
    pub(crate) fn apply(&mut self, living: &[Entity], orders: &[Order], despawned: &[Entity]) {
        let is_alive: BTreeSet<Entity> = living.iter().copied().collect();
        for number in 0..3 {
            self.refused[usize::from(number)].clear();
            self.links(number, orders, &is_alive);
        }
        self.despawn(
            living,
            despawned.iter().copied().filter(|one| is_alive.contains(one)).collect(),
        );
    }

    fn links(&mut self, number: u8, orders: &[Order], is_alive: &BTreeSet<Entity>) {
        let parents = &mut self.parents[usize::from(number)];
        let before = parents.clone();
        let mut last: BTreeMap<Entity, (usize, Entity)> = BTreeMap::new();
        let mut refused = BTreeMap::new();
        for (order, change) in orders.iter().enumerate() {
            match *change {
                Order::Link(relation, child, parent, again) if relation == number => {
                    let refusal = if !is_alive.contains(&child) {
                        Some(Refused::DeadChild { child, parent })
                    } else if !is_alive.contains(&parent) {
                        Some(Refused::DeadParent { child, parent })
                    } else if child == parent {
                        Some(Refused::Cycle { child, parent })
                    } else {
                        let other = parents.get(&child).filter(|has| **has != parent && !again);
                        other.map(|&has| Refused::SecondParent { child, parent, has })
                    };
                    if let Some(refusal) = refusal {
                        refused.insert(order, refusal);
                    } else {
                        parents.insert(child, parent);
                        last.insert(child, (order, parent));
                    }
                }
                Order::Unlink(relation, child) if relation == number => {
                    parents.remove(&child);
                }
                _ => {}
            }
        }
        loop {
            let changed = parents.keys().filter(|child| before.get(child) != parents.get(child));
            let cycles: BTreeSet<_> =
                changed.filter_map(|child| cycle_of(parents, *child)).collect();
            if cycles.is_empty() {
                break;
            }
            for cycle in cycles {
                let new = cycle.iter().filter(|child| before.get(child) != parents.get(child));
                let child = *new.max_by_key(|child| last[child].0).expect("a new link");
                let (order, parent) = last[&child];
                refused.insert(order, Refused::Cycle { child, parent });
                match before.get(&child) {
                    Some(&parent) => parents.insert(child, parent),
                    None => parents.remove(&child),
                };
            }
        }
        self.refused[usize::from(number)].extend(refused.into_values());
    }

    fn despawn(&mut self, living: &[Entity], mut asked: BTreeSet<Entity>) {
        let position: BTreeMap<Entity, usize> =
            living.iter().enumerate().map(|(at, entity)| (*entity, at)).collect();
        let [child_of, _, guards] = &self.parents;
        loop {
            let mut dead = asked.clone();
            loop {
                let more = child_of.iter().filter(|(_, parent)| dead.contains(parent));
                let more: Vec<Entity> = more.map(|(child, _)| *child).collect();
                let count = dead.len();
                dead.extend(more);
                if dead.len() == count {
                    break;
                }
            }
            // Those that lose a child that stays, with the first such child, in the order of iteration.
            let mut survivors: BTreeMap<usize, (Entity, Entity)> = BTreeMap::new();
            for child in living.iter().rev().filter(|child| !dead.contains(child)) {
                if let Some(parent) = guards.get(child).filter(|parent| dead.contains(parent)) {
                    survivors.insert(position[parent], (*parent, *child));
                }
            }
            if survivors.is_empty() {
                for parents in &mut self.parents {
                    parents.retain(|child, parent| !dead.contains(child) && !dead.contains(parent));
                }
                self.dead.extend(dead);
                return;
            }
            let mut refused = BTreeMap::new();
            for (entity, child) in survivors.into_values() {
                let mut cause = Some(entity);
                while let Some(one) = cause {
                    if asked.contains(&one) {
                        refused
                            .entry(position[&one])
                            .or_insert(Refused::Despawn { entity: one, child });
                    }
                    cause = child_of.get(&one).copied();
                }
            }
            for refusal in refused.into_values() {
                let Refused::Despawn { entity, .. } = refusal else { unreachable!("see above") };
                asked.remove(&entity);
                self.refused[2].push(refusal);
            }
        }
    }
}
