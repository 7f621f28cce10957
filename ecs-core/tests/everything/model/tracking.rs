//! What the systems that ask for changes of `Grade` have not seen.

use std::collections::BTreeSet;

use crate::parts::at;

/// By reader, the entities that have changed, and those that have got a `Grade`.
#[derive(Clone, Default)]
pub(crate) struct News([Unseen; 3]);

#[derive(Clone, Default)]
struct Unseen {
    changed: BTreeSet<u64>,
    added: BTreeSet<u64>,
}

fn number(reader: usize) -> usize {
    [at::FRESH, at::STALE, at::LATE].iter().position(|one| *one == reader).expect("a reader")
}

impl News {
    pub(crate) fn change(&mut self, key: u64) {
        for unseen in &mut self.0 {
            unseen.changed.insert(key);
        }
    }

    pub(crate) fn add(&mut self, key: u64) {
        for unseen in &mut self.0 {
            unseen.added.insert(key);
        }
        self.change(key);
    }

    pub(crate) fn forget(&mut self, key: u64) {
        for unseen in &mut self.0 {
            unseen.changed.remove(&key);
            unseen.added.remove(&key);
        }
    }

    /// Which of its own entities have changed since the reader last ran, each with whether its `Grade` is new.
    pub(crate) fn read(&mut self, reader: usize, own: &[u64]) -> Vec<(u64, bool)> {
        let Unseen { changed, added } = &mut self.0[number(reader)];
        let mut seen = Vec::new();
        for key in own {
            let is_new = added.remove(key);
            if changed.remove(key) {
                seen.push((*key, is_new));
            }
        }
        seen
    }
}
