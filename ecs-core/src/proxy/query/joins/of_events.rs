//! Indices of events: the forms of a query's index, made from events in place of components.
//!
//! A record is the key of an event and its value. The value is a copy of the event, if it is `Copy` and small, or else the place
//! where it lies in the queue. Records have the order in which the events were emitted, so the events of a key come in that
//! order.

use core::slice;

use super::forms::{ByCell, ByKey, Copied, CopyComponent, InBounds, Point};
use super::groups::Groups;
use super::index::Form;
use super::key::{Hashed, InCell, Record};
use super::sorted::{Placed, Sorted};
use crate::entity::Place;
use crate::output::{EventPlace, EventQueue};
use crate::parallel::{ForkJoin, fork_chunks};
use crate::state::opaque_debug;
use crate::types::{ThreadSafe, prefetch};

/// Events whose keys are computed at a time.
const CHUNK: usize = 4096;

/// Events of a key that are prefetched in their places.
const PREFETCHED: usize = 16;
/// Bytes that are prefetched together.
const LINE: usize = 64;

/// An index is made and remade by the functions of one `IndexForm`.
const ONE_FORM: &str = "an index has places or copies for as long as it lives";

/// A form of an index that events of the type `E` can have.
pub trait EventForm<E: ThreadSafe>: Form + Sized {
    /// What events are found by: a key, or a point.
    type At: Copy;

    /// Iterates over the events that are found.
    #[doc(hidden)]
    type Found<'a>: Iterator<Item = &'a E> + Clone;

    /// The events by their keys.
    #[doc(hidden)]
    type Table: ThreadSafe;

    /// The table of no events, for places.
    #[doc(hidden)]
    const PLACES: Self::Table;

    /// The table of no events, for copies.
    #[doc(hidden)]
    const COPIES: Self::Table = Self::PLACES;

    /// Makes the table, which was made from [`PLACES`](Self::PLACES).
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: only this crate implements it")]
    fn make(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin);

    /// Makes the table, which was made from [`COPIES`](Self::COPIES).
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: only this crate implements it")]
    fn make_copies(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin)
    where
        E: Copy,
    {
        self.make(table, unread, executor);
    }

    /// Prefetches what [`find`](Self::find) reads first.
    #[doc(hidden)]
    #[inline]
    fn announce(_: &Self::Table, _: Self::At) {}

    /// Prefetches the first values that were found: copies of events, or their places.
    #[doc(hidden)]
    #[inline]
    fn prefetch_values(_: &Self::Found<'_>) {}

    /// Prefetches the events at the first places that were found, or in the cells within bounds. The places must have arrived.
    #[doc(hidden)]
    #[inline]
    fn prefetch_events(_: &Self::Found<'_>) {}

    /// The events with this key, or near this point.
    #[doc(hidden)]
    fn find<'a>(
        &self,
        table: &'a Self::Table,
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

/// The events of a queue that a system has not read.
pub(crate) struct Unread<'a, E> {
    pub(crate) queue: &'a EventQueue<E>,
    pub(crate) system: usize,
}

impl<E: Sync> Unread<'_, E> {
    /// Makes the record of each event, from its place and the event.
    fn collect<R: Copy + Send>(
        &self,
        records: &mut Vec<R>,
        executor: &impl ForkJoin,
        record: &(impl Fn(EventPlace, &E) -> R + Sync),
    ) {
        let Self { queue, system } = *self;
        let count = queue.unread(system).len();
        records.truncate(count);
        if let Some((place, [first, ..])) = queue.unread_pieces(system, 0..1).next() {
            // Each is overwritten.
            records.resize(count, record(place, first));
        }
        fork_chunks(executor, records, CHUNK, &|position, records| {
            let positions = position..position + records.len();
            let mut records = records.iter_mut();
            for ((part, first), events) in queue.unread_pieces(system, positions) {
                // `records` is the last of the zipped iterators, so that the end of a piece takes no item of it.
                for ((at, event), to) in (first..).zip(events).zip(records.by_ref()) {
                    *to = record((part, at), event);
                }
            }
        });
    }
}

/// The events that a system has not read, by their index.
pub(crate) struct EventTable<E: ThreadSafe, F: EventForm<E>> {
    pub(crate) form: F,
    pub(crate) table: F::Table,
}

opaque_debug! { [E: ThreadSafe, F: EventForm<E>] EventTable<E, F> }

impl<E: ThreadSafe, F: EventForm<E>> EventTable<E, F> {
    /// The index of no events, for their places.
    pub(crate) fn of_places(form: F) -> Self {
        Self { form, table: F::PLACES }
    }

    /// The index of no events, for their copies.
    pub(crate) fn of_copies(form: F) -> Self {
        Self { form, table: F::COPIES }
    }
}

/// Events by keys that are hashed.
#[derive(Debug)]
pub enum KeyedEvents<K, E> {
    /// Where they lie in the queue.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed")]
    Places(Grouped<K, EventPlace>),
    /// Copies of them.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed")]
    Copies(Grouped<K, E>),
}

/// Values by key.
#[derive(Debug)]
struct Grouped<K, V> {
    groups: Groups<K, V>,
    /// The key and the value of each event, for their memory.
    records: Vec<(K, V)>,
}

impl<K: Hashed, V> Grouped<K, V> {
    const NONE: Self = Self { groups: Groups::NONE, records: Vec::new() };
}

impl<K: Hashed, V: Copy + ThreadSafe> Grouped<K, V> {
    /// O(events). Allocates nothing if there were as many events before.
    fn make<E: Sync>(
        &mut self,
        unread: &Unread<'_, E>,
        executor: &impl ForkJoin,
        record: &(impl Fn(EventPlace, &E) -> (K, V) + Sync),
    ) {
        unread.collect(&mut self.records, executor, record);
        self.groups.group(executor, &core::iter::once(self.records.as_slice()));
    }
}

impl<K: Hashed, E: ThreadSafe> KeyedEvents<K, E> {
    fn make(
        &mut self,
        unread: &Unread<'_, E>,
        executor: &impl ForkJoin,
        key: impl Fn(&E) -> K + Sync,
    ) {
        let Self::Places(grouped) = self else { unreachable!("{ONE_FORM}") };
        grouped.make(unread, executor, &|place, event| (key(event), place));
    }

    fn make_copies(
        &mut self,
        unread: &Unread<'_, E>,
        executor: &impl ForkJoin,
        key: impl Fn(&E) -> K + Sync,
    ) where
        E: Copy,
    {
        let Self::Copies(grouped) = self else { unreachable!("{ONE_FORM}") };
        grouped.make(unread, executor, &|_, event| (key(event), *event));
    }

    /// Prefetches what [`of`](Self::of) reads first.
    #[inline]
    fn announce(&self, key: &K) {
        match self {
            Self::Places(grouped) => grouped.groups.announce(key),
            Self::Copies(grouped) => grouped.groups.announce(key),
        }
    }

    /// The events of a key.
    #[inline]
    fn of<'a>(&'a self, queue: &'a EventQueue<E>, key: &K) -> OfKey<'a, E> {
        OfKey {
            found: match self {
                Self::Places(grouped) => Found::Places(grouped.groups.of(key).iter(), queue),
                Self::Copies(grouped) => Found::Copies(grouped.groups.of(key).iter()),
            },
        }
    }
}

/// The events of one key.
pub struct OfKey<'a, E> {
    found: Found<'a, E>,
}

/// What [`KeyedEvents`] has of events.
enum Found<'a, E> {
    Places(slice::Iter<'a, EventPlace>, &'a EventQueue<E>),
    Copies(slice::Iter<'a, E>),
}

opaque_debug! { [E] OfKey<'_, E> }

impl<E> Clone for OfKey<'_, E> {
    fn clone(&self) -> Self {
        let found = match &self.found {
            Found::Places(places, queue) => Found::Places(places.clone(), queue),
            Found::Copies(copies) => Found::Copies(copies.clone()),
        };
        Self { found }
    }
}

impl<E> OfKey<'_, E> {
    /// As [`EventForm::prefetch_values`]: the first two lines.
    #[inline]
    fn prefetch_values(&self) {
        let first: *const u8 = match &self.found {
            Found::Places(places, _) => places.as_slice().as_ptr().cast(),
            Found::Copies(copies) => copies.as_slice().as_ptr().cast(),
        };
        prefetch(first);
        prefetch(first.wrapping_add(LINE));
    }

    /// As [`EventForm::prefetch_events`].
    #[inline]
    fn prefetch_events(&self) {
        if let Found::Places(places, queue) = &self.found {
            for place in places.as_slice().iter().take(PREFETCHED) {
                queue.at(*place).inspect(|&event| prefetch(event));
            }
        }
    }
}

impl<'a, E> Iterator for OfKey<'a, E> {
    type Item = &'a E;

    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        match &mut self.found {
            Found::Places(places, queue) => queue.at(*places.next()?),
            Found::Copies(copies) => copies.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.found {
            Found::Places(places, _) => places.size_hint(),
            Found::Copies(copies) => copies.size_hint(),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a E) -> B>(self, first: B, f: F) -> B {
        match self.found {
            Found::Places(places, queue) => {
                places.filter_map(|place| queue.at(*place)).fold(first, f)
            }
            Found::Copies(copies) => copies.fold(first, f),
        }
    }
}

impl<E: ThreadSafe, K: KeyOfEvents> EventForm<E> for ByKey<E, K> {
    type At = K;
    type Found<'a> = OfKey<'a, E>;
    type Table = KeyedEvents<K, E>;
    const PLACES: Self::Table = KeyedEvents::Places(Grouped::NONE);
    const COPIES: Self::Table = KeyedEvents::Copies(Grouped::NONE);

    #[expect(private_interfaces, reason = "sealed")]
    fn make(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin) {
        table.make(&unread, executor, |event| self.key(event));
    }

    #[expect(private_interfaces, reason = "sealed")]
    fn make_copies(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin)
    where
        E: Copy,
    {
        table.make_copies(&unread, executor, |event| self.key(event));
    }

    #[inline]
    fn announce(table: &Self::Table, key: K) {
        table.announce(&key);
    }

    #[inline]
    fn prefetch_values(found: &OfKey<'_, E>) {
        found.prefetch_values();
    }

    #[inline]
    fn prefetch_events(found: &OfKey<'_, E>) {
        found.prefetch_events();
    }

    #[inline]
    fn find<'a>(&self, table: &'a Self::Table, queue: &'a EventQueue<E>, at: K) -> Self::Found<'a> {
        table.of(queue, &at)
    }
}

/// The events in the cells around a point.
pub struct InCells<'a, E, P: Point> {
    table: &'a KeyedEvents<P::Cell, E>,
    queue: &'a EventQueue<E>,
    /// The cells that follow.
    cells: P::Neighbours,
    /// The rest of the current cell.
    cell: OfKey<'a, E>,
}

opaque_debug! { [E, P: Point] InCells<'_, E, P> }

impl<E, P: Point> Clone for InCells<'_, E, P> {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), cell: self.cell.clone(), ..*self }
    }
}

impl<'a, E: ThreadSafe, P: Point> Iterator for InCells<'a, E, P> {
    type Item = &'a E;

    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        loop {
            if let Some(event) = self.cell.next() {
                return Some(event);
            }
            self.cell = self.table.of(self.queue, &self.cells.next()?);
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a E) -> B>(self, first: B, mut f: F) -> B {
        let Self { table, queue, cells, cell } = self;
        // The events of the next cell are prefetched.
        let mut rest = cells.map(|cell| {
            let events = table.of(queue, &cell);
            events.prefetch_values();
            events
        });
        let (mut folded, mut next) = (first, Some(cell));
        while let Some(events) = next {
            next = rest.next();
            folded = events.fold(folded, &mut f);
        }
        folded
    }
}

impl<E: ThreadSafe, P: Point> EventForm<E> for ByCell<E, P> {
    type At = P;
    type Found<'a> = InCells<'a, E, P>;
    type Table = KeyedEvents<P::Cell, E>;
    const PLACES: Self::Table = KeyedEvents::Places(Grouped::NONE);
    const COPIES: Self::Table = KeyedEvents::Copies(Grouped::NONE);

    #[expect(private_interfaces, reason = "sealed")]
    fn make(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin) {
        table.make(&unread, executor, |event| self.cell(event));
    }

    #[expect(private_interfaces, reason = "sealed")]
    fn make_copies(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin)
    where
        E: Copy,
    {
        table.make_copies(&unread, executor, |event| self.cell(event));
    }

    #[inline]
    fn prefetch_values(found: &InCells<'_, E, P>) {
        found.cell.prefetch_values();
    }

    #[inline]
    fn prefetch_events(found: &InCells<'_, E, P>) {
        found.cell.prefetch_events();
    }

    #[inline]
    fn find<'a>(&self, table: &'a Self::Table, queue: &'a EventQueue<E>, at: P) -> Self::Found<'a> {
        let mut cells = at.neighbours(self.size());
        // Begins at the first cell that has events, so that `next` does not search.
        let mut events = cells.by_ref().map(|cell| table.of(queue, &cell));
        let cell = events.find(|events| events.size_hint().0 > 0);
        InCells {
            table,
            queue,
            cells,
            cell: cell.unwrap_or(OfKey { found: Found::Copies([].iter()) }),
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

/// Copies of events, sorted by the cells of a bounded grid.
pub struct EventsInBounds<E: CopyComponent> {
    sorted: Sorted<Copied<E>>,
    /// The cell of each event, and a copy, for their memory.
    records: Vec<Record<InCell<Copied<E>>, Copied<E>>>,
}

opaque_debug! { [E: CopyComponent] EventsInBounds<E> }

impl<E: CopyComponent, P: Point> EventForm<E> for InBounds<E, P, Copied<E>> {
    type At = P;
    type Found<'a> = InRuns<'a, E, P>;
    type Table = EventsInBounds<E>;
    const PLACES: Self::Table = EventsInBounds { sorted: Sorted::NONE, records: Vec::new() };

    #[expect(private_interfaces, reason = "sealed")]
    fn make(&self, table: &mut Self::Table, unread: Unread<'_, E>, executor: &impl ForkJoin) {
        let EventsInBounds { sorted, records } = table;
        unread.collect(records, executor, &|_, event| (self.cell(event), Copied(*event)));
        let records = core::iter::once(records.as_slice());
        // They have no row.
        let place = Place::of(0);
        let member = |&(_, value): &Record<_, _>| Placed { value, place };
        sorted.sort(executor, self.count(), &records, &|| member);
    }

    #[inline]
    fn prefetch_events(found: &InRuns<'_, E, P>) {
        found.runs.clone().for_each(|run| prefetch(found.sorted.run(run).as_ptr()));
    }

    #[inline]
    fn find<'a>(&self, table: &'a Self::Table, _: &'a EventQueue<E>, at: P) -> Self::Found<'a> {
        InRuns { sorted: &table.sorted, runs: at.runs(self.bounds()), run: [].iter() }
    }
}
