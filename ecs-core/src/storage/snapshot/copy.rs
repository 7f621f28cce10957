//! Copies a storage, component by component, into the memory of another storage of the same
//! declaration.

use core::mem::MaybeUninit;

use crate::entity::LimitReached;
use crate::parallel::{PanicSlot, Threads, fork};
use crate::rows::{PageWords, end_of, next_run};
use crate::storage::stored::Stored;
use crate::storage::tracking::has_versions;
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, Column, HasColumn, PAGE_ROWS, Storage};

/// Copies the values of a component: [`Storage::copy_component`].
pub(crate) type CopyComponent = fn(&Storage, &mut Storage, (usize, bool), &PanicSlot);

/// Copies a page of them that is plain memory: [`Storage::page_copy`].
pub(crate) type CopyPage = unsafe fn(&Storage, &Storage, usize);

/// The fewest pages that are copied on several threads: some 100 µs of work.
const SHARED: usize = 32;

impl Storage {
    /// Checks that the entities of another storage fit, in the same rows.
    pub(crate) fn fits(&self, other: &Self) -> Result<(), LimitReached> {
        self.entities.fits(&other.entities)
    }

    /// Becomes a copy of `from`, reusing its own memory. Blocks in which the presence of a
    /// component changes become dirty, and no others.
    ///
    /// If cloning a value panics, the values of its component are missing from that page on, and
    /// the panic goes into `panics`. Everything else is copied in any case.
    ///
    /// There is a pair of functions for each component: those of [`copy_component`](Self::copy_component) and
    /// [`page_copy`](Self::page_copy).
    pub(crate) fn copy(
        &mut self,
        from: &Self,
        panics: &PanicSlot,
        threads: &Threads,
        components: impl Iterator<Item = (CopyComponent, Option<CopyPage>)> + Clone + Send + Sync,
    ) {
        let rows = self.entities.rows().len().max(from.entities.rows().len());
        self.entities.as_same().reserve_like(&from.entities);
        for (to, from_buffer) in self.buffers.iter_mut().zip(from.buffers.iter()) {
            to.reserve_like(from_buffer.rows().min(from.entities.rows().len()), from_buffer);
        }
        let pages = components.clone().map(|(_, copy_page)| copy_page);
        let are_copied = self.copy_pages(from, threads, &pages);
        for (index, (copy_values, _)) in (0..self.columns.len()).zip(components) {
            // Components that the copy lacks are removed first.
            for block in 0..rows.div_ceil(BLOCK_ROWS) {
                let leaving = self.columns[index].presence.word(block)
                    & !from.columns[index].presence.word(block);
                if leaving != 0 {
                    self.columns[index].drop_rows(&self.buffers, block, leaving, index, panics);
                }
            }
            copy_values(from, self, (rows.div_ceil(PAGE_ROWS), are_copied), panics);
        }
        // Last, as what is written over is marked.
        self.copy_marks(from);
        if self.entities.version() != from.entities.version() {
            self.entities.copy(&from.entities);
        }
    }

    /// Clones the values that are plain memory, on several threads, if there are many pages that differ. Returns whether it has. `pages`
    /// are the functions of the components.
    fn copy_pages(
        &mut self,
        from: &Self,
        threads: &Threads,
        pages: &(impl Iterator<Item = Option<CopyPage>> + Clone + Send + Sync),
    ) -> bool {
        let this = &*self;
        let count = from.entities.rows().len().div_ceil(PAGE_ROWS);
        let differs = |index: usize, page: usize| {
            from.columns[index].presence.page(page).is_some()
                && !this.is_same_page(from, index, page)
        };
        let plain = pages.clone().enumerate().filter(|(_, copy_page)| copy_page.is_some());
        let differing = |(index, _)| (0..count).filter(|&page| differs(index, page)).count();
        let differing: usize = plain.map(differing).sum();
        // In this order, as the number of rayon's threads starts them.
        if (differing < SHARED && !threads.is_eager()) || threads.threads() == 1 {
            return false;
        }
        let panics = PanicSlot::new();
        threads.run(|workers| {
            fork(workers, count, &|page| {
                for (index, copy_page) in pages.clone().enumerate() {
                    let Some(copy_page) = copy_page else { continue };
                    // SAFETY: `&mut self` excludes all else, and each page of a component is copied by one call.
                    panics.catch(index, None, || unsafe { copy_page(from, this, page) });
                }
            });
        });
        // After a panic, which only a `Clone` of a `Copy` type written by hand can raise, all is cloned on this thread.
        panics.is_empty()
    }

    /// The function that clones a page of a `C`; `None` if its values are not plain memory.
    pub(crate) const fn page_copy<D: HasColumn<C>, C: 'static + Clone>() -> Option<CopyPage> {
        if is_plain::<D, C>() { Some(Self::copy_page::<D, C>) } else { None }
    }

    /// Clones the value of every row of the page that has a `C` in `from`, if the page is another one. Does not change presence.
    ///
    /// # Panics
    /// If there is no memory for these rows. With the panic of a clone.
    ///
    /// # Safety
    /// Nothing else may access the `C` of the page in `to` meanwhile.
    unsafe fn copy_page<D: HasColumn<C>, C: 'static + Clone>(from: &Self, to: &Self, page: usize) {
        const { assert!(is_plain::<D, C>(), "the values are not plain memory") };
        if to.is_same_page(from, <D as HasColumn<C>>::INDEX, page) {
            return;
        }
        to.column::<D, C>().versions.forget(page);
        let Some(words) = from.column::<D, C>().presence.page(page) else { return };
        let Some(last) = words.iter().rposition(|&word| word != 0) else { return };
        let end = page * PAGE_ROWS + end_of(last, words[last]);
        assert!(end <= to.values::<D, C>().count(), "there is no memory for the rows");
        // SAFETY: by `is_plain`, `C` lies in a buffer and does not need to be dropped. `words` are the rows with a `C` of the page in
        // `from`, `to` has memory for them, and by the contract nothing else accesses that.
        unsafe { to.clone_runs::<D, C>(from, page, words) };
    }

    /// Clones the `C` of every row in the first `pages` pages of `from`. Rows that have no `C` in
    /// `from` must have none here. With `are_copied`, [plain memory](Self::page_copy) has been cloned already, and what is left is presence.
    ///
    /// A panic of a clone goes into `panics`. The values from that page on are then dropped, as
    /// they may be those of entities that had these rows before, or values that `clone_from` has
    /// left half done. The exact row is not recorded, as that takes an instruction per value.
    pub(crate) fn copy_component<D: HasColumn<C>, C: 'static + Clone>(
        &mut self,
        from: &Self,
        (pages, are_copied): (usize, bool),
        panics: &PanicSlot,
    ) {
        let index = <D as HasColumn<C>>::INDEX;
        if const { D::KEEPS_REMOVED } {
            self.copy_removals::<D, C>(from, panics);
        }
        for page in 0..pages {
            let Column { versions, .. } = &*self.columns[index];
            if self.is_same_page(from, index, page) {
                continue;
            }
            versions.forget(page);
            if const { is_plain::<D, C>() } && are_copied {
                if let Some(words) = from.columns[index].presence.page(page) {
                    self.columns[index].presence.add_page(page, words);
                }
                continue;
            }
            if panics.catch(index, None, || self.clone_page::<D, C>(from, page)).is_none() {
                return self.columns[index].drop_from(
                    &self.buffers,
                    page * PAGE_ROWS,
                    index,
                    panics,
                );
            }
        }
    }

    /// Whether the page of the component is that of `from`.
    fn is_same_page(&self, from: &Self, index: usize, page: usize) -> bool {
        let [own, other] = [self, from].map(|storage| storage.columns[index].version(page));
        own.is_some() && own == other
    }

    /// Takes over the versions of `from`, of which this is a copy: all of it is the same, and no presence is dirty here.
    pub(crate) fn copy_versions(&mut self, from: &Self) {
        for (to, from) in self.columns.iter_mut().zip(from.columns.iter()) {
            to.versions.copy(&from.versions, |page| from.presence.dirty_blocks(page) != 0);
        }
        if self.entities.is_whole_copy(&from.entities) {
            self.entities.set_version(from.entities.version());
        } else {
            self.entities.forget();
        }
        self.entity_hashes.copy(&from.entity_hashes);
    }

    /// Clones the `C` of every row of the page of `from`.
    fn clone_page<D: HasColumn<C>, C: 'static + Clone>(&mut self, from: &Self, page: usize) {
        let Some(words) = from.column::<D, C>().presence.page(page) else { return };
        if const { <D::Strategy as Stored<C>>::EXTERNAL.is_none() && !core::mem::needs_drop::<C>() }
        {
            let Some(last) = words.iter().rposition(|&word| word != 0) else { return };
            // The memory grows.
            self.place_of::<D, C>(page * PAGE_ROWS + end_of(last, words[last]) - 1);
            // SAFETY: the component lies in a buffer and does not need to be dropped. `words` are
            // the presence set of the page in `from`. There is memory for these rows, and `&mut self` excludes all else.
            unsafe { self.clone_runs::<D, C>(from, page, words) };
            self.column_mut::<D, C>().presence.add_page(page, words);
        } else {
            let mut start = 0;
            while let Some(run) = next_run(words, start, BLOCKS_PER_PAGE) {
                start = run.end;
                run.for_each(|row| self.clone_value::<D, C>(from, page * PAGE_ROWS + row));
            }
        }
    }

    /// Clones the `C` of the row of `from`. If the row has one here, `clone_from` assigns it and
    /// may reuse its memory.
    fn clone_value<D: HasColumn<C>, C: 'static + Clone>(&mut self, from: &Self, row: usize) {
        let Some(value) = from.get::<D, C>(row) else { return };
        if let Some(old) = self.get_mut::<D, C>(row) {
            old.clone_from(value);
        } else {
            self.insert::<D, C>(row, value.clone());
        }
    }

    /// Writes clones of the values of the rows in `words`, which are rows of one page, over the
    /// values here. Does not change presence.
    ///
    /// # Safety
    /// `C` must lie in a contiguous buffer and not need to be dropped. The rows must have a `C` in
    /// `from`, and memory here, which nothing else accesses.
    // In a function of its own, the loops over rows at a stride take the fewest instructions.
    #[inline(never)]
    unsafe fn clone_runs<D: HasColumn<C>, C: 'static + Clone>(
        &self,
        from: &Self,
        page: usize,
        words: &PageWords,
    ) {
        let (_, layout) = from.column::<D, C>().buffered();
        let page = page * PAGE_ROWS;
        let source = from.values::<D, C>().first().wrapping_add(page * layout.stride);
        let target = self.values::<D, C>().first().wrapping_add(page * layout.stride);
        let mut start = 0;
        while let Some(run) = next_run(words, start, BLOCKS_PER_PAGE) {
            start = run.end;
            let (first, count) = (run.start * layout.stride, run.len());
            let (source, target) = (source.wrapping_add(first), target.wrapping_add(first));
            if layout.stride == size_of::<C>() {
                // SAFETY: `column` asserts that the values are of type `C`. Each of the rows has
                // one, and they lie in one buffer, at a stride of the size of a `C`.
                let values = unsafe { core::slice::from_raw_parts(source.cast::<C>(), count) };
                // SAFETY: by the contract there is memory for the rows, at the same stride, aligned for a `C`, and there are
                // no other references to it. Values of type `C` that lie there do not need to be dropped.
                let places = unsafe { core::slice::from_raw_parts_mut(target.cast(), count) };
                clone_slice(values, places);
                continue;
            }
            for row in 0..count {
                let value = source.wrapping_add(row * layout.stride).cast::<C>();
                let place = target.wrapping_add(row * layout.stride).cast::<C>();
                // SAFETY: as above, but at the stride of the buffer.
                let value = unsafe { &*value };
                // SAFETY: as above, but at the stride of the buffer, which both storages have from
                // the table of `D`.
                unsafe { place.write(value.clone()) };
            }
        }
    }
}

/// Whether values of `C` are known to be `Copy`, and lie in a buffer. What a declaration says of the first may be wrong; that they need
/// not be dropped is certain.
const fn is_plain<D: HasColumn<C>, C: 'static>() -> bool {
    has_versions::<D, C>()
        && <D::Strategy as Stored<C>>::EXTERNAL.is_none()
        && !core::mem::needs_drop::<C>()
}

/// Writes a clone of each value to the slot with the same index. For types whose clone is a copy,
/// this compiles to one copy of memory. It is a function of its own so that the compiler knows that
/// the slices do not overlap.
#[inline(never)]
fn clone_slice<C: Clone>(values: &[C], places: &mut [MaybeUninit<C>]) {
    for (place, value) in places.iter_mut().zip(values) {
        place.write(value.clone());
    }
}
