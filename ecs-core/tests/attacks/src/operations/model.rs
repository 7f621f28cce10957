//! The naive model of a world: maps and lists, one entity after the other.

use std::collections::{BTreeMap, BTreeSet};

use ecs_core::Entity;

use super::systems::{
    ALONE, BREED, CHANGE, FILTERS, GROW, LOWER, MEDDLE, RAISE, REAP, SEND, SYSTEMS, WATCH, bundle,
    matches,
};
use crate::arena::number::{COLUMN, LEFT, MAPPED, NAME, RIGHT, SPARSE, TAG};
use crate::arena::{Act, Answer, BUNDLES, Given, MANY, Op, Orders, Parts, Playing, Run, trace};
use crate::random::mix;

/// A staged change.
#[derive(Clone, Debug)]
enum Staged {
    Insert(Entity, usize, u64),
    Remove(Entity, usize),
    Replace(Entity, usize, u64),
    Add(Entity, usize, u64),
    Despawn(Entity),
    Spawn(Parts),
}

/// The expected state of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) beings: BTreeMap<Entity, Parts>,
    /// Entities that were spawned at the last refresh and whose handles are not yet known.
    spawned: Vec<Parts>,
    /// The entities of each system, in the order of rows.
    members: [Vec<Entity>; SYSTEMS],
    watched: BTreeSet<Entity>,
    requests: BTreeMap<Entity, bool>,
    staged: [Vec<Staged>; SYSTEMS],
    /// The entities that are despawned at the refresh.
    marked: BTreeSet<Entity>,
    /// The number of entities that were despawned immediately since the last refresh.
    gone: usize,
    limit: Option<usize>,
}

impl Model {
    /// Without entities.
    pub(crate) fn new(limit: Option<usize>) -> Self {
        Self { limit, ..Self::default() }
    }

    fn lives(&self, entity: Entity) -> bool {
        self.beings.contains_key(&entity)
    }

    /// The number of counted values.
    pub(crate) fn tracked(&self) -> usize {
        let tracked = |parts: &Parts| parts[COLUMN..TAG].iter().flatten().count();
        self.beings.values().map(tracked).sum()
    }

    /// Executes an operation and compares its result with that of the world. The handles of spawned entities are taken
    /// from the world's result. `before` is the state of the program before the operation.
    pub(crate) fn act(&mut self, op: &Op, answer: &Answer, before: &Playing, orders: &Orders) {
        let expected = match *op {
            Op::Spawn { bundle, value } => self.spawn(bundle, value, before.serial, answer, 1),
            Op::Batch { bundle, value, count } => {
                let full = self.limit.is_none() && self.beings.len() > MANY;
                let count = if full { 0 } else { count };
                self.spawn(bundle, value, before.serial, answer, count)
            }
            Op::Despawn(at) => before.handle(at).map_or(Answer::Count(0), |entity| {
                let lives = self.lives(entity);
                self.marked.extend(lives.then_some(entity));
                Answer::Had(lives, None)
            }),
            Op::Add { at, which, value } => self.change(before.handle(at), which, |part| {
                part.replace(if which == TAG { 1 } else { value })
            }),
            Op::Remove { at, which } => self.change(before.handle(at), which, Option::take),
            Op::AddBatch { at, count, which, value } => {
                let value = if which == TAG { 1 } else { value };
                let all = before.range(at, count);
                Answer::Count(
                    all.iter().filter(|&&e| self.set(e, which, Some(value)).is_some()).count(),
                )
            }
            Op::RemoveBatch { at, count, which } => {
                let all = before.range(at, count);
                let had = |&&e: &&Entity| self.set(e, which, None).is_some_and(|had| had.is_some());
                Answer::Count(all.iter().filter(had).count())
            }
            Op::Write { at, which, value } => self.change(before.handle(at), which, |part| {
                let had = *part;
                *part = had.map(|had| if which == TAG { had } else { value });
                had
            }),
            Op::Watch { at, watched } => before.handle(at).map_or(Answer::Count(0), |entity| {
                let lives = self.lives(entity);
                self.requests.extend(lives.then_some((entity, watched)));
                Answer::Had(lives, None)
            }),
            Op::Execute { run, .. } => Answer::Ran(self.execute(run, orders)),
        };
        assert_eq!(*answer, expected, "of {op:?}");
    }

    fn spawn(
        &mut self,
        which: usize,
        value: u64,
        serial: u64,
        answer: &Answer,
        count: usize,
    ) -> Answer {
        let fits = self.limit.is_none_or(|limit| self.beings.len() + self.gone + count <= limit);
        let Answer::Spawned(Some(spawned)) = answer else {
            return Answer::Spawned(fits.then(Vec::new));
        };
        assert_eq!((spawned.len(), fits), (count, true));
        for (&entity, number) in spawned.iter().zip(serial + 1..) {
            let mut parts = Parts::default();
            for &component in BUNDLES[which] {
                parts[component] = Some(match component {
                    NAME => mix(number),
                    TAG => 1,
                    _ => value,
                });
            }
            assert!(self.beings.insert(entity, parts).is_none(), "{entity:?} is spawned twice");
        }
        Answer::Spawned(Some(spawned.clone()))
    }

    /// Sets a part, and returns the previous one; `None` if the entity is despawned.
    #[expect(clippy::option_option, reason = "the outer one says whether the entity lives")]
    fn set(&mut self, entity: Entity, which: usize, part: Option<u64>) -> Option<Option<u64>> {
        let parts = self.beings.get_mut(&entity)?;
        Some(std::mem::replace(&mut parts[which], part))
    }

    fn change(
        &mut self,
        entity: Option<Entity>,
        which: usize,
        f: impl FnOnce(&mut Option<u64>) -> Option<u64>,
    ) -> Answer {
        let Some(entity) = entity else { return Answer::Count(0) };
        match self.beings.get_mut(&entity) {
            Some(parts) => Answer::Had(true, f(&mut parts[which])),
            None => Answer::Had(false, None),
        }
    }

    /// Removes members that no longer have the components that their system requires.
    fn leave(&mut self) {
        for (members, (required, _)) in self.members.iter_mut().zip(FILTERS) {
            members.retain(|entity| {
                let parts = self.beings.get(entity);
                parts.is_some_and(|parts| required.iter().all(|&c| parts[c].is_some()))
            });
        }
        self.watched.retain(|entity| self.members[WATCH].contains(entity));
    }

    /// The members of a system that an order applies to, with their names.
    fn called(
        &self,
        system: usize,
        orders: &Orders,
        acts: &'static [Act],
    ) -> Vec<(Entity, u64, Given)> {
        let mut called = Vec::new();
        for &entity in &self.members[system] {
            let name = self.beings[&entity][NAME].expect("it is required");
            called.extend(orders.of(name, acts).map(|given| (entity, name, *given)));
        }
        called
    }

    /// Runs the systems, and returns the chronicle.
    fn execute(&mut self, run: Run, orders: &Orders) -> Vec<u64> {
        self.leave();
        let mut chronicle = Vec::new();
        if run == Run::All {
            self.roll(orders);
            self.leave();
            let grow = &[Act::GrowColumn, Act::GrowMapped, Act::FlipColumn];
            for (entity, _, given) in self.called(GROW, orders, grow) {
                let parts = self.beings.get_mut(&entity).expect("a member");
                let column = parts[COLUMN].expect("it is required");
                match given.order.act {
                    Act::GrowColumn => parts[COLUMN] = Some(column.wrapping_add(given.order.value)),
                    Act::FlipColumn => parts[COLUMN] = Some(!column),
                    _ => parts[MAPPED] = parts[MAPPED].map(|mapped| mapped ^ given.order.value),
                }
            }
            for (entity, _, given) in self.called(REAP, orders, &[Act::Despawn, Act::DespawnTarget])
            {
                let target = given.target.filter(|_| given.order.act == Act::DespawnTarget);
                let target = target.unwrap_or(entity);
                if self.lives(target) {
                    self.staged[REAP].push(Staged::Despawn(target));
                }
            }
            self.breed(orders);
            let sent = self.called(SEND, orders, &[Act::Send]);
            chronicle.extend(sent.iter().map(|(_, name, given)| name ^ given.order.value));
            let grown = self.members[GROW].iter().map(|entity| &self.beings[entity]);
            let grown = grown.filter_map(|parts| Some(parts[NAME]? ^ parts[COLUMN]?));
            chronicle.extend(grown);
            chronicle.extend(self.members[WATCH].iter().map(|&entity| trace(entity)));
        }
        self.stage_changes(orders);
        self.stage_functions(orders);
        for (system, rest) in [(RAISE, 0), (LOWER, 1)] {
            for (entity, name, given) in self.called(system, orders, &[Act::Update]) {
                if name % 2 == rest {
                    let value = self.beings[&entity][RIGHT].expect("it is required");
                    let update = Staged::Replace(entity, RIGHT, value + given.order.value);
                    self.staged[system].push(update);
                }
            }
        }
        chronicle
    }

    fn roll(&mut self, orders: &Orders) {
        for entity in self.members[ALONE].clone() {
            let Some(parts) = self.beings.get_mut(&entity).filter(|parts| matches(parts, ALONE))
            else {
                continue;
            };
            let name = parts[NAME].expect("it is required");
            if let Some(left) = &mut parts[LEFT] {
                *left += orders.of(name, &[Act::Roll]).map(|given| given.order.value).sum::<u64>();
            }
            let acts = &[Act::RollDespawn, Act::RollInsert, Act::RollRemove];
            for given in orders.of(name, acts) {
                let target = given.target.unwrap_or(entity);
                match given.order.act {
                    Act::RollDespawn => {
                        self.gone += usize::from(self.beings.remove(&target).is_some());
                    }
                    Act::RollInsert => drop(self.set(target, LEFT, Some(given.order.value))),
                    _ => drop(self.set(entity, RIGHT, None)),
                }
            }
        }
    }

    fn stage_changes(&mut self, orders: &Orders) {
        let acts = &[
            Act::InsertTag,
            Act::InsertSparse,
            Act::InsertLeftToTarget,
            Act::RemoveMapped,
            Act::RemoveRight,
            Act::RemoveTagOfTarget,
        ];
        for (entity, name, given) in self.called(CHANGE, orders, acts) {
            let (target, mixed) = (given.target.unwrap_or(entity), name ^ given.order.value);
            let staged = match given.order.act {
                Act::InsertTag => Staged::Insert(entity, TAG, 1),
                Act::InsertSparse => Staged::Insert(entity, SPARSE, mixed),
                Act::InsertLeftToTarget => Staged::Insert(target, LEFT, mixed),
                Act::RemoveMapped => Staged::Remove(entity, MAPPED),
                Act::RemoveRight => Staged::Remove(entity, RIGHT),
                _ => Staged::Remove(target, TAG),
            };
            self.staged[CHANGE].push(staged);
        }
    }

    fn breed(&mut self, orders: &Orders) {
        let acts = &[Act::SpawnColumn, Act::SpawnPair, Act::SpawnTagged];
        let mut parents = BTreeSet::new();
        for (entity, name, given) in self.called(BREED, orders, acts) {
            if parents.insert(entity) {
                let (child, value) = (orders.child(name, &given), given.order.value);
                let parts = match given.order.act {
                    Act::SpawnColumn => bundle(&[(NAME, child), (COLUMN, value)]),
                    Act::SpawnPair => {
                        bundle(&[(NAME, child), (LEFT, value), (RIGHT, value), (SPARSE, value)])
                    }
                    _ => bundle(&[(NAME, child), (TAG, 1), (MAPPED, value)]),
                };
                self.staged[BREED].push(Staged::Spawn(parts));
            }
        }
    }

    fn stage_functions(&mut self, orders: &Orders) {
        let acts = &[
            Act::DeferDespawn,
            Act::DeferAddMapped,
            Act::DeferRemoveSparseOfTarget,
            Act::DeferSpawn,
            Act::DeferWrite,
        ];
        for (entity, name, given) in self.called(MEDDLE, orders, acts) {
            let value = given.order.value;
            let staged = match given.order.act {
                Act::DeferDespawn => Staged::Despawn(entity),
                Act::DeferAddMapped => Staged::Insert(entity, MAPPED, mix(value)),
                Act::DeferRemoveSparseOfTarget => {
                    Staged::Remove(given.target.unwrap_or(entity), SPARSE)
                }
                Act::DeferSpawn => {
                    let child = orders.child(name, &given);
                    Staged::Spawn(bundle(&[(NAME, child), (LEFT, value), (SPARSE, value)]))
                }
                _ => Staged::Add(entity, COLUMN, value),
            };
            self.staged[MEDDLE].push(staged);
        }
    }

    /// Discards what is staged, as after a panic, including marks for despawning and subscriptions by hand.
    pub(crate) fn discard(&mut self) {
        self.staged = Default::default();
        self.marked.clear();
        self.requests.clear();
    }

    /// Applies what is staged. `contents` are the contents of the world afterwards, in the order of its rows.
    pub(crate) fn refresh(&mut self, contents: &[(Entity, Parts)]) {
        for staged in std::mem::take(&mut self.staged).into_iter().flatten() {
            match staged {
                Staged::Insert(entity, which, value) => drop(self.set(entity, which, Some(value))),
                Staged::Remove(entity, which) => drop(self.set(entity, which, None)),
                Staged::Despawn(entity) => drop(self.marked.insert(entity)),
                Staged::Spawn(parts) => self.spawned.push(parts),
                Staged::Replace(entity, which, value) => {
                    let part = self.beings.get_mut(&entity).and_then(|parts| parts[which].as_mut());
                    part.map(|part| *part = value).unwrap_or_default();
                }
                Staged::Add(entity, which, value) => {
                    let part = self.beings.get_mut(&entity).and_then(|parts| parts[which].as_mut());
                    part.map(|part| *part = part.wrapping_add(value)).unwrap_or_default();
                }
            }
        }
        for entity in std::mem::take(&mut self.marked) {
            self.beings.remove(&entity);
        }
        self.gone = 0;
        self.meet(contents);
        for (entity, watched) in std::mem::take(&mut self.requests) {
            if watched {
                self.watched.insert(entity);
            } else {
                self.watched.remove(&entity);
            }
        }
        for (system, members) in self.members.iter_mut().enumerate() {
            let all = contents.iter().filter(|(_, parts)| matches(parts, system));
            *members = all.map(|&(entity, _)| entity).collect();
        }
        self.members[WATCH].retain(|entity| self.watched.contains(entity));
        self.watched = self.members[WATCH].iter().copied().collect();
    }

    /// Compares with the entities of the world, and takes over the handles of spawned entities.
    fn meet(&mut self, contents: &[(Entity, Parts)]) {
        for (entity, parts) in contents {
            if !self.lives(*entity) {
                let found = self.spawned.iter().position(|spawned| spawned[NAME] == parts[NAME]);
                let found =
                    found.unwrap_or_else(|| panic!("{entity:?} {parts:?} was never spawned"));
                self.beings.insert(*entity, self.spawned.swap_remove(found));
            }
            assert_eq!(self.beings[entity], *parts, "of {entity:?}");
        }
        assert_eq!(self.beings.len(), contents.len(), "others live");
        assert!(self.spawned.is_empty(), "{:?} are missing", self.spawned);
    }
}
