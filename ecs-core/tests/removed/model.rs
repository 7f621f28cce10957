//! A world without rows and bits: entities by id, and for each component a list of what was removed.

use std::collections::{BTreeMap, HashMap};

use super::worlds::{deed, value};

/// The values of `Plain`, `Text` and `Tag`.
pub(crate) type Values = [Option<u64>; 3];

/// A component that was removed: of which, from where, and its last value.
pub(crate) type Seen = (u8, u64, u64);

/// The readers: the system, and the components that it reads.
pub(crate) const READERS: [&[u8]; 4] = [&[0, 1, 2], &[1], &[2, 0], &[1, 0]];
pub(crate) const ALL: usize = 0;
pub(crate) const ODD: usize = 1;
pub(crate) const THIRD: usize = 2;
pub(crate) const LAST: usize = 3;

/// What can be read already, and what was removed since then, with the rows.
type Log = (Vec<Seen>, Vec<(usize, Seen)>);

#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) beings: BTreeMap<u64, Values>,
    /// Whether a refresh comes between dependent systems.
    pub(crate) phased: bool,
    pub(crate) executions: u64,
    /// By component.
    logs: [Log; 3],
    /// By reader and component.
    read: [[usize; 3]; 4],
    /// The places of the ids in the order of rows, before this step.
    pub(crate) rows: HashMap<u64, usize>,
    /// Those that are despawned at the refresh.
    dying: Vec<u64>,
    /// Those that had a `Plain` at the last refresh.
    raised: Vec<u64>,
}

impl Model {
    /// With one entity without components.
    pub(crate) fn new(phased: bool) -> Self {
        Self { phased, beings: BTreeMap::from([(0, [None; 3])]), ..Self::default() }
    }

    fn log(&mut self, component: usize, id: u64, value: u64) {
        let row = self.rows[&id];
        self.logs[component].1.push((row, (component as u8, id, value)));
    }

    pub(crate) fn remove(&mut self, component: usize, id: u64) {
        let Some(values) = self.beings.get_mut(&id) else { return };
        if let Some(value) = values[component].take() {
            self.log(component, id, value);
        }
    }

    pub(crate) fn insert(&mut self, component: usize, id: u64, value: u64) {
        if let Some(values) = self.beings.get_mut(&id) {
            values[component] = Some(if component == 2 { 0 } else { value });
        }
    }

    pub(crate) fn despawn(&mut self, id: u64) {
        (0..3).for_each(|component| self.remove(component, id));
        self.beings.remove(&id);
    }

    /// Marks the entity to be despawned at the refresh.
    pub(crate) fn doom(&mut self, id: u64) {
        self.dying.push(id);
    }

    /// Lets what was removed be read, by row.
    pub(crate) fn publish(&mut self) {
        for (read, fresh) in &mut self.logs {
            fresh.sort_by_key(|&(row, _)| row);
            read.extend(fresh.drain(..).map(|(_, seen)| seen));
        }
    }

    pub(crate) fn refresh(&mut self) {
        for id in core::mem::take(&mut self.dying) {
            self.despawn(id);
        }
        self.publish();
        let has = |(id, values): (&u64, &Values)| values[0].is_some().then_some(*id);
        self.raised = self.beings.iter().filter_map(has).collect();
    }

    pub(crate) fn forget(&mut self, component: usize) {
        let all = self.logs[component].0.len();
        self.read.iter_mut().for_each(|read| read[component] = all);
    }

    /// What the reader sees.
    pub(crate) fn read(&mut self, reader: usize) -> Vec<Seen> {
        let mut seen = Vec::new();
        for &component in READERS[reader] {
            let at = &mut self.read[reader][usize::from(component)];
            let log = &self.logs[usize::from(component)].0;
            seen.extend_from_slice(&log[*at..]);
            *at = log.len();
        }
        seen
    }

    pub(crate) fn roll(&mut self, now: u64) {
        for id in self.beings.keys().copied().collect::<Vec<_>>() {
            match deed(0, id, now) {
                0 if id != 0 => self.despawn(id),
                1 => self.remove(0, id),
                2 => self.remove(1, id),
                3 => self.remove(2, id),
                4 => self.insert(0, id, value(0, id, now)),
                5 => {
                    self.remove(1, id);
                    self.insert(1, id, value(0, id, now));
                }
                _ => {}
            }
        }
    }

    /// Takes from `Raise` what has lost its `Plain` at once, also if it gets another one.
    pub(crate) fn narrow(&mut self) {
        let beings = &self.beings;
        let has = |id: &u64| beings.get(id).is_some_and(|values| values[0].is_some());
        self.raised.retain(has);
    }

    /// `Alter` and what depends on it, up to `Meddle`.
    pub(crate) fn change(&mut self, now: u64) {
        let all = |model: &Self| model.beings.keys().copied().collect::<Vec<_>>();
        self.narrow();
        for id in all(self) {
            match deed(1, id, now) {
                0 if id != 0 => self.doom(id),
                1 => self.remove(0, id),
                2 => {
                    self.remove(1, id);
                    self.insert(1, id, value(1, id, now));
                    self.remove(1, id);
                }
                3 => self.remove(2, id),
                4 => self.insert(0, id, value(1, id, now)),
                5 => self.insert(1, id, value(1, id, now)),
                6 => self.insert(2, id, 0),
                7 if id != 0 => {
                    self.remove(1, id);
                    self.remove(2, id);
                    self.doom(id);
                }
                _ => {}
            }
        }
        if self.phased {
            self.refresh();
        }
        for id in self.raised.clone() {
            let has = self.beings.get(&id).is_some_and(|values| values[0].is_some());
            if has && deed(2, id, now) < 4 {
                self.insert(0, id, value(2, id, now));
            }
        }
        for id in all(self) {
            match deed(3, id, now) {
                0 if id != 0 => self.doom(id),
                1 => {
                    self.remove(0, id);
                    self.remove(2, id);
                }
                2 => {
                    self.remove(1, id);
                    self.insert(1, id, value(3, id, now));
                }
                _ => {}
            }
        }
        if self.phased {
            self.refresh();
        }
    }
}
