//! Removed values of the components of which a system reads what was removed (`removed`). For others, all of this is nothing.
//!
//! A value that leaves its column, as the component is removed or the entity despawned, moves to the end of a list, with the
//! handle of the entity. It stays there until each system that reads it has run. Each of them has the number of the first
//! removal that it has not read.
//!
//! ```text
//! entities, values:  | read by all | read by some | read by none | unordered |
//! numbers:           first      read[1]        read[0]          end
//! ```
//!
//! Between two phases the last part is brought into the order of rows, and then it can be read: while systems run, no value
//! is added, moved or dropped. Of one row, removals stay in the order in which they were made. So the order depends neither
//! on threads nor on how the values are stored.

#[cfg(feature = "serde")]
mod bytes;

use core::iter::FusedIterator;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::{fmt, slice};

use super::memory::ErasedVec;
use super::{HasColumn, Storage, assert_names};
use crate::entity::{Entity, Locate};
use crate::parallel::PanicSlot;
use crate::types::{StateHash, StateHasher, TypeInfo};

/// Values that have left a column, in order.
#[derive(Debug)]
pub(super) struct Removals {
    entities: Vec<Entity>,
    /// The value of each of them.
    values: ErasedVec,
    /// The rows of the last ones, which are not in order yet.
    rows: Vec<u32>,
    /// For sorting, reused: an order, handles, and memory for values.
    sorting: (Vec<u32>, Vec<Entity>, ErasedVec),
}

impl Removals {
    pub(super) fn new(info: TypeInfo) -> Self {
        Self {
            entities: Vec::new(),
            values: ErasedVec::new(info),
            rows: Vec::new(),
            sorting: (Vec::new(), Vec::new(), ErasedVec::new(info)),
        }
    }

    /// Takes over the value of the entity in this row.
    ///
    /// # Safety
    /// `value` must point to a live value of the component, which is not used afterwards.
    #[inline]
    pub(super) unsafe fn take(&mut self, row: usize, entity: Entity, value: *const u8) {
        // SAFETY: by the contract.
        unsafe { self.values.push(value) };
        self.entities.push(entity);
        self.rows.push(row as u32);
    }

    /// The same for a value of the component's type.
    ///
    /// # Panics
    /// If it has another type.
    #[inline]
    pub(super) fn take_value<C: 'static>(&mut self, row: usize, entity: Entity, value: C) {
        self.values.push_value(value);
        self.entities.push(entity);
        self.rows.push(row as u32);
    }

    /// Takes over what a chunk has removed.
    pub(super) fn append(&mut self, of_chunk: &mut Self) {
        self.entities.append(&mut of_chunk.entities);
        self.values.append(&mut of_chunk.values);
        self.rows.append(&mut of_chunk.rows);
    }

    /// Brings the last ones into the order of rows.
    fn sort(&mut self) {
        let Self { entities, values, rows, sorting: (order, sorted, spare) } = self;
        if !rows.is_sorted() {
            order.clear();
            order.extend(0..rows.len() as u32);
            // Those of one row stay in the order of their numbers.
            order.sort_unstable_by_key(|&at| (rows[at as usize], at));
            // SAFETY: the numbers up to that of the rows were sorted.
            unsafe { values.permute_last(order, spare) };
            let last = entities.len() - order.len();
            sorted.clear();
            sorted.extend(order.iter().map(|&at| entities[last + at as usize]));
            entities[last..].copy_from_slice(sorted);
        }
        rows.clear();
    }
}

/// What a column knows of its removed values.
#[derive(Debug)]
pub(super) struct RemovalLog {
    pub(super) removals: Removals,
    /// The number of the first removal that is kept.
    first: u64,
    /// For each system that reads them, in the order of systems, the number of the first one that it has not read.
    read: Box<[AtomicU64]>,
}

impl RemovalLog {
    fn new(info: TypeInfo, readers: usize) -> Self {
        let read = (0..readers).map(|_| AtomicU64::new(0)).collect();
        Self { removals: Removals::new(info), first: 0, read }
    }

    /// The number after that of the last removal that can be read.
    fn end(&self) -> u64 {
        let Removals { entities, rows, .. } = &self.removals;
        self.first + (entities.len() - rows.len()) as u64
    }

    /// Drops what all have read.
    fn trim(&mut self, index: usize, panics: &PanicSlot) {
        let end = self.end();
        let least = self.read.iter_mut().map(|read| *read.get_mut()).min().unwrap_or(end);
        let count = least.min(end).saturating_sub(self.first) as usize;
        if count > 0 {
            self.first += count as u64;
            self.removals.entities.drain(..count);
            self.removals.values.drop_first(count, index, panics);
        }
    }

    /// Becomes a copy of the log of the same component in another storage.
    fn copy<C: 'static + Clone>(&mut self, from: &Self, index: usize, panics: &PanicSlot) {
        let Removals { entities, values, rows, .. } = &mut self.removals;
        let all = values.len();
        values.drop_first(all, index, panics);
        entities.clear();
        rows.clear();
        self.first = from.first;
        for (read, from) in self.read.iter_mut().zip(&from.read) {
            *read.get_mut() = from.load(Relaxed);
        }
        let clone = |value: &C| values.push_value(value.clone());
        let all = || from.removals.values.as_slice::<C>().iter().for_each(clone);
        if panics.catch(index, None, all).is_some() {
            entities.extend_from_slice(&from.removals.entities);
            rows.extend_from_slice(&from.removals.rows);
        } else {
            // Then there is none of them.
            let some = values.len();
            values.drop_first(some, index, panics);
            self.read.iter_mut().for_each(|read| *read.get_mut() = from.first);
        }
    }
}

impl Storage {
    /// Keeps the removed values of the component at `index`, for as many systems. There must be no entities.
    pub(crate) fn keep_removed(&mut self, index: usize, readers: usize) {
        let column = &mut self.columns[index];
        column.removals = Some(Box::new(RemovalLog::new(column.info, readers)));
        self.with_removals.push(index);
    }

    /// Removes the `C` of the row, and keeps it for the systems that read what was removed, if there are some. Returns whether
    /// the row had one.
    #[inline]
    pub(crate) fn discard<D: HasColumn<C>, C: 'static>(&mut self, row: usize) -> bool {
        let Some(value) = self.remove::<D, C>(row) else { return false };
        // What was staged for an entity that is despawned already was never there.
        if const { D::KEEPS_REMOVED } && self.entities.alive().contains(row) {
            self.keep::<D, C>(row, value);
        }
        true
    }

    /// Drops what entities that were despawned at once have got since then of components whose removed values are kept. It was
    /// never there for any system, so it was not removed. Panics of destructors go into `panics`. O(blocks of such entities).
    pub(crate) fn drop_late(&mut self, panics: &PanicSlot) {
        for (block, rows) in self.entities.withheld_rows() {
            for &index in &self.with_removals {
                self.columns[index].drop_rows(&self.buffers, block, rows, index, panics);
            }
        }
    }

    fn keep<D: HasColumn<C>, C: 'static>(&mut self, row: usize, value: C) {
        assert_names::<D, C>();
        let entity = self.entities.rows()[row];
        if let Some(log) = &mut self.columns[<D as HasColumn<C>>::INDEX].removals {
            log.removals.take_value(row, entity, value);
        }
    }

    /// [`discard`](Self::discard) for each of the entities. Returns the number of values.
    pub(super) fn discard_each<D: HasColumn<C>, C: 'static, L: Locate>(
        &mut self,
        entities: impl Iterator<Item = L>,
    ) -> usize {
        let mut count = 0;
        for entity in entities {
            let Some(row) = entity.living_row(&self.entities) else { continue };
            count += usize::from(self.discard::<D, C>(row));
        }
        count
    }

    /// Lets what was removed since the last call be read, in the order of rows, and drops what all have read. Panics of
    /// destructors go into `panics`. O(values).
    pub(crate) fn publish_removals(&mut self, panics: &PanicSlot) {
        for &index in &self.with_removals {
            if let Some(log) = &mut self.columns[index].removals {
                log.removals.sort();
                log.trim(index, panics);
            }
        }
    }

    /// What was removed of `C` and not read by the reader with this number among those of `C`.
    #[inline]
    pub(crate) fn removed<D: HasColumn<C>, C: 'static>(&self, reader: usize) -> Removed<'_, C> {
        let Some(log) = &self.column::<D, C>().removals else {
            return Removed { entities: [].iter(), values: [].iter() };
        };
        let Removals { entities, values, rows, .. } = &log.removals;
        let read = log.read[reader].load(Relaxed).saturating_sub(log.first) as usize;
        let range = read..entities.len() - rows.len();
        let values = &values.as_slice::<C>()[range.clone()];
        Removed { entities: entities[range].iter(), values: values.iter() }
    }

    /// Notes that the reader with this number among those of the component at `index` has read all values so far.
    pub(crate) fn note_read(&self, index: usize, reader: usize) {
        if let Some(log) = &self.columns[index].removals {
            log.read[reader].store(log.end(), Relaxed);
        }
    }

    /// Drops all that was removed of the component at `index`, also what was not read.
    pub(crate) fn forget_removed(&mut self, index: usize, panics: &PanicSlot) {
        if let Some(log) = &mut self.columns[index].removals {
            log.removals.sort();
            let end = log.end();
            log.read.iter_mut().for_each(|read| *read.get_mut() = end);
            log.trim(index, panics);
        }
    }

    /// Takes over the removed values of another storage of the same declaration. Panics of clones and of destructors go into
    /// `panics`.
    pub(super) fn copy_removals<D: HasColumn<C>, C: 'static + Clone>(
        &mut self,
        from: &Self,
        panics: &PanicSlot,
    ) {
        let index = <D as HasColumn<C>>::INDEX;
        let source = &from.column::<D, C>().removals;
        if let (Some(log), Some(from)) = (&mut self.columns[index].removals, source) {
            log.copy::<C>(from, index, panics);
        }
    }

    /// Hashes the removed values of `C`, each with `value`, and how many of them each system has read.
    pub(super) fn hash_removals<D: HasColumn<C>, C: 'static>(
        &self,
        hasher: &mut StateHasher,
        value: impl Fn(&C, &mut StateHasher),
    ) {
        let Some(log) = &self.column::<D, C>().removals else { return };
        let Removals { entities, values, rows, .. } = &log.removals;
        entities.len().state_hash(hasher);
        for (entity, one) in entities.iter().zip(values.as_slice::<C>()) {
            entity.state_hash(hasher);
            value(one, hasher);
        }
        for row in rows {
            row.state_hash(hasher);
        }
        for read in &log.read {
            read.load(Relaxed).saturating_sub(log.first).state_hash(hasher);
        }
    }
}

/// What was removed of the component `C` since a system last ran: of each entity the handle, and the last value. See
/// [`Own::removed`](crate::Own::removed).
///
/// ```
/// use ecs_core::{Removed, World, world};
/// struct Coins(u32);
/// #[derive(Default)]
/// struct Lost(u32);
///
/// world! {
///     world Cave;
///     component Coins;
///     resource Lost;
///     system Count {
///         removed: [Coins],
///         write_resources: [Lost],
///         run: |data| data.resources.get_mut::<Lost>().0 += sum(data.own.removed::<Coins>()),
///     }
/// }
///
/// fn sum(removed: Removed<'_, Coins>) -> u32 {
///     removed.map(|(_, coins)| coins.0).sum()
/// }
///
/// let mut world = World::<Cave>::new();
/// for purse in world.spawn_batch([3, 4].map(|coins| (Coins(coins),))) {
///     world.despawn(purse);
/// }
/// world.tick()?;
/// assert_eq!(world.resource::<Lost>().0, 7);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Removed<'a, C> {
    entities: slice::Iter<'a, Entity>,
    /// As many.
    values: slice::Iter<'a, C>,
}

impl<'a, C> Iterator for Removed<'a, C> {
    type Item = (Entity, &'a C);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some((*self.entities.next()?, self.values.next()?))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entities.size_hint()
    }
}

impl<C> DoubleEndedIterator for Removed<'_, C> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        Some((*self.entities.next_back()?, self.values.next_back()?))
    }
}

impl<C> ExactSizeIterator for Removed<'_, C> {}
impl<C> FusedIterator for Removed<'_, C> {}

impl<C> Clone for Removed<'_, C> {
    fn clone(&self) -> Self {
        Self { entities: self.entities.clone(), values: self.values.clone() }
    }
}

impl<C> fmt::Debug for Removed<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Removed").field(&self.entities.as_slice()).finish()
    }
}
