//! The *refresh* at the end of a step (thesis, 8.2.3). `README.md` beside this file describes the
//! order of the stages and why the result is the same on any number of threads.

mod batches;
mod deferred;
mod edited;
pub mod events;
mod matching;
mod opt_in;
mod partial;
mod pending;
mod reclaim;
mod relations;

use core::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::changes::StepError;
use crate::parallel::{PanicSlot, Threads};
use crate::refresh::events::Handling;
use crate::refresh::relations::Relations;
use crate::rows::{BLOCKS_PER_PAGE, Marks};
use crate::signature::tables::removed;
use crate::signature::{Declaration, HasPhases, any_opt_in, any_sequential};
use crate::state::{Core, CoreData};
use crate::storage::Surplus;

impl<D: Declaration> Core<D> {
    /// At the end of a step: applies all staged changes, frees the rows of despawned entities, and
    /// matches changed blocks.
    ///
    /// # Panics
    /// If a deferred function, a component's destructor or an event handler panics: with the same
    /// payload, after the refresh is complete.
    #[inline]
    pub(crate) fn refresh(&mut self, events: Handling<'_, D>) -> Result<(), StepError> {
        self.apply(events);
        if self.storage.entities.lost > 0 {
            self.report_lost();
        }
        if const { removed::any(D::SYSTEMS) } {
            self.publish_removals();
        }
        // This is not reached after a panic; then the next step starts its measurement anew.
        self.policies.end_step();
        // `take` would copy an error that there is not.
        let Some(error) = self.refresh.error else { return Ok(()) };
        self.refresh.error = None;
        Err(error)
    }

    /// The step reports spawns that were done at once and found no room.
    #[cold]
    #[inline(never)]
    fn report_lost(&mut self) {
        let lost = core::mem::take(&mut self.storage.entities.as_same().lost);
        let error = self.storage.entities.limit_reached(lost);
        self.refresh.lose(error);
    }

    /// Prepares the entities for the systems of an execution, or of one of its phases.
    ///
    /// If the declaration asks for it and `refresh` is set, this is a refresh, if there is anything
    /// to apply. Lost spawns and conflicting updates are then reported at the end of the step.
    /// Otherwise only removed components are taken from the subscriptions.
    ///
    /// # Panics
    /// As for [`refresh`](Self::refresh).
    pub(crate) fn prepare(&mut self, refresh: bool, events: Handling<'_, D>) {
        if const { D::PHASES.refreshes(D::STAGED_CHANGES) } && refresh {
            if self.is_changed() {
                self.apply(events);
            }
        } else {
            self.narrow_subscriptions();
        }
        if const { removed::any(D::SYSTEMS) } {
            self.publish_removals();
        }
    }

    /// Whether a refresh would do nothing at all.
    pub(crate) fn is_still(&mut self) -> bool {
        !self.is_changed() && !self.storage.entities.has_gaps()
    }

    /// Whether anything has been changed or staged since the last refresh. The result does not
    /// depend on how systems were split into subtasks. O(components + opt-in systems).
    #[inline]
    fn is_changed(&mut self) -> bool {
        self.is_staged_or_dirty()
            || (const { !D::RELATIONS.is_empty() } && self.has_links(D::RELATIONS))
            || (const { any_opt_in(D::SYSTEMS) } && self.has_requests())
    }

    /// Applies everything, on the threads of the pool if that is likely to be faster.
    ///
    /// A large stage runs on all threads, unless measurements have shown such steps to be faster on
    /// one. Entering a user's pool from outside puts the calling thread to sleep and wakes it up again,
    /// which takes some 10 µs. The next refresh is probably like the last one; so if several stages
    /// of the last one entered the pool, this one enters it once for all stages. User functions are
    /// called on the thread that calls `step`, so the pool is not entered for all stages if there
    /// are any.
    #[inline]
    pub(crate) fn apply(&mut self, events: Handling<'_, D>) {
        if events.is_none() && !self.is_changed() && !self.storage.entities.has_gaps() {
            return self.release_states();
        }
        self.apply_everything(events);
    }

    #[inline(never)]
    fn apply_everything(&mut self, events: Handling<'_, D>) {
        let start = (self.threads.threads() > 1).then(Instant::now);
        let CoreData { policies, threads, .. } = &mut **self;
        let enters_once = start.is_some() && policies.of(threads.available()).begin_refresh();
        if enters_once
            && events.is_none()
            && !self.systems.iter().any(|system| system.declared.defer)
        {
            let threads = self.threads.clone();
            threads.run(|_| self.apply_stages(None));
        } else {
            self.apply_stages(events);
        }
        if let Some(start) = start {
            let CoreData { policies, threads, .. } = &mut **self;
            policies.of(threads.available()).end_refresh(start.elapsed());
        }
    }

    /// Runs the stages.
    fn apply_stages(&mut self, events: Handling<'_, D>) {
        let panics = PanicSlot::new();
        // The masks are left over if the last refresh did not finish, because a hand-written
        // declaration has panicked.
        self.forget_dead();
        self.run_deferred(&panics);
        self.apply_requests();
        let of_links = PanicSlot::new();
        let relations = const { Relations { all: D::RELATIONS, resources: D::RESOURCES } };
        if const { !D::RELATIONS.is_empty() } {
            self.apply_links(relations, &panics, &of_links);
        }
        if const { removed::any(D::SYSTEMS) && any_sequential(D::SYSTEMS) } {
            self.storage.drop_late(&panics);
        }
        let mut count = self.collect_dead();
        if const { !D::RELATIONS.is_empty() } {
            count = self.despawn_related(relations, count, &panics);
        }
        if let Some(handlers) = &events {
            self.note_who_leaves(&|kind, system| handlers.want(kind, system));
        }
        self.reclaim_dead(count, &panics);
        self.unsubscribe_despawned();
        self.apply_spawns(count as usize, &panics);
        if const { !D::RELATIONS.is_empty() } {
            self.apply_links_of_spawned(relations, &panics, &of_links);
        }
        if let Some(handlers) = &events {
            self.note_who_comes(&|kind, system| handlers.want(kind, system));
        }
        self.close_gaps(&panics);
        if const { !D::RELATIONS.is_empty() } {
            self.move_links(relations, &panics);
        }
        if const { removed::any(D::SYSTEMS) } {
            self.storage.publish_removals(&panics);
        }
        // With the list of moves.
        self.free_surplus();
        let mut failure = panics.take();
        if const { !D::RELATIONS.is_empty() } {
            failure = failure.or_else(|| of_links.take());
        }
        if let Some(handlers) = events {
            self.tell_events(handlers, &panics);
            failure = failure.or_else(|| panics.take());
        }
        if let Some(failure) = failure {
            self.refresh.error = None;
            self.storage.entities.as_same().lost = 0;
            failure.resume();
        }
    }
}

impl CoreData {
    /// Lets systems read what was removed since the last refresh, and drops what all have read.
    ///
    /// # Panics
    /// With the first panic of a destructor, after everything is dropped.
    fn publish_removals(&mut self) {
        let panics = PanicSlot::new();
        self.storage.publish_removals(&panics);
        if let Some(failure) = panics.take() {
            self.refresh.error = None;
            failure.resume();
        }
    }

    /// Whether there is staged work, or a component was inserted or removed since the last refresh.
    #[inline]
    fn is_staged_or_dirty(&self) -> bool {
        !self.to_despawn.is_empty() || self.storage.dirty_pages() > 0 || self.staged.load(Relaxed)
    }

    /// Moves entities into free rows, and brings subscriptions up to date.
    fn close_gaps(&mut self, panics: &PanicSlot) {
        self.forget_dead();
        self.storage.refill(&mut self.refresh.moves, panics);
        self.move_subscribers();
        self.match_entities();
    }

    /// Frees memory left over from a peak, if it is large. No presence may be dirty.
    fn free_surplus(&mut self) {
        let Surplus { between, end } = self.storage.free_surplus(self.refresh.moves.len());
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
            // No rows are marked after a refresh, but the list may still have the memory of many
            // single marks.
            if self.to_despawn.is_empty() {
                self.to_despawn = Marks::default();
            }
        }
    }
}

/// The threads for one stage: all, or, without inner parallelism, the calling one.
fn inner_threads(threads: &Threads, inner_parallelism: bool) -> &Threads {
    if inner_parallelism { threads } else { &Threads::Inline }
}
