//! Stage 1, the greater part: batches are applied, stretch by stretch, side by side.

use super::share::sharing;
use crate::batch::{AllStaged, AnyBirths, AnyChanges, Batches, Catch, Clashes, Lent};
use crate::entity::{Allotted, Berths, LimitReached};
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, SystemName, SystemVisitor};
use crate::storage::{BLOCK_ROWS, Stretch};
use crate::world::Core;

/// Fewer births and changes are applied on one thread: entering the pool would cost more.
const PARALLEL_FROM: usize = 4096;

/// Which batches are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// Births and changes.
    All,
    /// The changes; births wait for the rows of the dead.
    Changes,
}

impl<D: Declaration> Core<D> {
    /// Applies the batches that systems have [lent](Lend), or drops them if something has panicked.
    ///
    /// Entities come to be in the order (system, bundle, subtask, call): each gets the lowest row that is
    /// free. Components of one entity change in the order (system, subtask, call).
    pub(super) fn apply_batches(&mut self, applied: Applied, panics: &PanicSlot) {
        let staged = &mut self.refresh.staged;
        let wait = applied == Applied::Changes && panics.is_empty();
        if staged.changes.is_empty() && (wait || staged.births.is_empty()) {
            return;
        }
        let mut staged = core::mem::take(staged);
        staged.sort();
        if panics.is_empty() {
            if wait {
                self.refresh.staged.births = core::mem::take(&mut staged.births);
            }
            let born = self.apply_staged(&mut staged, 0, panics);
            self.storage.entities.count_births(born);
        } else {
            for Lent { owner, slot, .. } in &mut staged.births {
                slot.batch.finish(0, &Catch { panics, owner: *owner });
            }
            for Lent { owner, slot, .. } in &mut staged.changes {
                slot.batch.discard(&Catch { panics, owner: *owner });
            }
        }
        self.give_back(staged);
    }

    /// Applies the births that were left for last, when so many dead have made room.
    ///
    /// They get the rows of the dead first, so that where as many are born as die, nobody moves and there are no gaps.
    /// But the dead count still, as far as the limit is concerned.
    pub(super) fn apply_births(&mut self, dead: usize, panics: &PanicSlot) {
        if !self.refresh.staged.births.is_empty() {
            let mut staged = core::mem::take(&mut self.refresh.staged);
            staged.sort();
            self.apply_staged(&mut staged, dead, panics);
            self.give_back(staged);
        }
    }

    /// Gives batches back to their systems.
    fn give_back(&mut self, mut staged: AllStaged) {
        for lent in staged.births.drain(..) {
            D::dispatch(lent.owner.0, GiveBack { core: self, lent, take: Batches::take_births });
        }
        for lent in staged.changes.drain(..) {
            D::dispatch(lent.owner.0, GiveBack { core: self, lent, take: Batches::take_changes });
        }
        self.refresh.staged.keep_memory_of(staged);
    }

    /// Applies everything; how many have been born.
    fn apply_staged(&mut self, staged: &mut AllStaged, dead: usize, panics: &PanicSlot) -> usize {
        let AllStaged { births, changes } = staged;
        let mut allotment = core::mem::take(&mut self.refresh.allotment);
        let room = allotment.make(self, births, dead);
        let work = room + changes.iter().map(|lent| lent.slot.batch.len()).sum::<usize>();
        let mut clashes = core::mem::take(&mut self.refresh.clashes);
        let storage = &mut self.storage;
        let threads = sharing(&self.threads, self.inner_parallelism);
        self.refresh.crowds.share(threads, work >= PARALLEL_FROM, |workers| {
            clashes.find(self.rivals.as_deref(), changes, workers);
            let visit = |stretch: &mut Stretch<'_>| {
                // SAFETY: each stretch is visited once, and after that the batches are emptied.
                unsafe { visit(stretch, &allotment, births, changes, &clashes) };
            };
            storage.for_stretches(workers, panics, &visit);
        });
        if let Some(clash) = clashes.first() {
            self.refresh.clash(clash.error::<D>(storage));
        }
        for (position, Lent { owner, slot, .. }) in births.iter_mut().enumerate() {
            let first = allotment.starts[position];
            let taken = slot.batch.len().min(room.saturating_sub(first));
            let catch = Catch { panics, owner: *owner };
            if !slot.batch.by_blocks() {
                for (newborn, row) in allotment.rows(first..first + taken).enumerate() {
                    // SAFETY: each once, and `visit` has left them alone.
                    catch.run(|| unsafe { slot.batch.put(newborn, storage, row) });
                }
            }
            slot.batch.finish(taken, &catch);
        }
        for Lent { owner, slot, .. } in changes {
            if slot.batch.by_stretches() {
                // SAFETY: every stretch was visited.
                unsafe { slot.batch.forget() };
            } else {
                slot.batch.apply_all(storage, &Catch { panics, owner: *owner }, &clashes);
            }
        }
        self.refresh.allotment = allotment;
        self.refresh.clashes = clashes;
        room
    }
}

/// Gives newborns their components, and makes the changes, as far as they concern the stretch.
///
/// # Safety
/// Each stretch once, and then the batches are emptied.
unsafe fn visit(
    stretch: &mut Stretch<'_>,
    allotment: &Allotment,
    births: &[Lent<dyn AnyBirths>],
    changes: &[Lent<dyn AnyChanges>],
    clashes: &Clashes,
) {
    let allotted = allotment.within(stretch);
    stretch.settle(allotted);
    let (mut number, end) = match allotted {
        [first, .., last] => (first.first as usize, last.end()),
        [one] => (one.first as usize, one.end()),
        [] => (0, 0),
    };
    // (Who is in a stretch has a number, and so there is a batch.)
    let mut batch = allotment.starts.partition_point(|&start| start <= number).saturating_sub(1);
    while number < end {
        let (start, births) = (allotment.starts[batch], &births[batch].slot.batch);
        let until = end.min(start + births.len());
        if births.by_blocks() && number < until {
            let berths = Berths::between(allotted, number, until);
            // SAFETY: these newborns have these rows, which are visited once.
            unsafe { births.settle(number - start, stretch, berths) };
        }
        number = until;
        batch += 1;
    }
    for Lent { owner, slot, .. } in changes {
        if slot.batch.by_stretches() {
            // SAFETY: as the caller promises.
            unsafe { slot.batch.apply(stretch, *owner, clashes) };
        }
    }
}

/// Which newborn gets which row; kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Allotment {
    /// The rows, ascending.
    blocks: Vec<Allotted>,
    /// The number of the first newborn of each batch.
    starts: Vec<usize>,
}

impl Allotment {
    /// Allots rows to all newborns, as far as there is room beside so many dead; how many got one.
    fn make<D: Declaration>(
        &mut self,
        core: &mut Core<D>,
        births: &[Lent<dyn AnyBirths>],
        dead: usize,
    ) -> usize {
        self.blocks.clear();
        self.starts.clear();
        let mut count = 0;
        for Lent { slot, .. } in births {
            self.starts.push(count);
            count += slot.batch.len();
        }
        let entities = &mut core.storage.entities;
        let threads = sharing(&core.threads, core.inner_parallelism);
        let room = core.refresh.crowds.share(threads, count >= PARALLEL_FROM, |workers| {
            entities.allot(count, dead, &mut self.blocks, workers)
        });
        if room < count {
            let limit = core.storage.entities.limit();
            core.refresh.lose(LimitReached { limit }, count - room);
        }
        room
    }

    /// The rows in a stretch.
    fn within(&self, stretch: &Stretch<'_>) -> &[Allotted] {
        let blocks = stretch.blocks();
        let before = |end: usize| self.blocks.partition_point(|a| (a.block as usize) < end);
        &self.blocks[before(blocks.start)..before(blocks.end)]
    }

    /// The rows of some newborns.
    fn rows(&self, newborns: core::ops::Range<usize>) -> impl Iterator<Item = usize> {
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

/// Has a system lend its batches.
pub(super) struct Lend<'a, D: Declaration> {
    pub(super) core: &'a mut Core<D>,
}

impl<D: Declaration> SystemVisitor<D> for Lend<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let mut staged = core::mem::take(&mut self.core.refresh.staged);
        let refreshes = self.core.refreshes;
        let states = &mut self.core.instance_mut::<N>().states;
        for subtask in 0..states.used(refreshes) {
            states.staged_mut(subtask).batches.lend((N::INDEX, subtask), &mut staged);
        }
        self.core.refresh.staged = staged;
    }
}

/// Gives a batch back to its system.
struct GiveBack<'a, D: Declaration, A: ?Sized> {
    core: &'a mut Core<D>,
    lent: Lent<A>,
    take: fn(&mut Batches, Lent<A>),
}

impl<D: Declaration, A: ?Sized> SystemVisitor<D> for GiveBack<'_, D, A> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let states = &mut self.core.instance_mut::<N>().states;
        (self.take)(&mut states.staged_mut(self.lent.owner.1).batches, self.lent);
    }
}
