//! The events of a declaration, for what happens to all of them at the beginning and the end of a step.

use crate::signature::{Declaration, HasResource};
use core::ops::Range;

use crate::entity::{Entity, Handles};
use crate::output::EventQueue;
use crate::parallel::{PanicSlot, Workers};
use crate::types::{Erased, StateHash, StateHasher, ThreadSafe};

/// Names an event: the resource that is its queue, and what the library does with that.
#[derive(Clone, Copy, Debug)]
pub struct EventSignature {
    /// The queue's index among the resources.
    pub(crate) resource: usize,
    /// Drops old events, whose panics go into the slot, and adds those for this step.
    pub(crate) begin_step: fn(&mut Erased, &PanicSlot),
    /// The system at this index has read all that is in the queue.
    pub(crate) mark_read: fn(&mut Erased, usize),
    /// To whom the events go, if they are addressed.
    pub(crate) targets: Option<Targets>,
    /// How their index is made, if they have one.
    pub(crate) indexing: Option<Indexing>,
}

/// Some events of a queue: the number of a part of it, and positions in that.
pub(crate) type Part = (usize, Range<usize>);

/// To whom the events of a queue go. Of both functions the second argument is the system that reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets {
    /// Where the events lie that the system has not read: the number of each part of the queue, and the positions in it.
    ///
    /// # Safety
    /// Nothing may write the queue meanwhile.
    pub(crate) places: unsafe fn(&Erased, usize, &mut Vec<Part>),
    /// Writes the rows of the receivers, from the event at a position on; [`NO_ENTITY`] for one that is not alive.
    ///
    /// # Safety
    /// As for `places`.
    pub(crate) find: unsafe fn(&Erased, usize, usize, &mut [u32], Handles<'_>),
}

/// The index of events. Each system that reads them has one, of those that it has not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indexing {
    /// The index of no events.
    pub(crate) new: fn() -> Erased,
    /// Makes the index from the queue's events that the system has not read.
    ///
    /// # Safety
    /// Nothing may write the queue meanwhile.
    pub(crate) make: unsafe fn(&mut Erased, &Erased, usize, &Workers),
}

/// The row of no entity.
pub(crate) const NO_ENTITY: u32 = u32::MAX;

impl EventSignature {
    /// The event whose queue is the resource `Q`.
    #[must_use]
    pub const fn of<D: Declaration + HasResource<Q>, Q: Queue>() -> Self {
        Self {
            resource: <D as HasResource<Q>>::INDEX,
            begin_step: |queue, panics| queue.get_mut::<EventQueue<Q::Event>>().begin_step(panics),
            mark_read: |queue, system| {
                queue.get_mut::<EventQueue<Q::Event>>().mark_read(system);
            },
            targets: None,
            indexing: None,
        }
    }

    /// The addressed event `M`.
    #[must_use]
    pub const fn addressed<D: HasResource<EventQueue<Addressed<M>>>, M: ThreadSafe>() -> Self {
        let targets = Targets {
            places: |queue, system, places| {
                // SAFETY: by the contract.
                let queue = unsafe { queue.get::<EventQueue<Addressed<M>>>() };
                places.extend(queue.unread_parts(system));
            },
            find: |queue, system, position, rows, handles| {
                // SAFETY: by the contract.
                let queue = unsafe { queue.get::<EventQueue<Addressed<M>>>() };
                let mut rest = rows;
                for events in queue.unread_from(system, position).slices() {
                    let (rows, more) = rest.split_at_mut(events.len().min(rest.len()));
                    for (row, event) in rows.iter_mut().zip(events) {
                        *row = handles.row(event.to).map_or(NO_ENTITY, |row| row as u32);
                    }
                    rest = more;
                }
            },
        };
        Self { targets: Some(targets), ..Self::of::<D, EventQueue<Addressed<M>>>() }
    }
}

/// An event that is for one entity: what the queue of an `addressed` event has.
///
/// ```
/// # use ecs_core::{Addressed, World, world};
/// # struct Health(u32);
/// struct Hit(u32);
///
/// world! {
///     world Arena;
///     component Health;
///     event Hit: addressed;
///     system Hurt {
///         on: [Hit],
///         write: [Health],
///         run: |data| data.for_messages::<Hit>(|one, hits, _| hits.for_each(|hit| one.health.0 -= hit.0)),
///     }
/// }
///
/// let mut world = World::<Arena>::new();
/// let target = world.spawn((Health(9),));
/// world.send(target, Hit(4));
/// world.send(target, Hit(3));
/// world.tick()?;
/// assert_eq!(world.get::<Health>(target).unwrap().0, 2);
/// assert!(world.events::<Addressed<Hit>>().all(|hit| hit.to == target));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Addressed<M> {
    /// The receiver.
    pub to: Entity,
    /// What it receives.
    pub message: M,
}

impl<M: StateHash> StateHash for Addressed<M> {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.to.state_hash(hasher);
        self.message.state_hash(hasher);
    }
}

/// An [`EventQueue`]: the type of the event, and a new queue.
pub trait Queue {
    /// The event.
    type Event: ThreadSafe;

    /// A queue without events: see [`EventQueue::new`].
    fn empty(keep: usize, delayed: bool) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: ThreadSafe> Queue for EventQueue<E> {
    type Event = E;

    fn empty(keep: usize, delayed: bool) -> Self {
        Self::new(keep, delayed)
    }
}

/// The declaration has the event `E`.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{HasEvent, World, world};
/// struct KeyPressed(char);
///
/// world! {
///     world Editor;
///     event KeyPressed;
///     system Type { on: [KeyPressed], run: |_| {} }
/// }
///
/// fn type_in<D: HasEvent<KeyPressed>, S: Settings>(world: &mut World<D, S>, text: &str) {
///     text.chars().for_each(|key| world.emit(KeyPressed(key)));
/// }
///
/// let mut world = World::<Editor>::new();
/// type_in(&mut world, "ab");
/// world.tick()?;
/// assert_eq!(world.events::<KeyPressed>().len(), 2);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0122] `{E}` is not an event of the world `{Self}`",
    label = "unknown event",
    note = "add `event {E};` to the declaration of `{Self}`"
)]
pub trait HasEvent<E: ThreadSafe>: HasResource<EventQueue<E>> {}

#[diagnostic::do_not_recommend]
impl<E: ThreadSafe, D: HasResource<EventQueue<E>>> HasEvent<E> for D {}
