//! Stage 3: systems are subscribed to whom they match (thesis, algorithm 4).

use crate::scheduler::{Workers, fork_each};
use crate::signature::Declaration;
use crate::storage::{BLOCKS_PER_PAGE, Presence, Storage};
use crate::system::Subscription;
use crate::world::Core;

/// Fewer changed pages are matched on one thread: entering the pool would cost more.
const PARALLEL_FROM: usize = 4;

/// What an update may do to a subscription.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Update {
    /// Subscribe to whom the system matches now, and to nobody else.
    Match,
    /// Let go of whom the system does not match any more, but subscribe to nobody.
    Narrow,
}

impl<D: Declaration> Core<D> {
    /// Brings every subscription up to date, in parallel over the systems.
    ///
    /// A system looks at the components that its signature mentions and at no others, and of those
    /// at the blocks that changed: 64 entities are matched by a few operations on words.
    pub(super) fn match_entities(&mut self) {
        self.update_subscriptions(Update::Match);
        self.storage.clean();
    }

    /// Before an execution: lets go of entities that have lost a component in this very step.
    ///
    /// Systems are subscribed to new matches at the refresh only, so what was added stays unseen
    /// until then. What was removed is gone, and must not be handed out.
    pub(crate) fn narrow_subscriptions(&mut self) {
        self.update_subscriptions(Update::Narrow);
    }

    fn update_subscriptions(&mut self, update: Update) {
        let storage = &self.storage;
        let changed = storage.dirty_pages();
        if changed == 0 {
            return;
        }
        let subscriptions = &mut self.subscriptions[..];
        let update = |_, subscription: &mut Subscription| subscription.update(storage, update);
        if changed < PARALLEL_FROM {
            fork_each(&Workers::inline(), subscriptions, &update);
        } else {
            self.threads.run(|workers| fork_each(workers, subscriptions, &update));
        }
    }
}

impl Subscription {
    /// Looks at the blocks that changed in a component that the system mentions.
    fn update(&mut self, storage: &Storage, update: Update) {
        let Self { set, required, excluded, any_entity } = self;
        let presence = |&index: &usize| storage.presence_at(index);
        // A system that requires no component still requires an entity.
        let alive = any_entity.then(|| storage.entities.alive());
        let mentioned =
            || required.iter().map(presence).chain(excluded.iter().map(presence)).chain(alive);
        for (position, component) in mentioned().enumerate() {
            for &page in component.dirty_pages() {
                let page = page as usize;
                let dirty = |other: &Presence| other.dirty_blocks(page);
                // Another mentioned component may have brought this page already.
                if mentioned().take(position).any(|earlier| dirty(earlier) != 0) {
                    continue;
                }
                let mut blocks = mentioned().fold(0, |blocks, other| blocks | dirty(other));
                while blocks != 0 {
                    let block = page * BLOCKS_PER_PAGE + blocks.trailing_zeros() as usize;
                    blocks &= blocks - 1;
                    let within = match update {
                        Update::Match => u64::MAX,
                        Update::Narrow => set.block(block),
                    };
                    let members = alive
                        .into_iter()
                        .chain(required.iter().map(presence))
                        .fold(within, |members, other| members & other.word(block));
                    let out = match update {
                        Update::Match => excluded
                            .iter()
                            .map(presence)
                            .fold(0, |out, other| out | other.word(block)),
                        Update::Narrow => 0,
                    };
                    set.set_block(block, members & !out);
                }
            }
        }
        set.restore();
    }
}
