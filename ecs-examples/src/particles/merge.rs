//! The contacts of several subtasks in one order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use ecs_core::Output;

use super::contact::{Contact, Contacts};

/// How far the contacts of several subtasks are solved.
#[derive(Debug)]
pub struct Merge<K> {
    /// For each subtask that has some left: the later disc of the next one, the subtask, and where that contact lies.
    next: BinaryHeap<Reverse<(K, usize, usize)>>,
}

impl<K: Ord> Default for Merge<K> {
    fn default() -> Self {
        Self { next: BinaryHeap::new() }
    }
}

impl<K: Copy + Ord + 'static> Merge<K> {
    /// Calls `f` with the contacts of all subtasks in the order in which they are solved: ascending by `e0`, and by `e1` for
    /// the same `e0`, which one subtask has all contacts of. O(contacts, and discs with contacts × log subtasks).
    pub fn for_each<'a>(
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
