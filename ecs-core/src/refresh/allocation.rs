//! Which newborn of a refresh gets which row.

use core::ops::Range;

use super::share::sharers;
use crate::batch::{AnySpawnBatch, Lent};
use crate::entity::{AllocatedRows, Entities, LimitReached};
use crate::signature::Declaration;
use crate::storage::{BLOCK_ROWS, Chunk};
use crate::world::Core;

/// The newborns of one archetype, and their rows. They are numbered in the order of the batches.
#[derive(Debug, Default)]
pub(super) struct SpawnGroup {
    archetype: usize,
    /// The rows, ascending.
    blocks: Vec<AllocatedRows>,
    /// Which batches they come from, each after the number of its first newborn.
    batches: Vec<(usize, usize)>,
    /// How many would be born.
    wanted: usize,
    /// How many there was room for.
    count: usize,
}

/// The newborns of all archetypes; kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Allocation {
    groups: Vec<SpawnGroup>,
    /// How many of them are in use.
    used: usize,
}

impl Allocation {
    /// Allocates rows to all newborns, as far as there is room beside so many dead; how many got one.
    pub(super) fn make<D: Declaration>(
        &mut self,
        core: &mut Core<D>,
        spawns: &[Lent<dyn AnySpawnBatch>],
        dead: usize,
    ) -> usize {
        self.used = 0;
        let mut wanted = 0;
        for (batch, Lent { slot, .. }) in spawns.iter().enumerate() {
            let group = self.of_archetype(slot.batch.archetype(&mut core.storage.entities));
            group.batches.push((group.wanted, batch));
            group.wanted += slot.batch.len();
            wanted += slot.batch.len();
        }
        let entities = &mut core.storage.entities;
        let threads = sharers(&core.threads, core.inner_parallelism);
        let count =
            core.refresh.large_stages.share(&mut core.adaptive, threads, wanted, |workers| {
                let allocate = |group: &mut SpawnGroup| {
                    let SpawnGroup { archetype, blocks, wanted, count, .. } = group;
                    *count = entities.allocate(*archetype, *wanted, dead, blocks, workers);
                    *count
                };
                self.groups[..self.used].iter_mut().map(allocate).sum()
            });
        if count < wanted {
            let limit = core.storage.entities.limit();
            core.refresh.lose(LimitReached { limit }, wanted - count);
        }
        count
    }

    /// The group of an archetype, an empty one if it is a new one.
    fn of_archetype(&mut self, archetype: usize) -> &mut SpawnGroup {
        let used = &self.groups[..self.used];
        let found =
            used.iter().rposition(|group| group.archetype == archetype).unwrap_or_else(|| {
                if self.used == self.groups.len() {
                    self.groups.push(SpawnGroup::default());
                }
                let SpawnGroup { blocks, batches, .. } = &mut self.groups[self.used];
                blocks.clear();
                batches.clear();
                let (blocks, batches) = (core::mem::take(blocks), core::mem::take(batches));
                self.groups[self.used] =
                    SpawnGroup { archetype, blocks, batches, wanted: 0, count: 0 };
                self.used += 1;
                self.used - 1
            });
        &mut self.groups[found]
    }

    /// The groups.
    pub(super) fn groups(&self) -> &[SpawnGroup] {
        &self.groups[..self.used]
    }

    /// Notes that these were born before the dead have left, and may get other components yet.
    pub(super) fn count_spawns(&self, entities: &mut Entities) {
        for group in self.groups() {
            entities.count_spawns(group.archetype, group.count);
            entities.note_spawned(&group.blocks);
        }
    }

    /// Notes those of whom it is not known yet of which archetype they are.
    pub(super) fn note_strangers(&self, entities: &mut Entities) {
        for group in self.groups().iter().filter(|group| group.archetype == 0) {
            entities.note_spawned(&group.blocks);
        }
    }
}

impl SpawnGroup {
    /// The rows in a chunk.
    pub(super) fn within(&self, chunk: &Chunk<'_>) -> &[AllocatedRows] {
        let blocks = chunk.blocks();
        let before = |end: usize| self.blocks.partition_point(|a| (a.block as usize) < end);
        &self.blocks[before(blocks.start)..before(blocks.end)]
    }

    /// Which batches the newborns come from whose numbers are in a range, and the numbers of the first newborns of
    /// each. Someone in the first batch is in the range.
    pub(super) fn batches(&self, numbers: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let first = self.batches.partition_point(|&(start, _)| start <= numbers.start);
        let batches = self.batches[first.saturating_sub(1)..].iter().copied();
        batches.take_while(move |&(start, _)| start < numbers.end)
    }

    /// All batches, and which newborns of each there was room for, as numbers.
    pub(super) fn taken(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let ends = self.batches.iter().skip(1).map(|&(start, _)| start);
        let ends = ends.chain([self.wanted]);
        self.batches
            .iter()
            .zip(ends)
            .map(|(&(start, batch), end)| (batch, start.min(self.count)..end.min(self.count)))
    }

    /// The rows of some newborns.
    pub(super) fn rows(&self, newborns: Range<usize>) -> impl Iterator<Item = usize> {
        let block = self.blocks.partition_point(|a| a.first as usize <= newborns.start);
        let blocks = &self.blocks[block.saturating_sub(1)..];
        let numbered = blocks.iter().flat_map(|&AllocatedRows { block, first, rows }| {
            let bits = (0..BLOCK_ROWS).filter(move |bit| rows >> bit & 1 == 1);
            bits.enumerate()
                .map(move |(i, bit)| (first as usize + i, block as usize * BLOCK_ROWS + bit))
        });
        let behind = newborns.end;
        numbered
            .skip_while(move |&(number, _)| number < newborns.start)
            .take_while(move |&(number, _)| number < behind)
            .map(|(_, row)| row)
    }
}
