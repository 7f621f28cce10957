//! Refreshes after changes between steps.
//!
//! These leave the subscriptions to the beginning of the next step: many changes between two steps mostly lie in the same blocks, and
//! each is then matched once.

use core::sync::atomic::Ordering::Relaxed;

use crate::changes::StepError;
use crate::parallel::PanicSlot;
use crate::signature::tables::removed;
use crate::signature::{Declaration, any_opt_in};
use crate::state::{Core, CoreData};

/// How many changes between steps, and entities that these have spawned or despawned, wait until systems are subscribed.
const MOST_EDITS: usize = 128;

impl<D: Declaration> Core<D> {
    /// Whether systems may be subscribed later than the entities change: there are no subscriptions by hand, which belong to the
    /// state, and no values that wait for a refresh.
    pub(crate) const MATCHES_LATER: bool = !any_opt_in(D::SYSTEMS) && !removed::any(D::SYSTEMS);

    /// Whether a refresh would do more than match entities.
    #[inline]
    pub(crate) fn has_more_than_matching(&mut self) -> bool {
        let entities = &self.storage.entities;
        !self.to_despawn.is_empty() || entities.has_gaps() || self.has_more_than_despawns()
    }

    /// Whether it would do more than to free rows, fill gaps, and match entities.
    #[inline]
    fn has_more_than_despawns(&mut self) -> bool {
        let entities = &self.storage.entities;
        !entities.spawned.is_empty()
            || entities.lost > 0
            || self.staged.load(Relaxed)
            || (const { !D::RELATIONS.is_empty() } && self.has_links(D::RELATIONS))
    }

    /// Refreshes after a change between steps. Systems need not be subscribed.
    ///
    /// # Panics
    /// With the first panic of a destructor, after the refresh is complete.
    #[inline(never)]
    pub(crate) fn refresh_edited(&mut self) -> Result<(), StepError> {
        // With rows by archetype, a refresh also forgets archetypes, on which later rows depend.
        let in_order = !self.storage.entities.are_by_archetype();
        if const { D::RELATIONS.is_empty() } && in_order && !self.has_more_than_despawns() {
            self.apply_despawns();
            return Ok(());
        }
        self.policies.begin_step();
        self.refresh(None)
    }
}

impl CoreData {
    /// Counts the entities that a change between steps has spawned or despawned; `before` is their number before it.
    ///
    /// After many, systems are subscribed at once: what has changed is copied by each snapshot until then, look-ups take longer, and
    /// memory left over from a peak is not given back.
    #[inline]
    pub(crate) fn count_edited(&mut self, before: usize) {
        self.edits += self.storage.entities.count().abs_diff(before);
        if self.edits >= MOST_EDITS {
            self.match_edits();
        }
    }

    /// At the beginning of a step: subscribes systems to what was changed since the last one.
    #[inline]
    pub(crate) fn match_edited(&mut self) {
        if self.edits > 0 {
            self.match_edits();
        }
    }

    #[inline(never)]
    fn match_edits(&mut self) {
        self.edits = 0;
        self.policies.begin_step();
        self.match_entities();
        self.free_surplus();
    }

    /// Frees the rows of despawned entities, and closes gaps.
    fn apply_despawns(&mut self) {
        let panics = PanicSlot::new();
        self.forget_dead();
        let count = self.collect_dead();
        self.reclaim_dead(count, &panics);
        self.forget_dead();
        self.storage.refill(&mut self.refresh.moves, &panics);
        if let Some(failure) = panics.take() {
            failure.resume();
        }
    }
}
