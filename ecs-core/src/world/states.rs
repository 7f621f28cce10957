//! States of a world, for the program.

use super::World;
use crate::proxy::effects::states::state;
use crate::scheduling::settings::Settings;
use crate::signature::{Declaration, StateOf};

impl<D: Declaration, S: Settings> World<D, S> {
    /// The variant that the state `M` is in. O(1).
    #[must_use]
    pub fn state<M: StateOf<D>>(&self) -> M {
        state(&self.core)
    }

    /// Sets the state: the next step that executes systems begins with the transition. A new world, which has entered no
    /// variant, enters this one in place of the first. O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Log(Vec<&'static str>);
    /// world! {
    ///     world Game;
    ///     resource Log;
    ///     state Mode { Menu, Playing }
    ///     system Close { on_exit: Mode::Menu, run: |_, log: &mut Log| log.0.push("close the menu") }
    ///     system Start { on_enter: Mode::Playing, run: |_, log: &mut Log| log.0.push("start") }
    ///     system Play { in: Mode::Playing, run: |_, log: &mut Log| log.0.push("play") }
    /// }
    ///
    /// let mut world = World::<Game>::new();
    /// world.tick()?;
    /// world.set_state(Mode::Playing);
    /// assert_eq!(world.state::<Mode>(), Mode::Menu);
    /// world.tick()?;
    /// assert_eq!(world.state::<Mode>(), Mode::Playing);
    /// assert_eq!(world.resource::<Log>().0, ["close the menu", "start", "play"]);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Panics
    /// If `to` is none of the variants of an enum with a [`States`](crate::States) of its own.
    pub fn set_state<M: StateOf<D>>(&mut self, to: M) {
        self.core.transitions.request(M::INDEX, to.position());
    }
}
