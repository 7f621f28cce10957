//! The *refresh* at the end of a step (thesis, 8.2.3). `README.md` beside this file gives the
//! order of the stages and why it is the same on any number of threads.

mod allocation;
mod batches;
mod deferred;
mod matching;
mod opt_in;
mod reclaim;
mod share;

use core::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::batch::{AllStaged, UpdateConflicts};
use crate::entity::{LimitReached, Marks};
use crate::events::{EventLog, Handling};
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, StagedChanges};
use crate::storage::{BLOCKS_PER_PAGE, Surplus};
use crate::world::{Core, StepError};

/// What the stages of a refresh hand to one another; kept, so that its memory is reused.
#[derive(Debug, Default)]
pub(crate) struct RefreshState {
    /// The thesis's `to_despawn`: for each block of rows a mask of the dead.
    pub(crate) dead: Vec<u64>,
    /// The blocks with dead rows, ascending.
    pub(crate) dead_blocks: Vec<u32>,
    /// Old and new rows of entities that close gaps.
    pub(crate) moves: Vec<(usize, usize)>,
    pub(crate) log: EventLog,
    /// Batches on loan.
    staged: AllStaged,
    allocation: allocation::Allocation,
    conflicts: UpdateConflicts,
    /// The limit, and how many spawns found no room.
    lost: Option<(usize, usize)>,
    /// The first updates that conflicted.
    conflicted: Option<StepError>,
    large_stages: share::LargeStages,
}

impl RefreshState {
    /// Notes spawns that found no room.
    pub(crate) fn lose(&mut self, limit: LimitReached, count: usize) {
        self.lost.get_or_insert((limit.limit, 0)).1 += count;
    }

    /// Notes updates that conflict: the first ones are reported.
    fn conflict(&mut self, error: StepError) {
        self.conflicted.get_or_insert(error);
    }

    /// What the step is to report, of which nothing is left.
    fn take_error(&mut self) -> Option<StepError> {
        let (conflicted, lost) = (self.conflicted.take(), self.lost.take());
        conflicted.or(lost.map(|(limit, lost)| StepError::LimitReached { limit, lost }))
    }
}

impl<D: Declaration> Core<D> {
    /// At the end of a step: applies everything staged, reclaims the dead, and matches what changed.
    ///
    /// # Panics
    /// If a deferred function, a component's destructor or the function of an event panics: with its
    /// payload, after the refresh is complete.
    pub(crate) fn refresh(&mut self, events: Handling<'_, D>) -> Result<(), StepError> {
        self.apply(events);
        // After a panic, the next step begins afresh.
        self.adaptive.end();
        self.refresh.take_error().map_or(Ok(()), Err)
    }

    /// Before the systems of an execution, or of one of its phases: has them see what they are to see.
    ///
    /// Where the declaration asks for it, and a `refresh` is due, that is everything that was done or staged,
    /// hence a refresh, if there is anything to do. Spawns that are lost, and updates that conflict, are reported
    /// at the end of the step. Otherwise only what is gone must not be handed out.
    ///
    /// # Panics
    /// As [`refresh`](Self::refresh).
    pub(crate) fn prepare(&mut self, refresh: bool, events: Handling<'_, D>) {
        match D::STAGED_CHANGES {
            StagedChanges::RefreshBeforeDependents if refresh => {
                if self.is_changed() {
                    self.apply(events);
                }
            }
            _ => self.narrow_subscriptions(),
        }
    }

    /// Whether anything was done or staged since the last refresh. It depends on what happened, not on
    /// how systems were split. O(components + systems that are opt-in).
    fn is_changed(&self) -> bool {
        !self.to_despawn.is_empty()
            || self.storage.dirty_pages() > 0
            || self.has_requests()
            || self.staged.load(Relaxed)
    }

    /// Applies everything on the threads of the pool, if that is likely to pay.
    ///
    /// A stage that has much to do runs on all threads, unless such steps have proved to be faster on one. To enter
    /// the pool from outside puts the calling thread to sleep and wakes it up again, some ten microseconds each
    /// time; so if several stages did so in the last refresh, which was probably like this one, it is done once for
    /// all of them. Functions of the user's are called on the thread that steps, wherever there are any.
    #[inline]
    fn apply(&mut self, events: Handling<'_, D>) {
        if events.is_none() && !self.is_changed() && !self.storage.entities.has_gaps() {
            return self.release_states();
        }
        self.apply_everything(events);
    }

    #[inline(never)]
    fn apply_everything(&mut self, events: Handling<'_, D>) {
        let start = (self.threads.threads() > 1).then(Instant::now);
        let are_many = self.refresh.large_stages.begin();
        let enters_once = self.adaptive.enters_once(&self.threads, are_many);
        if enters_once && events.is_none() && !D::SYSTEMS.iter().any(|system| system.defer) {
            let threads = self.threads.clone();
            threads.run(|_| self.apply_stages(None));
        } else {
            self.apply_stages(events);
        }
        if let Some(entities) = self.refresh.large_stages.end() {
            let time = start.map(|start| start.elapsed());
            self.adaptive.end_refresh(entities, time.unwrap_or_default());
        }
    }

    /// Frees what a peak has left behind, if that is much.
    fn free_surplus(&mut self) {
        let Surplus { between, end } = self.storage.free_surplus();
        if between.is_empty() && end.is_none() {
            return;
        }
        for subscription in &mut self.subscriptions {
            for &page in &between {
                subscription.set.free_page(page);
            }
            if let Some(end) = end {
                subscription.set.truncate(end * BLOCKS_PER_PAGE);
            }
        }
        if end.is_some() {
            self.refresh.moves = Vec::new();
            // Nobody is marked after a refresh; but whoever died may have been marked one by one.
            if self.to_despawn.is_empty() {
                self.to_despawn = Marks::default();
            }
        }
    }

    /// The stages.
    fn apply_stages(&mut self, events: Handling<'_, D>) {
        let panics = PanicSlot::new();
        // Of a refresh that has not come to its end, as a hand-written declaration has panicked.
        self.forget_dead();
        self.run_deferred(&panics);
        self.apply_requests();
        let count = self.collect_dead();
        if let Some(handlers) = &events {
            self.note_who_leaves(&**handlers);
        }
        self.reclaim_dead(count, &panics);
        self.unsubscribe_despawned();
        self.apply_spawns(count as usize, &panics);
        if let Some(handlers) = &events {
            self.note_who_comes(&**handlers);
        }
        self.forget_dead();
        self.storage.refill(&mut self.refresh.moves, &panics);
        self.move_subscribers();
        self.match_entities();
        self.free_surplus();
        let mut failure = panics.take();
        if let Some(handlers) = events {
            self.tell_events(handlers, &panics);
            failure = failure.or_else(|| panics.take());
        }
        if let Some(failure) = failure {
            self.refresh.take_error();
            failure.resume();
        }
    }
}
