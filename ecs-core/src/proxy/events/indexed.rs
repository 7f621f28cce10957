//! Events that have an index: each reader finds those of a key, or those near a point.

use core::fmt;
use core::marker::PhantomData;

use crate::output::EventQueue;
use crate::proxy::events::assert_reads_event;
use crate::proxy::query::joins::{EventForm, EventTable, Unread};
use crate::signature::access::ReadAsEventBy;
use crate::signature::tables::events::{EventIsNotCopy, Indexing, LARGEST_COPY, MakeIndex};
use crate::signature::{
    Data, Declaration, Effects, EventSignature, HasEvent, Message, SystemName,
    assert_not_sequential,
};
use crate::types::{Brand, Erased, ThreadSafe};

/// The event `E` of the declaration has an index: `event E: by_key(..);` or `event E: by_cell(..);`.
///
/// ```
/// use ecs_core::joins::{EventKey, HasEventIndex};
/// use ecs_core::access::ReadAsEventBy;
/// use ecs_core::{Data, SystemName, world};
///
/// struct Paid { account: u32 }
///
/// /// How many payments there are to one account, in any world with an index by account.
/// fn count<D, N>(data: &Data<'_, D, N>, account: EventKey<D, Paid>) -> usize
/// where
///     D: HasEventIndex<Paid>,
///     N: SystemName<D>,
///     Paid: ReadAsEventBy<N, D>,
/// {
///     data.effects.events_by::<Paid>().at(account).count()
/// }
///
/// world! {
///     world Bank;
///     event Paid: by_key(|paid: &Paid| -> u32 { paid.account });
///     system Count { on: [Paid], run: |data| assert_eq!(count(data, 7), 2) }
/// }
///
/// let mut world = ecs_core::World::<Bank>::new();
/// [7, 8, 7].map(|account| world.emit(Paid { account }));
/// world.tick()?;
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0159] the event `{E}` has no index in the declaration of `{Self}`",
    label = "not found by key or by cell",
    note = "say what its events are found by: `event {E}: by_key(|event: &{E}| -> Key {{ .. }});`, or `by_cell(|event: &{E}| -> [f32; 2] {{ .. }}, size)`",
    note = "or go over all of them: `effects.events::<{E}>()`"
)]
pub trait HasEventIndex<E: ThreadSafe>: HasEvent<E> {
    /// The form of the index.
    type Form: EventForm<E>;

    /// The index.
    #[doc(hidden)]
    fn form() -> Self::Form;
}

/// What the events `E` are found by in the declaration `D`: the key, or a point.
///
/// ```
/// use ecs_core::joins::EventKey;
/// # struct Shout([f32; 2]);
/// ecs_core::world! {
///     world Crowd;
///     event Shout: by_cell(|shout: &Shout| -> [f32; 2] { shout.0 }, 5.0);
///     system Hear { on: [Shout], run: |_| {} }
/// }
/// let origin: EventKey<Crowd, Shout> = [0.0, 0.0];
/// # let _ = origin;
/// ```
pub type EventKey<D, E> = <<D as HasEventIndex<E>>::Form as EventForm<E>>::At;

/// Entities whose events are looked up together.
const TOGETHER: usize = 16;

impl EventSignature {
    /// The event `E`, which has an index of this form.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a constant, made for this call")]
    pub const fn indexed<D: HasEventIndex<E>, E: ThreadSafe>(form: IndexForm<D, E>) -> Self {
        Self { indexing: Some(form.indexing), ..Self::of::<D, EventQueue<E>>() }
    }
}

/// What the index of the events `E` holds of each: [`OfIndex`] knows.
#[derive(Debug)]
pub struct IndexForm<D, E> {
    indexing: Indexing,
    of: Brand<(D, E)>,
}

impl<D: HasEventIndex<E>, E: ThreadSafe> IndexForm<D, E> {
    const fn of(new: fn() -> Erased, make: MakeIndex) -> Self {
        Self { indexing: Indexing { new, make }, of: PhantomData }
    }
}

/// Tells the form of the index of the events `E`, by its constant `FORM`: the constant of the type if they are `Copy`, and else
/// that of the trait [`EventIsNotCopy`].
#[derive(Debug)]
pub struct OfIndex<D, E>(Brand<(D, E)>);

impl<D: HasEventIndex<E>, E: ThreadSafe + Copy> OfIndex<D, E> {
    /// Copies, if they are small.
    pub const FORM: IndexForm<D, E> = if size_of::<E>() <= LARGEST_COPY {
        let new = || Erased::new(EventTable::of_copies(D::form()));
        IndexForm::of(new, |index, queue, system, _, workers| {
            let EventTable { form, table } = index.get_mut::<EventTable<E, D::Form>>();
            // SAFETY: by the contract of `MakeIndex`.
            let queue = unsafe { queue.get() };
            form.make_copies(table, Unread { queue, system }, workers);
        })
    } else {
        <Self as EventIsNotCopy>::FORM
    };
}

impl<D: HasEventIndex<E>, E: ThreadSafe> EventIsNotCopy for OfIndex<D, E> {
    type Form = IndexForm<D, E>;

    const FORM: IndexForm<D, E> = {
        let new = || Erased::new(EventTable::of_places(D::form()));
        IndexForm::of(new, |index, queue, system, _, workers| {
            let EventTable { form, table } = index.get_mut::<EventTable<E, D::Form>>();
            // SAFETY: by the contract of `MakeIndex`.
            let queue = unsafe { queue.get() };
            form.make(table, Unread { queue, system }, workers);
        })
    };
}

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// The events of the type `E` that this system has not read, by the index that the declaration gives them: those of a
    /// key, or those near a point. It is to [`events`](Self::events) what [`lookup`](Self::lookup) and [`near`](Self::near)
    /// are to [`members`](Self::members), with the same cells and neighbours.
    ///
    /// Each subtask finds all events, also where it reads only a part of them by [`events`](Self::events). So a system whose
    /// subtasks share events must be `slice_dependent` to look events up, or this does not compile
    /// ([`ECS0023`](crate::errors::ecs0023)).
    ///
    /// The index is made before the subtasks of the system run, on all threads: O(events + cells within bounds). It holds copies
    /// of the events, if `E` is `Copy` and takes up to 32 bytes, and else the places where they lie. Copies are faster, as those
    /// of a key lie side by side. Memory is kept. This call is O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Cell(usize);
    /// # struct Heat(u32);
    /// struct Spark { cell: usize, heat: u32 }
    ///
    /// world! {
    ///     world Wood;
    ///     component Cell, Heat;
    ///     event Spark: by_key(|spark: &Spark| -> usize { spark.cell });
    ///     system Burn {
    ///         parallelism: split_evenly(cores),
    ///         emit: [Spark],
    ///         each: |cell: &Cell, heat: &mut Heat, effects| {
    ///             heat.0 /= 2;
    ///             effects.emit(Spark { cell: cell.0 + 1, heat: heat.0 });
    ///         },
    ///     }
    ///     system Catch {
    ///         parallelism: split_evenly(cores),
    ///         on: [Spark],
    ///         read: [Cell],
    ///         write: [Heat],
    ///         run: |data| {
    ///             let sparks = data.effects.events_by::<Spark>();
    ///             data.own.for_entities(|tree| {
    ///                 tree.heat.0 += sparks.at(tree.cell.0).map(|spark| spark.heat).sum::<u32>();
    ///             });
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Wood>::new();
    /// world.spawn_batch([(0, 8), (1, 0), (1, 4)].map(|(cell, heat)| (Cell(cell), Heat(heat))));
    /// world.tick()?;
    /// assert!(world.iter::<&Heat>().map(|heat| heat.0).eq([4, 4, 6]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Panics
    /// If a declaration that was written by hand does not name the index among its events.
    #[must_use]
    pub fn events_by<E: ReadAsEventBy<N, D>>(&self) -> EventsBy<'w, D, E>
    where
        D: HasEventIndex<E>,
    {
        const { assert_reads_event::<D, N>(E::INDEX) };
        const { assert_looks_events_up::<D, N>() };
        let core = self.core;
        let index = core.contributions.index_of(N::INDEX, E::INDEX);
        let index = index.expect("`EVENTS` of the declaration has the index of the event");
        // SAFETY: `Contributions::deliver` alone writes the index, before the subtasks of the system run. This is a subtask
        // of it, which lasts for `'w`.
        let index = unsafe { index.get() };
        EventsBy { index, queue: E::queue(&core.resources) }
    }
}

/// Fails to evaluate if the subtasks of the system share its events. Each would find all of them, and act as often as it is split.
const fn assert_looks_events_up<D: Declaration, N: SystemName<D>>() {
    let system = &D::SYSTEMS[N::INDEX];
    if system.shares_events() && !system.declared.slice_dependent {
        Message::new()
            .text("[ECS0023] the system `")
            .text(system.name)
            .text("` has no entities, so its subtasks share the events that it reads, and each of them would find all by `events_by`\nhelp: one subtask: remove `parallelism`; or declare `slice_dependent`")
            .raise();
    }
}

impl<'w, D: Declaration, N: SystemName<D>> Data<'w, D, N> {
    /// Calls `f` for each entity of this subtask for which there are events of the type `E` that this system has not read: with
    /// the entity's components, these events, and the effects. `at` says what is looked for: the key, or the point around
    /// which it is; the event has an [index](crate::world#events-by-key-and-by-cell). The entities are in ascending order
    /// of rows. `at` is called for up to sixteen of them before `f` is called for the first of these, so it does not see what `f` does to
    /// the others.
    ///
    /// The events of one key come in the order in which they were emitted; those near a point cell by cell, in ascending
    /// order of cells, and in each as they were emitted. Among them are all that are nearer than the size of a cell on each
    /// axis, and others. An event goes to all entities that ask for it. (One that is for a given entity is
    /// [addressed](Self::for_messages).)
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct At([f32; 2]);
    /// # struct Alarm(bool);
    /// struct Shout { at: [f32; 2], loud: bool }
    ///
    /// world! {
    ///     world Crowd;
    ///     component At, Alarm;
    ///     event Shout: by_cell(|shout: &Shout| -> [f32; 2] { shout.at }, 10.0);
    ///     system Hear {
    ///         parallelism: split_evenly(cores),
    ///         on: [Shout],
    ///         read: [At],
    ///         write: [Alarm],
    ///         run: |data| data.for_events_by::<Shout>(|one| one.at.0, |one, mut shouts, _| {
    ///             one.alarm.0 = shouts.any(|shout| shout.loud);
    ///         }),
    ///     }
    /// }
    ///
    /// let mut world = World::<Crowd>::new();
    /// world.spawn_batch([3.0, 9.0, 70.0].map(|x| (At([x, x]), Alarm(false))));
    /// world.emit(Shout { at: [-2.0, 4.0], loud: true });
    /// world.tick()?;
    /// assert!(world.iter::<&Alarm>().map(|alarm| alarm.0).eq([true, true, false]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// O(entities + events that are found), after the index is made, as for [`events_by`](Effects::events_by).
    ///
    /// # Panics
    /// As [`events_by`](Effects::events_by).
    #[doc(alias = "for_messages_by")]
    pub fn for_events_by<E: ReadAsEventBy<N, D>>(
        &mut self,
        at: impl Fn(&N::Entry<'_>) -> EventKey<D, E>,
        mut f: impl FnMut(N::Entry<'_>, EventsAt<'_, D, E>, &mut Effects<'w, D, N>),
    ) where
        D: HasEventIndex<E>,
    {
        const { assert_not_sequential::<D, N>("for_events_by") };
        let Self { own, effects, .. } = self;
        let events = effects.events_by::<E>();
        if events.queue.unread(N::INDEX).len() == 0 {
            return;
        }
        // The events of successive entities are scattered in memory. So up to sixteen look-ups take each step together, and each step
        // prefetches what the next one reads.
        let mut entries = own.iter();
        let (mut asked, mut found) = ([const { None }; TOGETHER], [const { None }; TOGETHER]);
        loop {
            let mut count = 0;
            for (asked, entry) in asked.iter_mut().zip(entries.by_ref()) {
                let at = at(&entry);
                D::Form::announce(&events.index.table, at);
                *asked = Some((entry, at));
                count += 1;
            }
            for (asked, found) in asked[..count].iter().flatten().zip(&mut found) {
                let events = events.at(asked.1);
                D::Form::prefetch_values(&events.found);
                *found = Some(events);
            }
            found[..count].iter().flatten().for_each(|events| {
                D::Form::prefetch_events(&events.found);
            });
            for (asked, found) in asked[..count].iter_mut().zip(&mut found) {
                if let (Some((entry, _)), Some(events)) = (asked.take(), found.take())
                    && events.clone().next().is_some()
                {
                    f(entry, events, effects);
                }
            }
            if count < TOGETHER {
                break;
            }
        }
    }
}

/// Events by their index. It is `Copy`.
///
/// ```
/// use ecs_core::joins::EventsBy;
/// # struct Paid { account: u32, sum: u32 }
/// ecs_core::world! {
///     world Bank;
///     event Paid: by_key(|paid: &Paid| -> u32 { paid.account });
///     system Check { on: [Paid], run: |data| assert_eq!(paid(data.effects.events_by(), 7), 50) }
/// }
///
/// fn paid(all: EventsBy<'_, Bank, Paid>, account: u32) -> u32 {
///     all.at(account).map(|paid| paid.sum).sum()
/// }
/// # let mut world = ecs_core::World::<Bank>::new();
/// # [(7, 20), (8, 9), (7, 30)].map(|(account, sum)| world.emit(Paid { account, sum }));
/// # world.tick().unwrap();
/// ```
pub struct EventsBy<'w, D: HasEventIndex<E>, E: ThreadSafe> {
    index: &'w EventTable<E, D::Form>,
    queue: &'w EventQueue<E>,
}

impl<'w, D: HasEventIndex<E>, E: ThreadSafe> EventsBy<'w, D, E> {
    /// The events of the key, in the order in which they were emitted; or those in the cells around the point, in
    /// ascending order of cells, and in each cell in the order in which they were emitted. O(1), or O(cells), and O(1) for
    /// each event.
    #[inline]
    #[must_use]
    pub fn at(self, at: EventKey<D, E>) -> EventsAt<'w, D, E> {
        let EventTable { form, table } = self.index;
        EventsAt { found: form.find(table, self.queue, at) }
    }
}

impl<D: HasEventIndex<E>, E: ThreadSafe> Clone for EventsBy<'_, D, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: HasEventIndex<E>, E: ThreadSafe> Copy for EventsBy<'_, D, E> {}

impl<D: HasEventIndex<E>, E: ThreadSafe> fmt::Debug for EventsBy<'_, D, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventsBy").field("index", self.index).finish_non_exhaustive()
    }
}

/// The events of one key, or those near one point.
///
/// ```
/// use ecs_core::joins::EventsAt;
/// # struct Paid { account: u32, sum: u32 }
/// # ecs_core::world! {
/// #     world Bank;
/// #     event Paid: by_key(|paid: &Paid| -> u32 { paid.account });
/// #     system Check {
/// #         on: [Paid],
/// #         run: |data| assert_eq!(last(data.effects.events_by::<Paid>().at(7)), Some(30)),
/// #     }
/// # }
///
/// fn last(paid: EventsAt<'_, Bank, Paid>) -> Option<u32> {
///     paid.last().map(|paid| paid.sum)
/// }
/// # let mut world = ecs_core::World::<Bank>::new();
/// # [(7, 20), (7, 30), (8, 9)].map(|(account, sum)| world.emit(Paid { account, sum }));
/// # world.tick().unwrap();
/// ```
pub struct EventsAt<'a, D: HasEventIndex<E>, E: ThreadSafe> {
    found: <D::Form as EventForm<E>>::Found<'a>,
}

impl<D: HasEventIndex<E>, E: ThreadSafe> Clone for EventsAt<'_, D, E> {
    fn clone(&self) -> Self {
        Self { found: self.found.clone() }
    }
}

impl<D: HasEventIndex<E>, E: ThreadSafe> fmt::Debug for EventsAt<'_, D, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventsAt").finish_non_exhaustive()
    }
}

impl<'a, D: HasEventIndex<E>, E: ThreadSafe> Iterator for EventsAt<'a, D, E> {
    type Item = &'a E;

    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        self.found.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.found.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a E) -> B>(self, first: B, f: F) -> B {
        self.found.fold(first, f)
    }
}
