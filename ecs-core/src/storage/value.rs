//! A component value in external storage.

use core::cell::UnsafeCell;
use core::fmt;

/// A component of one entity in a [`StorageStrategy`](super::StorageStrategy), which stores it and
/// returns it but cannot access it.
///
/// A value records the world, the column and the row that it belongs to. Only the library can
/// create or copy one. It takes 16 bytes more than the component.
pub struct Value<C> {
    /// The address of the column that the value belongs to. No other existing column has this
    /// address.
    owner: usize,
    row: u32,
    component: UnsafeCell<C>,
}

// SAFETY: through `&Value` only `owner` and `row` can be read, which never change while the value
// is shared. `as_ptr` is private to the library, and each use proves that there are no other
// accesses. The component itself is `Send` and `Sync`.
unsafe impl<C: Send + Sync> Sync for Value<C> {}

impl<C> Value<C> {
    pub(super) fn new(owner: usize, row: usize, component: C) -> Self {
        Self { owner, row: row as u32, component: UnsafeCell::new(component) }
    }

    /// Whether this is the value of `row` in the column at `owner`.
    #[inline]
    pub(super) fn belongs_to(&self, owner: usize, row: usize) -> bool {
        self.owner == owner && self.row as usize == row
    }

    pub(super) fn set_row(&mut self, row: usize) {
        self.row = row as u32;
    }

    /// The row that the value belongs to: the last one that was passed to
    /// [`insert`](super::StorageStrategy::insert) with it.
    #[inline]
    #[must_use]
    pub fn row(&self) -> usize {
        self.row as usize
    }

    /// The address of the component.
    #[inline]
    pub(super) fn as_ptr(&self) -> *mut C {
        self.component.get()
    }

    pub(super) fn into_component(self) -> C {
        self.component.into_inner()
    }
}

impl<C> fmt::Debug for Value<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Value").field("row", &self.row).finish_non_exhaustive()
    }
}
