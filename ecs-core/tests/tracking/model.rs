//! What each reader must see: sets of entities by name, without rows and bits.

use std::collections::{BTreeMap, BTreeSet};

use super::declaration::{Does, Stages, by_kernel, does, reaches, replaces, stages, writes_itself};

/// An entity: which of `Plain`, `Beside`, `Rare` and `Packed` it has, and whether it has a `Tag`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Being {
    pub(crate) has: [bool; 4],
    pub(crate) tag: bool,
}

impl Being {
    /// With the components of a mask.
    pub(crate) fn of(mask: u8) -> Self {
        let has = [0, 1, 2, 3].map(|component| mask >> component & 1 == 1);
        Self { has, tag: mask >> 4 & 1 == 1 }
    }
}

/// The systems that ask, in the order in which they run.
pub(crate) const READERS: [Reader; 5] = [
    Reader { needs: &[1], tagged: true, asks: &[(0, 1)] },
    Reader { needs: &[0], tagged: false, asks: &[(0, 0)] },
    Reader { needs: &[0], tagged: true, asks: &[(0, 0), (1, 0)] },
    Reader { needs: &[1], tagged: true, asks: &[(0, 1), (1, 1)] },
    Reader { needs: &[2, 3], tagged: true, asks: &[(0, 2), (1, 2), (0, 3)] },
];

/// A system that asks.
pub(crate) struct Reader {
    /// The components that its entities have.
    needs: &'static [usize],
    /// Whether its entities may have a `Tag`.
    tagged: bool,
    /// 0 for changes and 1 for additions, with the component.
    asks: &'static [(u8, usize)],
}

/// The world.
#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) beings: BTreeMap<u64, Being>,
    /// What each reader has not seen.
    news: [BTreeSet<(u8, usize, u64)>; 5],
}

impl Model {
    fn change(&mut self, component: usize, id: u64) {
        self.note(0, component, id);
    }

    fn note(&mut self, what: u8, component: usize, id: u64) {
        for (news, reader) in self.news.iter_mut().zip(&READERS) {
            if reader.asks.contains(&(what, component)) {
                news.insert((what, component, id));
            }
        }
    }

    pub(crate) fn spawn(&mut self, id: u64, being: Being) {
        self.beings.insert(id, Being { tag: being.tag, ..Being::default() });
        for component in (0..4).filter(|&component| being.has[component]) {
            self.insert(component, id);
        }
    }

    pub(crate) fn insert(&mut self, component: usize, id: u64) {
        let Some(being) = self.beings.get_mut(&id) else { return };
        if !core::mem::replace(&mut being.has[component], true) {
            self.note(1, component, id);
        }
        self.change(component, id);
    }

    pub(crate) fn remove(&mut self, component: usize, id: u64) {
        if let Some(being) = self.beings.get_mut(&id) {
            being.has[component] = false;
        }
        for news in &mut self.news {
            news.remove(&(0, component, id));
            news.remove(&(1, component, id));
        }
    }

    pub(crate) fn despawn(&mut self, id: u64) {
        (0..4).for_each(|component| self.remove(component, id));
        self.beings.remove(&id);
    }

    /// Writes the component, if there is one.
    pub(crate) fn write(&mut self, component: usize, id: u64) {
        if self.beings.get(&id).is_some_and(|being| being.has[component]) {
            self.change(component, id);
        }
    }

    fn ids(&self, which: impl Fn(&Being) -> bool) -> Vec<u64> {
        self.beings.iter().filter(|(_, being)| which(being)).map(|(id, _)| *id).collect()
    }

    /// What the reader sees, in order. It has seen it then.
    fn read(&mut self, reader: usize) -> Vec<(u8, usize, u64)> {
        let Reader { needs, tagged, .. } = READERS[reader];
        let beings = &self.beings;
        let matches = |id: &u64| {
            beings.get(id).is_some_and(|being| {
                needs.iter().all(|&component| being.has[component]) && (tagged || !being.tag)
            })
        };
        let seen = self.news[reader].iter().copied().filter(|(_, _, id)| matches(id)).collect();
        // What happens to entities that are not its own is told when they are.
        self.news[reader].retain(|(_, _, id)| !matches(id));
        seen
    }

    /// Runs the systems `from..end` of the declaration at this time. Returns what the readers among them see.
    pub(crate) fn run(&mut self, from: usize, end: usize, now: u64) -> Vec<Vec<(u8, usize, u64)>> {
        let mut seen = Vec::new();
        // What is staged before it is applied, as entities are those of the start.
        let (mut staged, mut replaced) = (Vec::new(), Vec::new());
        for system in from..end {
            match system {
                0 => {
                    for id in self.ids(|_| true) {
                        for component in 0..4 {
                            if does(id, component, now) == Does::Writes {
                                self.write(component, id);
                            }
                        }
                    }
                }
                1 if by_kernel(now) => {
                    for id in self.ids(|being| being.has[0] && !being.tag) {
                        self.change(0, id);
                    }
                }
                2 => {
                    for id in self.ids(|being| being.has[2]) {
                        if reaches(id, now) {
                            self.change(2, id);
                        }
                    }
                }
                3 => {
                    let own = self.ids(|being| being.has[1]);
                    seen.push(self.read(0));
                    // It does not see what it writes itself.
                    let mine = core::mem::take(&mut self.news[0]);
                    for id in own.into_iter().filter(|&id| writes_itself(id, now)) {
                        self.change(1, id);
                    }
                    self.news[0] = mine;
                }
                4..=7 => seen.push(self.read(system - 3)),
                8 => staged = self.ids(|_| true),
                9 => replaced = self.ids(|being| being.has[0]),
                _ => {}
            }
        }
        self.refresh(&staged, &replaced, now);
        seen
    }

    fn refresh(&mut self, staged: &[u64], replaced: &[u64], now: u64) {
        let (mut dead, mut spawned) = (Vec::new(), Vec::new());
        for &id in staged {
            match stages(id, now) {
                Stages::Insert(component) => self.insert(component, id),
                Stages::Remove(component) => self.remove(component, id),
                Stages::Despawn => dead.push(id),
                Stages::Spawn(id, mask) => spawned.push((id, mask)),
                Stages::Nothing => {}
            }
        }
        for &id in replaced.iter().filter(|&&id| replaces(id, now)) {
            self.write(0, id);
        }
        for id in dead {
            self.despawn(id);
        }
        for (id, mask) in spawned {
            self.spawn(id, Being::of(mask));
        }
    }
}
