//! Who plays, and how.

use core::fmt::Debug;
use core::hash::Hash;
use core::marker::PhantomData;
use core::time::Duration;
use std::net::SocketAddr;

use ecs_core::World;
use ecs_core::settings::Settings;
use ggrs::{Config, DesyncDetection, InputPredictor, PlayerType, SessionBuilder};

use crate::error::RollbackError;
use crate::inputs::Input;
use crate::replica::{Playable, Replica, Rules};
use crate::session::Session;
use crate::spectator::Spectator;
use crate::sync_test::SyncTest;
use crate::transport::{Link, Transport};

/// The types of a session of `ggrs`. Its saves have no content: the snapshots are in the ring of the session.
pub(crate) struct Protocol<I, A>(PhantomData<fn() -> (I, A)>);

impl<I: Input, A: Address> Config for Protocol<I, A> {
    type Input = I;
    type InputPredictor = Predictor;
    type State = ();
    type Address = A;
}

/// Predicts by [`Input::predict`].
pub(crate) struct Predictor;

impl<I: Input> InputPredictor<I> for Predictor {
    fn predict(previous: I) -> I {
        I::predict(previous)
    }
}

/// What a [`Transport`] sends to: a `SocketAddr`, or the id of a peer. It holds by itself for every type with these traits.
pub trait Address: Clone + Eq + Hash + Debug + 'static {}

impl<A: Clone + Eq + Hash + Debug + 'static> Address for A {}

/// The players of a session, in order, and its settings.
///
/// Every peer names the same players in the same order, and the same settings where this page says so.
///
/// ```
/// use core::time::Duration;
/// use ecs_rollback::Builder;
///
/// // The second of three players is on this machine.
/// let builder = Builder::new()
///     .remote("192.0.2.1:7000".parse()?)
///     .local()
///     .remote("192.0.2.3:7000".parse()?)
///     .prediction(12)
///     .input_delay(2)
///     .disconnect_after(Duration::from_secs(5));
/// # Ok::<_, std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a session begins with `start`"]
pub struct Builder<A = SocketAddr> {
    /// `None` for a local player.
    players: Vec<Option<A>>,
    spectators: Vec<A>,
    prediction: usize,
    input_delay: usize,
    rate: usize,
    interval: usize,
    disconnect_after: Duration,
    notify_after: Duration,
    replays: bool,
}

/// The bounds of the numbers: `ggrs` has queues of 128 inputs.
pub(crate) const MAX_FRAMES: usize = 60;

impl Builder {
    /// Without players. Up to 8 frames are predicted, 60 frames are a second, and states are compared every 16 frames.
    ///
    /// For a [`Transport`] with other addresses than `SocketAddr`, there is `Builder::default()`.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<A: Address> Builder<A> {
    /// The next player is on this machine. Several may be.
    pub fn local(mut self) -> Self {
        self.players.push(None);
        self
    }

    /// The next player is the peer with this address. Several players may be on one peer.
    pub fn remote(mut self, address: A) -> Self {
        self.players.push(Some(address));
        self
    }

    /// A peer watches: it has a [`Spectator`] with this machine as host. It is no player, and is told here only.
    pub fn spectator(mut self, address: A) -> Self {
        self.spectators.push(address);
        self
    }

    /// How many frames are computed ahead of the inputs that have arrived, from 0 to 60. It should cover the time that a
    /// packet takes there, less the input delay: 12 frames at 60 frames per second are 200 milliseconds. The ring has as
    /// many snapshots, and one rollback computes at most as many frames.
    ///
    /// 0 is [lockstep](Self::lockstep).
    pub fn prediction(mut self, frames: usize) -> Self {
        self.prediction = frames;
        self
    }

    /// No frame is computed before all inputs for it have arrived. So nothing is predicted, saved or rolled back, and
    /// worlds of any size cost a step per frame. The input delay hides the time that packets take: with less of it, frames
    /// [wait](crate::Progress::Waiting). All peers must do so.
    pub fn lockstep(self) -> Self {
        self.prediction(0)
    }

    /// How many frames later the inputs of this machine's players take effect, here too, from 0 to 60. It costs no rollback
    /// where inputs arrive in this time.
    pub fn input_delay(mut self, frames: usize) -> Self {
        self.input_delay = frames;
        self
    }

    /// How many frames per second there are, by which peers estimate who is ahead. From 1 to 1000.
    pub fn rate(mut self, frames_per_second: usize) -> Self {
        self.rate = frames_per_second;
        self
    }

    /// The number of frames from one whose state is hashed and compared between the peers to the next, from 1 to 1000. With 1, a desync is found
    /// in the step in which it happens. The same for all peers.
    pub fn compare_every(mut self, frames: usize) -> Self {
        self.interval = frames;
        self
    }

    /// A peer that has been silent for this time leaves the session.
    pub fn disconnect_after(mut self, silence: Duration) -> Self {
        self.disconnect_after = silence;
        self
    }

    /// A peer that has been silent for this time is [reported](crate::Event::Interrupted).
    pub fn notify_after(mut self, silence: Duration) -> Self {
        self.notify_after = silence;
        self
    }

    /// Whether this machine computes the past again when a peer has another state, to find out whether its own program is
    /// the cause ([`Replay`](crate::Replay)). It does so by default. That takes the time of some hundred frames, once, and for
    /// a cause that is found, that of eight frames for each system. In lockstep, the state is saved twice a second for it.
    pub fn replay_desyncs(mut self, replays: bool) -> Self {
        self.replays = replays;
        self
    }

    /// Starts a session between peers. `world` is the state before the first frame, the same on all of them.
    ///
    /// # Errors
    /// [`RollbackError::NoLocalPlayer`] if there is none, and [`RollbackError::OutOfRange`] for a number that is not in its
    /// range.
    ///
    /// # Panics
    /// If a value cannot be hashed or cloned without a panic.
    pub fn start<D: Playable<I>, S: Settings, I: Input>(
        self,
        world: World<D, S>,
        transport: impl Transport<A> + 'static,
    ) -> Result<Session<D, I, A, S>, RollbackError> {
        self.check()?;
        if self.players.iter().all(Option::is_some) {
            return Err(RollbackError::NoLocalPlayer);
        }
        let link = Link::new(transport);
        let mut ggrs = self.ggrs()?.with_input_delay(self.input_delay);
        for (handle, player) in self.players.iter().enumerate() {
            let player = player.clone().map_or(PlayerType::Local, PlayerType::Remote);
            ggrs = ggrs.add_player(player, handle)?;
        }
        for (number, address) in self.spectators.iter().enumerate() {
            let handle = self.players.len() + number;
            ggrs = ggrs.add_player(PlayerType::Spectator(address.clone()), handle)?;
        }
        let saves = self.prediction > 0;
        let replica = self.replica(world, saves, false);
        let locals = self.players.iter().enumerate().filter(|(_, player)| player.is_none());
        let locals = locals.map(|(handle, _)| handle).collect();
        let ggrs = ggrs.start_p2p_session(link.clone())?;
        Ok(Session::new(
            ggrs,
            replica,
            link,
            locals,
            self.players.into_iter().flatten().collect(),
            &self.spectators,
            self.replays,
        ))
    }

    /// Starts a session that watches the players, as the host tells it. The host names it as a
    /// [spectator](Self::spectator). Of the players here only the number counts, and who of them is on the host does not.
    ///
    /// # Errors
    /// [`RollbackError::NoPlayers`] if there are none, and [`RollbackError::OutOfRange`] for a number that is not in its
    /// range.
    pub fn watch<D: Playable<I>, S: Settings, I: Input>(
        self,
        host: A,
        world: World<D, S>,
        transport: impl Transport<A> + 'static,
    ) -> Result<Spectator<D, I, A, S>, RollbackError> {
        self.check()?;
        let link = Link::new(transport);
        let ggrs = self.ggrs()?.with_max_frames_behind(10)?.with_catchup_speed(2)?;
        let replica = self.replica(world, false, false);
        let ggrs = ggrs.start_spectator_session(host.clone(), link.clone());
        Ok(Spectator::new(ggrs, replica, link, host, self.replays))
    }

    /// Starts a test: a session without a network, in which all players are local. Each frame is computed again with
    /// `distance` frames before it, from 2 to 59, and the states are compared.
    ///
    /// # Errors
    /// [`RollbackError::NoPlayers`] if there are none, and [`RollbackError::OutOfRange`] for a number that is not in its
    /// range.
    pub fn sync_test<D: Playable<I>, S: Settings, I: Input>(
        mut self,
        world: World<D, S>,
        distance: usize,
    ) -> Result<SyncTest<D, I, S>, RollbackError> {
        in_range("distance", distance, 2, MAX_FRAMES - 1)?;
        self.prediction = distance + 1;
        self.interval = 1;
        self.check()?;
        let count = self.players.len();
        let mut ggrs = SessionBuilder::<Protocol<I, SocketAddr>>::new()
            .with_num_players(count)?
            .with_max_prediction_window(self.prediction)
            .with_check_distance(distance)
            .with_input_delay(self.input_delay);
        for handle in 0..count {
            ggrs = ggrs.add_player(PlayerType::Local, handle)?;
        }
        let replica = self.replica(world, true, true);
        Ok(SyncTest::new(ggrs.start_synctest_session()?, replica, count))
    }

    /// The settings, for `ggrs`. Its own comparison of checksums is off: it needs saves, which lockstep has not, and sends
    /// one number. The session compares by itself.
    fn ggrs<I: Input>(&self) -> Result<SessionBuilder<Protocol<I, A>>, RollbackError> {
        let ggrs = SessionBuilder::new()
            .with_num_players(self.players.len())?
            .with_max_prediction_window(self.prediction)
            .with_fps(self.rate)?
            .with_desync_detection_mode(DesyncDetection::Off)
            .with_disconnect_timeout(self.disconnect_after)
            .with_disconnect_notify_delay(self.notify_after);
        Ok(ggrs)
    }

    fn check(&self) -> Result<(), RollbackError> {
        if self.players.is_empty() {
            return Err(RollbackError::NoPlayers);
        }
        in_range("prediction", self.prediction, 0, MAX_FRAMES)?;
        in_range("input delay", self.input_delay, 0, MAX_FRAMES)?;
        in_range("rate", self.rate, 1, 1000)?;
        in_range("interval of comparisons", self.interval, 1, 1000)
    }

    fn replica<D: Playable<I>, S: Settings, I: Input>(
        &self,
        world: World<D, S>,
        saves: bool,
        strict: bool,
    ) -> Replica<D, S, I> {
        let rules = Rules {
            window: self.prediction,
            interval: u32::try_from(self.interval).expect("it is at most 1000"),
            saves,
            anchors: saves || self.replays,
            strict,
        };
        Replica::new(world, self.players.len(), rules)
    }
}

impl<A: Address> Default for Builder<A> {
    fn default() -> Self {
        Self {
            players: Vec::new(),
            spectators: Vec::new(),
            prediction: 8,
            input_delay: 0,
            rate: 60,
            interval: 16,
            disconnect_after: Duration::from_secs(2),
            notify_after: Duration::from_millis(500),
            replays: true,
        }
    }
}

pub(crate) fn in_range(
    what: &'static str,
    given: usize,
    least: usize,
    most: usize,
) -> Result<(), RollbackError> {
    if (least..=most).contains(&given) {
        Ok(())
    } else {
        Err(RollbackError::OutOfRange { what, given, least, most })
    }
}
