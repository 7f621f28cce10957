//! The order of systems: which ones must run before which, directly or indirectly.

use crate::{IndexSet, System};

/// The systems that must run before one system: some lists of them.
pub type Before<'a> = [&'a [usize]; 9];

/// The systems that the system itself says it runs after.
#[must_use]
pub const fn declared<'a>(system: &System<'a>) -> [&'a [usize]; 4] {
    [system.after, system.inputs, system.queries, system.sees]
}

/// The lists of a node of the schedule. A producer waits for what its `consumer` depends on, and a consumer for its
/// `producer`.
#[must_use]
pub const fn of_node<'a>(
    system: &System<'a>,
    consumer: Option<&System<'a>>,
    producer: &'a [usize],
) -> Before<'a> {
    let [after, inputs, queries, sees] = declared(system);
    let [more, more_inputs, more_queries, more_sees] = match consumer {
        Some(consumer) => declared(consumer),
        None => [&[] as &[usize]; 4],
    };
    [after, inputs, queries, sees, more, more_inputs, more_queries, more_sees, producer]
}

/// Writes to `ancestors`, for each system, all systems that must run before it. Returns the lowest system that is in
/// a cycle or after one, if there is one; each system of a cycle is an ancestor of itself.
///
/// # Panics
/// If an index is not below the number of systems.
#[must_use]
pub const fn close(before: &[Before<'_>], ancestors: &mut [IndexSet]) -> Option<usize> {
    let mut done = IndexSet::EMPTY;
    let mut finished = 0;
    // Repeated rounds over the systems: a system is done once all that come before are. Most worlds are declared in
    // dependency order and need one round.
    while finished < before.len() {
        let last = finished;
        let mut s = 0;
        while s < before.len() {
            if !done.contains(s) && are_done(&before[s], &done) {
                ancestors[s] = IndexSet::EMPTY;
                inherit(&before[s], ancestors, s);
                done.add(s);
                finished += 1;
            }
            s += 1;
        }
        if finished == last {
            return Some(close_cycles(before, ancestors, &done));
        }
    }
    None
}

/// The same for the systems that are not done, which are in cycles or after them. Returns the lowest one.
const fn close_cycles(before: &[Before<'_>], ancestors: &mut [IndexSet], done: &IndexSet) -> usize {
    let mut lowest = before.len();
    let mut s = before.len();
    while s > 0 {
        s -= 1;
        if !done.contains(s) {
            ancestors[s] = IndexSet::EMPTY;
            lowest = s;
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        let mut s = lowest;
        while s < before.len() {
            if !done.contains(s) {
                let last = ancestors[s];
                inherit(&before[s], ancestors, s);
                grows |= !ancestors[s].is_subset(&last);
            }
            s += 1;
        }
    }
    lowest
}

const fn inherit(before: &Before<'_>, ancestors: &mut [IndexSet], s: usize) {
    let mut own = ancestors[s];
    let mut list = 0;
    while list < before.len() {
        let mut i = 0;
        while i < before[list].len() {
            own.add(before[list][i]);
            own.unite(&ancestors[before[list][i]]);
            i += 1;
        }
        list += 1;
    }
    ancestors[s] = own;
}

/// Whether the set has every system of the lists.
#[must_use]
pub const fn are_done(lists: &[&[usize]], done: &IndexSet) -> bool {
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            if !done.contains(lists[list][i]) {
                return false;
            }
            i += 1;
        }
        list += 1;
    }
    true
}

/// Whether a path leads from one of the two systems to the other.
#[must_use]
pub const fn are_ordered(ancestors: &[IndexSet], a: usize, b: usize) -> bool {
    ancestors[a].contains(b) || ancestors[b].contains(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close_all<const N: usize>(
        before: [&[usize]; N],
        ancestors: &mut [IndexSet; N],
    ) -> Option<usize> {
        close(&before.map(|list| [list, &[], &[], &[], &[], &[], &[], &[], &[]]), ancestors)
    }

    #[test]
    fn an_order_is_transitive_and_directed() {
        let mut ancestors = [IndexSet::EMPTY; 5];
        assert_eq!(close_all([&[3], &[0], &[1], &[], &[0]], &mut ancestors), None);
        let expected: [&[usize]; 5] = [&[3], &[0, 3], &[0, 1, 3], &[], &[0, 3]];
        assert_eq!(ancestors, expected.map(IndexSet::of));
        assert!(are_ordered(&ancestors, 3, 2) && are_ordered(&ancestors, 2, 3));
        assert!(!are_ordered(&ancestors, 2, 4) && !are_ordered(&ancestors, 1, 1));
    }

    #[test]
    fn what_is_in_a_cycle_is_its_own_ancestor() {
        // 1 → 3 → 2 → 1; 0 comes after 3, 4 before 2, and 5 to itself.
        let mut ancestors = [IndexSet::EMPTY; 6];
        let before: [&[usize]; 6] = [&[3], &[2], &[3, 4], &[1], &[], &[5]];
        assert_eq!(close_all(before, &mut ancestors), Some(0));
        let around = IndexSet::of(&[1, 2, 3, 4]);
        assert_eq!(ancestors[..4], [around; 4]);
        assert_eq!(ancestors[4..], [IndexSet::EMPTY, IndexSet::of(&[5])]);
    }

    #[test]
    fn the_ends_of_a_stream_wait_for_the_same() {
        let producer = System { after: &[0], ..System::BLANK };
        let consumer = System { inputs: &[1], streams: &[2], ..System::BLANK };
        let mut before: [Before<'_>; 4] = [[&[]; 9]; 4];
        before[2] = of_node(&producer, Some(&consumer), &[]);
        before[3] = of_node(&consumer, None, consumer.streams);
        let mut ancestors = [IndexSet::EMPTY; 4];
        assert_eq!(close(&before, &mut ancestors), None);
        assert_eq!(ancestors[2..], [IndexSet::of(&[0, 1]), IndexSet::of(&[0, 1, 2])]);
    }
}
