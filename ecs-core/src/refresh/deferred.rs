//! Stage 1: applies staged changes and runs deferred functions (thesis, algorithm 2).

use core::mem;

use super::batches::{Applied, Lend};
use crate::parallel::PanicSlot;
use crate::signature::{Declaration, MergeOrder, SystemName, SystemVisitor};
use crate::state::{Core, CoreData, Defer, DeferredQueue};

impl<D: Declaration> Core<D> {
    /// Applies the batches of every system and then runs its deferred functions, in the
    /// [order](MergeOrder) of systems. Also collects the entities that subtasks have marked as
    /// despawned. Batches of systems without deferred functions are applied together with those of
    /// the following systems. Spawns that no deferred function needs to see are left to
    /// [`apply_spawns`](Self::apply_spawns).
    ///
    /// After a panic the rest is dropped.
    pub(super) fn run_deferred(&mut self, panics: &PanicSlot) {
        let order = const { &MergeOrder::of(D::SYSTEMS) };
        for index in order.systems() {
            let signature = &D::SYSTEMS[index];
            if signature.stages_work() {
                D::dispatch(index, Lend { core: self });
            }
            if signature.stages() && (signature.declared.despawn || signature.declared.defer) {
                if signature.declared.defer {
                    // Functions may access everything, including staged changes.
                    self.apply_batches(Applied::All, panics);
                }
                D::dispatch(index, RunDeferred { core: self, panics });
            }
        }
        self.apply_batches(Applied::Changes, panics);
        self.release_states();
    }

    /// Drops all staged changes, after a panic. If the destructor of a function panics, that panic
    /// is dropped too, as the first one is already being propagated.
    pub(crate) fn discard_staged(&mut self) {
        let panics = PanicSlot::new();
        self.to_despawn.clear();
        self.contributions.discard(&panics);
        self.discard_requests();
        for (index, signature) in D::SYSTEMS.iter().enumerate() {
            if signature.stages_work() {
                panics.catch(index, None, || {
                    D::dispatch(index, Discard { core: self, panics: &panics });
                });
            }
        }
        self.release_states();
    }
}

impl CoreData {
    /// Releases the states of all subtasks: they now belong to an earlier refresh.
    #[inline]
    pub(super) fn release_states(&mut self) {
        self.refreshes += 1;
        *self.staged.get_mut() = false;
    }
}

struct RunDeferred<'a, D: Declaration> {
    core: &'a mut Core<D>,
    panics: &'a PanicSlot,
}

impl<D: Declaration> SystemVisitor<D> for RunDeferred<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let Self { core, panics } = self;
        let refreshes = core.refreshes;
        for subtask in 0..core.instance_mut::<N>().states.used(refreshes) {
            let staged = core.instance_mut::<N>().states.staged_mut(subtask);
            // Both are taken out of the state meanwhile, as the functions may access every system.
            let mut queue = mem::replace(&mut staged.deferred, DeferredQueue::new());
            let mut to_despawn = mem::take(&mut staged.to_despawn);
            if !to_despawn.is_empty() {
                let rows = core.storage.entities.rows().len();
                core.to_despawn.expect(rows, subtask + 1);
                core.to_despawn.append(&mut to_despawn);
            }
            if panics.is_empty() {
                panics
                    .catch(N::INDEX, Some(subtask), || queue.run(&mut Defer { core: &mut *core }));
            }
            queue.discard(panics, N::INDEX, subtask);
            let staged = core.instance_mut::<N>().states.staged_mut(subtask);
            staged.deferred = queue;
            staged.to_despawn = to_despawn;
        }
    }
}

struct Discard<'a, D: Declaration> {
    core: &'a mut Core<D>,
    panics: &'a PanicSlot,
}

impl<D: Declaration> SystemVisitor<D> for Discard<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let refreshes = self.core.refreshes;
        self.core.instance_mut::<N>().states.discard(refreshes, self.panics);
    }
}
