//! What a refresh notes for events, before rows change, and tells when it is complete.

use core::mem;

use super::{Handlers, Happened, Kind};
use crate::entity::Entity;
use crate::scheduler::PanicSlot;
use crate::signature::Declaration;
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE};
use crate::world::Core;

/// What has happened, in the order in which it is told. Empty between refreshes; its memory is reused.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    unsubscribed: Vec<(usize, Entity)>,
    reclaimed: Vec<(usize, Entity)>,
    subscribed: Vec<(usize, Entity)>,
    /// The blocks in which a subscription may change.
    blocks: Vec<usize>,
}

impl<D: Declaration> Core<D> {
    /// At the beginning of a step: from now on, subscriptions that somebody wants to know about note what
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

    /// Notes who will be subscribed, unsubscribed and reclaimed by this refresh: everything that is
    /// deferred has run, and the marks of the dead are in, but all are in their rows still.
    pub(crate) fn note_events(&mut self, handlers: &dyn Handlers<D>) {
        let Self { storage, subscriptions, refresh, .. } = self;
        let (dead, dead_blocks) = (&refresh.dead, &refresh.dead_blocks);
        let EventLog { unsubscribed, reclaimed, subscribed, blocks } = &mut refresh.log;
        let entities = storage.entities.rows();
        let note = |log: &mut Vec<(usize, Entity)>, system, block: usize, mut rows: u64| {
            while rows != 0 {
                log.push((system, entities[block * BLOCK_ROWS + rows.trailing_zeros() as usize]));
                rows &= rows - 1;
            }
        };
        let dead_in = |block: usize| dead.get(block).copied().unwrap_or(0);
        if handlers.want(Kind::Reclaimed, 0) {
            for &block in dead_blocks {
                note(reclaimed, 0, block as usize, dead_in(block as usize));
            }
        }
        for (system, subscription) in subscriptions.iter_mut().enumerate() {
            if !subscription.watched {
                continue;
            }
            subscription.toggled.sort_unstable();
            blocks.clear();
            blocks.extend(dead_blocks.iter().map(|&block| block as usize));
            blocks.extend(subscription.toggled.iter().map(|&row| row as usize / BLOCK_ROWS));
            for presence in subscription.demands.mentioned(storage) {
                for &page in presence.dirty_pages() {
                    let mut dirty = presence.dirty_blocks(page as usize);
                    while dirty != 0 {
                        blocks.push(
                            page as usize * BLOCKS_PER_PAGE + dirty.trailing_zeros() as usize,
                        );
                        dirty &= dirty - 1;
                    }
                }
            }
            blocks.sort_unstable();
            blocks.dedup();
            let [wants_left, wants_came] =
                [Kind::Unsubscribed, Kind::Subscribed].map(|kind| handlers.want(kind, system));
            let mut toggled = subscription.toggled.iter().map(|&row| row as usize).peekable();
            for &block in &*blocks {
                let mut before = subscription.set.block(block);
                while let Some(row) = toggled.next_if(|&row| row / BLOCK_ROWS == block) {
                    before ^= 1 << (row % BLOCK_ROWS);
                }
                let after = subscription.members(storage, block) & !dead_in(block);
                if wants_left {
                    note(unsubscribed, system, block, before & !after);
                }
                if wants_came {
                    note(subscribed, system, block, after & !before);
                }
            }
            subscription.toggled.clear();
        }
    }

    /// Tells what was noted, and forgets it. After a panic nothing more is told.
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
