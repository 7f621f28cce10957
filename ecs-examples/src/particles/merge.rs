//! The contacts of several subtasks in one order.

use ecs_core::Output;

use super::contact::{Contact, Contacts};

/// How far the contacts of several subtasks are solved.
#[derive(Debug)]
pub struct Merge<K> {
    /// Those of each subtask that has some left.
    heads: Vec<Head<K>>,
}

/// The contacts of a subtask that are left.
#[derive(Clone, Copy, Debug)]
struct Head<K> {
    /// The later disc of the first one.
    e0: K,
    subtask: usize,
    /// Where the first one lies.
    at: usize,
}

impl<K> Default for Merge<K> {
    fn default() -> Self {
        Self { heads: Vec::new() }
    }
}

impl<K: Copy + Ord + 'static> Merge<K> {
    /// Calls `f` with the contacts of all subtasks in the order in which they are solved: ascending by `e0`, and by `e1` for
    /// the same `e0`.
    pub fn for_each<'a>(
        &mut self,
        all: &(impl Iterator<Item = &'a Contacts<K>> + Clone),
        mut f: impl FnMut(&Contact<K>),
    ) {
        let heads = &mut self.heads;
        heads.clear();
        heads.extend(all.clone().enumerate().filter_map(|(subtask, contacts)| {
            Some(Head { e0: contacts.as_slice().first()?.e0, subtask, at: 0 })
        }));
        while let Some(lowest) = (0..heads.len()).min_by_key(|&head| heads[head].e0) {
            let Head { subtask, at, .. } = heads.swap_remove(lowest);
            // No disc is `e0` in two subtasks.
            let end = heads.iter().map(|head| head.e0).min();
            let Some(rest) = all.clone().nth(subtask).map(|contacts| &contacts.as_slice()[at..])
            else {
                continue;
            };
            let count = end.map_or(rest.len(), |end| {
                rest.iter().take_while(|contact| contact.e0 < end).count()
            });
            rest[..count].iter().for_each(&mut f);
            heads.extend(rest.get(count).map(|next| Head { e0: next.e0, subtask, at: at + count }));
        }
    }
}

impl<K: Send + Sync + 'static> Output for Merge<K> {
    fn reset(&mut self) {
        self.heads.clear();
    }
}
