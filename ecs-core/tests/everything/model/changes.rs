//! Entities and components that come and go: at once, staged, and deferred.

use super::rows::Archetype;
use super::{Being, Model, at};
use crate::parts::{Load, born, fold, label_of, lasting, load_of, prolong, value_of};
use crate::program::{Deferred, Part, Sum};

/// What is staged until the refresh.
#[derive(Clone, Debug)]
pub(super) enum Staged {
    /// With the position of the bundle in the list of the system.
    Spawn(usize, Being),
    Insert(u64, Part, u64),
    Remove(u64, Part),
    UpdateHeat(u64, u64),
    UpdateGrade(u64, u64),
    Accumulate(u64, Sum, u64),
    Defer(u64, u64, Deferred, u64),
}

impl Model {
    /// Puts an entity into the lowest free row at once.
    pub(crate) fn create(&mut self, being: Being) -> u64 {
        let archetype = if being.from_template { 0 } else { being.mask() };
        let row = self.put(being, archetype);
        self.rows.count_spawn(archetype, row);
        self.keys
    }

    fn put(&mut self, mut being: Being, archetype: Archetype) -> usize {
        self.keys += 1;
        (being.key, being.from_template) = (self.keys, false);
        if being.grade.is_some() {
            self.news.add(being.key);
        }
        if let Some(owed) = being.owed.take() {
            being.load = Some(owed);
        }
        let row = self.rows.free(archetype, &self.beings);
        self.places.insert(being.key, row);
        self.beings.insert(row, being);
        self.dirty = true;
        row
    }

    /// Inserts a component, whose value follows from `y`.
    pub(crate) fn insert(&mut self, key: u64, part: Part, y: u64) {
        let Some(being) = self.being(key) else { return };
        let was_there = being.has(part);
        match part {
            Part::Grade => being.grade = Some(value_of(y, 2)),
            Part::Team => being.team = Some(value_of(y, 3)),
            Part::Label => being.label = Some(label_of(y).0),
            Part::Tag => being.tag = true,
            Part::Extra => being.extra = Some(lasting(y)),
            Part::Load => being.load = Some(load_of(y).0),
        }
        self.dirty |= !was_there;
        match (part, was_there) {
            (Part::Grade, true) => self.news.change(key),
            (Part::Grade, false) => self.news.add(key),
            _ => {}
        }
    }

    /// Merges a value into a component, or inserts it. The value follows from `y`.
    pub(crate) fn accumulate(&mut self, key: u64, sum: Sum, y: u64) {
        let Some(being) = self.being(key) else { return };
        let (place, value) = match sum {
            Sum::Load => {
                let was_there = being.load.is_some();
                being.load = Some(loaded(being.load.take(), y));
                self.dirty |= !was_there;
                return;
            }
            Sum::Heat => (&mut being.heat, value_of(y, 1)),
            Sum::Grade => (&mut being.grade, value_of(y, 2)),
            Sum::Extra => (&mut being.extra, lasting(y)),
        };
        let was_there = place.is_some();
        match place {
            Some(left) if matches!(sum, Sum::Extra) => prolong(left, value),
            Some(place) => fold(place, value),
            None => *place = Some(value),
        }
        self.dirty |= !was_there;
        match (sum, was_there) {
            (Sum::Grade, true) => self.news.change(key),
            (Sum::Grade, false) => self.news.add(key),
            _ => {}
        }
    }

    pub(crate) fn remove(&mut self, key: u64, part: Part) {
        let Some(row) = self.places.get(&key).copied() else { return };
        let Some(being) = self.beings.get_mut(&row).filter(|being| !being.gone) else { return };
        self.removed.lose(row, being, part);
        let was_there = being.has(part);
        match part {
            Part::Grade => being.grade = None,
            Part::Team => being.team = None,
            Part::Label => being.label = None,
            Part::Tag => being.tag = false,
            Part::Extra => being.extra = None,
            Part::Load => being.load = None,
        }
        self.dirty |= was_there;
        if part == Part::Grade {
            self.news.forget(key);
        }
    }

    /// Despawns an entity at the refresh.
    pub(crate) fn mark(&mut self, key: u64) {
        if self.is_alive(key) {
            self.marked.insert(key);
        }
    }

    /// Despawns an entity at once.
    pub(super) fn despawn_now(&mut self, key: u64) {
        let Some(row) = self.places.get(&key).copied() else { return };
        if let Some(being) = self.beings.get_mut(&row).filter(|being| !being.gone) {
            being.gone = true;
            self.removed.lose_all(row, being);
            self.dirty = true;
            self.news.forget(key);
        }
    }

    /// Writes the `Grade` of an entity that has one.
    pub(crate) fn write_grade(&mut self, key: u64, y: u64) {
        if let Some(grade) = self.being(key).and_then(|being| being.grade.as_mut()) {
            fold(grade, y);
            self.news.change(key);
        }
    }

    pub(crate) fn subscribe(&mut self, key: u64, on: bool) {
        if self.is_alive(key) {
            self.requests.push((key, on));
        }
    }

    pub(super) fn is_changed(&self) -> bool {
        let staged = self.staged.iter().any(|staged| !staged.is_empty());
        self.dirty
            || staged
            || self.bonds.are_staged()
            || !self.marked.is_empty()
            || !self.requests.is_empty()
    }

    /// Applies what is staged, frees rows, spawns, closes gaps, and subscribes.
    pub(crate) fn refresh(&mut self) {
        let mut late = Vec::new();
        for system in 0..self.staged.len() {
            let mut staged = std::mem::take(&mut self.staged[system]);
            // Spawns come bundle by bundle.
            staged.sort_by_key(|staged| match staged {
                Staged::Spawn(bundle, _) => *bundle,
                _ => usize::MAX,
            });
            for staged in staged {
                match staged {
                    // No deferred function sees them: they get the rows of despawned entities.
                    Staged::Spawn(_, being) if system > at::MEDDLE => late.push(being),
                    staged => self.apply(staged),
                }
            }
        }
        for (key, on) in std::mem::take(&mut self.requests) {
            let matches = self.being(key).is_some_and(|being| being.matches(at::CHOSEN));
            if on && matches {
                self.chosen.insert(key);
            } else if !on {
                self.chosen.remove(&key);
            }
        }
        self.apply_bonds();
        let mut marked = std::mem::take(&mut self.marked);
        marked.extend(self.beings.values().filter(|being| being.gone).map(|being| being.key));
        self.bonds.despawn(&mut marked);
        let dead: Vec<usize> = (self.beings.iter())
            .filter(|(_, being)| marked.contains(&being.key))
            .map(|(row, _)| *row)
            .collect();
        for row in dead {
            let being = self.beings.remove(&row).expect("it was there");
            if !being.gone {
                self.removed.lose_all(row, &being);
            }
            self.news.forget(being.key);
        }
        for being in late {
            let archetype = being.mask();
            self.put(being, archetype);
        }
        self.rows.sort_out(&mut self.beings, Being::mask);
        self.rows.refill(&mut self.beings);
        self.places = self.beings.iter().map(|(row, being)| (being.key, *row)).collect();
        for (system, own) in self.own.iter_mut().enumerate() {
            let members = self.beings.values().filter(|being| being.matches(system));
            let keys = members.map(|being| being.key);
            *own = keys.filter(|key| system != at::CHOSEN || self.chosen.contains(key)).collect();
        }
        self.chosen = self.own[at::CHOSEN].iter().copied().collect();
        self.dirty = false;
        self.removed.publish();
    }

    fn apply(&mut self, staged: Staged) {
        match staged {
            Staged::Spawn(_, being) => drop(self.create(being)),
            Staged::Insert(key, part, y) => self.insert(key, part, y),
            Staged::Remove(key, part) => self.remove(key, part),
            Staged::Accumulate(key, sum, y) => self.accumulate(key, sum, y),
            Staged::UpdateHeat(key, heat) => {
                if let Some(it) = self.being(key).and_then(|being| being.heat.as_mut()) {
                    *it = heat;
                }
            }
            Staged::UpdateGrade(key, grade) => {
                if let Some(it) = self.being(key).and_then(|being| being.grade.as_mut()) {
                    *it = grade;
                    self.news.change(key);
                }
            }
            Staged::Defer(key, id, what, y) => self.meddle(key, id, what, y),
        }
    }

    /// A deferred function.
    fn meddle(&mut self, key: u64, id: u64, what: Deferred, y: u64) {
        match what {
            Deferred::Despawn => self.mark(key),
            Deferred::Insert => {
                self.insert(key, Part::Tag, y);
                self.insert(key, Part::Label, y);
            }
            Deferred::Remove => {
                self.remove(key, Part::Grade);
                self.remove(key, Part::Extra);
                self.remove(key, Part::Load);
            }
            Deferred::Spawn => {
                let id = born(id, y);
                let grade = Some(value_of(id, 2));
                self.create(Being { id, grade, ..Being::default() });
            }
            Deferred::SpawnAndDespawn => {
                let id = born(id, y);
                let label = Some("gone".to_owned());
                let key = self.create(Being { id, label, ..Being::default() });
                self.mark(key);
            }
            Deferred::Grade => self.write_grade(key, y),
            Deferred::Accumulate => self.accumulate(key, Sum::Grade, y),
            Deferred::Emit => {
                self.ping.emit(y, self.begun);
                self.hit.emit((key, y), self.begun);
            }
            Deferred::Subscribe => self.subscribe(key, !y.is_multiple_of(4)),
            Deferred::Mode => self.mode ^= y % 64,
        }
    }
}

/// What is in a `Load` after one more value.
pub(super) fn loaded(load: Option<Vec<u64>>, y: u64) -> Vec<u64> {
    let Load(value) = load_of(y);
    let Some(mut load) = load else { return value };
    load.extend(value);
    if load.len() > 5 {
        let mut all = 0;
        for one in load {
            fold(&mut all, one);
        }
        return vec![all];
    }
    load
}
