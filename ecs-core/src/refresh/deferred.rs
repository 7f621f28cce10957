//! Stage 1: what was deferred (thesis, algorithm 2).

use core::mem;

use super::batches::Lend;
use crate::deferred::DeferredQueue;
use crate::proxy::Defer;
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, MergeOrder, SystemName, SystemSignature, SystemVisitor};
use crate::world::Core;

impl<D: Declaration> Core<D> {
    /// Applies every system's batches and then runs its deferred functions, in the [order](MergeOrder) of systems, and
    /// collects whom the subtasks have marked as dead. Batches of systems that defer no functions are
    /// applied with those of the systems behind them.
    ///
    /// After a panic what is left is dropped.
    pub(super) fn run_deferred(&mut self, panics: &PanicSlot) {
        let order = const { &MergeOrder::of(D::SYSTEMS) };
        for index in order.systems() {
            let signature = &D::SYSTEMS[index];
            if stages_work(signature) {
                D::dispatch(index, Lend { core: self });
            }
            if signature.stages() && (signature.kill || signature.defer) {
                if signature.defer {
                    // Functions may look at everything.
                    self.apply_batches(panics);
                }
                D::dispatch(index, RunDeferred { core: self, panics });
            }
        }
        self.apply_batches(panics);
        self.release_states();
    }

    /// Drops everything staged, after a panic. Should a function panic as it is dropped, that
    /// panic is dropped, too: the first one is on its way to the caller.
    pub(crate) fn discard_staged(&mut self) {
        let panics = PanicSlot::new();
        self.to_kill.clear();
        self.discard_wishes();
        for (index, signature) in D::SYSTEMS.iter().enumerate() {
            if stages_work(signature) {
                D::dispatch(index, Discard { core: self, panics: &panics });
            }
        }
        self.release_states();
    }

    /// Whether a subtask has staged anything.
    pub(super) fn has_staged(&self) -> bool {
        let mut systems = D::SYSTEMS.iter().enumerate();
        systems.any(|(index, signature)| {
            stages_work(signature) && D::dispatch(index, HasStaged { core: self })
        })
    }

    fn release_states(&mut self) {
        for index in 0..D::SYSTEMS.len() {
            D::dispatch(index, Release { core: self });
        }
    }
}

/// Whether the system may leave anything to do at the refresh.
fn stages_work(s: &SystemSignature) -> bool {
    let changes = s.insert.len() + s.remove.len() + s.update.len();
    s.stages() && (s.kill || s.spawn || s.defer || changes > 0)
}

struct RunDeferred<'a, D: Declaration> {
    core: &'a mut Core<D>,
    panics: &'a PanicSlot,
}

impl<D: Declaration> SystemVisitor<D> for RunDeferred<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        let Self { core, panics } = self;
        for subtask in 0..core.instance_mut::<N>().states.used() {
            let staged = core.instance_mut::<N>().states.staged_mut(subtask);
            // Both leave their place for a while: the functions may look at every system.
            let mut queue = mem::replace(&mut staged.deferred, DeferredQueue::new());
            let mut to_kill = mem::take(&mut staged.to_kill);
            if !to_kill.is_empty() {
                core.to_kill.expect(core.storage.entities.rows().len(), subtask + 1);
                core.to_kill.append(&mut to_kill);
            }
            if panics.is_empty() {
                panics
                    .catch(N::INDEX, Some(subtask), || queue.run(&mut Defer { core: &mut *core }));
            }
            queue.discard(panics, N::INDEX, subtask);
            let staged = core.instance_mut::<N>().states.staged_mut(subtask);
            staged.deferred = queue;
            staged.to_kill = to_kill;
        }
    }
}

struct HasStaged<'a, D: Declaration> {
    core: &'a Core<D>,
}

impl<D: Declaration> SystemVisitor<D> for HasStaged<'_, D> {
    type Output = bool;

    fn visit<N: SystemName<D>>(self) -> bool {
        self.core.instance::<N>().states.has_staged()
    }
}

struct Discard<'a, D: Declaration> {
    core: &'a mut Core<D>,
    panics: &'a PanicSlot,
}

impl<D: Declaration> SystemVisitor<D> for Discard<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        self.core.instance_mut::<N>().states.discard(self.panics);
    }
}

struct Release<'a, D: Declaration> {
    core: &'a mut Core<D>,
}

impl<D: Declaration> SystemVisitor<D> for Release<'_, D> {
    type Output = ();

    fn visit<N: SystemName<D>>(self) {
        self.core.instance_mut::<N>().states.release();
    }
}
