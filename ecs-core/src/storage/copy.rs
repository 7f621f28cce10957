//! Copies of a storage: components, column by column, into the memory of another storage of the same
//! declaration.

use core::mem::MaybeUninit;

use super::stored::Stored;
use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, Storage};
use crate::component::Component;
use crate::entity::LimitReached;
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, HasComponent};
use crate::snapshot::ComponentClone;

impl Storage {
    /// Whether there is room for the entities of another storage, and all their places.
    pub(crate) fn fits(&self, other: &Self) -> Result<(), LimitReached> {
        self.entities.fits(&other.entities)
    }

    /// Becomes a copy of `from`, in its own memory as far as that goes. Blocks of rows in which that
    /// changes who has a component are dirty afterwards, and no others get dirty by it.
    ///
    /// If cloning a value panics, the values of its component are missing afterwards from that page on; the panic goes into
    /// `panics`. All else is a copy in any case.
    ///
    /// # Panics
    /// If the table `clones` is not about the components of `D`: nothing has changed then.
    pub(crate) fn copy<D: Declaration>(
        &mut self,
        from: &Self,
        clones: &[ComponentClone<D>],
        panics: &PanicSlot,
    ) {
        assert!(
            clones.len() == D::COMPONENTS.len()
                && clones.iter().enumerate().all(|(index, clone)| clone.index() == index),
            "the declaration `{}` says how to clone other components than it has",
            D::NAME,
        );
        let rows = self.entities.rows().len().max(from.entities.rows().len());
        for (index, clone) in clones.iter().enumerate() {
            // Who has lost the component goes first: of them nothing is needed.
            for block in 0..rows.div_ceil(BLOCK_ROWS) {
                let leaving = self.columns[index].presence.word(block)
                    & !from.columns[index].presence.word(block);
                if leaving != 0 {
                    self.columns[index].drop_rows(&self.buffers, block, leaving, index, panics);
                }
            }
            clone.copy(from, self, rows.div_ceil(PAGE_ROWS), panics);
        }
        self.entities.copy(&from.entities);
    }

    /// Gives every row that has a `C` in `from`, in the first `pages` pages, a clone of it. Rows without
    /// have none here either.
    ///
    /// A panic of a clone goes into `panics`. Then the values from that page on are dropped: they may be those of entities that
    /// lived in these rows before, or what `clone_from` has left of them. Where in the page it happened is not kept track of,
    /// as that takes an instruction for each value.
    pub(crate) fn copy_component<D: HasComponent<C>, C: Component + Clone>(
        &mut self,
        from: &Self,
        pages: usize,
        panics: &PanicSlot,
    ) {
        let index = <D as HasComponent<C>>::INDEX;
        for page in 0..pages {
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

    /// Gives every row of the page that has a `C` in `from` a clone of it.
    fn clone_page<D: HasComponent<C>, C: Component + Clone>(&mut self, from: &Self, page: usize) {
        let Some(words) = from.column::<D, C>().presence.page(page) else { return };
        if const { <D::Strategy as Stored<C>>::EXTERNAL.is_none() && !core::mem::needs_drop::<C>() }
        {
            if next_run(words, 0).is_none() {
                return;
            }
            // SAFETY: the component has a buffer, and nothing happens where a `C` is dropped. `words` are the presence set
            // of the page in `from`, and not empty.
            unsafe { self.clone_runs::<D, C>(from, page, words) };
            let presence = &mut self.column_mut::<D, C>().presence;
            for (block, &word) in words.iter().enumerate() {
                presence.add(page * BLOCKS_PER_PAGE + block, word);
            }
        } else {
            let mut start = 0;
            while let Some(run) = next_run(words, start) {
                start = run.end;
                run.for_each(|row| self.clone_value::<D, C>(from, page * PAGE_ROWS + row));
            }
        }
    }

    /// Gives the row a clone of the `C` that it has in `from`; if there is one already, that takes the
    /// other's value over, with whatever memory it can use again.
    fn clone_value<D: HasComponent<C>, C: Component + Clone>(&mut self, from: &Self, row: usize) {
        let Some(value) = from.get::<D, C>(row) else { return };
        if let Some(old) = self.get_mut::<D, C>(row) {
            old.clone_from(value);
        } else {
            self.insert::<D, C>(row, value.clone());
        }
    }

    /// Writes clones of the values of the rows in `words`, which are those of a page, over what is there. Whoever has no
    /// `C` here does not get one by that.
    ///
    /// # Safety
    /// `C` lies in a contiguous buffer, and needs no drop. The rows have a `C` in `from`, and there is one at least.
    unsafe fn clone_runs<D: HasComponent<C>, C: Component + Clone>(
        &mut self,
        from: &Self,
        page: usize,
        words: &[u64; BLOCKS_PER_PAGE],
    ) {
        let (_, layout) = from.column::<D, C>().buffered();
        let (pages, offset) = from.pages::<D, C>();
        let source = pages[page].wrapping_add(offset);
        let target = self.place_of::<D, C>(page * PAGE_ROWS).1.cast::<u8>();
        let mut start = 0;
        while let Some(run) = next_run(words, start) {
            start = run.end;
            let (first, count) = (run.start * layout.stride, run.len());
            let (source, target) = (source.wrapping_add(first), target.wrapping_add(first));
            if layout.stride == size_of::<C>() {
                // SAFETY: `column` asserts that the values are `C`s; the rows have one each, and lie in one
                // page, at a stride of the size of a `C`.
                let values = unsafe { core::slice::from_raw_parts(source.cast::<C>(), count) };
                // SAFETY: the page was allocated for as many rows, at the same stride, aligned for a `C`.
                // The places are in nobody else's hands, as `&mut self` excludes them. If `C`s live there,
                // they need no drop.
                let places = unsafe { core::slice::from_raw_parts_mut(target.cast(), count) };
                clone_slice(values, places);
                continue;
            }
            for row in 0..count {
                let value = source.wrapping_add(row * layout.stride).cast::<C>();
                let place = target.wrapping_add(row * layout.stride).cast::<C>();
                // SAFETY: as above, but at the stride of the buffer.
                let value = unsafe { &*value };
                // SAFETY: as above, but at that stride, which both storages have from the table of `D`.
                unsafe { place.write(value.clone()) };
            }
        }
    }
}

/// Writes a clone of each value to the place with the same index. Where cloning is copying, this is one
/// copy of memory: a function of its own, so that the compiler knows that the slices do not overlap.
#[inline(never)]
fn clone_slice<C: Clone>(values: &[C], places: &mut [MaybeUninit<C>]) {
    for (place, value) in places.iter_mut().zip(values) {
        place.write(value.clone());
    }
}

/// The next run of rows in a set of those of a page, from `start` on.
fn next_run(words: &[u64; BLOCKS_PER_PAGE], start: usize) -> Option<core::ops::Range<usize>> {
    let find = |from: usize, flip: u64| {
        let mut mask = u64::MAX << (from % BLOCK_ROWS);
        (from / BLOCK_ROWS..BLOCKS_PER_PAGE).find_map(|block| {
            let found = (words[block] ^ flip) & core::mem::replace(&mut mask, u64::MAX);
            (found != 0).then(|| block * BLOCK_ROWS + found.trailing_zeros() as usize)
        })
    };
    if start == PAGE_ROWS {
        return None;
    }
    let first = find(start, 0)?;
    Some(first..find(first, u64::MAX).unwrap_or(PAGE_ROWS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_all_that_is_in_the_set(
            some in proptest::collection::vec((0..BLOCKS_PER_PAGE, any::<u64>()), 0..9),
            full in proptest::collection::vec(0..BLOCKS_PER_PAGE, 0..40),
        ) {
            let mut words = [0; BLOCKS_PER_PAGE];
            for (block, word) in some.into_iter().chain(full.into_iter().map(|b| (b, u64::MAX))) {
                words[block] = word;
            }
            let mut rows = Vec::new();
            let mut start = 0;
            let mut end = None;
            while let Some(run) = next_run(&words, start) {
                // Runs do not touch: each is as long as can be.
                prop_assert!(!run.is_empty() && end < Some(run.start));
                (start, end) = (run.end, Some(run.end));
                rows.extend(run);
            }
            let member = |row: &usize| words[row / BLOCK_ROWS] >> (row % BLOCK_ROWS) & 1 == 1;
            prop_assert_eq!(rows, (0..PAGE_ROWS).filter(member).collect::<Vec<_>>());
        }
    }
}
