//! The contacts of several subtasks in one order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use ecs_core::Output;

use super::search::{Contact, Contacts};

/// The progress of merging the contacts of several subtasks.
#[derive(Debug)]
pub(super) struct Merge<K> {
    /// For each subtask with remaining contacts: `e0` of its next contact, the subtask, and the index of that contact.
    next: BinaryHeap<Reverse<(K, usize, usize)>>,
}

impl<K: Ord> Default for Merge<K> {
    fn default() -> Self {
        Self { next: BinaryHeap::new() }
    }
}

impl<K: Copy + Ord + 'static> Merge<K> {
    /// Calls `f` with the contacts of all subtasks in the order in which they are solved: ascending by `e0`, and by
    /// `e1` for the same `e0`. One subtask has all contacts of an `e0`. O(contacts, and discs with contacts × log
    /// subtasks).
    pub(super) fn for_each<'a>(
        &mut self,
        all: &(impl Iterator<Item = &'a Contacts<K>> + Clone),
        mut f: impl FnMut(&Contact<K>),
    ) {
        self.next.clear();
        self.next.extend(all.clone().enumerate().filter_map(|(subtask, contacts)| {
            Some(Reverse((contacts.as_slice().first()?.e0, subtask, 0)))
        }));
        while let Some(mut next) = self.next.peek_mut() {
            let Reverse((e0, subtask, at)) = *next;
            let rest = all.clone().nth(subtask).map_or(&[][..], |all| &all.as_slice()[at..]);
            let count = rest.iter().take_while(|contact| contact.e0 == e0).count();
            rest[..count].iter().for_each(&mut f);
            if let Some(behind) = rest.get(count) {
                *next = Reverse((behind.e0, subtask, at + count));
            } else {
                PeekMut::pop(next);
            }
        }
    }
}

impl<K: Ord + Send + Sync + 'static> Output for Merge<K> {
    fn reset(&mut self) {
        self.next.clear();
    }
}
