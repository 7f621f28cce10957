//! The events that a refresh records before rows change, and reports when it is complete.

use core::mem;

use super::{Handlers, Happened, Kind};
use crate::entity::Entity;
use crate::parallel::PanicSlot;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE};
use crate::signature::Declaration;
use crate::state::{Core, CoreData, EventLog, Subscription};
use crate::storage::Storage;

impl<D: Declaration> Core<D> {
    /// At the beginning of a step: subscriptions with handlers record from now on what
    /// changes between refreshes.
    pub(crate) fn watch(&mut self, handlers: Option<&dyn Handlers<D>>) {
        if handlers.is_none() && !self.watched {
            return;
        }
        self.watched = handlers.is_some();
        for (system, subscription) in self.subscriptions.iter_mut().enumerate() {
            subscription.watched = handlers.is_some_and(|handlers| {
                handlers.want(Kind::Subscribed, system) || handlers.want(Kind::Unsubscribed, system)
            });
            subscription.toggled.clear();
        }
    }

    /// Reports the recorded events, and clears them. After a panic no further event is reported.
    pub(crate) fn tell_events(&mut self, handlers: &mut dyn Handlers<D>, panics: &PanicSlot) {
        let mut log = mem::take(&mut self.refresh.log);
        panics.catch(0, None, || {
            let in_order = [
                (Kind::Unsubscribed, &log.unsubscribed),
                (Kind::Reclaimed, &log.reclaimed),
                (Kind::Subscribed, &log.subscribed),
            ];
            for (kind, events) in in_order {
                for &(system, entity) in events {
                    handlers.handle(&mut Happened { core: self, kind, system, entity });
                }
            }
        });
        for events in [&mut log.unsubscribed, &mut log.reclaimed, &mut log.subscribed] {
            events.clear();
        }
        self.refresh.log = log;
    }
}

impl CoreData {
    /// Records the entities that this refresh will unsubscribe and reclaim. All deferred work except
    /// spawns has run and the entities to despawn are marked, but all entities are still in their rows.
    pub(crate) fn note_who_leaves(&mut self, want: &dyn Fn(Kind, usize) -> bool) {
        let Self { storage, subscriptions, refresh, .. } = self;
        let (dead, dead_blocks) = (&refresh.dead, &refresh.dead_blocks);
        let EventLog { unsubscribed, reclaimed, blocks, .. } = &mut refresh.log;
        let entities = storage.entities.rows();
        if want(Kind::Reclaimed, 0) {
            for &block in dead_blocks {
                note(reclaimed, entities, 0, block as usize, dead[block as usize]);
            }
        }
        for (system, subscription) in subscriptions.iter_mut().enumerate() {
            if subscription.watched && want(Kind::Unsubscribed, system) {
                subscription.find_changed(storage, dead_blocks, blocks);
                subscription.for_changed(blocks, |subscription, block, before| {
                    let dead = dead.get(block).copied().unwrap_or(0);
                    let after = subscription.members(storage, block) & !dead;
                    note(unsubscribed, entities, system, block, before & !after);
                });
            }
        }
    }

    /// Records the entities that this refresh will subscribe. Despawned entities are gone, spawned ones are in their
    /// rows.
    pub(crate) fn note_who_comes(&mut self, want: &dyn Fn(Kind, usize) -> bool) {
        let Self { storage, subscriptions, refresh, .. } = self;
        let (dead, dead_blocks) = (&refresh.dead, &refresh.dead_blocks);
        let EventLog { subscribed, blocks, .. } = &mut refresh.log;
        for (system, subscription) in subscriptions.iter_mut().enumerate() {
            if !subscription.watched {
                continue;
            }
            if want(Kind::Subscribed, system) {
                subscription.find_changed(storage, dead_blocks, blocks);
                subscription.for_changed(blocks, |subscription, block, before| {
                    // An entity in the row of a despawned one is a different entity.
                    let before = before & !dead.get(block).copied().unwrap_or(0);
                    let came = subscription.members(storage, block) & !before;
                    note(subscribed, storage.entities.rows(), system, block, came);
                });
            }
            subscription.toggled.clear();
        }
    }
}

impl Subscription {
    /// Finds the blocks in which the subscription may change, in ascending order.
    fn find_changed(&mut self, storage: &Storage, dead: &[u32], blocks: &mut Vec<usize>) {
        self.toggled.sort_unstable();
        blocks.clear();
        blocks.extend(dead.iter().map(|&block| block as usize));
        blocks.extend(self.toggled.iter().map(|&row| row as usize / BLOCK_ROWS));
        for presence in self.demands.mentioned(storage) {
            for &page in presence.dirty_pages() {
                let mut dirty = presence.dirty_blocks(page as usize);
                while dirty != 0 {
                    blocks.push(page as usize * BLOCKS_PER_PAGE + dirty.trailing_zeros() as usize);
                    dirty &= dirty - 1;
                }
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
    }

    /// Calls `f` with each of the blocks, and the rows that were subscribed there at the last refresh.
    fn for_changed(&self, blocks: &[usize], mut f: impl FnMut(&Self, usize, u64)) {
        let mut toggled = self.toggled.iter().map(|&row| row as usize).peekable();
        for &block in blocks {
            let mut before = self.set.block(block);
            while let Some(row) = toggled.next_if(|&row| row / BLOCK_ROWS == block) {
                before ^= 1 << (row % BLOCK_ROWS);
            }
            f(self, block, before);
        }
    }
}

/// Records the entities in the given rows of a block.
fn note(
    log: &mut Vec<(usize, Entity)>,
    entities: &[Entity],
    system: usize,
    block: usize,
    mut rows: u64,
) {
    while rows != 0 {
        log.push((system, entities[block * BLOCK_ROWS + rows.trailing_zeros() as usize]));
        rows &= rows - 1;
    }
}
