//! Stage 3: subscribes systems to the entities that they match (thesis, algorithm 4).

use crate::parallel::{ForkJoin as _, Workers, fork_each};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, Presence};
use crate::state::{CoreData, Demands, Subscription};
use crate::storage::{PhaseCell, Storage};

/// From this number of changed pages on, the pages of one system are matched in parallel.
const SPLIT_FROM: usize = 16;

/// The effect of an update on a subscription.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Update {
    /// The members become exactly the entities that the system matches now.
    Match,
    /// Members that the system does not match any more are removed; none are added.
    Narrow,
    /// Like `Narrow`, in a refresh, which has already noted the members that leave.
    Despawn,
}

impl CoreData {
    /// Updates all subscriptions, in parallel over the systems and, with inner parallelism, over
    /// pages if many have changed.
    ///
    /// For each system only the components of its signature are read, and of these only the blocks
    /// that have changed. Each block of 64 entities is matched by a few operations on words.
    pub(crate) fn match_entities(&mut self) {
        if self.storage.dirty_pages() > 0 {
            self.update_subscriptions(Update::Match);
            self.storage.clean();
        }
    }

    /// Before an execution: removes entities that have lost a component in this step.
    ///
    /// Systems are subscribed to new matches only at the refresh, so added components are not
    /// visible before. Removed components no longer exist, so no system may access them.
    #[inline]
    pub(crate) fn narrow_subscriptions(&mut self) {
        if self.storage.dirty_pages() > 0 {
            self.update_subscriptions(Update::Narrow);
        }
    }

    fn update_subscriptions(&mut self, update: Update) {
        let storage = &self.storage;
        if storage.dirty_pages() == 0 {
            return;
        }
        let subscriptions = &mut self.subscriptions[..];
        let blocks = |subscription: &PhaseCell<Subscription>| subscription.dirty_blocks(storage);
        let is_alone = self.threads.threads() == 1;
        let work = if is_alone { 0 } else { subscriptions.iter().map(blocks).sum() };
        let splits = self.inner_parallelism;
        self.refresh.large_stages.share(&mut self.adaptive, &self.threads, work, |workers| {
            let alone = &Workers::inline();
            fork_each(workers, subscriptions, &|_, subscription: &mut PhaseCell<Subscription>| {
                subscription.update(storage, update, if splits { workers } else { alone });
            });
        });
    }
}

impl Demands {
    /// The presence of the components that the signature mentions. A system that requires no
    /// component still requires an entity, so it mentions the set of entities that are alive.
    pub(crate) fn mentioned<'a>(
        &'a self,
        storage: &'a Storage,
    ) -> impl Iterator<Item = &'a Presence> {
        let alive = self.any_entity.then(|| storage.entities.alive());
        let components = self.required.iter().chain(&self.excluded);
        components.map(|&index| storage.presence_at(index)).chain(alive)
    }

    /// The rows of `within`, in a block, that have everything that the system requires.
    fn equipped(&self, storage: &Storage, block: usize, within: u64) -> u64 {
        let alive = self.any_entity.then(|| storage.entities.alive());
        let required = self.required.iter().map(|&index| storage.presence_at(index));
        alive.into_iter().chain(required).fold(within, |rows, other| rows & other.word(block))
    }

    /// The rows that the system matches in a block.
    pub(crate) fn matching(&self, storage: &Storage, block: usize) -> u64 {
        let excluded = self.excluded.iter().map(|&index| storage.presence_at(index));
        let out = excluded.fold(0, |out, other| out | other.word(block));
        self.equipped(storage, block, u64::MAX) & !out
    }
}

impl Subscription {
    /// The rows of a block that the system will be subscribed to.
    pub(crate) fn members(&self, storage: &Storage, block: usize) -> u64 {
        let within = if self.opt_in { self.set.block(block) } else { u64::MAX };
        self.demands.matching(storage, block) & within
    }

    /// Removes members that lack a required component.
    pub(super) fn free(&mut self, storage: &Storage) {
        self.update(storage, Update::Despawn, &Workers::inline());
    }

    /// The number of changed blocks, summed over the components that the system mentions. O(changed
    /// pages).
    fn dirty_blocks(&self, storage: &Storage) -> usize {
        let of_page = |component: &Presence, page: u32| component.dirty_blocks(page as usize);
        let of_component = |component: &Presence| -> usize {
            let pages = component.dirty_pages().iter();
            pages.map(|&page| of_page(component, page).count_ones() as usize).sum()
        };
        self.demands.mentioned(storage).map(of_component).sum()
    }

    /// Updates the blocks that have changed in a component that the system mentions.
    pub(super) fn update(&mut self, storage: &Storage, update: Update, workers: &Workers) {
        let Self { set, demands, watched, toggled, opt_in, .. } = self;
        let mentioned = || demands.mentioned(storage);
        let members = |block, before| match update {
            Update::Match if *opt_in => demands.matching(storage, block) & before,
            Update::Match => demands.matching(storage, block),
            Update::Narrow | Update::Despawn => demands.equipped(storage, block, before),
        };
        let notes = *watched && update == Update::Narrow;
        let changed: usize = mentioned().map(|component| component.dirty_pages().len()).sum();
        if workers.threads() > 1 && changed >= SPLIT_FROM && !notes {
            let dirty =
                |page| mentioned().fold(0, |blocks, other| blocks | other.dirty_blocks(page));
            let pages = mentioned().map(Presence::page_count).max().unwrap_or(0);
            return set.update_pages(workers, pages, dirty, members);
        }
        for (position, component) in mentioned().enumerate() {
            for &page in component.dirty_pages() {
                let page = page as usize;
                let dirty = |other: &Presence| other.dirty_blocks(page);
                // The page is done if an earlier component mentioned has changed in it too.
                if mentioned().take(position).any(|earlier| dirty(earlier) != 0) {
                    continue;
                }
                let mut blocks = mentioned().fold(0, |blocks, other| blocks | dirty(other));
                while blocks != 0 {
                    let block = page * BLOCKS_PER_PAGE + blocks.trailing_zeros() as usize;
                    blocks &= blocks - 1;
                    let before = set.block(block);
                    let members = members(block, before);
                    set.set_block(block, members);
                    if notes {
                        toggle(toggled, block, before & !members);
                    }
                }
            }
        }
        set.restore();
    }
}

/// Records rows whose membership differs from that at the last refresh.
fn toggle(toggled: &mut Vec<u32>, block: usize, mut rows: u64) {
    while rows != 0 {
        toggled.push((block * BLOCK_ROWS) as u32 + rows.trailing_zeros());
        rows &= rows - 1;
    }
}
