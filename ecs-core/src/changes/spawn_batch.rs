//! Spawn batches: bundles of one type, for entities that are created at the refresh.

use core::marker::PhantomData;
use core::mem::{MaybeUninit, needs_drop};
use core::ptr;

use super::due::Due;
use super::{AnyBatch, AnySpawnBatch, Catch};
use crate::entity::{Entities, RowRanges, reserve_or_refuse};
use crate::parallel::{PanicSlot, drop_all};
use crate::signature::{Bundle, BundleSink, Declaration, facts_of, key_of};
use crate::storage::{Chunk, SpawnWriter, Storage};
use crate::types::Brand;

/// Bundles in the order of the calls that have staged them. Two batches share no cache line, except
/// in the memory of their bundles, as two threads write to them.
#[repr(align(128))]
pub(crate) struct SpawnBatch<D, B> {
    /// Each element holds a bundle, except while a refresh moves the bundles out, and but for those that are `due`.
    bundles: Vec<MaybeUninit<B>>,
    /// The positions of bundles that the refresh will make.
    due: Due<usize>,
    declaration: Brand<D>,
}

// SAFETY: through `&SpawnBatch`, bundles are only moved out, each by one thread.
unsafe impl<D, B: Send> Sync for SpawnBatch<D, B> {}

/// The maximum number of bundles reserved on the word of an iterator, whose size hint may be wrong.
const MAX_RESERVED: usize = 1 << 16;

impl<D, B> SpawnBatch<D, B> {
    pub(crate) const fn new() -> Self {
        Self { bundles: Vec::new(), due: Due::new(), declaration: PhantomData }
    }

    /// The number of bundles.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.bundles.len()
    }

    #[inline]
    pub(crate) fn push(&mut self, bundle: B)
    where
        D: Declaration,
        B: Bundle<D>,
    {
        let len = self.bundles.len();
        if len == self.bundles.capacity() {
            reserve_or_refuse(&mut self.bundles, 1);
        }
        // Not `Vec::push`, by which the bundle is copied once more, as bytes.
        // SAFETY: there is room for one more element, so this is the place of one.
        let place = unsafe { self.bundles.as_mut_ptr().add(len) };
        // SAFETY: as above; nothing else uses the place, and what it holds need not be a bundle.
        let stored: *const B = bundle.store(unsafe { &mut *place });
        // Anyone may override `store`. It returns a bundle: if that is in this place, one was written here.
        assert!(ptr::eq(stored, place.cast()), "the bundle is stored elsewhere");
        // SAFETY: the elements before `len` were there, and this one was just written.
        unsafe { self.bundles.set_len(len + 1) };
    }

    #[inline]
    pub(crate) fn extend(&mut self, bundles: impl IntoIterator<Item = B>)
    where
        D: Declaration,
        B: Bundle<D>,
    {
        // One by one: `Vec::extend` would hold a bundle that nothing would drop if the iterator's
        // own code panicked.
        let bundles = bundles.into_iter();
        self.bundles.reserve(bundles.size_hint().0.min(MAX_RESERVED));
        bundles.for_each(|bundle| self.push(bundle));
    }

    /// Leaves room for a bundle that [`fill`](Self::fill) will put there.
    pub(crate) fn push_due(&mut self) {
        if self.bundles.len() == self.bundles.capacity() {
            reserve_or_refuse(&mut self.bundles, 1);
        }
        self.due.push(self.bundles.len());
        self.bundles.push(MaybeUninit::uninit());
    }

    /// Puts the bundle into the first place that is due.
    ///
    /// # Panics
    /// If none is.
    pub(crate) fn fill(&mut self, bundle: B) {
        let position = self.due.next();
        self.bundles[position].write(bundle);
    }

    fn drop_from(&mut self, first: usize, catch: &Catch<'_>) {
        if const { needs_drop::<B>() } {
            let mut due = self.due.rest().iter().copied().peekable();
            for (position, bundle) in self.bundles.iter_mut().enumerate().skip(first) {
                if due.next_if_eq(&position).is_none() {
                    // SAFETY: the bundle is there, as it is not due; it was not taken, and is forgotten below.
                    catch.run(|| unsafe { bundle.assume_init_drop() });
                }
            }
        }
        self.bundles.clear();
        self.due.clear();
    }
}

impl<D, B: Send> AnyBatch for SpawnBatch<D, B> {
    fn len(&self) -> usize {
        self.bundles.len()
    }

    fn discard(&mut self, catch: &Catch<'_>) {
        self.drop_from(0, catch);
    }
}

impl<D: Declaration, B: Bundle<D> + Send> AnySpawnBatch for SpawnBatch<D, B> {
    fn archetype(&self, entities: &mut Entities) -> usize {
        entities.archetype_of(const { key_of::<D, B>() })
    }

    fn by_blocks(&self) -> bool {
        facts_of::<D, B>().by_blocks
    }

    fn reserve(&self, storage: &mut Storage) {
        self.due.assert_none();
        let rows = storage.entities.rows().len();
        let components = facts_of::<D, B>().components.as_ref();
        storage.reserve_values(components, rows, self.bundles.len());
    }

    unsafe fn write(&self, from: usize, chunk: &mut Chunk<'_>, ranges: RowRanges<'_>) {
        let panics = chunk.panics;
        // SAFETY: by the contract none of these bundles was taken before or will be taken again, so each holds a bundle
        // until then.
        let bundles = unsafe { Taken::new(&self.bundles[from..from + ranges.count()]) };
        let mut bundles = DropRest { bundles, panics };
        // SAFETY: by the contract of `Taken::new` the element holds a bundle. It has left the iterator, so it is taken only here.
        let take = |bundle: &MaybeUninit<B>| unsafe { bundle.assume_init_read() };
        let items = bundles.bundles.0.by_ref();
        B::write_batch(SpawnWriter::<_, _, D>::new(items, take, chunk, ranges));
    }

    unsafe fn put(&self, position: usize, storage: &mut Storage, row: usize) {
        // SAFETY: by the contract the bundle is taken only here.
        let bundle = unsafe { self.bundles[position].assume_init_read() };
        bundle.put(&mut BundleSink::new(storage, row));
    }

    fn finish(&mut self, taken: usize, catch: &Catch<'_>) {
        self.drop_from(taken, catch);
    }
}

impl<D, B> Drop for SpawnBatch<D, B> {
    fn drop(&mut self) {
        drop_all(|panics| self.drop_from(0, &Catch { panics, owner: (0, 0) }));
    }
}

/// Drops the bundles that are not moved out. A tuple takes all, unless there is no memory for its components.
struct DropRest<'a, 'p, B> {
    bundles: Taken<'a, B>,
    panics: &'p PanicSlot,
}

impl<B> Drop for DropRest<'_, '_, B> {
    #[inline]
    fn drop(&mut self) {
        for bundle in self.bundles.by_ref() {
            self.panics.catch(0, None, || drop(bundle));
        }
    }
}

/// The bundles or values of a batch, while they are moved out.
pub(super) struct Taken<'a, B>(core::slice::Iter<'a, MaybeUninit<B>>);

impl<'a, B> Taken<'a, B> {
    /// # Safety
    /// Each element that is taken must hold a bundle, and must not be taken elsewhere.
    pub(super) unsafe fn new(bundles: &'a [MaybeUninit<B>]) -> Self {
        Self(bundles.iter())
    }
}

impl<B> Iterator for Taken<'_, B> {
    type Item = B;

    #[inline(always)]
    fn next(&mut self) -> Option<B> {
        let bundle = self.0.next()?;
        // SAFETY: by the contract of `new` the element holds a bundle, which is taken only here.
        Some(unsafe { bundle.assume_init_read() })
    }
}
