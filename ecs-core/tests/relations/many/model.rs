//! Relations of many to many by plain maps.

use std::collections::{BTreeMap, BTreeSet};

use ecs_core::{Entity, Refused};

use super::Order;

/// The values of the links, by source and target.
pub(crate) type Links = BTreeMap<(Entity, Entity), u64>;

/// The links of the three relations, and parents.
#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) links: [Links; 3],
    pub(crate) parents: BTreeMap<Entity, Entity>,
    /// Whatever was despawned.
    pub(crate) dead: BTreeSet<Entity>,
    /// What the last step has refused.
    pub(crate) refused: [Vec<Refused>; 3],
}

impl Model {
    /// A step with these orders. `living` has all entities in the order of iteration.
    pub(crate) fn apply(&mut self, living: &[Entity], orders: &[Order]) {
        self.refused = Default::default();
        let mut asked = BTreeSet::new();
        let lives = |entity: &Entity| living.contains(entity);
        for order in orders {
            match *order {
                Order::Link(number, source, target, value) => {
                    let number = usize::from(number);
                    if !lives(&source) {
                        self.refused[number].push(Refused::DeadSource { source, target });
                    } else if lives(&target) {
                        self.links[number].insert((source, target), value);
                    } else {
                        self.refused[number].push(Refused::DeadTarget { source, target });
                    }
                }
                Order::Unlink(number, source, target) => {
                    self.links[usize::from(number)].remove(&(source, target));
                }
                Order::Adopt(child, parent) => {
                    self.parents.insert(child, parent);
                }
                Order::Despawn(entity) => drop(lives(&entity).then(|| asked.insert(entity))),
                Order::Tag(_) | Order::Untag(_) => {}
            }
        }
        self.despawn(living, asked);
    }

    /// What goes with the entities that are asked for: along `Needs`, and along parents.
    fn with_dependents(&self, asked: &BTreeSet<Entity>) -> BTreeSet<Entity> {
        let mut dead = asked.clone();
        loop {
            let sources = self.links[1].keys().map(|(source, target)| (*source, *target));
            let children = self.parents.iter().map(|(child, parent)| (*child, *parent));
            let more = sources.chain(children).filter(|(_, target)| dead.contains(target));
            let more: Vec<Entity> = more.map(|(source, _)| source).collect();
            let count = dead.len();
            dead.extend(more);
            if dead.len() == count {
                return dead;
            }
        }
    }

    fn despawn(&mut self, living: &[Entity], mut asked: BTreeSet<Entity>) {
        let position: BTreeMap<Entity, usize> =
            living.iter().enumerate().map(|(at, entity)| (*entity, at)).collect();
        loop {
            let dead = self.with_dependents(&asked);
            // What is held by something that stays, with the first such thing, in the order of iteration.
            let mut held: BTreeMap<usize, (Entity, Entity)> = BTreeMap::new();
            for (at, target) in living.iter().enumerate().filter(|(_, one)| dead.contains(one)) {
                let holds = |one: &&Entity| self.links[2].contains_key(&(**one, *target));
                let source = living.iter().filter(|one| !dead.contains(one)).find(holds);
                held.extend(source.map(|source| (at, (*target, *source))));
            }
            if held.is_empty() {
                for links in &mut self.links {
                    links.retain(|(source, target), _| {
                        !dead.contains(source) && !dead.contains(target)
                    });
                }
                self.parents
                    .retain(|child, parent| !dead.contains(child) && !dead.contains(parent));
                self.dead.extend(dead);
                return;
            }
            let mut refused = BTreeMap::new();
            for (entity, source) in held.into_values() {
                for &cause in &asked {
                    if self.with_dependents(&BTreeSet::from([cause])).contains(&entity) {
                        let refusal = Refused::DespawnTarget { entity: cause, source };
                        refused.entry(position[&cause]).or_insert(refusal);
                    }
                }
            }
            for refusal in refused.into_values() {
                let Refused::DespawnTarget { entity, .. } = refusal else {
                    unreachable!("see above")
                };
                asked.remove(&entity);
                self.refused[2].push(refusal);
            }
        }
    }
}
