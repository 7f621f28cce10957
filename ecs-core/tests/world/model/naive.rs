//! The naive model: a map from rows to entities, and vectors of what is staged.

use std::collections::{BTreeMap, BTreeSet};

use ecs_core::Entity;

use super::declaration::{Color, Name, Position, SYSTEMS, Size, Tag, decide};
use super::rows::{Archetype, Rows};

/// The components of one entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) position: Option<Position>,
    pub(super) color: Option<Color>,
    pub(super) size: Option<Size>,
    pub(super) tag: Option<Tag>,
    pub(super) name: Option<Name>,
}

impl Parts {
    /// The mask of the components that are present.
    pub(super) fn mask(&self) -> Archetype {
        let Self { position, color, size, tag, name } = self;
        let all =
            [position.is_some(), color.is_some(), size.is_some(), tag.is_some(), name.is_some()];
        all.into_iter().rev().fold(0, |mask, is_there| mask << 1 | Archetype::from(is_there))
    }
}

/// One entity. Its handle is unknown until the world has created it.
#[derive(Clone, Debug)]
pub(super) struct Being {
    pub(super) entity: Option<Entity>,
    pub(super) parts: Parts,
}

/// A change that is staged until the refresh.
#[derive(Debug)]
enum Staged {
    /// With the position of its bundle.
    Spawn(usize, Parts),
    Change(usize, fn(&mut Parts, u64), u64),
    Despawn(usize),
    SpawnDespawned(Parts),
    Create(Parts),
    Reseed(u64),
}

/// The expected state of the world.
#[derive(Debug)]
pub(super) struct Naive {
    pub(super) limit: Option<usize>,
    /// Spawns since the last refresh that exceeded the limit.
    lost: usize,
    pub(super) beings: BTreeMap<usize, Being>,
    pub(super) seed: u64,
    /// The rows that each system is subscribed to.
    subscriptions: [Vec<usize>; SYSTEMS],
    /// The outputs of each system in its latest execution.
    pub(super) outputs: [Vec<Entity>; SYSTEMS],
    /// The staged changes of each system, by its number.
    staged: [Vec<Staged>; SYSTEMS],
    marked: BTreeSet<usize>,
    rows: Rows,
}

/// The systems that an execution from `Grow`, or from `Mark` and `Paint`, runs.
pub(super) const FROM_GROW: [usize; 4] = [5, 6, 7, 8];
pub(super) const FROM_MARK_AND_PAINT: [usize; 4] = [2, 3, 4, 7];

impl Naive {
    pub(super) fn new(limit: Option<usize>, by_archetype: bool) -> Self {
        Self {
            limit,
            lost: 0,
            beings: BTreeMap::new(),
            seed: 0,
            subscriptions: Default::default(),
            outputs: Default::default(),
            staged: Default::default(),
            marked: BTreeSet::new(),
            rows: Rows::new(by_archetype),
        }
    }

    /// The row of a live entity.
    pub(super) fn row(&self, entity: Entity) -> Option<usize> {
        self.beings.iter().find(|(_, being)| being.entity == Some(entity)).map(|(&row, _)| row)
    }

    /// The components of a live entity.
    pub(super) fn parts(&mut self, entity: Entity) -> Option<&mut Parts> {
        let row = self.row(entity)?;
        self.beings.get_mut(&row).map(|being| &mut being.parts)
    }

    /// Puts an entity into the lowest free row of its archetype, unless the limit is reached.
    pub(super) fn create(
        &mut self,
        archetype: Archetype,
        entity: Option<Entity>,
        parts: Parts,
    ) -> Option<usize> {
        let Some(row) = self.put(archetype, entity, parts, 0) else {
            self.lost += 1;
            return None;
        };
        self.rows.count_spawn(archetype, row);
        Some(row)
    }

    /// As `create`, with `despawned` despawned entities that still count towards the limit.
    fn put(
        &mut self,
        archetype: Archetype,
        entity: Option<Entity>,
        parts: Parts,
        despawned: usize,
    ) -> Option<usize> {
        if self.limit.is_some_and(|limit| self.beings.len() + despawned == limit) {
            return None;
        }
        let row = self.rows.free(archetype, &self.beings);
        self.beings.insert(row, Being { entity, parts });
        Some(row)
    }

    /// Marks a live entity for despawning.
    pub(super) fn mark(&mut self, entity: Entity) {
        let row = self.row(entity);
        self.marked.extend(row);
    }

    /// The entities that the system is subscribed to.
    pub(super) fn subscribed(&self, system: usize) -> Vec<Entity> {
        self.subscriptions[system].iter().map(|row| self.beings[row].entity.unwrap()).collect()
    }

    /// Executes the systems in order. A system is not shown entities from which the step has removed a
    /// component that the system requires.
    pub(super) fn execute(&mut self, systems: impl IntoIterator<Item = usize>) {
        for (system, subscription) in self.subscriptions.iter_mut().enumerate() {
            subscription.retain(|row| has_required(system, &self.beings[row].parts));
        }
        for system in systems {
            self.outputs[system] = self.subscribed(system);
            for row in self.subscriptions[system].clone() {
                self.process(system, row);
            }
        }
    }

    /// Applies what a system does to one entity.
    fn process(&mut self, system: usize, row: usize) {
        let Being { entity, parts } = self.beings.get_mut(&row).unwrap();
        let (entity, seed, staged) = (entity.unwrap(), self.seed, &mut self.staged[system]);
        let position = parts.position.map_or(0, |position| position.0);
        match system {
            0 => {
                let color = parts.color.map_or(0, |color| i64::from(color.0));
                parts.position = Some(Position(position + 1 + color));
            }
            1 if decide(seed, 1, entity, position as u64) % 12 < 2 => {
                staged.push(Staged::Despawn(row));
            }
            2 => {
                let chance = decide(seed, 2, entity, position as u64);
                match chance % 4 {
                    0 => staged.push(Staged::Change(row, |p, _| p.tag = Some(Tag), 0)),
                    1 => staged.push(Staged::Change(row, set_name, chance)),
                    _ => {}
                }
            }
            3 => match decide(seed, 3, entity, 0) % 4 {
                0 => staged.push(Staged::Change(row, |p, _| p.tag = None, 0)),
                1 => staged.push(Staged::Change(row, |p, _| p.color = None, 0)),
                2 => staged.push(Staged::Change(row, |p, _| p.size = None, 0)),
                _ => {}
            },
            4 => {
                let color = parts.color.unwrap().0;
                parts.color = Some(Color(color.wrapping_mul(31).wrapping_add(1)));
            }
            5 => {
                let more = parts.position.map_or(1, |position| position.0 as u64);
                parts.size = Some(Size(parts.size.unwrap().0.wrapping_add(more)));
            }
            6 => {
                let chance = decide(seed, 6, entity, parts.size.unwrap().0);
                let name = || Some(Name(chance.to_string()));
                let position = Some(Position(chance.cast_signed() >> 8));
                match chance % 12 {
                    0 => staged.push(Staged::Spawn(
                        0,
                        Parts { position, size: Some(Size(chance)), ..Parts::default() },
                    )),
                    1 => staged.push(Staged::Spawn(
                        1,
                        Parts { name: name(), tag: Some(Tag), ..Parts::default() },
                    )),
                    2 => staged.push(Staged::Spawn(2, Parts::default())),
                    _ => {}
                }
                if let Some(name) = &mut parts.name {
                    name.0.push('b');
                }
            }
            7 => {
                let length = parts.name.as_ref().unwrap().0.len();
                let chance = decide(seed, 7, entity, length as u64);
                match chance % 8 {
                    0 => staged.push(Staged::Despawn(row)),
                    1 => staged.push(Staged::Change(row, set_position, chance)),
                    2 => staged.push(Staged::Change(row, |p, _| p.name = None, 0)),
                    3 => staged.push(Staged::SpawnDespawned(Parts {
                        color: Some(Color(7)),
                        name: Some(Name("short-lived".to_owned())),
                        ..Parts::default()
                    })),
                    4 => staged.push(Staged::Change(row, add_to_name, 0)),
                    5 => staged.push(Staged::Create(Parts {
                        tag: Some(Tag),
                        size: Some(Size(chance)),
                        ..Parts::default()
                    })),
                    6 => staged.push(Staged::Reseed(chance)),
                    _ => {}
                }
            }
            8 => {
                let chance = decide(seed, 8, entity, parts.size.map_or(0, |size| size.0));
                match chance % 12 {
                    0 => staged.push(Staged::Spawn(
                        0,
                        Parts {
                            position: Some(Position(chance.cast_signed() >> 8)),
                            ..Parts::default()
                        },
                    )),
                    1 => {
                        let name = Some(Name(chance.to_string()));
                        staged.push(Staged::Spawn(1, Parts { name, ..Parts::default() }));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Drops what is staged.
    pub(super) fn discard(&mut self) {
        self.staged = Default::default();
        self.marked.clear();
        self.lost = 0;
    }

    /// Applies the staged changes, despawns the marked entities, and matches all entities anew. Returns the
    /// number of spawns that exceeded the limit.
    pub(super) fn refresh(&mut self) -> usize {
        let mut all = std::mem::take(&mut self.staged);
        for staged in &mut all {
            // Spawns are applied in the order of bundles, then of calls.
            staged.sort_by_key(|staged| match staged {
                Staged::Spawn(bundle, _) => *bundle,
                _ => usize::MAX,
            });
        }
        // No deferred function follows the last system.
        let [.., last] = &mut all;
        let late = std::mem::take(last);
        for staged in all.into_iter().flatten() {
            match staged {
                Staged::Spawn(_, parts) => {
                    self.create(parts.mask(), None, parts);
                }
                Staged::Change(row, change, value) => {
                    change(&mut self.beings.get_mut(&row).unwrap().parts, value);
                }
                Staged::Despawn(row) => self.marked.extend([row]),
                Staged::SpawnDespawned(parts) => {
                    let row = self.create(parts.mask(), None, parts);
                    self.marked.extend(row);
                }
                Staged::Create(parts) => drop(self.create(0, None, parts)),
                Staged::Reseed(value) => self.seed ^= value,
            }
        }
        let despawned = std::mem::take(&mut self.marked);
        for row in &despawned {
            self.beings.remove(row);
        }
        for staged in late {
            let Staged::Spawn(_, parts) = staged else { unreachable!("it only spawns") };
            self.lost +=
                usize::from(self.put(parts.mask(), None, parts, despawned.len()).is_none());
        }
        self.rows.sort_out(&mut self.beings, |being| being.parts.mask());
        self.rows.refill(&mut self.beings);
        self.rows.begin_step();
        for (system, subscription) in self.subscriptions.iter_mut().enumerate() {
            let members = self.beings.iter().filter(|(_, being)| matches(system, &being.parts));
            *subscription = members.map(|(&row, _)| row).collect();
        }
        std::mem::take(&mut self.lost)
    }
}

fn set_name(parts: &mut Parts, chance: u64) {
    parts.name = Some(Name(chance.to_string()));
}

fn set_position(parts: &mut Parts, chance: u64) {
    parts.position = Some(Position(chance.cast_signed() >> 8));
}

fn add_to_name(parts: &mut Parts, _: u64) {
    if let Some(name) = &mut parts.name {
        name.0.push('m');
    }
}

/// Whether the entity has what the system's signature requires.
fn has_required(system: usize, parts: &Parts) -> bool {
    match system {
        0..=2 => parts.position.is_some(),
        3 => parts.tag.is_some(),
        4 => parts.color.is_some(),
        5 | 6 => parts.size.is_some(),
        7 => parts.name.is_some(),
        _ => true,
    }
}

/// Whether the system's signature matches.
fn matches(system: usize, parts: &Parts) -> bool {
    let excluded = match system {
        1 | 2 | 8 => parts.tag.is_some(),
        3 => parts.name.is_some(),
        _ => false,
    };
    has_required(system, parts) && !excluded
}
