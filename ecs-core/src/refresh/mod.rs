//! The *refresh* at the end of a step (thesis, 8.2.3). `README.md` beside this file gives the
//! order of the stages and why it is the same on any number of threads.

mod deferred;
mod matching;
mod reclaim;

use crate::entity::LimitReached;
use crate::scheduler::PanicSlot;
use crate::signature::Declaration;
use crate::world::{Core, StepError};

/// What the stages of a refresh hand to one another; kept, so that its memory is reused.
#[derive(Debug, Default)]
pub(crate) struct RefreshState {
    /// The thesis's `to_kill`: for each block of rows a mask of the dead.
    dead: Vec<u64>,
    /// The blocks with dead rows.
    dead_blocks: Vec<u32>,
    /// Old and new rows of entities that close gaps.
    moves: Vec<(usize, usize)>,
    /// Spawns that found no room.
    lost: Option<StepError>,
}

impl RefreshState {
    /// Notes a spawn that found no room.
    pub(crate) fn lose(&mut self, limit: LimitReached) {
        let StepError::LimitReached { lost, .. } =
            self.lost.get_or_insert(StepError::LimitReached { limit: limit.limit, lost: 0 });
        *lost += 1;
    }
}

impl<D: Declaration> Core<D> {
    /// Applies everything staged, reclaims the dead, and matches what changed.
    ///
    /// # Panics
    /// If a deferred function or a component's destructor panics: with its payload, after the
    /// refresh is complete.
    pub(crate) fn refresh(&mut self) -> Result<(), StepError> {
        let panics = PanicSlot::new();
        self.run_deferred(&panics);
        self.reclaim_dead(&panics);
        self.storage.refill(&mut self.refresh.moves, &panics);
        self.match_entities();
        if let Some(failure) = panics.take() {
            self.refresh.lost = None;
            failure.resume();
        }
        self.refresh.lost.take().map_or(Ok(()), Err)
    }
}
