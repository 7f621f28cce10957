//! *Batches*: the staged changes of a subtask, by type, until the refresh applies them.
//!
//! The spawns with one bundle are one batch, and the changes of one component are one batch. Both
//! keep the order of the calls. A batch is filled without a lock, an allocation (once it has grown)
//! or an indirect call per entity. It is emptied the same way: at the refresh, chunks of rows are
//! changed in parallel ([`Chunk`](crate::storage::Chunk)), and each chunk takes its values from
//! every batch.

mod allocation;
mod conflicts;
mod due;
mod error;
mod families;
mod pending;
mod runs;
mod spawn_batch;
mod spawn_many;
mod spawn_one;
mod staged;
mod template;

pub(crate) use allocation::Allocation;
pub(crate) use conflicts::UpdateConflicts;
pub use error::StepError;
pub(crate) use pending::PendingTable;
pub(crate) use spawn_batch::SpawnBatch;
pub(crate) use staged::Changes;
pub use template::{FromTemplate, Template, TemplateBundle};

use core::any::TypeId;
use core::{fmt, iter};

use ecs_rules::MOST;

use crate::entity::{Entities, RowRanges};
use crate::parallel::PanicSlot;
use crate::signature::access::StagesChanges;
use crate::signature::{Bundle, Declaration, HasComponent, SpawnOrder};
use crate::storage::{Chunk, Put, Storage};
use runs::Run;

/// The owner of a batch: the indices of a system and of a subtask's state.
pub(crate) type Owner = (usize, usize);

/// Records panics of user code while values are moved out of a batch.
pub(crate) struct Catch<'a> {
    pub(crate) panics: &'a PanicSlot,
    pub(crate) owner: Owner,
}

impl Catch<'_> {
    /// Calls `f` and records its panic.
    pub(crate) fn run(&self, f: impl FnOnce()) {
        self.panics.catch(self.owner.0, Some(self.owner.1), f);
    }
}

/// A batch of any type.
pub(crate) trait AnyBatch: Send + Sync {
    /// The number of bundles or changes.
    fn len(&self) -> usize;

    /// Drops all bundles or changes.
    fn discard(&mut self, catch: &Catch<'_>);
}

/// A [`SpawnBatch`] of any bundle.
pub(crate) trait AnySpawnBatch: AnyBatch {
    /// The archetype of the spawned entities.
    fn archetype(&self, entities: &mut Entities) -> usize;

    /// Whether [`write`](Self::write) may be used: all components lie in buffers.
    fn by_blocks(&self) -> bool;

    /// Makes room for the components of all rows in use.
    fn reserve(&self, storage: &mut Storage);

    /// Writes the components of the spawned entities from number `from` on into these rows of the
    /// chunk.
    ///
    /// # Safety
    /// Each bundle is taken only once.
    unsafe fn write(&self, from: usize, chunk: &mut Chunk<'_>, ranges: RowRanges<'_>);

    /// Writes the components of the spawned entity number `position` into the row.
    ///
    /// # Safety
    /// As for [`write`](Self::write).
    unsafe fn put(&self, position: usize, storage: &mut Storage, row: usize);

    /// Empties the batch. The first `taken` bundles have been taken; the others are dropped.
    fn finish(&mut self, taken: usize, catch: &Catch<'_>);
}

/// [`Changes`] of any component.
pub(crate) trait AnyChanges: AnyBatch {
    /// Whether [`apply`](Self::apply) may be used: the component lies in a buffer.
    fn by_chunks(&self) -> bool;

    /// The index of the component, if the batch contains updates.
    fn updates(&self) -> Option<usize>;

    /// Makes room for values in all rows in use.
    fn reserve(&self, storage: &mut Storage);

    /// The number of chunks, from the first on, that may have changes.
    fn chunks(&self) -> usize;

    /// The changes in a chunk, in order.
    fn runs(&self, chunk: usize) -> &[Run];

    /// Makes the changes in the chunk, in order, except for conflicting updates. Panics are
    /// recorded in the chunk, for the owner.
    ///
    /// # Safety
    /// Called once for each chunk, and then [`forget`](Self::forget) is called.
    unsafe fn apply(&self, chunk: &mut Chunk<'_>, owner: Owner, conflicts: &UpdateConflicts);

    /// Makes all changes, in order, except for conflicting updates.
    fn apply_all(&mut self, storage: &mut Storage, catch: &Catch<'_>, conflicts: &UpdateConflicts);

    /// Empties the batch, whose values have been moved out.
    ///
    /// # Safety
    /// [`apply`](Self::apply) was called for every chunk.
    unsafe fn forget(&mut self);
}

/// A batch whose type is asserted at each use.
pub(crate) struct Slot<A: ?Sized> {
    of: TypeId,
    order: SpawnOrder,
    pub(crate) batch: Box<A>,
}

/// Batches by position; `None` where there is none, or it is lent. From [`MOST`] on there are tuples of the same
/// components as that at the position, in another order.
type Slots<A> = Vec<Option<Slot<A>>>;

/// A batch that is being applied, and its owner.
pub(crate) struct Lent<A: ?Sized> {
    pub(crate) owner: Owner,
    place: usize,
    pub(crate) slot: Slot<A>,
}

/// The batches that are applied together, reused for their memory.
#[derive(Default)]
pub(crate) struct AllStaged {
    pub(crate) spawns: Vec<Lent<dyn AnySpawnBatch>>,
    pub(crate) changes: Vec<Lent<dyn AnyChanges>>,
}

impl AllStaged {
    /// Takes over the memory of the empty lists, if `self` has none.
    pub(crate) fn keep_memory_of(&mut self, empty: Self) {
        let Self { spawns, changes } = empty;
        if self.spawns.capacity() == 0 {
            self.spawns = spawns;
        }
        if self.changes.capacity() == 0 {
            self.changes = changes;
        }
    }

    /// The owners of all batches.
    pub(crate) fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        let spawns = self.spawns.iter().map(|lent| lent.owner);
        spawns.chain(self.changes.iter().map(|lent| lent.owner))
    }

    /// Sorts spawns into the order (system, bundle, subtask), in which entities are created.
    pub(crate) fn sort(&mut self) {
        self.spawns.sort_unstable_by_key(|lent| (lent.owner.0, lent.slot.order, lent.owner.1));
    }
}

impl fmt::Debug for AllStaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spawns, changes } = self;
        write!(f, "AllStaged({}, {})", spawns.len(), changes.len())
    }
}

/// The staged changes of a subtask, by type.
#[derive(Default)]
pub(crate) struct Batches {
    /// By the position of the bundle among those that the system spawns.
    spawns: Slots<dyn AnySpawnBatch>,
    /// By the rank of the component among those that the system inserts or removes; after them,
    /// among those that it updates; after them, among those that it accumulates into.
    changes: Slots<dyn AnyChanges>,
}

impl StagesChanges for Batches {
    #[inline]
    fn stage<D: HasComponent<C>, C: 'static, P: Put<C>>(
        &mut self,
        rank: usize,
        row: usize,
        component: C,
    ) {
        self.changes::<D, C, P>(rank).put(row, component);
    }
}

impl Batches {
    /// The spawns with `B`.
    ///
    /// # Panics
    /// If another bundle has the same order.
    #[inline]
    pub(crate) fn spawns<D: Declaration, B: Bundle<D> + Send + 'static>(
        &mut self,
        order: SpawnOrder,
    ) -> &mut SpawnBatch<D, B> {
        let new = || Box::new(SpawnBatch::<D, B>::new()) as Box<dyn AnySpawnBatch>;
        let batch = batch_at::<SpawnBatch<D, B>, _>(&mut self.spawns, order, new);
        // SAFETY: `batch_at` asserts that the batch was made for this type.
        unsafe { &mut *batch }
    }

    /// The changes of `C`, whose rank is `rank`: insertions and removals, updates, or accumulations.
    ///
    /// # Panics
    /// If another component has the same rank.
    #[inline]
    pub(crate) fn changes<D: HasComponent<C>, C: 'static, P: Put<C>>(
        &mut self,
        rank: usize,
    ) -> &mut Changes<D, C, P> {
        let order = SpawnOrder { position: rank, rank: 0 };
        let new = || Box::new(Changes::<D, C, P>::new()) as Box<dyn AnyChanges>;
        let batch = batch_at::<Changes<D, C, P>, _>(&mut self.changes, order, new);
        // SAFETY: as in `spawns`.
        unsafe { &mut *batch }
    }

    /// Whether nothing is staged.
    pub(crate) fn is_empty(&self) -> bool {
        self.spawns.iter().flatten().all(|slot| slot.batch.len() == 0)
            && self.changes.iter().flatten().all(|slot| slot.batch.len() == 0)
    }

    /// Moves the batches that are not empty to `staged` until they are returned.
    pub(crate) fn lend(&mut self, owner: Owner, staged: &mut AllStaged) {
        lend(&mut self.spawns, owner, &mut staged.spawns);
        lend(&mut self.changes, owner, &mut staged.changes);
    }

    /// Takes back a lent batch.
    pub(crate) fn take_spawns(&mut self, lent: Lent<dyn AnySpawnBatch>) {
        self.spawns[lent.place] = Some(lent.slot);
    }

    /// Takes back a lent batch.
    pub(crate) fn take_changes(&mut self, lent: Lent<dyn AnyChanges>) {
        self.changes[lent.place] = Some(lent.slot);
    }

    /// Drops all staged changes.
    pub(crate) fn discard(&mut self, catch: &Catch<'_>) {
        self.spawns.iter_mut().flatten().for_each(|slot| slot.batch.discard(catch));
        self.changes.iter_mut().flatten().for_each(|slot| slot.batch.discard(catch));
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("is_empty", &self.is_empty()).finish_non_exhaustive()
    }
}

/// Moves the batches of one list that are not empty.
fn lend<A: AnyBatch + ?Sized>(slots: &mut Slots<A>, owner: Owner, staged: &mut Vec<Lent<A>>) {
    for (place, slot) in slots.iter_mut().enumerate() {
        if let Some(slot) = slot.take_if(|slot| slot.batch.len() > 0) {
            staged.push(Lent { owner, place, slot });
        }
    }
}

/// The batch of this order, created if needed, which must be a `T`.
///
/// # Panics
/// If it was created for another type.
#[inline]
fn batch_at<T: 'static, A: ?Sized>(
    slots: &mut Slots<A>,
    order: SpawnOrder,
    new: impl FnOnce() -> Box<A>,
) -> *mut T {
    let of = TypeId::of::<T>();
    if let Some(Some(slot)) = slots.get_mut(order.position)
        && slot.of == of
    {
        return (&raw mut *slot.batch).cast();
    }
    let at = find_slot(slots, order, of, new);
    match &mut slots[at] {
        Some(slot) if slot.of == of => (&raw mut *slot.batch).cast(),
        _ => shared_position(),
    }
}

/// Finds or makes the batch of this order: at its position, or, if another tuple of the same components has that, behind
/// all positions.
#[cold]
fn find_slot<A: ?Sized>(
    slots: &mut Slots<A>,
    order: SpawnOrder,
    of: TypeId,
    new: impl FnOnce() -> Box<A>,
) -> usize {
    let is_its = |slot: &Slot<A>| slot.order == order;
    let fits = |at: &usize| slots.get(*at).is_none_or(|slot| slot.as_ref().is_none_or(is_its));
    let end = slots.len().max(MOST);
    let at = iter::once(order.position).chain(MOST..end).find(fits).unwrap_or(end);
    if slots.len() <= at {
        slots.resize_with(at + 1, || None);
    }
    slots[at].get_or_insert_with(|| Slot { of, order, batch: new() });
    at
}

#[cold]
fn shared_position() -> ! {
    panic!(
        "two bundles that a system spawns have the same position: one `impl` of `SpawnedBy` lies"
    )
}
