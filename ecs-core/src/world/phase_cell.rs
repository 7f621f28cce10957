//! What all systems look at, and one that is alone may change.

use core::cell::UnsafeCell;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A value that is read through `&PhaseCell` by many, and lent out through it to one while nobody reads.
///
/// Whoever [borrows](Self::lend) it promises that, so reading is safe: it never meets what is lent.
pub(crate) struct PhaseCell<T>(UnsafeCell<T>);

// SAFETY: what is shared is `&T` and, for one at a time and nobody beside it, `&mut T`, as whoever asks for
// that has promised.
unsafe impl<T: Send + Sync> Sync for PhaseCell<T> {}

impl<T> PhaseCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// The value, to write.
    ///
    /// # Safety
    /// While the reference is in use nobody else may have one to the value, or to a part of it: neither by
    /// this method nor by dereferencing.
    #[expect(clippy::mut_from_ref, reason = "the caller vouches for the right")]
    #[inline]
    pub(crate) unsafe fn lend(&self) -> &mut T {
        // SAFETY: the caller vouches that there is no other reference.
        unsafe { &mut *self.0.get() }
    }
}

impl<T> Deref for PhaseCell<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: nothing is lent, as whoever borrows has promised that nobody reads meanwhile.
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
