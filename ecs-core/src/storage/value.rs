//! A component value in the keeping of a storage strategy.

use core::cell::UnsafeCell;
use core::fmt;

/// A component of one entity, as a [`StorageStrategy`](super::StorageStrategy) holds it: to be kept
/// and given back, not to be looked into.
///
/// A value knows which column of which world it belongs to and which row; nobody but the library can
/// make one or copy one. Takes 16 bytes beside the component.
pub struct Value<C> {
    /// Where the column lies that the value belongs to: no other living one lies there.
    owner: usize,
    row: u32,
    component: UnsafeCell<C>,
}

// SAFETY: through `&Value` nothing can be read or written but who owns it, which never changes while
// it is shared; `as_ptr` is for the library alone, whose users prove that nobody else is there. The
// component itself is `Send` and `Sync`.
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

    /// The row that the value belongs to: what was last given to
    /// [`insert`](super::StorageStrategy::insert) with it.
    #[inline]
    #[must_use]
    pub fn row(&self) -> usize {
        self.row as usize
    }

    /// Where the component lies.
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
