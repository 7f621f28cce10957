//! What one system must not declare together.

use crate::{IndexSet, System, contains};

/// Accesses of one system to one thing that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A component is both read and written, or written twice.
    Accesses,
    /// A component is updated, and also read, written or inserted.
    Update,
    /// A component is accumulated into, and also inserted, removed or updated: both are staged, and it would depend on how
    /// the system is split in which order they are applied.
    Accumulate,
    /// A resource is accessed in two of three ways: it is read, written or added to; or a system that emits an event, or
    /// reads it, accesses it in another way, too; or what is linked is accessed like a resource.
    Resource,
}

/// The first contradiction of the system's lists.
#[must_use]
pub const fn contradiction(system: &System<'_>) -> Option<Contradiction> {
    let (write, write_optional) = (system.write, system.write_optional);
    let (read, read_optional) = (system.read, system.read_optional);
    if meet(&[write, write_optional], &[read, read_optional, system.read_any])
        || meet(&[write], &[write_optional])
    {
        return Some(Contradiction::Accesses);
    }
    if meet(&[system.update], &[read, read_optional, write, write_optional, system.insert]) {
        return Some(Contradiction::Update);
    }
    if meet(&[system.accumulate], &[system.insert, system.remove, system.update]) {
        return Some(Contradiction::Accumulate);
    }
    let (read, write) = (system.read_resources, system.write_resources);
    if meet(&[read], &[write])
        || meet(&[system.add], &[read, write])
        || meet(&[system.emit, system.on], &[read, write, system.add])
        || meet(
            &[system.link, system.relations, system.after_parent],
            &[read, write, system.add, system.emit, system.on],
        )
        || emits_what_it_reads(system)
    {
        return Some(Contradiction::Resource);
    }
    None
}

/// Whether the system receives a stream and also reads what it has not read before: events, or changes and removals of components. Its
/// body is called for each batch of the stream, and would read them each time.
#[must_use]
pub const fn reads_in_batches(system: &System<'_>) -> bool {
    let reads = [system.on, system.changed, system.added, system.removed];
    !system.streams.is_empty() && !are_empty(&reads)
}

/// What a system cannot have that goes to parents before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideParents {
    /// A second relation along which it goes.
    Relation,
    /// `exclusive` or `sequential`: each of its subtasks has entities of one level after the other.
    Reach,
    /// `slice_dependent`: it has no slices in the order of rows.
    Slices,
    /// A stream, at either end.
    Stream,
    /// Questions what has changed, which come in the order of rows, or what was removed, which is for the whole system.
    Tracking,
    /// Members: a query is not executed for its entities.
    Query,
}

/// What the system has that goes to parents before their children, and cannot have.
#[must_use]
pub const fn beside_parents(system: &System<'_>) -> Option<BesideParents> {
    if system.after_parent.is_empty() {
        None
    } else if system.after_parent.len() > 1 {
        Some(BesideParents::Relation)
    } else if system.reaches_others() {
        Some(BesideParents::Reach)
    } else if system.slice_dependent {
        Some(BesideParents::Slices)
    } else if !system.streams.is_empty() || system.output_streams {
        Some(BesideParents::Stream)
    } else if !are_empty(&[system.changed, system.added, system.removed]) {
        Some(BesideParents::Tracking)
    } else if system.query {
        Some(BesideParents::Query)
    } else {
        None
    }
}

/// Whether the system emits an event that it also reads, and that is not delayed.
const fn emits_what_it_reads(system: &System<'_>) -> bool {
    let mut i = 0;
    while i < system.emit.len() {
        let event = system.emit[i];
        if contains(system.on, event) && !contains(system.delayed, event) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether one of these lists and one of the others have a common element. Most lists are empty.
const fn meet(some: &[&[usize]], others: &[&[usize]]) -> bool {
    if are_empty(some) || are_empty(others) {
        return false;
    }
    let (set, mut list) = (IndexSet::of_all(some), 0);
    while list < others.len() {
        let (other, mut i) = (others[list], 0);
        while i < other.len() {
            if set.contains(other[i]) {
                return true;
            }
            i += 1;
        }
        list += 1;
    }
    false
}

const fn are_empty(lists: &[&[usize]]) -> bool {
    let mut list = 0;
    while list < lists.len() {
        if !lists[list].is_empty() {
            return false;
        }
        list += 1;
    }
    true
}

/// Why a system must be one subtask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSubtask {
    /// It reaches any entity, so its subtasks could meet at one (Core ECS, corollary 4.9).
    Exclusive,
    /// It takes a stream.
    Consumer,
    /// It writes a resource.
    Resource,
    /// Its subtasks share events, and would share others, so that the order of what they do depends on how it is split; or each would
    /// read all removed values.
    Events,
}

/// Why the system must be one subtask, if its strategy may make several. An exclusive system and a consumer are one
/// subtask anyway, so what they write is not asked about.
#[must_use]
pub const fn several_subtasks(system: &System<'_>) -> Option<OneSubtask> {
    if system.single_subtask {
        None
    } else if system.reaches_others() {
        Some(OneSubtask::Exclusive)
    } else if !system.streams.is_empty() {
        Some(OneSubtask::Consumer)
    } else if !system.write_resources.is_empty() {
        Some(OneSubtask::Resource)
    } else if system.shares_events() && (system.on.len() > 1 || !system.removed.is_empty()) {
        Some(OneSubtask::Events)
    } else {
        None
    }
}

/// What a sequential system cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Functions deferred to the refresh: all that it does happens at once.
    Defer,
    /// Updates: for the same reason.
    Update,
    /// Accumulations: for the same reason.
    Accumulate,
    /// Questions what has changed or was removed: its entities may change while it runs.
    Tracking,
    /// A stream that it takes: it runs alone.
    Streams,
    /// A stream that it sends: it runs alone.
    Output,
}

/// What the system has beside `sequential`, and cannot have.
#[must_use]
pub const fn beside_sequential(system: &System<'_>) -> Option<Beside> {
    if !system.sequential {
        None
    } else if system.defer {
        Some(Beside::Defer)
    } else if !system.update.is_empty() {
        Some(Beside::Update)
    } else if !system.accumulate.is_empty() {
        Some(Beside::Accumulate)
    } else if !are_empty(&[system.changed, system.added, system.removed]) {
        Some(Beside::Tracking)
    } else if !system.streams.is_empty() {
        Some(Beside::Streams)
    } else if system.output_streams {
        Some(Beside::Output)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: System<'_> = System::BLANK;

    #[test]
    fn what_is_read_once_is_not_read_for_each_batch() {
        let receiver = System { streams: &[1], ..BLANK };
        assert!(!reads_in_batches(&receiver) && !reads_in_batches(&System { on: &[1], ..BLANK }));
        assert!(reads_in_batches(&System { on: &[1], ..receiver }));
        assert!(reads_in_batches(&System { changed: &[1], ..receiver }));
        assert!(reads_in_batches(&System { added: &[1], ..receiver }));
        assert!(reads_in_batches(&System { removed: &[1], ..receiver }));
    }

    #[test]
    fn a_list_contradicts_another_one() {
        let lists: [(System<'_>, Option<Contradiction>); 25] = [
            (System { read: &[3], write: &[3], ..BLANK }, Some(Contradiction::Accesses)),
            (
                System { write: &[3], write_optional: &[1, 3], ..BLANK },
                Some(Contradiction::Accesses),
            ),
            (
                System { read_any: &[3], write_optional: &[3], ..BLANK },
                Some(Contradiction::Accesses),
            ),
            (System { read_any: &[3], read: &[3], with: &[3], ..BLANK }, None),
            (System { update: &[3], insert: &[3], ..BLANK }, Some(Contradiction::Update)),
            (System { update: &[3], read_optional: &[3], ..BLANK }, Some(Contradiction::Update)),
            (System { update: &[3], remove: &[3], read: &[2], ..BLANK }, None),
            (System { accumulate: &[3], insert: &[3], ..BLANK }, Some(Contradiction::Accumulate)),
            (System { accumulate: &[3], remove: &[3], ..BLANK }, Some(Contradiction::Accumulate)),
            (System { accumulate: &[3], update: &[3], ..BLANK }, Some(Contradiction::Accumulate)),
            (System { accumulate: &[3], write: &[3], insert: &[2], ..BLANK }, None),
            (System { accumulate: &[3], read: &[3], ..BLANK }, None),
            (
                System { read_resources: &[3], write_resources: &[3], ..BLANK },
                Some(Contradiction::Resource),
            ),
            (System { read_resources: &[3], write: &[3], ..BLANK }, None),
            (System { read_resources: &[3], add: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { write_resources: &[3], add: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { write_resources: &[2], add: &[3], ..BLANK }, None),
            (System { emit: &[3], add: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { on: &[3], write_resources: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { on: &[3], emit: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { on: &[3], emit: &[3], delayed: &[3], ..BLANK }, None),
            (System { on: &[2], emit: &[3], ..BLANK }, None),
            (System { link: &[3], read_resources: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { after_parent: &[3], on: &[3], ..BLANK }, Some(Contradiction::Resource)),
            (System { relations: &[3], link: &[3], after_parent: &[3], ..BLANK }, None),
        ];
        for (system, expected) in lists {
            assert_eq!(contradiction(&system), expected, "{system:?}");
        }
    }

    #[test]
    fn several_subtasks_need_a_system_that_they_can_share() {
        let several = System { single_subtask: false, ..BLANK };
        let writer = System { write_resources: &[0], ..several };
        assert_eq!(several_subtasks(&several), None);
        assert_eq!(several_subtasks(&writer), Some(OneSubtask::Resource));
        let (exclusive, consumer) =
            (System { exclusive: true, ..writer }, System { streams: &[0], ..writer });
        assert_eq!(several_subtasks(&exclusive), Some(OneSubtask::Exclusive));
        assert_eq!(several_subtasks(&consumer), Some(OneSubtask::Consumer));
        assert_eq!(several_subtasks(&System { single_subtask: true, ..exclusive }), None);
    }

    #[test]
    fn what_goes_along_a_relation_has_one_and_goes_in_no_other_order() {
        let goes = System { after_parent: &[1], ..BLANK };
        let cases = [
            (goes, None),
            (System { after_parent: &[1, 2], ..goes }, Some(BesideParents::Relation)),
            (System { exclusive: true, ..goes }, Some(BesideParents::Reach)),
            (System { sequential: true, ..goes }, Some(BesideParents::Reach)),
            (System { slice_dependent: true, ..goes }, Some(BesideParents::Slices)),
            (System { streams: &[0], ..goes }, Some(BesideParents::Stream)),
            (System { output_streams: true, ..goes }, Some(BesideParents::Stream)),
            (System { added: &[0], ..goes }, Some(BesideParents::Tracking)),
            (System { removed: &[0], ..goes }, Some(BesideParents::Tracking)),
            (System { query: true, ..goes }, Some(BesideParents::Query)),
        ];
        for (system, expected) in cases {
            assert_eq!(beside_parents(&system), expected);
            assert_eq!(beside_parents(&System { after_parent: &[], ..system }), None);
        }
    }

    #[test]
    fn a_sequential_system_puts_nothing_off_and_runs_alone() {
        let sequential = System { sequential: true, ..BLANK };
        for (system, expected) in [
            (sequential, None),
            (System { insert: &[0], despawn: true, ..sequential }, None),
            (System { defer: true, ..sequential }, Some(Beside::Defer)),
            (System { update: &[0], ..sequential }, Some(Beside::Update)),
            (System { accumulate: &[0], ..sequential }, Some(Beside::Accumulate)),
            (System { changed: &[0], read: &[0], ..sequential }, Some(Beside::Tracking)),
            (System { added: &[0], read: &[0], ..sequential }, Some(Beside::Tracking)),
            (System { removed: &[0], ..sequential }, Some(Beside::Tracking)),
            (System { streams: &[0], ..sequential }, Some(Beside::Streams)),
            (System { output_streams: true, ..sequential }, Some(Beside::Output)),
            (System { defer: true, output_streams: true, ..BLANK }, None),
        ] {
            assert_eq!(beside_sequential(&system), expected, "{system:?}");
        }
    }
}
