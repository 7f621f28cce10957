//! A value that all systems read, and that a system that runs alone may change.

use core::cell::UnsafeCell;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A value that is read through `&PhaseCell`, and written through it in phases without readers.
///
/// The caller of [`lend`](Self::lend) guarantees such a phase, so reading is safe.
pub(crate) struct PhaseCell<T>(UnsafeCell<T>);

// SAFETY: shared are `&T` and, one at a time and without any other reference, `&mut T`, as the caller of `lend`
// has promised.
unsafe impl<T: Send + Sync> Sync for PhaseCell<T> {}

impl<T> PhaseCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// The value, to write.
    ///
    /// # Safety
    /// While the reference is in use there must be no other reference to the value, or to a part of it: neither
    /// by this method nor by dereferencing.
    #[expect(clippy::mut_from_ref, reason = "the caller vouches for the right")]
    #[inline]
    pub(crate) unsafe fn lend(&self) -> &mut T {
        // SAFETY: the caller guarantees that there is no other reference.
        unsafe { &mut *self.0.get() }
    }
}

impl<T> Deref for PhaseCell<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: there is no exclusive reference, as the caller of `lend` has promised that there are no reads
        // meanwhile.
        unsafe { &*self.0.get() }
    }
}

impl<T> DerefMut for PhaseCell<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}

impl<T: fmt::Debug> fmt::Debug for PhaseCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
