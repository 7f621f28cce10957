//! A session without a network, which rolls back in every frame.

use core::fmt;
use std::net::SocketAddr;

use ecs_core::settings::Settings;
use ecs_core::{Declaration, StepError, World};
use ggrs::{Frame, SyncTestSession};

use crate::builder::Protocol;
use crate::error::RollbackError;
use crate::inputs::Input;
use crate::replica::{Playable, Replica};

/// A test of whether a world can be rolled back: made by [`Builder::sync_test`](crate::Builder::sync_test).
///
/// In every frame it goes back some frames, computes them again with the same inputs, and compares the states. What differs
/// depends on something else than state and inputs: a clock, an address, the order of a hash table, or state outside of the
/// world. Run it in the tests of a game, for some hundred frames with inputs that do everything.
///
/// ```
/// use ecs_core::{StateHash, World, world};
/// use ecs_rollback::{Builder, Input, Inputs, RollbackError};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Copy, Default, PartialEq, StateHash, Serialize, Deserialize)]
/// struct Keys(u8);
/// impl Input for Keys {}
/// #[derive(Clone, Default, StateHash)]
/// struct Score(u64);
///
/// fn now() -> u64 {
///     // A fault: what time it is differs from one run of a frame to the next.
///     # use std::sync::atomic::{AtomicU64, Ordering};
///     # static CLOCK: AtomicU64 = AtomicU64::new(0);
///     # CLOCK.fetch_add(1, Ordering::Relaxed)
/// }
///
/// world! {
///     world Race;
///     resource Inputs<Keys>, Score;
///     system Count { run: |score: &mut Score| score.0 += now() }
/// }
///
/// let mut test = Builder::new().local().local().sync_test(World::<Race>::new(), 7)?;
/// let error = (0..100).find_map(|frame| test.advance([Keys(frame), Keys(0)]).err());
/// let Some(RollbackError::NotDeterministic(divergence)) = error else { panic!("{error:?}") };
/// assert_eq!((divergence.frame, divergence.systems), (1, vec!["Count"]));
/// # Ok::<_, RollbackError>(())
/// ```
pub struct SyncTest<D: Playable<I>, I: Input, S: Settings = <D as Declaration>::Settings> {
    ggrs: SyncTestSession<Protocol<I, SocketAddr>>,
    replica: Replica<D, S, I>,
    players: usize,
}

impl<D: Playable<I>, I: Input, S: Settings> SyncTest<D, I, S> {
    pub(crate) fn new(
        ggrs: SyncTestSession<Protocol<I, SocketAddr>>,
        replica: Replica<D, S, I>,
        players: usize,
    ) -> Self {
        Self { ggrs, replica, players }
    }

    /// As [`Session::with_step`](crate::Session::with_step).
    #[must_use]
    pub fn with_step(
        mut self,
        step: impl FnMut(&mut World<D, S>) -> Result<(), StepError> + 'static,
    ) -> Self {
        self.replica.set_step(step);
        self
    }

    /// As [`Session::with_parts`](crate::Session::with_parts): what differs is named by these parts.
    #[must_use]
    pub fn with_parts(
        mut self,
        parts: impl Fn(&World<D, S>, &mut Vec<(&'static str, u64)>) + 'static,
    ) -> Self {
        self.replica.set_parts(parts);
        self
    }

    /// Computes the next frame, with an input for each player, after some frames before it were computed again.
    ///
    /// # Errors
    /// [`RollbackError::NotDeterministic`] if a frame has another state than the first time. [`RollbackError::WrongInputs`] for
    /// another number of inputs. [`RollbackError::Step`] if the step fails; the test can go on. [`RollbackError::Ggrs`] after a
    /// frame that was not the same.
    ///
    /// # Panics
    /// If a system panics, or the clone or the hash of a value.
    pub fn advance(&mut self, inputs: impl IntoIterator<Item = I>) -> Result<(), RollbackError> {
        let inputs: Vec<I> = inputs.into_iter().collect();
        if inputs.len() != self.players {
            let (players, given) = (self.players, inputs.len());
            return Err(RollbackError::WrongInputs { players, given });
        }
        for (player, input) in inputs.into_iter().enumerate() {
            self.ggrs.add_local_input(player, input)?;
        }
        let requests = self.ggrs.advance_frame()?;
        self.replica.carry_out(requests).map(|_| ())
    }

    /// The world, at the start of the next frame.
    pub fn world(&self) -> &World<D, S> {
        &self.replica.world
    }

    /// The number of the next frame, from 0 on.
    #[must_use]
    pub fn frame(&self) -> Frame {
        self.replica.frame
    }

    /// How many steps were computed, those of frames that were computed again included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.replica.steps
    }
}

impl<D: Playable<I>, I: Input, S: Settings> fmt::Debug for SyncTest<D, I, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncTest").field("frame", &self.frame()).finish_non_exhaustive()
    }
}
