//! What subtasks stage for *pending* entities, which the same refresh spawns.
//!
//! The row of such an entity is known when the refresh has allocated rows to all spawns, before it writes any. Then the
//! work runs, subtask by subtask in the order of their systems, each in the order of the calls. It becomes what it would have
//! been if the row had been known: it is added to the batches of its subtask, or takes a place there that was left for it.

use crate::changes::Batches;
use crate::entity::{Entity, PendingKey};
use crate::parallel::PanicSlot;
use crate::signature::access::StagesChanges;
use crate::signature::{Declaration, HasComponent};
use crate::state::{Core, Defer, DeferredQueue, Parts, SubtaskWork};
use crate::storage::{Put, Stages};

/// The work that a subtask has staged for pending entities.
pub(crate) struct PendingWork<D: Declaration> {
    queue: DeferredQueue<D>,
    /// Whether some of it must be done before the rows of despawned entities are free: it despawns, or it changes an
    /// entity that lives already.
    early: bool,
}

impl<D: Declaration> PendingWork<D> {
    pub(crate) const fn new() -> Self {
        Self { queue: DeferredQueue::new(), early: false }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) fn is_early(&self) -> bool {
        self.early
    }

    /// Stages work for the time at which rows are allocated. Amortized O(size of the closure).
    #[inline]
    pub(crate) fn push(&mut self, f: impl FnOnce(&mut Resolving<'_, D>) + Send + 'static) {
        self.queue.push(move |defer| f(&mut Resolving { core: &mut defer.core }));
    }

    /// The same, if it must be done before the rows of despawned entities are free.
    #[inline]
    pub(crate) fn push_early(&mut self, f: impl FnOnce(&mut Resolving<'_, D>) + Send + 'static) {
        self.early = true;
        self.push(f);
    }

    /// Stages changes of the components of the entity.
    #[inline]
    pub(crate) fn changes(&mut self, key: PendingKey) -> PendingChanges<'_, D> {
        PendingChanges { work: self, key }
    }

    /// Does everything, in order.
    ///
    /// # Panics
    /// With a panic of user code. The rest stays, to be [discarded](Self::discard).
    pub(crate) fn run(&mut self, defer: &mut Defer<'_, D>) {
        self.queue.run(defer);
    }

    /// Drops everything.
    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        self.early = false;
        self.queue.discard(panics, system, subtask);
    }
}

/// The world in a refresh that has allocated rows to spawns, for the work of one subtask.
pub(crate) struct Resolving<'a, D: Declaration> {
    pub(crate) core: &'a mut Core<D>,
}

impl<D: Declaration> Resolving<'_, D> {
    /// The row of the entity, unless it has found no room.
    pub(crate) fn row(&self, key: PendingKey) -> Option<usize> {
        self.core.refresh.pending.row(key, &self.core.refresh.allocation)
    }

    /// The entity. If it has found no room: one that never is.
    pub(crate) fn entity(&self, key: PendingKey) -> Entity {
        self.row(key).map_or(Entity::NEVER, |row| self.core.storage.entities.rows()[row])
    }

    /// The batches of the subtask.
    pub(crate) fn batches(&mut self) -> &mut Batches {
        &mut self.work().staged.batches
    }

    /// Takes events. They are added to their queues, for the next step, when all work for pending entities is done.
    pub(crate) fn events(&mut self) -> &mut Parts {
        &mut self.work().added
    }

    fn work(&mut self) -> &mut SubtaskWork<D> {
        let (system, subtask) = self.core.refresh.pending.current();
        self.core.instance_mut(system).states.work_mut(subtask)
    }
}

/// Takes the changes of one pending entity.
pub(crate) struct PendingChanges<'a, W: Declaration> {
    work: &'a mut PendingWork<W>,
    key: PendingKey,
}

impl<W: Declaration> StagesChanges for PendingChanges<'_, W> {
    #[inline]
    fn stage<D: HasComponent<C>, C: 'static, P: Put<C>>(
        &mut self,
        rank: usize,
        _: usize,
        component: C,
    ) {
        let key = self.key;
        let staged = <D::Strategy as Stages<C>>::stage(component);
        self.work.push(move |resolving| {
            if let Some(row) = resolving.row(key) {
                let component = <D::Strategy as Stages<C>>::staged(staged);
                resolving.batches().changes::<D, C, P>(rank).put(row, component);
            }
        });
    }
}
