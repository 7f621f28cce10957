//! What can go wrong in a step that does not panic.

use core::fmt;

use crate::entity::advice;

/// Why a step could not do everything that it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepError {
    /// Systems have spawned more entities than the world's fixed limit has room for. Those that
    /// were spawned first, in (system, bundle, subtask, call) order, are there; the rest are lost.
    LimitReached {
        /// The most entities that the world can hold.
        limit: usize,
        /// How many spawns found no room.
        lost: usize,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LimitReached { limit, lost } => write!(
                f,
                "{lost} spawned entities found no room: the world's limit of {limit} entities is \
                 reached; {}",
                advice(*limit)
            ),
        }
    }
}

impl core::error::Error for StepError {}
