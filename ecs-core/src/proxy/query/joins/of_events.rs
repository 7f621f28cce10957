//! Indices of events: the forms of a query's index, made from events in place of components.
//!
//! A record is the key of an event and its position among those that the system has not read, which takes the place of the row.
//! So the events of a key come in the order in which they were emitted.

use core::ops::Range;
use core::slice;

use super::forms::{ByCell, ByKey, Copied, CopyComponent, InBounds, Point};
use super::groups::Groups;
use super::index::{Form, Records, TableOf};
use super::key::{Hashed, InCell, Table};
use super::sorted::{Placed, Sorted};
use crate::output::EventQueue;
use crate::parallel::{ForkJoin, fork_chunks};
use crate::state::opaque_debug;
use crate::types::{Sealed, ThreadSafe};

/// Events whose keys are computed at a time.
const CHUNK: usize = 4096;

/// A form of an index that events of the type `E` can have.
pub trait EventForm<E: ThreadSafe>: Form + Sized {
    /// What events are found by: a key, or a point.
    type At: Copy;

    /// Iterates over the events that are found.
    #[doc(hidden)]
    type Found<'a>: Iterator<Item = &'a E> + Clone;

    /// The key of an event.
    #[doc(hidden)]
    fn key_of(&self, event: &E) -> Self::Key;

    /// The events with this key, or near this point.
    #[doc(hidden)]
    fn find<'a>(
        table: &'a EventTable<Self>,
        queue: &'a EventQueue<E>,
        at: Self::At,
    ) -> Self::Found<'a>;
}

/// A key that events are found by: one that is hashed.
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not a key of events",
    label = "not hashed",
    note = "a key of events is `Copy + Eq + Hash + Send + Sync + 'static`"
)]
pub trait KeyOfEvents: Hashed {}

#[diagnostic::do_not_recommend]
impl<K: Hashed> KeyOfEvents for K {}

/// The events that a system has not read, by their index.
pub struct EventTable<F: Form> {
    form: F,
    table: TableOf<F::Key>,
    /// The key and the position of each event, for their memory.
    records: Records<F::Key>,
    parts: Parts,
}

opaque_debug! { [F: Form] EventTable<F>: |this| len = this.records.len() }

impl<F: Form> EventTable<F> {
    /// The index of no events.
    pub(crate) fn new(form: F) -> Self {
        let parts = Parts(Vec::new());
        Self { form, table: TableOf::<F::Key>::EMPTY, records: Vec::new(), parts }
    }

    /// Makes the index from the events that the system has not read. O(events + cells within bounds). Allocates nothing if
    /// there were as many events before.
    pub(crate) fn make<E: ThreadSafe>(
        &mut self,
        queue: &EventQueue<E>,
        system: usize,
        executor: &impl ForkJoin,
    ) where
        F: EventForm<E>,
    {
        let Self { form, table, records, parts } = self;
        parts.set(queue.unread_parts(system));
        let mut unread = queue.unread(system);
        let count = unread.len();
        records.truncate(count);
        if let Some(first) = unread.next() {
            // Each is overwritten.
            records.resize(count, (form.key_of(first), 0));
        }
        let form = &*form;
        fork_chunks(executor, records, CHUNK, &|position, records| {
            let mut number = position as u32;
            let mut rest = records;
            for events in queue.unread_from(system, position).slices() {
                let (records, more) = rest.split_at_mut(events.len().min(rest.len()));
                for (record, event) in records.iter_mut().zip(events) {
                    *record = (form.key_of(event), number);
                    number += 1;
                }
                if more.is_empty() {
                    break;
                }
                rest = more;
            }
        });
        let records = core::iter::once(records.as_slice());
        table.make(executor, form.bound(Sealed(())), &records);
    }
}

/// Where the unread events lie in the parts of their queue.
struct Parts(Vec<Part>);

/// Unread events of one part.
#[derive(Clone, Copy)]
struct Part {
    /// The position of the first one among all that are unread.
    position: u32,
    number: usize,
    /// Where the first one is in the part.
    first: usize,
}

impl Parts {
    fn set(&mut self, parts: impl Iterator<Item = (usize, Range<usize>)>) {
        self.0.clear();
        let mut position = 0;
        for (number, range) in parts {
            self.0.push(Part { position, number, first: range.start });
            position += range.len() as u32;
        }
    }
}

/// Finds events by their positions. Most of them lie in the part of the one before.
pub(super) struct Picks<'a, E> {
    queue: &'a EventQueue<E>,
    parts: &'a [Part],
    /// The unread events of one part, and the position of the first.
    part: &'a [E],
    position: u32,
}

opaque_debug! { [E] Picks<'_, E> }

impl<E> Clone for Picks<'_, E> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, E> Picks<'a, E> {
    fn of(queue: &'a EventQueue<E>, Parts(parts): &'a Parts) -> Self {
        Self { queue, parts, part: &[], position: 0 }
    }

    #[inline]
    fn get(&mut self, position: u32) -> Option<&'a E> {
        let event = self.part.get(position.wrapping_sub(self.position) as usize);
        if event.is_some() {
            return event;
        }
        let after = self.parts.partition_point(|part| part.position <= position);
        let part = self.parts[..after].last()?;
        self.part = self.queue.part(part.number, part.first);
        self.position = part.position;
        self.part.get((position - part.position) as usize)
    }
}

/// The events of one key.
pub struct OfKey<'a, E> {
    picks: Picks<'a, E>,
    positions: slice::Iter<'a, u32>,
}

opaque_debug! { [E] OfKey<'_, E>: |this| len = this.positions.len() }

impl<E> Clone for OfKey<'_, E> {
    fn clone(&self) -> Self {
        Self { picks: self.picks.clone(), positions: self.positions.clone() }
    }
}

impl<'a, E> Iterator for OfKey<'a, E> {
    type Item = &'a E;

    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        let &position = self.positions.next()?;
        self.picks.get(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl<E: ThreadSafe, K: KeyOfEvents> EventForm<E> for ByKey<E, K> {
    type At = K;
    type Found<'a> = OfKey<'a, E>;

    #[inline]
    fn key_of(&self, event: &E) -> K {
        self.key(event)
    }

    #[inline]
    fn find<'a>(table: &'a EventTable<Self>, queue: &'a EventQueue<E>, key: K) -> OfKey<'a, E> {
        let positions = table.table.rows(&key).iter();
        OfKey { picks: Picks::of(queue, &table.parts), positions }
    }
}

/// The events in the cells around a point.
pub struct InCells<'a, E, P: Point> {
    picks: Picks<'a, E>,
    groups: &'a Groups<P::Cell>,
    /// The cells that follow.
    cells: P::Neighbours,
    /// The rest of the current cell.
    positions: slice::Iter<'a, u32>,
}

opaque_debug! { [E, P: Point] InCells<'_, E, P> }

impl<E, P: Point> Clone for InCells<'_, E, P> {
    fn clone(&self) -> Self {
        let Self { picks, groups, cells, positions } = self;
        Self { picks: picks.clone(), groups, cells: cells.clone(), positions: positions.clone() }
    }
}

impl<'a, E, P: Point> Iterator for InCells<'a, E, P> {
    type Item = &'a E;

    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        loop {
            if let Some(&position) = self.positions.next() {
                return self.picks.get(position);
            }
            self.positions = self.groups.rows(&self.cells.next()?).iter();
        }
    }
}

impl<E: ThreadSafe, P: Point> EventForm<E> for ByCell<E, P> {
    type At = P;
    type Found<'a> = InCells<'a, E, P>;

    #[inline]
    fn key_of(&self, event: &E) -> P::Cell {
        self.cell(event)
    }

    #[inline]
    fn find<'a>(table: &'a EventTable<Self>, queue: &'a EventQueue<E>, at: P) -> InCells<'a, E, P> {
        InCells {
            picks: Picks::of(queue, &table.parts),
            groups: &table.table,
            cells: at.neighbours(table.form.size()),
            positions: [].iter(),
        }
    }
}

/// The events in the cells around a point of a bounded grid: copies, side by side.
pub struct InRuns<'a, E, P: Point> {
    sorted: &'a Sorted<Copied<E>>,
    /// The numbers of the cells that follow.
    runs: P::Runs,
    /// The rest of the current run.
    run: slice::Iter<'a, Placed<Copied<E>>>,
}

opaque_debug! { [E: CopyComponent, P: Point] InRuns<'_, E, P> }

impl<E, P: Point> Clone for InRuns<'_, E, P> {
    fn clone(&self) -> Self {
        Self { sorted: self.sorted, runs: self.runs.clone(), run: self.run.clone() }
    }
}

impl<'a, E: CopyComponent, P: Point> Iterator for InRuns<'a, E, P> {
    type Item = &'a E;

    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        loop {
            if let Some(event) = self.run.next() {
                return Some(&event.value.0);
            }
            self.run = self.sorted.run(self.runs.next()?).iter();
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a E) -> B>(self, first: B, mut f: F) -> B {
        let folded = self.run.fold(first, |folded, event| f(folded, &event.value.0));
        let rest = self.runs.map(|run| self.sorted.run(run));
        rest.fold(folded, |folded, run| {
            run.iter().fold(folded, |folded, event| f(folded, &event.value.0))
        })
    }
}

impl<E: CopyComponent, P: Point> EventForm<E> for InBounds<E, P, Copied<E>> {
    type At = P;
    type Found<'a> = InRuns<'a, E, P>;

    #[inline]
    fn key_of(&self, event: &E) -> InCell<Copied<E>> {
        InCell { number: self.number(event), copies: Copied(*event) }
    }

    #[inline]
    fn find<'a>(table: &'a EventTable<Self>, _: &'a EventQueue<E>, at: P) -> InRuns<'a, E, P> {
        let runs = at.runs(table.form.bounds());
        InRuns { sorted: &table.table, runs, run: [].iter() }
    }
}
