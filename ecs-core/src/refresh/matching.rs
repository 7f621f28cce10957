//! Stage 3: subscribes systems to the entities that they match (thesis, algorithm 4).

use crate::parallel::{ForkJoin as _, Workers, fork_each};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PageWords, Presence, bits};
use crate::state::{CoreData, Demands, Subscription};
use crate::storage::{PhaseCell, Storage};

/// From this number of changed pages on, the pages of one system are matched in parallel.
const SPLIT_FROM: usize = 16;

/// The effect of an update on a subscription.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Update {
    /// The members become exactly the entities that the system matches now.
    Match,
    /// Members that the system does not match any more are removed; none are added. For systems that entities opt in to.
    Rematch,
    /// Members that lack a required component are removed; none are added.
    Narrow,
    /// Like `Narrow`, in a refresh, which has already noted the members that leave.
    Despawn,
}

impl CoreData {
    /// Updates all subscriptions, in parallel over the systems and, with inner parallelism, over
    /// pages if many have changed.
    ///
    /// For each system only the components of its signature are read, and of these only the pages
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
        self.policies.share(&self.threads, work, |workers| {
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
        self.required_sets(storage).chain(self.excluded_sets(storage))
    }

    /// The sets that contain all rows that the system matches: those of required components, or else of all rows in use.
    fn required_sets<'a>(&'a self, storage: &'a Storage) -> impl Iterator<Item = &'a Presence> {
        let alive = self.any_entity.then(|| storage.entities.alive());
        alive.into_iter().chain(self.required.iter().map(|&index| storage.presence_at(index)))
    }

    /// The sets that contain no row that the system matches.
    fn excluded_sets<'a>(&'a self, storage: &'a Storage) -> impl Iterator<Item = &'a Presence> {
        self.excluded.iter().map(|&index| storage.presence_at(index))
    }

    /// The rows that the system matches in a block.
    pub(crate) fn matching(&self, storage: &Storage, block: usize) -> u64 {
        let required =
            self.required_sets(storage).fold(u64::MAX, |rows, other| rows & other.word(block));
        self.excluded_sets(storage).fold(required, |rows, other| rows & !other.word(block))
    }

    /// The members of a subscription in some blocks of a page; words of other blocks are unspecified. `before` are the members up to
    /// now.
    fn page_members(
        &self,
        storage: &Storage,
        update: Update,
        page: usize,
        blocks: u64,
        before: &PageWords,
    ) -> PageWords {
        let mut members = *before;
        if update == Update::Match {
            change_words(&mut members, blocks, |_, _| u64::MAX);
        }
        for set in self.required_sets(storage) {
            let other = set.page_words(page);
            change_words(&mut members, blocks, |word, block| word & other[block]);
        }
        if matches!(update, Update::Match | Update::Rematch) {
            for set in self.excluded_sets(storage) {
                let other = set.page_words(page);
                change_words(&mut members, blocks, |word, block| word & !other[block]);
            }
        }
        members
    }
}

/// Replaces the word of each block in the mask by `f(word, block)`. Other words may change, too.
#[inline(always)]
fn change_words(words: &mut PageWords, blocks: u64, f: impl Fn(u64, usize) -> u64) {
    /// With more blocks, all words of the page take less time, as the compiler vectorises that loop.
    const FEW: u32 = 8;
    if blocks.count_ones() <= FEW {
        bits(blocks).for_each(|block| words[block] = f(words[block], block));
        return;
    }
    for (block, word) in words.iter_mut().enumerate() {
        *word = f(*word, block);
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
        let notes = *watched && update == Update::Narrow;
        let update = if *opt_in && update == Update::Match { Update::Rematch } else { update };
        let changed: usize = mentioned().map(|component| component.dirty_pages().len()).sum();
        let dirty = |page| mentioned().fold(0, |blocks, other| blocks | other.dirty_blocks(page));
        if workers.threads() > 1 && changed >= SPLIT_FROM && !notes {
            let pages = mentioned().map(Presence::page_count).max().unwrap_or(0);
            return set.update_pages(workers, pages, dirty, |page, blocks, before| {
                demands.page_members(storage, update, page, blocks, before)
            });
        }
        for (position, component) in mentioned().enumerate() {
            for &page in component.dirty_pages() {
                let page = page as usize;
                // The page is done if an earlier component mentioned has changed in it too.
                if mentioned().take(position).any(|earlier| earlier.dirty_blocks(page) != 0) {
                    continue;
                }
                let (blocks, before) = (dirty(page), set.page_words(page));
                let members = demands.page_members(storage, update, page, blocks, before);
                debug_assert!(
                    update != Update::Match
                        || bits(blocks).all(|block| {
                            let number = page * BLOCKS_PER_PAGE + block;
                            members[block] == demands.matching(storage, number)
                        }),
                    "blocks one by one have other members"
                );
                if notes {
                    for block in bits(blocks) {
                        let gone = before[block] & !members[block];
                        toggle(toggled, page * BLOCKS_PER_PAGE + block, gone);
                    }
                }
                set.set_page(page, blocks, &members);
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
