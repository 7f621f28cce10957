//! What a session reports.

use core::fmt;
use core::fmt::Debug;
use core::time::Duration;

use ggrs::{Frame, GgrsEvent};

use crate::builder::{Address, Protocol};
use crate::error::{Divergence, Suspects, list_parts};
use crate::inputs::Input;
use crate::investigation::{Cause, Replay};

/// What has become of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a frame may have to wait"]
pub enum Progress {
    /// The frame is computed.
    Advanced,
    /// The inputs of others are too late, or this machine is ahead of them. The frame has not begun, and its inputs are
    /// forgotten: call again with those of the next moment.
    Waiting,
    /// The peers have not all answered yet.
    Synchronizing,
}

/// What happens between peers.
///
/// ```
/// use std::net::SocketAddr;
/// use ecs_rollback::{Cause, Event};
///
/// fn log(event: Event<SocketAddr>) {
///     match event {
///         Event::Disconnected { peer } => eprintln!("{peer} has left"),
///         Event::DesyncDetected(desync) => eprintln!("{desync}"),
///         Event::DesyncLocated { peer, cause: Cause::Peer, divergence } => {
///             eprintln!("the cause is at {peer}: {divergence}");
///         }
///         Event::DesyncLocated { peer, divergence, .. } => {
///             eprintln!("{peer} computes otherwise: {divergence}");
///         }
///         _ => {}
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<A> {
    /// A peer answers. The session begins after `total` answers of each.
    Synchronizing {
        /// The peer.
        peer: A,
        /// How often it has answered.
        count: u32,
        /// How often it will.
        total: u32,
    },
    /// A peer is ready.
    Synchronized {
        /// The peer.
        peer: A,
    },
    /// A peer has been silent for some time.
    Interrupted {
        /// The peer.
        peer: A,
        /// The time after which it leaves the session.
        leaves_in: Duration,
    },
    /// A peer that was silent is heard again.
    Resumed {
        /// The peer.
        peer: A,
    },
    /// A peer has left the session. Its players are [disconnected](crate::Inputs::is_connected) from the frame on that was
    /// the last with their input, on all peers.
    Disconnected {
        /// The peer.
        peer: A,
    },
    /// A peer has another state. From there on the games differ. It is reported once for each peer.
    DesyncDetected(Box<Desync<A>>),
    /// After a desync was detected, the two machines have told each other what they have found, and know the step. It is not
    /// reported if this machine's program is [the cause](Replay::Differs), or if the frames were too long ago.
    DesyncLocated {
        /// The peer.
        peer: A,
        /// Whose program is the cause.
        cause: Cause,
        /// The step, the system and the parts that differ.
        divergence: Divergence,
    },
}

impl<A: Address> Event<A> {
    /// The event of `ggrs`, except those that the session deals with.
    pub(crate) fn of<I: Input>(event: GgrsEvent<Protocol<I, A>>) -> Option<Self> {
        Some(match event {
            GgrsEvent::Synchronizing { addr, total, count } => {
                Self::Synchronizing { peer: addr, count, total }
            }
            GgrsEvent::Synchronized { addr } => Self::Synchronized { peer: addr },
            GgrsEvent::Disconnected { addr } => Self::Disconnected { peer: addr },
            GgrsEvent::NetworkInterrupted { addr, disconnect_timeout } => {
                let millis = u64::try_from(disconnect_timeout).unwrap_or(u64::MAX);
                Self::Interrupted { peer: addr, leaves_in: Duration::from_millis(millis) }
            }
            GgrsEvent::NetworkResumed { addr } => Self::Resumed { peer: addr },
            GgrsEvent::WaitRecommendation { .. } | GgrsEvent::DesyncDetected { .. } => return None,
        })
    }
}

/// Two peers whose states differ: where, in what, and what this machine finds about the cause.
///
/// It is displayed as lines of text. The machine with the cause has a [`Replay::Differs`], unless the cause is a difference
/// between the machines. The others hear of it by [`Event::DesyncLocated`].
///
/// ```text
/// desync with 192.0.2.7:7000: state 8d0eedc7b7dfa480 here and e7115f093e4c31a2 there, after a step of the frames 16 to 31
///   different: `Position` (changed by `Drive`, `Shake`)
///   the cause is on this machine: the system `Shake` gives different results from the same state, in frame 19: `Position`
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Desync<A> {
    /// The peer.
    pub peer: A,
    /// The first frame that was compared at whose start the states differ.
    pub frame: Frame,
    /// The last frame before it that was compared, and at whose start they were the same.
    pub agreed: Option<Frame>,
    /// The hash of this machine's state.
    pub local: u64,
    /// The hash of the peer's state.
    pub remote: u64,
    /// The parts that differ: components, resources and systems, or [others](crate::Session::with_parts). Empty if the peer has
    /// others.
    pub parts: Vec<Suspects>,
    /// Whether both peers have the same declaration, parts and interval of comparisons. If not, the programs are of different
    /// versions.
    pub same_program: bool,
    /// What this machine finds when it computes the frames before again.
    pub replay: Replay,
}

impl<A: Debug> fmt::Display for Desync<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { peer, frame, agreed, local, remote, parts, same_program, replay } = self;
        write!(f, "desync with {peer:?}: state {local:016x} here and {remote:016x} there, ")?;
        match agreed {
            Some(agreed) if agreed + 1 == *frame => write!(f, "after the step of frame {agreed}")?,
            Some(agreed) => {
                write!(f, "after a step of the frames {agreed} to {}", frame - 1)?;
            }
            None => write!(f, "before frame {frame}")?,
        }
        if !parts.is_empty() {
            f.write_str("\n  different: ")?;
            list_parts(f, parts)?;
        }
        if !same_program {
            f.write_str("\n  the peer runs another version of the program")?;
        }
        match replay {
            Replay::Impossible => Ok(()),
            Replay::Same { from, to } if from + 1 == *to => {
                write!(f, "\n  this machine computes the frame {from} as before")
            }
            Replay::Same { from, to } => {
                write!(f, "\n  this machine computes the frames {from} to {} as before", to - 1)
            }
            Replay::Differs(divergence) => {
                write!(f, "\n  the cause is on this machine: {divergence}")
            }
        }
    }
}
