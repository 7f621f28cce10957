//! What can go wrong.

use core::error::Error;
use core::fmt;

use ecs_core::{LimitReached, StepError};
use ggrs::{Frame, GgrsError};

/// Why a session does not start, or a frame is not what it should be.
///
/// That the network is slow is no error: see [`Progress`](crate::Progress).
///
/// ```
/// use ecs_rollback::{Builder, RollbackError, Udp};
/// # use ecs_core::{StateHash, World, world};
/// # use ecs_rollback::{Input, Inputs, Session};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Copy, Default, PartialEq, StateHash, Serialize, Deserialize)]
/// # struct Keys(u8);
/// # impl Input for Keys {}
/// # world! { world Duel; resource Inputs<Keys>; }
///
/// let spectators_only = Builder::new().remote("127.0.0.1:7001".parse()?);
/// let session: Result<Session<Duel, Keys>, _> =
///     spectators_only.start(World::<Duel>::new(), Udp::bind("127.0.0.1:0")?);
/// assert!(matches!(session, Err(RollbackError::NoLocalPlayer)));
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RollbackError {
    /// No player plays on this machine. A machine that only watches has a [`Spectator`](crate::Spectator).
    NoLocalPlayer,
    /// There are no players.
    NoPlayers,
    /// A number of the [`Builder`](crate::Builder) is not in its range.
    OutOfRange {
        /// What it is the number of, in words.
        what: &'static str,
        /// The number.
        given: usize,
        /// The least number.
        least: usize,
        /// The greatest number.
        most: usize,
    },
    /// A frame was given other inputs than one for each local player. The frame has not begun.
    WrongInputs {
        /// The number of local players.
        players: usize,
        /// The number of inputs.
        given: usize,
    },
    /// The step of a frame has reported an error, as `World::tick` does. All steps that were due are done, and the session
    /// can go on: the error is a function of the state and the inputs, so the peers have it, too. It may be one of a
    /// frame with predicted inputs, which is rolled back later.
    Step {
        /// The frame.
        frame: Frame,
        /// The error.
        error: StepError,
    },
    /// The state of a frame could not be restored. The session cannot go on.
    Restore {
        /// The frame.
        frame: Frame,
        /// The error; `None` if there is no snapshot of the frame, which is a fault of this crate or of `ggrs`.
        error: Option<LimitReached>,
    },
    /// A [`SyncTest`](crate::SyncTest) has computed a frame twice, with different results.
    NotDeterministic(Divergence),
    /// The spectator is so far behind that it has missed inputs. It cannot go on.
    TooFarBehind,
    /// `ggrs` has given up, and the session is over. That happens in sessions of three peers or more, if one of them leaves,
    /// and the others have not received the same of its last inputs. Forged packets can cause it, too.
    Unrecoverable {
        /// What it says.
        message: String,
    },
    /// `ggrs` refuses something else.
    Ggrs(GgrsError),
}

impl fmt::Display for RollbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLocalPlayer => f.write_str(
                "no player is local; call `Builder::local` for each player of this machine",
            ),
            Self::NoPlayers => f.write_str("there are no players"),
            Self::OutOfRange { what, given, least, most } => {
                write!(f, "the {what} is {given}, and must be from {least} to {most}")
            }
            Self::WrongInputs { players, given } => write!(
                f,
                "a frame needs an input for each of {players} local players, and was given {given}"
            ),
            Self::Step { frame, error } => write!(f, "the step of frame {frame} failed: {error}"),
            Self::Restore { frame, error: Some(error) } => {
                write!(f, "frame {frame} could not be restored: {error}")
            }
            Self::Restore { frame, error: None } => {
                write!(f, "there is no snapshot of frame {frame}")
            }
            Self::NotDeterministic(divergence) => write!(f, "{divergence}"),
            Self::TooFarBehind => f.write_str("the spectator has missed inputs of the host"),
            Self::Unrecoverable { message } => {
                write!(
                    f,
                    "the peers cannot be brought together, and the session is over: {message}"
                )
            }
            Self::Ggrs(error) => write!(f, "{error}"),
        }
    }
}

impl Error for RollbackError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Step { error, .. } => Some(error),
            Self::Restore { error: Some(error), .. } => Some(error),
            Self::Ggrs(error) => Some(error),
            _ => None,
        }
    }
}

impl From<GgrsError> for RollbackError {
    fn from(error: GgrsError) -> Self {
        match error {
            GgrsError::SpectatorTooFarBehind => Self::TooFarBehind,
            error => Self::Ggrs(error),
        }
    }
}

/// Where two computations of the same frames part: the first step that differs, and what differs after it.
///
/// The step of frame `frame` took the last state that is the same to the first that is not. It is known exactly if every
/// frame was compared, and else up to the frames that were compared: it is one of `after..=frame`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The last frame whose state at its start was the same, or from which on both were computed.
    pub after: Frame,
    /// The step whose result differs, or the last of those that may.
    pub frame: Frame,
    /// The system that gives different results. Empty if it is not known: if the step is not known exactly, is one of the
    /// [program's own](crate::Session::with_step), or gives the same results when it is computed once more. Several if a
    /// system that sends a stream, or its receiver, is the cause.
    pub systems: Vec<&'static str>,
    /// The parts of the state that differ: names of components, resources and systems, or of other [parts](crate::Session::with_parts). Empty if
    /// only the hash of the whole state is known.
    pub parts: Vec<Suspects>,
}

/// A part of the state that differs, and the systems that may have changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspects {
    /// The name of a component, a resource or a system.
    pub part: &'static str,
    /// The systems that write it, insert, remove or spawn it, or whose state it is, by their declarations.
    pub systems: Vec<&'static str>,
}

impl fmt::Display for Suspects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.part)?;
        if !self.systems.is_empty() {
            write!(f, " (changed by `{}`)", self.systems.join("`, `"))?;
        }
        Ok(())
    }
}

/// Writes the parts as a list.
pub(crate) fn list_parts(f: &mut fmt::Formatter<'_>, parts: &[Suspects]) -> fmt::Result {
    for (number, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if number == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after, frame, systems, parts } = self;
        if systems.is_empty() {
            f.write_str("a step")?;
        } else {
            write!(f, "the system `{}`", systems.join("` or `"))?;
        }
        f.write_str(" gives different results from the same state, in ")?;
        if after == frame {
            write!(f, "frame {frame}")?;
        } else {
            write!(f, "one of the frames {after} to {frame}")?;
        }
        match &parts[..] {
            [] => Ok(()),
            // Who changes them is known.
            parts if !systems.is_empty() => {
                let names: Vec<_> = parts.iter().map(|part| part.part).collect();
                write!(f, ": `{}`", names.join("`, `"))
            }
            parts => {
                f.write_str(": ")?;
                list_parts(f, parts)
            }
        }
    }
}
