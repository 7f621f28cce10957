//! States: read and set by systems, by deferred functions, and in a step.

use crate::signature::access::SetsState;
use crate::signature::{Declaration, Effects, StateOf, SystemName, undeclared};
use crate::state::{Core, Defer, assert_variant};

/// The variant that the state is in.
pub(crate) fn state<D: Declaration, M: StateOf<D>>(core: &Core<D>) -> M {
    M::VARIANTS[core.transitions.current(M::INDEX)]
}

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// The variant that the state `M` is in. It is the same for all systems of an execution. O(1).
    ///
    /// When a variant is left, `on_exit` systems still see that one; `on_enter` systems see the one that is entered.
    #[inline]
    #[must_use]
    pub fn state<M: StateOf<D>>(&self) -> M {
        state(self.core)
    }

    /// Sets the state: the step makes the transition when it ends, after the refresh that applies what systems have staged. If
    /// a state is set several times until then, the last time counts, in the order of phase, system, subtask and call. The
    /// variant that the state is in already makes no transition.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Lives(u32);
    /// world! {
    ///     world Game;
    ///     resource Lives = Lives(2);
    ///     state Mode { Playing, Over }
    ///     system Play {
    ///         in: Mode::Playing,
    ///         set_state: [Mode],
    ///         run: |effects, lives: &mut Lives| {
    ///             lives.0 -= 1;
    ///             if lives.0 == 0 {
    ///                 effects.set_state(Mode::Over);
    ///             }
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Game>::new();
    /// for mode in [Mode::Playing, Mode::Over, Mode::Over] {
    ///     world.tick()?;
    ///     assert_eq!(world.state::<Mode>(), mode);
    /// }
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Panics
    /// If `to` is none of the variants of an enum with a [`States`](crate::States) of its own.
    #[doc(alias = "NextState")]
    #[inline]
    pub fn set_state<M: StateOf<D>>(&mut self, to: M)
    where
        N: SetsState<M, D>,
    {
        const { assert_sets::<D, N, M>() };
        let variant = to.position();
        assert_variant(D::STATES, M::INDEX, variant);
        self.work.staged.request_state(M::INDEX, variant);
    }
}

/// Fails to evaluate if the system does not declare that it sets the state.
const fn assert_sets<D: Declaration, N: SystemName<D>, M: StateOf<D>>() {
    assert!(M::INDEX < D::STATES.len(), "[ECS0136] the index of a state is out of range");
    if !ecs_rules::contains(D::SYSTEMS[N::INDEX].declared.set_states, M::INDEX) {
        undeclared::<D, N>("set the state", D::STATES[M::INDEX].name);
    }
}

impl<D: Declaration> Defer<'_, D> {
    /// The variant that the state `M` is in. O(1).
    #[must_use]
    pub fn state<M: StateOf<D>>(&self) -> M {
        state(&self.core)
    }

    /// Sets the state. The transition takes place before the first execution of the step, or, if there was one, when the step
    /// ends; in a step without executions, in the next step that has one. In a deferred function it counts as staged by the
    /// system. O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// world! {
    ///     world Game;
    ///     state Mode { Menu, Playing, Over }
    ///     system Play { in: Mode::Playing, run: |_| {} }
    /// }
    ///
    /// let mut world = World::<Game>::new();
    /// world.step(|step| {
    ///     step.set_state(Mode::Playing);
    ///     assert_eq!(step.state::<Mode>(), Mode::Menu);
    ///     step.execute_systems();
    ///     step.set_state(Mode::Over);
    ///     assert_eq!(step.state::<Mode>(), Mode::Playing);
    /// })?;
    /// assert_eq!(world.state::<Mode>(), Mode::Over);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Panics
    /// If `to` is none of the variants of an enum with a [`States`](crate::States) of its own.
    pub fn set_state<M: StateOf<D>>(&mut self, to: M) {
        self.core.transitions.request(M::INDEX, to.position());
    }
}
