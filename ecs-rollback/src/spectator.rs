//! A session that watches.

use core::fmt;
use std::collections::VecDeque;
use std::net::SocketAddr;

use ecs_core::settings::Settings;
use ecs_core::{Declaration, StepError, World};
use ggrs::{Frame, GgrsError, SessionState, SpectatorSession};

use crate::builder::{Address, Protocol};
use crate::error::RollbackError;
use crate::event::{Event, Progress};
use crate::guard::Guard;
use crate::inputs::Input;
use crate::peers::Peers;
use crate::replica::{Playable, Replica};
use crate::transport::Link;

/// A world that follows a game that others play: made by [`Builder::watch`](crate::Builder::watch).
///
/// The host sends the inputs that are final, so a spectator is some frames behind, and never goes back. Its state is compared
/// with that of the host.
///
/// ```no_run
/// use ecs_rollback::{Builder, Spectator, Udp};
/// # use ecs_core::{StateHash, World, world};
/// # use ecs_rollback::{Input, Inputs};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Copy, Default, PartialEq, StateHash, Serialize, Deserialize)]
/// # struct Keys(u8);
/// # impl Input for Keys {}
/// # #[derive(Clone, Default, StateHash)]
/// # struct Score(u32);
/// # world! {
/// #     world Race;
/// #     resource Inputs<Keys>, Score;
/// #     system Count { run: |score: &mut Score, inputs: &Inputs<Keys>| score.0 += u32::from(inputs[0].0) }
/// # }
///
/// // The host has `.spectator(address of this machine)`.
/// let two_players = Builder::new().local().local();
/// let host = "192.0.2.1:7000".parse()?;
/// let mut session: Spectator<Race, Keys> =
///     two_players.watch(host, World::<Race>::new(), Udp::port(7005)?)?;
/// loop {
///     let _ = session.advance()?;
///     println!("{}", session.world().resource::<Score>().0);
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
pub struct Spectator<
    D: Playable<I>,
    I: Input,
    A: Address = SocketAddr,
    S: Settings = <D as Declaration>::Settings,
> {
    ggrs: SpectatorSession<Protocol<I, A>>,
    replica: Replica<D, S, I>,
    peers: Peers<A>,
    events: VecDeque<Event<A>>,
    guard: Guard,
}

impl<D: Playable<I>, I: Input, A: Address, S: Settings> Spectator<D, I, A, S> {
    pub(crate) fn new(
        ggrs: SpectatorSession<Protocol<I, A>>,
        replica: Replica<D, S, I>,
        link: Link<A>,
        host: A,
        replays: bool,
    ) -> Self {
        let peers = Peers::new(link, vec![host], &[], replays).silent();
        Self { ggrs, replica, peers, events: VecDeque::new(), guard: Guard::default() }
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

    /// As [`Session::with_parts`](crate::Session::with_parts), with the parts of the host.
    #[must_use]
    pub fn with_parts(
        mut self,
        parts: impl Fn(&World<D, S>, &mut Vec<(&'static str, u64)>) + 'static,
    ) -> Self {
        self.replica.set_parts(parts);
        self
    }

    /// Computes the next frame, or two if more than ten are waiting.
    ///
    /// # Errors
    /// [`RollbackError::TooFarBehind`] if more than a second of inputs was missed; the session cannot go on.
    /// [`RollbackError::Step`] if the step fails. [`RollbackError::Unrecoverable`] if `ggrs` gives up; the session cannot go on.
    ///
    /// # Panics
    /// If a system panics, or the clone or the hash of a value. The session cannot go on then.
    pub fn advance(&mut self) -> Result<Progress, RollbackError> {
        let requests = match self.guard.call(|| self.ggrs.advance_frame())? {
            Err(GgrsError::NotSynchronized) => Err(Progress::Synchronizing),
            Err(GgrsError::PredictionThreshold) => Err(Progress::Waiting),
            requests => Ok(requests?),
        };
        for event in self.ggrs.events() {
            self.events.extend(Event::of(event));
        }
        let requests = match requests {
            Ok(requests) => requests,
            Err(progress) => return Ok(progress),
        };
        let is_new = self.replica.carry_out(requests);
        let last_final = self.replica.frame;
        self.peers.compare(&mut self.replica, last_final, &mut self.events);
        Ok(if is_new? { Progress::Advanced } else { Progress::Waiting })
    }

    /// What has happened since the last call.
    pub fn events(&mut self) -> impl Iterator<Item = Event<A>> {
        self.events.drain(..)
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

    /// The last frame that was compared with the host, and at whose start its state was the same.
    #[must_use]
    pub fn agreed_frame(&self) -> Option<Frame> {
        self.peers.agreed()
    }

    /// Whether the host has answered, and frames are computed.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.ggrs.current_state() == SessionState::Running
    }
}

impl<D: Playable<I>, I: Input, A: Address, S: Settings> fmt::Debug for Spectator<D, I, A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spectator").field("frame", &self.frame()).finish_non_exhaustive()
    }
}
