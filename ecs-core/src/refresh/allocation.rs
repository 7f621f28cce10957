//! Allocates rows to the entities spawned in a refresh.

use core::ops::Range;

use super::share::sharers;
use crate::batch::{AnySpawnBatch, Lent};
use crate::entity::{AllocatedRows, Entities, LimitReached};
use crate::signature::Declaration;
use crate::storage::{BLOCK_ROWS, Chunk};
use crate::world::Core;

/// The spawns of one archetype, and their rows. They are numbered in the order of the batches.
#[derive(Debug, Default)]
pub(super) struct SpawnGroup {
    archetype: usize,
    /// The rows, ascending.
    blocks: Vec<AllocatedRows>,
    /// The batches that they come from, each after the number of its first spawn.
    batches: Vec<(usize, usize)>,
    /// The number of spawns staged.
    wanted: usize,
    /// The number of spawns that fit.
    count: usize,
}

/// The spawns of all archetypes, reused for their memory.
#[derive(Debug, Default)]
pub(super) struct Allocation {
    groups: Vec<SpawnGroup>,
    /// The number of groups in use.
    used: usize,
}

impl Allocation {
    /// Allocates rows to all spawns that fit beside `dead` despawned entities. Returns how many
    /// fit.
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

    /// The group of an archetype, created empty if needed.
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

    /// The groups in use.
    pub(super) fn groups(&self) -> &[SpawnGroup] {
        &self.groups[..self.used]
    }

    /// Records spawns that came before the despawned rows were freed. Their components may still
    /// change.
    pub(super) fn count_spawns(&self, entities: &mut Entities) {
        for group in self.groups() {
            entities.count_spawns(group.archetype, group.count);
            entities.note_spawned(&group.blocks);
        }
    }

    /// Records the spawns whose archetype is not known yet.
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

    /// The batches of the spawns whose numbers are in a range, each after the number of its first
    /// spawn. At least one spawn of the first batch is in the range.
    pub(super) fn batches(&self, numbers: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let first = self.batches.partition_point(|&(start, _)| start <= numbers.start);
        let batches = self.batches[first.saturating_sub(1)..].iter().copied();
        batches.take_while(move |&(start, _)| start < numbers.end)
    }

    /// All batches, each with the numbers of its spawns that fit.
    pub(super) fn taken(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let ends = self.batches.iter().skip(1).map(|&(start, _)| start);
        let ends = ends.chain([self.wanted]);
        self.batches
            .iter()
            .zip(ends)
            .map(|(&(start, batch), end)| (batch, start.min(self.count)..end.min(self.count)))
    }

    /// The rows of the spawns in a range of numbers.
    pub(super) fn rows(&self, spawned: Range<usize>) -> impl Iterator<Item = usize> {
        let block = self.blocks.partition_point(|a| a.first as usize <= spawned.start);
        let blocks = &self.blocks[block.saturating_sub(1)..];
        let numbered = blocks.iter().flat_map(|&AllocatedRows { block, first, rows }| {
            let bits = (0..BLOCK_ROWS).filter(move |bit| rows >> bit & 1 == 1);
            bits.enumerate()
                .map(move |(i, bit)| (first as usize + i, block as usize * BLOCK_ROWS + bit))
        });
        let behind = spawned.end;
        numbered
            .skip_while(move |&(number, _)| number < spawned.start)
            .take_while(move |&(number, _)| number < behind)
            .map(|(_, row)| row)
    }
}
