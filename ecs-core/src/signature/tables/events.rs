//! The events of a declaration, for what happens to all of them at the beginning and the end of a step.

use crate::entity::{Entity, Handles};
use crate::output::{ByRow, EventPlace, EventQueue};
use crate::parallel::{PanicSlot, Workers};
use core::marker::PhantomData;

use crate::signature::{Declaration, HasResource, SystemSignature};
use crate::types::{Brand, Erased, StateHash, StateHasher, ThreadSafe};

/// Names an event: the resource that is its queue, and what the library does with that.
#[derive(Clone, Copy, Debug)]
pub struct EventSignature {
    /// The queue's index among the resources.
    pub(crate) resource: usize,
    /// Drops old events, whose panics go into the slot, and adds those for this step.
    pub(crate) begin_step: fn(&mut Erased, &PanicSlot),
    /// The system at this index has read all that is in the queue.
    pub(crate) mark_read: fn(&mut Erased, usize),
    /// The number of events that the system at this index has not read.
    pub(crate) unread: CountUnread,
    /// How their index is made, if they have one. Addressed events have one by receiver.
    pub(crate) indexing: Option<Indexing>,
}

/// The index of events. Each system that reads them has one, of those that it has not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indexing {
    /// The index of no events.
    pub(crate) new: fn() -> Erased,
    pub(crate) make: MakeIndex,
}

/// Whether the subtasks of a system share its events.
pub(crate) const fn any_shares_events(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].shares_events() {
            return true;
        }
    });
    false
}

/// Counts the events of a queue that a system has not read.
///
/// # Safety
/// Nothing may write the queue meanwhile.
pub(crate) type CountUnread = unsafe fn(&Erased, usize) -> usize;

/// Makes an index: of the events of a queue that a system has not read, with the handles, on the threads.
///
/// # Safety
/// Nothing may write the queue meanwhile.
pub(crate) type MakeIndex = unsafe fn(&mut Erased, &Erased, usize, Handles<'_>, &Workers);

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
            unread: |queue, system| {
                // SAFETY: by the contract.
                let queue = unsafe { queue.get::<EventQueue<Q::Event>>() };
                queue.unread(system).len()
            },
            indexing: None,
        }
    }

    /// The addressed event `M`, whose readers find messages in this form.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a constant, made for this call")]
    pub const fn addressed<D: HasResource<EventQueue<Addressed<M>>>, M: ThreadSafe>(
        form: MessageForm<M>,
    ) -> Self {
        Self { indexing: Some(form.indexing), ..Self::of::<D, EventQueue<Addressed<M>>>() }
    }
}

/// Sorts the messages that the system has not read.
///
/// # Safety
/// Nothing may write the queue meanwhile.
unsafe fn sort<M: ThreadSafe, V: Copy + Send + Sync>(
    mail: &mut ByRow<V>,
    queue: &Erased,
    system: usize,
    handles: Handles<'_>,
    workers: &Workers,
    value: &(impl Fn(EventPlace, &M) -> V + Sync),
) {
    // SAFETY: by the contract.
    let queue = unsafe { queue.get::<EventQueue<Addressed<M>>>() };
    let row_of = |event: &Addressed<M>| handles.row(event.to);
    mail.sort(workers, queue, system, &row_of, &|place, event| value(place, &event.message));
}

/// The messages that one system has not read, sorted by receiver.
#[derive(Debug)]
pub(crate) enum Mail<M> {
    /// Where they lie in the queue.
    Places(ByRow<EventPlace>),
    /// Copies of them.
    Copies(ByRow<M>),
}

impl<M> Mail<M> {
    /// Whether there is no message.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Places(places) => places.is_empty(),
            Self::Copies(copies) => copies.is_empty(),
        }
    }
}

/// How readers find the messages `M`: [`OfMessage`] knows.
#[derive(Debug)]
pub struct MessageForm<M> {
    indexing: Indexing,
    of: Brand<M>,
}

/// The largest event with a receiver or an index, in bytes, of which readers get copies. A sort by receiver copies each twice, an
/// index three times.
pub(crate) const LARGEST_COPY: usize = 32;

impl<M: ThreadSafe> MessageForm<M> {
    /// Their places are sorted.
    const PLACES: Self = {
        let indexing = Indexing {
            new: || Erased::new(Mail::<M>::Places(ByRow::default())),
            make: |mail, queue, system, handles, workers| {
                let Mail::Places(mail) = mail.get_mut::<Mail<M>>() else { return };
                // SAFETY: by the contract.
                unsafe { sort(mail, queue, system, handles, workers, &|place, _: &M| place) };
            },
        };
        Self { indexing, of: PhantomData }
    };
}

impl<M: ThreadSafe + Copy> MessageForm<M> {
    /// Copies of them are sorted.
    const COPIES: Self = {
        let indexing = Indexing {
            new: || Erased::new(Mail::<M>::Copies(ByRow::default())),
            make: |mail, queue, system, handles, workers| {
                let Mail::Copies(mail) = mail.get_mut::<Mail<M>>() else { return };
                // SAFETY: by the contract.
                unsafe { sort(mail, queue, system, handles, workers, &|_, message: &M| *message) };
            },
        };
        Self { indexing, of: PhantomData }
    };
}

/// Tells the form of the messages `M`, by its constant `FORM`: the constant of the type if they are `Copy`, and else that of
/// the trait [`EventIsNotCopy`].
#[derive(Debug)]
pub struct OfMessage<M>(Brand<M>);

impl<M: ThreadSafe + Copy> OfMessage<M> {
    /// Copies, if they are small.
    pub const FORM: MessageForm<M> = if size_of::<M>() <= LARGEST_COPY {
        MessageForm::<M>::COPIES
    } else {
        MessageForm::<M>::PLACES
    };
}

/// The answer of [`OfMessage`] for messages that are not `Copy`, and of [`OfIndex`](crate::generated::OfIndex) for such events.
pub trait EventIsNotCopy {
    /// [`MessageForm`], or [`IndexForm`](crate::generated::IndexForm).
    type Form;

    /// The form in which readers get the places of events.
    const FORM: Self::Form;
}

impl<M: ThreadSafe> EventIsNotCopy for OfMessage<M> {
    type Form = MessageForm<M>;

    const FORM: MessageForm<M> = MessageForm::<M>::PLACES;
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
