//! Births: bundles of one type, for entities that come to be at the refresh.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::{AnyBirths, Catch};
use crate::bundle::{Bundle, BundleSink};
use crate::signature::Declaration;
use crate::storage::{Storage, Stretch};

/// Bundles in the order of the calls that have staged them.
pub(crate) struct Births<D, B> {
    /// All of them hold a bundle, but while a refresh moves them out.
    bundles: Vec<MaybeUninit<B>>,
    declaration: PhantomData<fn() -> D>,
}

// SAFETY: with `&Births`, bundles are only moved out, each by one thread.
unsafe impl<D, B: Send> Sync for Births<D, B> {}

impl<D, B> Births<D, B> {
    pub(crate) const fn new() -> Self {
        Self { bundles: Vec::new(), declaration: PhantomData }
    }

    #[inline]
    pub(crate) fn push(&mut self, bundle: B) {
        self.bundles.push(MaybeUninit::new(bundle));
    }

    fn drop_from(&mut self, first: usize, catch: &Catch<'_>) {
        for bundle in &mut self.bundles[first..] {
            // SAFETY: it was not taken, and is forgotten below.
            catch.run(|| unsafe { bundle.assume_init_drop() });
        }
        self.bundles.clear();
    }
}

impl<D: Declaration, B: Bundle<D> + Send> AnyBirths for Births<D, B> {
    fn len(&self) -> usize {
        self.bundles.len()
    }

    fn by_blocks(&self) -> bool {
        B::BY_BLOCKS
    }

    unsafe fn settle(&self, from: usize, stretch: &mut Stretch<'_>, block: usize, rows: u64) {
        let bundles = &self.bundles[from..from + rows.count_ones() as usize];
        B::settle(Newborns { bundles, stretch, block, rows, declaration: PhantomData });
    }

    unsafe fn put(&self, position: usize, storage: &mut Storage, row: usize) {
        // SAFETY: it was not taken before, and nobody takes it after.
        let bundle = unsafe { self.bundles[position].assume_init_read() };
        bundle.put(&mut BundleSink::new(storage, row));
    }

    fn finish(&mut self, taken: usize, catch: &Catch<'_>) {
        self.drop_from(taken, catch);
    }
}

impl<D, B> Drop for Births<D, B> {
    fn drop(&mut self) {
        let panics = crate::scheduler::PanicSlot::new();
        self.drop_from(0, &Catch { panics: &panics, owner: (0, 0) });
    }
}

/// Some newborns in rows of one block, to be given their components.
///
/// The library's own bundles know what to do with them; nobody else can.
pub(crate) struct Newborns<'a, 's, B, D> {
    /// As many as there are rows.
    bundles: &'a [MaybeUninit<B>],
    pub(crate) stretch: &'a mut Stretch<'s>,
    pub(crate) block: usize,
    pub(crate) rows: u64,
    declaration: PhantomData<fn() -> D>,
}

impl<B, D> Newborns<'_, '_, B, D> {
    /// Calls `f` with each row, as an offset in the block, and its bundle.
    ///
    /// # Safety
    /// Once.
    #[inline(always)]
    pub(crate) unsafe fn for_each(&self, mut f: impl FnMut(usize, B)) {
        let mut rows = self.rows;
        for bundle in self.bundles {
            let offset = rows.trailing_zeros() as usize;
            rows &= rows.wrapping_sub(1);
            // SAFETY: nobody has taken it, as `AnyBirths::settle` demands, and nobody will.
            f(offset, unsafe { bundle.assume_init_read() });
        }
    }
}

impl<B, D> core::fmt::Debug for Newborns<'_, '_, B, D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Newborns").field("block", &self.block).finish_non_exhaustive()
    }
}
