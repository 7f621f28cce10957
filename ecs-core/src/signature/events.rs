//! The events of a declaration, for what happens to all of them at the beginning and the end of a step.

use super::{Declaration, HasResource};
use crate::types::{Erased, EventQueue, ThreadSafe};

/// Names an event: the resource that is its queue, and what the library does with that.
#[derive(Clone, Copy, Debug)]
pub struct EventSignature {
    /// The queue's index among the resources.
    pub(crate) resource: usize,
    pub(crate) begin_step: fn(&mut Erased),
    /// The system at this index has read all that is in the queue.
    pub(crate) mark_read: fn(&mut Erased, usize),
}

impl EventSignature {
    /// The event whose queue is the resource `Q`.
    #[must_use]
    pub const fn of<D: Declaration + HasResource<Q>, Q: Queue>() -> Self {
        Self {
            resource: <D as HasResource<Q>>::INDEX,
            begin_step: |queue| queue.get_mut::<EventQueue<Q::Event>>().begin_step(),
            mark_read: |queue, system| {
                queue.get_mut::<EventQueue<Q::Event>>().mark_read(system);
            },
        }
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
