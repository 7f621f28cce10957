//! Stage 3: systems are subscribed to whom they match (thesis, algorithm 4).

use crate::scheduler::{Workers, fork_each};
use crate::signature::Declaration;
use crate::storage::{BLOCKS_PER_PAGE, Presence, Storage};
use crate::system::Subscription;
use crate::world::Core;

/// Fewer changed pages are matched on one thread: entering the pool would cost more.
const PARALLEL_FROM: usize = 4;

impl<D: Declaration> Core<D> {
    /// Brings every subscription up to date, in parallel over the systems.
    ///
    /// A system looks at the components that its signature mentions and at no others, and of those
    /// at the blocks that changed: 64 entities are matched by a few operations on words.
    pub(super) fn match_entities(&mut self) {
        let storage = &self.storage;
        let changed: usize = (0..D::COMPONENTS.len())
            .map(|index| storage.presence_at(index))
            .chain([storage.entities.alive()])
            .map(|presence| presence.dirty_pages().len())
            .sum();
        if changed == 0 {
            return;
        }
        let subscriptions = &mut self.subscriptions[..];
        let update = |_, subscription: &mut Subscription| subscription.update(storage);
        if changed < PARALLEL_FROM {
            fork_each(&Workers::inline(), subscriptions, &update);
        } else {
            self.threads.run(|workers| fork_each(workers, subscriptions, &update));
        }
    }
}

impl Subscription {
    /// Matches the blocks that changed in a component that the system mentions.
    fn update(&mut self, storage: &Storage) {
        let Self { set, required, excluded, any_entity } = self;
        let presence = |&index: &usize| storage.presence_at(index);
        // A system that requires no component still requires an entity.
        let alive = any_entity.then(|| storage.entities.alive());
        let mentioned = || {
            required.iter().map(presence).chain(excluded.iter().map(presence)).chain(alive)
        };
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
                    let members = alive.into_iter().chain(required.iter().map(presence)).fold(
                        u64::MAX,
                        |members, other| members & other.word(block),
                    );
                    let out = excluded
                        .iter()
                        .map(presence)
                        .fold(0, |out, other| out | other.word(block));
                    set.set_block(block, members & !out);
                }
            }
        }
        set.restore();
    }
}
