//! Stage 1, the greater part: batches are applied, stretch by stretch, side by side.

use super::allotment::Allotment;
use super::share::sharers;
use crate::batch::{AllStaged, AnyBirths, AnyChanges, Batches, Catch, Clashes, Lent};
use crate::entity::Berths;
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, SystemName, SystemVisitor};
use crate::storage::Stretch;
use crate::world::Core;

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
            self.apply_staged(&mut staged, 0, panics);
            self.refresh.allotment.count_births(&mut self.storage.entities);
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
            self.refresh.allotment.note_strangers(&mut self.storage.entities);
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

    /// Applies everything.
    fn apply_staged(&mut self, staged: &mut AllStaged, dead: usize, panics: &PanicSlot) {
        let AllStaged { births, changes } = staged;
        let mut allotment = core::mem::take(&mut self.refresh.allotment);
        let room = allotment.make(self, births, dead);
        let work = room + changes.iter().map(|lent| lent.slot.batch.len()).sum::<usize>();
        let mut clashes = core::mem::take(&mut self.refresh.clashes);
        let storage = &mut self.storage;
        let threads = sharers(&self.threads, self.inner_parallelism);
        self.refresh.crowds.share(&mut self.sharing, threads, work, |workers| {
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
        for litter in allotment.litters() {
            for (batch, newborns) in litter.taken() {
                let Lent { owner, slot, .. } = &mut births[batch];
                let catch = Catch { panics, owner: *owner };
                let taken = newborns.len();
                if !slot.batch.by_blocks() {
                    for (newborn, row) in litter.rows(newborns).enumerate() {
                        // SAFETY: each once, and `visit` has left them alone.
                        catch.run(|| unsafe { slot.batch.put(newborn, storage, row) });
                    }
                }
                slot.batch.finish(taken, &catch);
            }
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
    for litter in allotment.litters() {
        let allotted = litter.within(stretch);
        let ([first, ..], [.., last]) = (allotted, allotted) else { continue };
        stretch.settle(allotted);
        let (from, end) = (first.first as usize, last.end());
        for (start, batch) in litter.batches(from..end) {
            let births = &births[batch].slot.batch;
            let (first, end) = (from.max(start), end.min(start + births.len()));
            if births.by_blocks() && first < end {
                let berths = Berths::between(allotted, first, end);
                // SAFETY: these newborns have these rows, which are visited once.
                unsafe { births.settle(first - start, stretch, berths) };
            }
        }
    }
    for Lent { owner, slot, .. } in changes {
        if slot.batch.by_stretches() {
            // SAFETY: as the caller promises.
            unsafe { slot.batch.apply(stretch, *owner, clashes) };
        }
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
