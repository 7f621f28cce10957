//! Events of a world, for the program.

use super::World;
use crate::entity::Entity;
use crate::output::{EventIter, EventQueue};
use crate::scheduling::settings::Settings;
use crate::signature::{Addressed, Declaration, HasEvent};
use crate::types::ThreadSafe;

impl<D: Declaration, S: Settings> World<D, S> {
    /// Emits the event, for the systems that the next step executes, and for the program from then on. Amortized O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Cursor(i32);
    /// struct KeyPressed(char);
    ///
    /// world! {
    ///     world Editor;
    ///     resource Cursor;
    ///     event KeyPressed;
    ///     system Type {
    ///         on: [KeyPressed],
    ///         run: |effects, cursor: &mut Cursor| {
    ///             for key in effects.events::<KeyPressed>() {
    ///                 cursor.0 += if key.0 == '<' { -1 } else { 1 };
    ///             }
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Editor>::new();
    /// for key in "ab<".chars() {
    ///     world.emit(KeyPressed(key));
    /// }
    /// world.tick()?;
    /// assert_eq!(world.resource::<Cursor>().0, 1);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    pub fn emit<E: ThreadSafe>(&mut self, event: E)
    where
        D: HasEvent<E>,
    {
        self.resource_mut::<EventQueue<E>>().push_later(event);
    }

    /// Sends the message to the entity: as [`emit`](Self::emit), with a receiver. Amortized O(1).
    pub fn send<M: ThreadSafe>(&mut self, to: Entity, message: M)
    where
        D: HasEvent<Addressed<M>>,
    {
        self.emit(Addressed { to, message });
    }

    /// The events of the type `E` of the latest step that executed systems, in order, and those of earlier steps that the
    /// declaration keeps. O(1).
    #[must_use]
    pub fn events<E: ThreadSafe>(&self) -> EventIter<'_, E>
    where
        D: HasEvent<E>,
    {
        self.resource::<EventQueue<E>>().iter()
    }
}
