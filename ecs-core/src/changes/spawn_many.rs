//! Spawns many entities at once, from an iterator of bundles.

use core::convert::identity;

use crate::entity::{AllocatedRows, Lengths, LimitReached, RowRanges, Spawned};
use crate::parallel::{PanicSlot, Workers, drop_all};
use crate::rows::{BLOCK_ROWS, lowest};
use crate::signature::{Bundle, BundleSink, Declaration, facts_of, key_of};
use crate::storage::{CHUNK_ROWS, SpawnWriter, Storage};

impl Storage {
    /// Creates an entity for each bundle, and then their descendants. If they do not all fit, or the iterator panics, it
    /// creates none. Rows and handles are those that [`create`](crate::entity::Entities::create)
    /// would give.
    ///
    /// O(bundles × components of each + components declared + rows / 16 384).
    pub(crate) fn spawn_batch<D: Declaration, I: Iterator<Item: Bundle<D>>>(
        &mut self,
        bundles: I,
    ) -> Result<(), LimitReached> {
        let descendants = facts_of::<D, I::Item>().descendants;
        self.spawn_roots::<D, I>(bundles, descendants)?;
        if descendants > 0 {
            self.spawn_children_of_batch::<D, I::Item>();
        }
        self.spawn_due_of_batch();
        Ok(())
    }

    /// Spawns the children that bundles of the last batch have made due, for which there is room.
    #[inline]
    pub(super) fn spawn_due_of_batch(&mut self) {
        if self.families.are_due() {
            let lost = self.spawn_due(0);
            debug_assert_eq!(lost, 0, "there is room");
        }
    }

    /// As [`spawn_batch`](Self::spawn_batch), without the `descendants` of each, for which there is room.
    pub(super) fn spawn_roots<D: Declaration, I: Iterator<Item: Bundle<D>>>(
        &mut self,
        bundles: I,
        descendants: usize,
    ) -> Result<(), LimitReached> {
        let archetype = self.entities.archetype_of(const { key_of::<D, I::Item>() });
        let mut group = SpawnGroup::new(self, archetype);
        group.fill::<D, I>(bundles)?;
        group.has_room_for(descendants)?;
        group.complete = true;
        drop(group);
        let spawned = self.scratch.spawned.last().map_or(0, AllocatedRows::end);
        self.entities.count_spawns(archetype, spawned);
        self.entities.note_spawned(&self.scratch.spawned);
        Ok(())
    }

    /// The entities of the last batch.
    pub(crate) fn spawned(&self) -> Spawned<'_> {
        Spawned::new(self.entities.rows(), &self.scratch.spawned)
    }
}

/// Entities that are being spawned together. Dropping it undoes the spawns, unless they are
/// complete.
struct SpawnGroup<'s> {
    storage: &'s mut Storage,
    archetype: usize,
    /// The rows, ascending.
    spawned: Vec<AllocatedRows>,
    before: Lengths,
    complete: bool,
}

impl<'s> SpawnGroup<'s> {
    fn new(storage: &'s mut Storage, archetype: usize) -> Self {
        let mut spawned = core::mem::take(&mut storage.scratch.spawned);
        spawned.clear();
        let before = storage.entities.checkpoint(archetype);
        Self { storage, archetype, spawned, before, complete: false }
    }

    /// Checks that there is room for this number of descendants of each entity, and for those that are due.
    fn has_room_for(&self, descendants: usize) -> Result<(), LimitReached> {
        let Storage { entities, families, .. } = &*self.storage;
        let spawned = self.spawned.last().map_or(0, AllocatedRows::end);
        let further = spawned.saturating_mul(descendants).saturating_add(families.count_due(0));
        if further > entities.room() {
            return Err(entities.limit_reached(spawned.saturating_add(further)));
        }
        Ok(())
    }

    /// Creates an entity for each bundle. Rows are allocated before their bundles are known: as
    /// many as the iterator announces, or else as many as have been filled already.
    fn fill<D: Declaration, I: Iterator<Item: Bundle<D>>>(
        &mut self,
        mut bundles: I,
    ) -> Result<(), LimitReached> {
        let mut count = 0;
        loop {
            let (least, most) = bundles.size_hint();
            if most == Some(0) {
                return Ok(());
            }
            let entities = &mut self.storage.entities;
            let room = entities.room();
            if least > room || room == 0 {
                let next = if least > room { None } else { bundles.next() };
                return match least.max(usize::from(next.is_some())) {
                    0 => Ok(()),
                    further => Err(entities.limit_reached(usize::saturating_add(count, further))),
                };
            }
            let wanted = least.max(count).clamp(BLOCK_ROWS, CHUNK_ROWS);
            let wanted = wanted.min(most.unwrap_or(usize::MAX)).min(room);
            let first = self.spawned.len();
            let workers = &Workers::inline();
            if entities.allocate(self.archetype, wanted, 0, &mut self.spawned, workers) < wanted {
                return Err(entities.limit_reached(count + wanted));
            }
            let spawned = if facts_of::<D, I::Item>().by_blocks {
                self.write::<D, I>(first, &mut bundles)
            } else {
                self.put::<D, I>(first, &mut bundles)
            };
            count += spawned;
            if spawned < wanted {
                self.keep(count);
                return Ok(());
            }
        }
    }

    /// Writes the components of the entities from a block on, chunk by chunk. Returns the number of
    /// entities written.
    fn write<D: Declaration, I: Iterator<Item: Bundle<D>>>(
        &mut self,
        first: usize,
        bundles: &mut I,
    ) -> usize {
        let mut count = 0;
        let panics = PanicSlot::new();
        let rows = self.storage.entities.rows().len();
        let more = self.spawned[first..].iter().map(AllocatedRows::count).sum();
        let components = facts_of::<D, I::Item>().components.as_ref();
        self.storage.reserve_values(components, rows, more);
        self.storage.for_allocated(&self.spawned[first..], &panics, |chunk, allocated| {
            chunk.occupy(allocated);
            let rows = RowRanges::of(allocated);
            // Anyone may implement `Bundle`. Only a tuple takes bundles from the writer, and it writes each, so the rows
            // with components are among those counted here.
            let mut taken = 0;
            let counted = bundles.by_ref().inspect(|_| taken += 1);
            I::Item::write_batch(SpawnWriter::<_, _, D>::new(counted, identity, chunk, rows));
            count += taken;
            taken == rows.count()
        });
        if let Some(failure) = panics.take() {
            failure.resume();
        }
        count
    }

    /// Writes the components of the entities from a block on, one by one. Returns the number of
    /// entities written.
    fn put<D: Declaration, I: Iterator<Item: Bundle<D>>>(
        &mut self,
        first: usize,
        bundles: &mut I,
    ) -> usize {
        let mut count = 0;
        for row in self.spawned[first..].iter().flat_map(|allocated| allocated.each()) {
            let Some(bundle) = bundles.next() else { break };
            self.storage.entities.occupy(row);
            bundle.put(&mut BundleSink::new(self.storage, row));
            count += 1;
        }
        count
    }

    /// Keeps the first `count` entities and frees the rows of the others, which have no components.
    fn keep(&mut self, count: usize) {
        let entities = &mut self.storage.entities;
        while let Some(last) = self.spawned.last_mut() {
            let kept = lowest(last.rows, count.saturating_sub(last.first as usize));
            entities.withdraw(last.block as usize, last.rows & !kept);
            last.rows = kept;
            if kept != 0 {
                break;
            }
            self.spawned.pop();
        }
        entities.shorten(self.before);
    }
}

impl Drop for SpawnGroup<'_> {
    fn drop(&mut self) {
        drop_all(|panics| {
            if !self.complete {
                self.storage.families.forget_due(0);
                self.storage.drop_components(&self.spawned, panics);
                self.keep(0);
            }
            self.storage.scratch.spawned = core::mem::take(&mut self.spawned);
        });
    }
}
