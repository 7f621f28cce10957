//! Allocates rows to the entities spawned in a refresh.

use core::ops::Range;

use super::{AnySpawnBatch, Lent};
use crate::entity::{AllocatedRows, Entities};
use crate::parallel::Workers;
use crate::rows::{BLOCK_ROWS, lowest};
use crate::storage::Chunk;

/// The spawns of one archetype, and their rows. They are numbered in the order of the batches.
#[derive(Debug, Default)]
pub(crate) struct SpawnGroup {
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
pub(crate) struct Allocation {
    groups: Vec<SpawnGroup>,
    /// The number of groups in use.
    used: usize,
}

impl Allocation {
    /// Groups the spawns of these batches. Returns how many there are.
    pub(crate) fn stage(
        &mut self,
        entities: &mut Entities,
        spawns: &[Lent<dyn AnySpawnBatch>],
    ) -> usize {
        self.used = 0;
        let mut wanted = 0;
        for (batch, Lent { slot, .. }) in spawns.iter().enumerate() {
            let group = self.of_archetype(slot.batch.archetype(entities));
            group.batches.push((group.wanted, batch));
            group.wanted += slot.batch.len();
            wanted += slot.batch.len();
        }
        wanted
    }

    /// Allocates rows to all staged spawns that fit beside `dead` despawned entities. Returns how
    /// many fit.
    pub(crate) fn make(
        &mut self,
        entities: &mut Entities,
        dead: usize,
        workers: &Workers,
    ) -> usize {
        let allocate = |group: &mut SpawnGroup| {
            let SpawnGroup { archetype, blocks, wanted, count, .. } = group;
            *count = entities.allocate(*archetype, *wanted, dead, blocks, workers);
            *count
        };
        self.groups[..self.used].iter_mut().map(allocate).sum()
    }

    /// How many spawns fit.
    pub(crate) fn count(&self) -> usize {
        self.groups().iter().map(|group| group.count).sum()
    }

    /// Records all spawns, whose components may be others than those of their bundles.
    pub(crate) fn note_all(&self, entities: &mut Entities) {
        self.groups().iter().for_each(|group| entities.note_spawned(&group.blocks));
    }

    /// As [`withdraw`](Self::withdraw), if user code has seen the handles: no entity will have one of them.
    pub(crate) fn withdraw_seen(&mut self, entities: &mut Entities) {
        for AllocatedRows { block, rows, .. } in
            self.groups().iter().flat_map(|group| &group.blocks)
        {
            entities.withdraw_seen(*block as usize, *rows);
        }
        self.used = 0;
    }

    /// Frees all allocated rows, none of which has an entity yet, and forgets the spawns.
    pub(crate) fn withdraw(&mut self, entities: &mut Entities) {
        for AllocatedRows { block, rows, .. } in
            self.groups().iter().flat_map(|group| &group.blocks)
        {
            entities.withdraw(*block as usize, *rows);
        }
        self.used = 0;
    }

    /// The group of an archetype, created empty if needed.
    fn of_archetype(&mut self, archetype: usize) -> &mut SpawnGroup {
        let used = &self.groups[..self.used];
        let found =
            used.iter().rposition(|group| group.archetype == archetype).unwrap_or_else(|| {
                if self.used == self.groups.len() {
                    self.groups.push(SpawnGroup::default());
                }
                let group = &mut self.groups[self.used];
                group.blocks.clear();
                group.batches.clear();
                (group.archetype, group.wanted, group.count) = (archetype, 0, 0);
                self.used += 1;
                self.used - 1
            });
        &mut self.groups[found]
    }

    pub(crate) fn groups(&self) -> &[SpawnGroup] {
        &self.groups[..self.used]
    }

    /// Records spawns that came before the despawned rows were freed. Their components may still
    /// change.
    pub(crate) fn count_spawns(&self, entities: &mut Entities) {
        for group in self.groups() {
            entities.count_spawns(group.archetype, group.count);
            entities.note_spawned(&group.blocks);
        }
    }

    /// Records the spawns whose archetype is not known yet.
    pub(crate) fn note_strangers(&self, entities: &mut Entities) {
        for group in self.groups().iter().filter(|group| group.archetype == 0) {
            entities.note_spawned(&group.blocks);
        }
    }
}

impl SpawnGroup {
    /// The row of the spawn with this number, if it fits. O(log blocks).
    pub(crate) fn row(&self, number: usize) -> Option<usize> {
        let block = self.blocks.partition_point(|a| a.first as usize <= number).checked_sub(1)?;
        let AllocatedRows { block, first, rows } = *self.blocks.get(block)?;
        let before = number - first as usize;
        let start = rows.trailing_zeros() as usize;
        if (rows >> start).trailing_ones() as usize > before {
            return Some(block as usize * BLOCK_ROWS + start + before);
        }
        let others = rows & !lowest(rows, before);
        (others != 0).then(|| block as usize * BLOCK_ROWS + others.trailing_zeros() as usize)
    }

    /// The rows in a chunk.
    pub(crate) fn within(&self, chunk: &Chunk<'_>) -> &[AllocatedRows] {
        let blocks = chunk.blocks();
        let before = |end: usize| self.blocks.partition_point(|a| (a.block as usize) < end);
        &self.blocks[before(blocks.start)..before(blocks.end)]
    }

    /// The batches of the spawns whose numbers are in a range, each after the number of its first
    /// spawn. At least one spawn of the first batch is in the range.
    pub(crate) fn batches(&self, numbers: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let first = self.batches.partition_point(|&(start, _)| start <= numbers.start);
        let batches = self.batches[first.saturating_sub(1)..].iter().copied();
        batches.take_while(move |&(start, _)| start < numbers.end)
    }

    /// All batches, each after the number of its first spawn.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.batches.iter().copied()
    }

    /// All batches, each with the numbers of its spawns that fit.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let ends = self.batches.iter().skip(1).map(|&(start, _)| start);
        let ends = ends.chain([self.wanted]);
        self.batches
            .iter()
            .zip(ends)
            .map(|(&(start, batch), end)| (batch, start.min(self.count)..end.min(self.count)))
    }

    /// The rows of the spawns in a range of numbers.
    pub(crate) fn rows(&self, spawned: Range<usize>) -> impl Iterator<Item = usize> {
        let block = self.blocks.partition_point(|a| a.first as usize <= spawned.start);
        let blocks = &self.blocks[block.saturating_sub(1)..];
        let numbered = blocks.iter().flat_map(|a| (a.first as usize..).zip(a.each()));
        let behind = spawned.end;
        numbered
            .skip_while(move |&(number, _)| number < spawned.start)
            .take_while(move |&(number, _)| number < behind)
            .map(|(_, row)| row)
    }
}
