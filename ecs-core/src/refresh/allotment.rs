//! Which newborn of a refresh gets which row.

use core::ops::Range;

use super::share::sharers;
use crate::batch::{AnyBirths, Lent};
use crate::entity::{Allotted, Entities, LimitReached};
use crate::signature::Declaration;
use crate::storage::{BLOCK_ROWS, Stretch};
use crate::world::Core;

/// The newborns of one kind, and their rows. They are numbered in the order of the batches.
#[derive(Debug, Default)]
pub(super) struct Litter {
    kind: usize,
    /// The rows, ascending.
    blocks: Vec<Allotted>,
    /// Which batches they come from, each after the number of its first newborn.
    batches: Vec<(usize, usize)>,
    /// How many would be born.
    wanted: usize,
    /// How many there was room for.
    count: usize,
}

/// The newborns of all kinds; kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Allotment {
    litters: Vec<Litter>,
    /// How many of them are in use.
    used: usize,
}

impl Allotment {
    /// Allots rows to all newborns, as far as there is room beside so many dead; how many got one.
    pub(super) fn make<D: Declaration>(
        &mut self,
        core: &mut Core<D>,
        births: &[Lent<dyn AnyBirths>],
        dead: usize,
    ) -> usize {
        self.used = 0;
        let mut wanted = 0;
        for (batch, Lent { slot, .. }) in births.iter().enumerate() {
            let litter = self.of_kind(slot.batch.kind(&mut core.storage.entities));
            litter.batches.push((litter.wanted, batch));
            litter.wanted += slot.batch.len();
            wanted += slot.batch.len();
        }
        let entities = &mut core.storage.entities;
        let threads = sharers(&core.threads, core.inner_parallelism);
        let count = core.refresh.crowds.share(&mut core.sharing, threads, wanted, |workers| {
            let allot = |litter: &mut Litter| {
                let Litter { kind, blocks, wanted, count, .. } = litter;
                *count = entities.allot(*kind, *wanted, dead, blocks, workers);
                *count
            };
            self.litters[..self.used].iter_mut().map(allot).sum()
        });
        if count < wanted {
            let limit = core.storage.entities.limit();
            core.refresh.lose(LimitReached { limit }, wanted - count);
        }
        count
    }

    /// The litter of a kind, an empty one if it is a new one.
    fn of_kind(&mut self, kind: usize) -> &mut Litter {
        let used = &self.litters[..self.used];
        let found = used.iter().rposition(|litter| litter.kind == kind).unwrap_or_else(|| {
            if self.used == self.litters.len() {
                self.litters.push(Litter::default());
            }
            let Litter { blocks, batches, .. } = &mut self.litters[self.used];
            blocks.clear();
            batches.clear();
            let (blocks, batches) = (core::mem::take(blocks), core::mem::take(batches));
            self.litters[self.used] = Litter { kind, blocks, batches, wanted: 0, count: 0 };
            self.used += 1;
            self.used - 1
        });
        &mut self.litters[found]
    }

    /// The litters.
    pub(super) fn litters(&self) -> &[Litter] {
        &self.litters[..self.used]
    }

    /// Notes that these were born before the dead have left, and may get other components yet.
    pub(super) fn count_births(&self, entities: &mut Entities) {
        for litter in self.litters() {
            entities.count_births(litter.kind, litter.count);
            entities.note_newborn(&litter.blocks);
        }
    }

    /// Notes those of whom it is not known yet of which kind they are.
    pub(super) fn note_strangers(&self, entities: &mut Entities) {
        for litter in self.litters().iter().filter(|litter| litter.kind == 0) {
            entities.note_newborn(&litter.blocks);
        }
    }
}

impl Litter {
    /// The rows in a stretch.
    pub(super) fn within(&self, stretch: &Stretch<'_>) -> &[Allotted] {
        let blocks = stretch.blocks();
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
        let numbered = blocks.iter().flat_map(|&Allotted { block, first, rows }| {
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
