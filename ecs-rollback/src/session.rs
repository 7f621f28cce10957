//! A session between peers.

use core::fmt;
use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use ecs_core::settings::Settings;
use ecs_core::{Declaration, StepError, World};
use ggrs::{Frame, GgrsError, GgrsEvent, P2PSession, SessionState};

use crate::builder::{Address, Protocol};
use crate::error::RollbackError;
use crate::event::{Event, Progress};
use crate::guard::Guard;
use crate::inputs::Input;
use crate::peers::Peers;
use crate::replica::{Playable, Replica};
use crate::transport::Link;

/// What is known of the input of a player in the latest frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is the player's.
    Confirmed,
    /// It has not arrived yet, and is [predicted](Input::predict).
    Predicted,
    /// The player has left.
    Disconnected,
}

impl From<ggrs::InputStatus> for Status {
    fn from(status: ggrs::InputStatus) -> Self {
        match status {
            ggrs::InputStatus::Confirmed => Self::Confirmed,
            ggrs::InputStatus::Predicted => Self::Predicted,
            ggrs::InputStatus::Disconnected => Self::Disconnected,
        }
    }
}

/// A world that is played by several machines, each with a copy: made by [`Builder::start`](crate::Builder::start).
///
/// Each machine [advances](Self::advance) its world at the rate of frames that all have agreed on, with the inputs of its own
/// players. The inputs of the others are predicted until they arrive. If a prediction was wrong, the world goes back to
/// that frame and comes to the present again, within the same call. The [crate](crate) has an example.
///
/// All that is in the world goes back: entities and their handles, components, resources, events and messages on their
/// way, states, changes that systems have not seen yet, relations, and random numbers. What is outside of it does not: sounds,
/// effects and logs should be made from the [world](Self::world) between frames, and not by systems.
///
/// ```
/// use ecs_rollback::{Builder, Progress, Session, Status, Udp};
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
/// // Two players at one keyboard. With `remote` in the place of a `local`, over a network.
/// let builder = Builder::new().local().local();
/// let mut session = builder.start(World::<Race>::new(), Udp::bind("127.0.0.1:0")?)?;
/// for frame in 0..10 {
///     assert_eq!(session.frame(), frame);
///     match session.advance([Keys(2), Keys(0)])? {
///         Progress::Advanced => {}
///         Progress::Waiting | Progress::Synchronizing => println!("later"),
///     }
/// }
/// assert_eq!(session.world().resource::<Score>().0, 20);
/// assert_eq!(session.status(1), Some(Status::Confirmed));
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
///
/// A session stays on the thread that has made it. The systems of its world run on [those of the world](ecs_core::Threads).
pub struct Session<
    D: Playable<I>,
    I: Input,
    A: Address = SocketAddr,
    S: Settings = <D as Declaration>::Settings,
> {
    ggrs: P2PSession<Protocol<I, A>>,
    replica: Replica<D, S, I>,
    peers: Peers<A>,
    /// The numbers of the local players.
    locals: Vec<usize>,
    events: VecDeque<Event<A>>,
    /// How many frames this machine is ahead and should wait, and the number of calls.
    ahead: u32,
    calls: u32,
    guard: Guard,
}

/// One frame in this many waits while this machine is ahead of the others.
const WAIT_ONE_OF: u32 = 4;

impl<D: Playable<I>, I: Input, A: Address, S: Settings> Session<D, I, A, S> {
    pub(crate) fn new(
        ggrs: P2PSession<Protocol<I, A>>,
        replica: Replica<D, S, I>,
        link: Link<A>,
        locals: Vec<usize>,
        remotes: Vec<A>,
        spectators: &[A],
        replays: bool,
    ) -> Self {
        let peers = Peers::new(link, remotes, spectators, replays);
        Self {
            ggrs,
            replica,
            peers,
            locals,
            events: VecDeque::new(),
            ahead: 0,
            calls: 0,
            guard: Guard::default(),
        }
    }

    /// Computes frames by `step`, in the place of [`World::tick`].
    ///
    /// It must be a function of the world alone, since frames are computed several times.
    #[must_use]
    pub fn with_step(
        mut self,
        step: impl FnMut(&mut World<D, S>) -> Result<(), StepError> + 'static,
    ) -> Self {
        self.replica.set_step(step);
        self
    }

    /// Compares other parts of the state between the peers than [those of the world](World::state_hashes), beside the whole: fewer, or
    /// finer ones. `parts` puts the name and the hash of each into the list, always the same names in the same order, the
    /// same on all peers. By the name of a component, a resource or a system, a [`Desync`](crate::Desync) names the systems that change it.
    ///
    /// It is called for each frame that is [compared](crate::Builder::compare_every).
    #[must_use]
    pub fn with_parts(
        mut self,
        parts: impl Fn(&World<D, S>, &mut Vec<(&'static str, u64)>) + 'static,
    ) -> Self {
        self.replica.set_parts(parts);
        self
    }

    /// Computes the next frame, with an input for each local player, in the order of players. First it goes back, if inputs
    /// have arrived that were predicted wrongly.
    ///
    /// It is called at the rate of frames, for instance for each step of an
    /// [`ecs_core::time::FixedTimestep`]. It does not wait for anything.
    ///
    /// # Errors
    /// [`RollbackError::WrongInputs`] for another number of inputs. [`RollbackError::Step`] if the step fails; the session can
    /// go on. [`RollbackError::Restore`] if the world cannot go back, and [`RollbackError::Unrecoverable`] if `ggrs` gives up;
    /// the session cannot go on.
    ///
    /// # Panics
    /// If a system panics, or the clone or the hash of a value. The session cannot go on then.
    pub fn advance(
        &mut self,
        inputs: impl IntoIterator<Item = I>,
    ) -> Result<Progress, RollbackError> {
        let inputs: Vec<I> = inputs.into_iter().collect();
        if inputs.len() != self.locals.len() {
            let (players, given) = (self.locals.len(), inputs.len());
            return Err(RollbackError::WrongInputs { players, given });
        }
        self.guard.call(|| self.ggrs.poll_remote_clients())?;
        self.take_events();
        if !self.is_running() {
            return Ok(Progress::Synchronizing);
        }
        self.calls = self.calls.wrapping_add(1);
        if self.ahead > 0 && self.calls.is_multiple_of(WAIT_ONE_OF) {
            self.ahead -= 1;
            return Ok(Progress::Waiting);
        }
        for (&player, input) in self.locals.iter().zip(inputs) {
            self.ggrs.add_local_input(player, input)?;
        }
        let requests = match self.guard.call(|| self.ggrs.advance_frame())? {
            Err(GgrsError::NotSynchronized) => return Ok(Progress::Synchronizing),
            Err(GgrsError::PredictionThreshold) => return Ok(Progress::Waiting),
            requests => requests?,
        };
        let is_new = self.replica.carry_out(requests);
        self.take_events();
        self.compare();
        Ok(if is_new? { Progress::Advanced } else { Progress::Waiting })
    }

    /// Receives and sends packets. [`advance`](Self::advance) does so by itself; this is for pauses, in which the other
    /// players would disconnect.
    pub fn poll(&mut self) {
        // An error is that of the next frame, too.
        if self.guard.call(|| self.ggrs.poll_remote_clients()).is_ok() {
            self.take_events();
        }
    }

    /// What has happened since the last call.
    pub fn events(&mut self) -> impl Iterator<Item = Event<A>> {
        self.events.drain(..)
    }

    /// The world, at the start of the next frame. Some inputs of the latest frames may be predictions.
    pub fn world(&self) -> &World<D, S> {
        &self.replica.world
    }

    /// Ends the session on this machine, and returns the world. The others see the player leave after
    /// [some time](crate::Builder::disconnect_after).
    pub fn into_world(self) -> World<D, S> {
        self.replica.world
    }

    /// The number of the next frame, from 0 on.
    #[must_use]
    pub fn frame(&self) -> Frame {
        self.replica.frame
    }

    /// The last frame of which the inputs of all players have arrived; -1 before the first.
    #[must_use]
    pub fn confirmed_frame(&self) -> Frame {
        self.ggrs.confirmed_frame()
    }

    /// The last frame that was compared with all peers, and at whose start their states were the same. `None` before the
    /// first, and without peers.
    #[must_use]
    pub fn agreed_frame(&self) -> Option<Frame> {
        self.peers.agreed()
    }

    /// Whether a peer has had another state.
    #[must_use]
    pub fn is_desynced(&self) -> bool {
        self.peers.is_desynced()
    }

    /// The hash of the state at the start of a frame, if that is final, was [compared](crate::Builder::compare_every), and is
    /// one of the last 64 of these. It is the [state hash](World::state_hash) of the world.
    #[must_use]
    pub fn final_hash(&self, frame: Frame) -> Option<u64> {
        let check = self.replica.checks.get(frame).filter(|_| frame <= self.last_final())?;
        Some(check.hashes.hash)
    }

    /// What is known of the input of a player in the latest frame; `None` if there is no such player, or no frame yet.
    ///
    /// It differs between the peers. Draw by it, and do not compute frames by it.
    #[must_use]
    pub fn status(&self, player: usize) -> Option<Status> {
        self.replica.statuses().get(player).map(|&(_, status)| status.into())
    }

    /// How long a packet takes to a remote player and back, as measured; `None` for a local player, one that does not exist or has
    /// left, and in the first second.
    #[must_use]
    pub fn round_trip(&self, player: usize) -> Option<Duration> {
        let stats = self.ggrs.network_stats(player).ok()?;
        Some(Duration::from_millis(u64::try_from(stats.ping).ok()?))
    }

    /// How many steps were computed, those of frames that were computed again included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.replica.steps
    }

    /// Whether all peers have answered, and frames are computed.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.ggrs.current_state() == SessionState::Running
    }

    /// Disconnects a remote player, and the others of the same peer.
    ///
    /// # Errors
    /// [`RollbackError::Ggrs`] if the player is local, is disconnected, or does not exist.
    pub fn disconnect(&mut self, player: usize) -> Result<(), RollbackError> {
        Ok(self.ggrs.disconnect_player(player)?)
    }

    /// Changes the input delay of all local players.
    ///
    /// # Errors
    /// [`RollbackError::OutOfRange`] if it is more than 60 frames.
    pub fn set_input_delay(&mut self, frames: usize) -> Result<(), RollbackError> {
        crate::builder::in_range("input delay", frames, 0, crate::builder::MAX_FRAMES)?;
        for &player in &self.locals {
            self.ggrs.set_input_delay(player, frames)?;
        }
        Ok(())
    }

    /// The frames up to which states are final: nothing can change what came before.
    fn last_final(&self) -> Frame {
        self.ggrs.confirmed_frame().min(self.replica.frame)
    }

    fn compare(&mut self) {
        let last_final = self.last_final();
        self.peers.compare(&mut self.replica, last_final, &mut self.events);
    }

    fn take_events(&mut self) {
        for event in self.ggrs.events() {
            if let GgrsEvent::WaitRecommendation { skip_frames } = event {
                self.ahead = skip_frames;
            }
            if let GgrsEvent::Disconnected { addr } = &event {
                self.peers.leave(addr);
            }
            self.events.extend(Event::of(event));
        }
    }
}

impl<D: Playable<I>, I: Input, A: Address, S: Settings> fmt::Debug for Session<D, I, A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("frame", &self.frame()).finish_non_exhaustive()
    }
}
