//! Columns that are lent to another storage while their own one is shared.

use core::mem::swap;

use super::{
    Buffer, Buffers, Column, Columns, Families, Gathered, PageHashes, PhaseCell, Scratch, Storage,
    Touched, Versioned,
};
use crate::entity::Entities;
use crate::types::IndexSet;

impl Storage {
    /// A storage without entities, for columns that another one of this number of components lends.
    pub(crate) fn of_lent(components: usize) -> Self {
        let column = || PhaseCell::new(Column::elsewhere());
        let buffer = || PhaseCell::new(Buffer::none());
        let columns = Columns::of((0..components).map(|_| column()), column);
        let buffers = Buffers::of((0..components).map(|_| buffer()), buffer);
        Self {
            entities: Versioned::new(Entities::without_any()),
            entity_hashes: PageHashes::default(),
            buffers,
            columns: Touched::new(columns),
            tracked: Vec::new(),
            with_removals: Vec::new(),
            scratch: Scratch::default(),
            gathered: Gathered::new(),
            families: Families::default(),
            rows_lent: 0,
        }
    }

    /// Calls `f` with `other`, which has the columns of these components, and the buffers of those that lie in some,
    /// meanwhile. They come back in any case.
    ///
    /// Entities stay here, so `other` can only insert, update and remove components in rows in use.
    ///
    /// # Safety
    /// Both storages must have been made for the same number of components, `other` by [`of_lent`](Self::of_lent). While `f` runs,
    /// nothing else may access these columns, nor a component in one of these buffers; and no component that is tracked, or
    /// whose removed values are kept, may be among them.
    pub(crate) unsafe fn lend_columns<R>(
        &self,
        components: &IndexSet,
        other: &mut Self,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        other.rows_lent = self.row_count();
        // SAFETY: by the contract.
        unsafe { self.swap_columns(components, other) };
        let mut back = GiveBack { owner: self, components, other };
        f(back.other())
    }

    /// Swaps the columns of these components with those of `other`, with their buffers.
    ///
    /// # Safety
    /// Nothing else may access these columns and buffers meanwhile.
    unsafe fn swap_columns(&self, components: &IndexSet, other: &mut Self) {
        let mut left = *components;
        let mut buffers = IndexSet::EMPTY;
        while let Some(index) = left.pop() {
            // SAFETY: by the contract nothing else accesses this column.
            let own = unsafe { self.columns[index].lend() };
            let others = &mut *other.columns[index];
            for column in [&*own, &*others] {
                if let super::Values::Buffered { buffer, .. } = column.values {
                    buffers.add(buffer);
                }
            }
            swap(own, others);
        }
        while let Some(number) = buffers.pop() {
            // SAFETY: by the contract nothing else accesses this buffer.
            swap(unsafe { self.buffers[number].lend() }, &mut *other.buffers[number]);
        }
    }

    /// Forgets which blocks of these components have changed. Everything else stays.
    ///
    /// # Safety
    /// Nothing else may access these columns meanwhile.
    pub(crate) unsafe fn clean_columns(&self, components: &IndexSet) {
        let mut left = *components;
        while let Some(index) = left.pop() {
            // SAFETY: by the contract.
            unsafe { self.columns[index].lend() }.clean();
        }
    }
}

/// Gives lent columns back when it is dropped.
struct GiveBack<'a> {
    owner: &'a Storage,
    components: &'a IndexSet,
    other: &'a mut Storage,
}

impl GiveBack<'_> {
    fn other(&mut self) -> &mut Storage {
        self.other
    }
}

impl Drop for GiveBack<'_> {
    fn drop(&mut self) {
        // SAFETY: the contract of `lend_columns` still holds.
        unsafe { self.owner.swap_columns(self.components, self.other) };
    }
}
