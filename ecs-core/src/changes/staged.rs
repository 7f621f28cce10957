//! Changes: components of one type, inserted, removed, updated and merged at the refresh.

use core::marker::PhantomData;
use core::mem::{MaybeUninit, needs_drop};

use super::due::Due;
use super::runs::{Run, Runs};
use super::spawn_batch::Taken;
use super::{AnyBatch, AnyChanges, Catch, Owner, UpdateConflicts};
use crate::parallel::drop_all;
use crate::signature::HasComponent;
use crate::storage::{CHUNK_ROWS, Chunk, HasColumn, Insertion, Put, Stages, Storage, Stored};
use crate::types::{Brand, IndexSet};

/// Changes of `C`, in the order of the calls that have staged them, by chunk: insertions and removals, or
/// what else `P` does with values.
///
/// An entity that is alive in a step stays in its row until the refresh, so rows are known when
/// changes are staged. Two batches share no cache line, as two threads write to them.
#[repr(align(128))]
pub(crate) struct Changes<D: HasComponent<C>, C, P> {
    chunks: Vec<Bucket<StagedOf<D, C>>>,
    len: usize,
    /// The chunks and positions of values that the refresh will make.
    due: Due<(u32, u32)>,
    declaration: Brand<(D, P)>,
}

/// A value while it is staged.
type StagedOf<D, C> = <<D as HasComponent<C>>::Strategy as Stages<C>>::Staged;

/// The changes in one chunk. Aligned for the same reason.
#[repr(align(128))]
struct Bucket<S> {
    runs: Runs,
    /// For accumulations, in place of `runs`: the position of each value's row in the chunk. Their rows are scattered, so that each
    /// would take a run of 16 bytes.
    rows: Vec<u16>,
    /// The values of insertions, updates and accumulations. Each element holds a value, except while a refresh
    /// moves the values out, and but for those that are due.
    values: Vec<MaybeUninit<S>>,
}

// SAFETY: through `&Changes`, values are only moved out, each by one thread, which may drop them. Staged values are
// `Send`; each is the `C` that was staged, as nothing outside implements `Stages`.
unsafe impl<D: HasComponent<C>, C, P> Sync for Changes<D, C, P> {}

impl<D: HasComponent<C>, C> Changes<D, C, Insertion> {
    #[inline]
    pub(crate) fn remove(&mut self, row: usize) {
        self.bucket(row).runs.remove(row);
        self.len += 1;
    }
}

const _: () = assert!(CHUNK_ROWS <= 1 << 16, "the position of a row in its chunk is a `u16`");

impl<D: HasComponent<C>, C, P> Changes<D, C, P> {
    pub(crate) const fn new() -> Self {
        Self { chunks: Vec::new(), len: 0, due: Due::new(), declaration: PhantomData }
    }
}

impl<D: HasComponent<C>, C: 'static, P: Put<C>> Changes<D, C, P> {
    /// Stages a value for the row.
    #[inline]
    pub(crate) fn put(&mut self, row: usize, value: C) {
        let bucket = self.bucket(row);
        bucket.values.push(MaybeUninit::new(<D::Strategy as Stages<C>>::stage(value)));
        bucket.put_row(row, P::MERGES);
        self.len += 1;
    }

    /// Stages a value for the row that [`fill`](Self::fill) will put there.
    pub(crate) fn put_due(&mut self, row: usize) {
        let position = self.bucket(row).values.len();
        // First, so that no place without a value is unknown.
        self.due.push(((row / CHUNK_ROWS) as u32, position as u32));
        let bucket = self.bucket(row);
        bucket.values.push(MaybeUninit::uninit());
        bucket.put_row(row, P::MERGES);
        self.len += 1;
    }

    /// Puts the value into the first place that is due.
    ///
    /// # Panics
    /// If none is.
    pub(crate) fn fill(&mut self, value: C) {
        let (chunk, position) = self.due.next();
        let place = &mut self.chunks[chunk as usize].values[position as usize];
        place.write(<D::Strategy as Stages<C>>::stage(value));
    }
}

impl<D: HasComponent<C>, C, P> Changes<D, C, P> {
    #[inline]
    fn bucket(&mut self, row: usize) -> &mut Bucket<StagedOf<D, C>> {
        let index = row / CHUNK_ROWS;
        if self.chunks.len() <= index {
            self.grow(index + 1);
        }
        &mut self.chunks[index]
    }

    #[cold]
    fn grow(&mut self, chunks: usize) {
        self.chunks.resize_with(chunks, || Bucket {
            runs: Runs::default(),
            rows: Vec::new(),
            values: Vec::new(),
        });
    }

    /// Empties the batch without dropping anything.
    fn clear(&mut self) {
        for bucket in &mut self.chunks {
            bucket.runs.0.clear();
            bucket.rows.clear();
            bucket.values.clear();
        }
        self.len = 0;
        self.due.clear();
    }

    fn drop_all(&mut self, catch: &Catch<'_>) {
        if const { needs_drop::<StagedOf<D, C>>() } {
            let mut due = self.due.rest_sorted().iter().copied().peekable();
            for (chunk, bucket) in self.chunks.iter_mut().enumerate() {
                for (position, value) in bucket.values.iter_mut().enumerate() {
                    if due.next_if_eq(&(chunk as u32, position as u32)).is_none() {
                        // SAFETY: the value is there, as it is not due; it was not moved out, and is forgotten below.
                        catch.run(|| unsafe { value.assume_init_drop() });
                    }
                }
            }
        }
        self.clear();
    }
}

impl<S> Bucket<S> {
    /// Adds the row of a value, which is merged or not.
    #[inline]
    fn put_row(&mut self, row: usize, merges: bool) {
        if merges {
            self.rows.push((row % CHUNK_ROWS) as u16);
        } else {
            self.runs.put(row);
        }
    }

    /// Calls `f` with each run and with the remaining values. Unless the run removes, `f` must take
    /// one value for each row.
    ///
    /// # Safety
    /// Called once, before the bucket is cleared.
    #[inline(always)]
    unsafe fn for_runs(&self, mut f: impl FnMut(Run, &mut Taken<'_, S>)) {
        // SAFETY: each element holds a value, and by the contract the values are moved out only
        // here.
        let mut values = unsafe { Taken::new(&self.values) };
        for &run in &self.runs.0 {
            f(run, &mut values);
        }
    }

    /// The rows with their values, which are merged.
    ///
    /// # Safety
    /// As for [`for_runs`](Self::for_runs).
    #[inline]
    unsafe fn values(&self, chunk: usize) -> impl Iterator<Item = (usize, S)> {
        let rows = self.rows.iter().map(move |row| chunk * CHUNK_ROWS + usize::from(*row));
        // SAFETY: each element holds a value, and by the contract the values are moved out only
        // here.
        rows.zip(unsafe { Taken::new(&self.values) })
    }

    /// Calls `f` with each row, and with the value if there is one.
    ///
    /// # Safety
    /// As for [`for_runs`](Self::for_runs).
    #[inline(always)]
    unsafe fn for_each(&self, mut f: impl FnMut(usize, Option<S>)) {
        // SAFETY: by the same contract.
        unsafe {
            self.for_runs(|run, values| {
                for row in run.rows() {
                    f(row, if run.removes() { None } else { values.next() });
                }
            });
        }
    }
}

/// Drops an old value, if its type needs to be dropped.
#[inline]
fn let_go<C>(old: Option<C>, catch: &Catch<'_>) {
    if needs_drop::<C>()
        && let Some(old) = old
    {
        catch.run(|| drop(old));
    }
}

impl<D: HasComponent<C>, C, P> AnyBatch for Changes<D, C, P> {
    fn len(&self) -> usize {
        self.len
    }

    fn discard(&mut self, catch: &Catch<'_>) {
        self.drop_all(catch);
    }
}

impl<D: HasComponent<C>, C: 'static, P: Put<C>> AnyChanges for Changes<D, C, P> {
    fn by_chunks(&self) -> bool {
        const { <D::Strategy as Stored<C>>::EXTERNAL.is_none() }
    }

    fn updates(&self) -> Option<usize> {
        P::UPDATES.then_some(<D as HasComponent<C>>::INDEX)
    }

    fn reserve(&self, storage: &mut Storage) {
        self.due.assert_none();
        let component = const { &IndexSet::of(&[<D as HasComponent<C>>::INDEX]) };
        storage.reserve_values(Some(component), storage.row_count(), self.len);
    }

    fn chunks(&self) -> usize {
        self.chunks.len()
    }

    fn runs(&self, chunk: usize) -> &[Run] {
        self.chunks.get(chunk).map_or(&[], |bucket| &bucket.runs.0)
    }

    unsafe fn apply(&self, chunk: &mut Chunk<'_>, owner: Owner, conflicts: &UpdateConflicts) {
        let index = chunk.index;
        let Some(bucket) = self.chunks.get(index) else { return };
        if bucket.runs.0.is_empty() && bucket.rows.is_empty() {
            return;
        }
        let catch = &Catch { panics: chunk.panics, owner };
        let void = conflicts.of(self.updates(), index);
        let mut column = chunk.column::<D, C>();
        if P::REPLACES && !needs_drop::<C>() && const { !<D as HasColumn<C>>::KEEPS_REMOVED } {
            // SAFETY: each chunk comes once, and then the batch is forgotten.
            unsafe {
                bucket.for_runs(|run, values| {
                    if run.removes() {
                        column.forget(run.block(), run.rows);
                    } else {
                        let values = values.map(<D::Strategy as Stages<C>>::staged);
                        column.overwrite(run.block(), run.rows, values);
                    }
                });
            }
            return;
        }
        if P::MERGES {
            // SAFETY: as above.
            let mut values = unsafe { bucket.values(index) };
            // After a panic, the rest.
            let mut rest = true;
            while rest {
                catch.run(|| {
                    for (row, value) in values.by_ref() {
                        P::into_chunk(&mut column, row, <D::Strategy as Stages<C>>::staged(value));
                    }
                    rest = false;
                });
            }
            return;
        }
        // SAFETY: as above.
        unsafe {
            bucket.for_each(|row, value| {
                let old = match value.map(<D::Strategy as Stages<C>>::staged) {
                    Some(value) if P::UPDATES && void.contain(row) => Some(value),
                    Some(value) => P::into_chunk(&mut column, row, value),
                    None => column.remove(row),
                };
                let_go(old, catch);
            });
        }
    }

    fn apply_all(&mut self, storage: &mut Storage, catch: &Catch<'_>, conflicts: &UpdateConflicts) {
        for (chunk, bucket) in self.chunks.iter().enumerate() {
            let void = conflicts.of(self.updates(), chunk);
            let mut apply = |row, value: Option<StagedOf<D, C>>| {
                catch.run(|| match value.map(<D::Strategy as Stages<C>>::staged) {
                    Some(value) if P::UPDATES && void.contain(row) => drop(value),
                    Some(value) => drop(P::into_storage::<D>(storage, row, value)),
                    None => drop(storage.discard::<D, C>(row)),
                });
            };
            if P::MERGES {
                // SAFETY: called once, and the batch is cleared below.
                let values = unsafe { bucket.values(chunk) };
                values.for_each(|(row, value)| apply(row, Some(value)));
            } else {
                // SAFETY: as above.
                unsafe { bucket.for_each(apply) };
            }
        }
        self.clear();
    }

    unsafe fn forget(&mut self) {
        self.clear();
    }
}

impl<D: HasComponent<C>, C, P> Drop for Changes<D, C, P> {
    fn drop(&mut self) {
        drop_all(|panics| self.drop_all(&Catch { panics, owner: (0, 0) }));
    }
}
