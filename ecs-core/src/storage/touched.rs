//! Records whether a value has been borrowed mutably.

use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A value, and whether it may have changed since the last call of [`forget`](Self::forget).
#[derive(Debug)]
pub(super) struct Touched<T> {
    value: T,
    touched: AtomicBool,
}

impl<T> Touched<T> {
    /// Creates a value that counts as touched.
    pub(super) const fn new(value: T) -> Self {
        Self { value, touched: AtomicBool::new(true) }
    }

    #[inline]
    pub(super) fn is_touched(&self) -> bool {
        // Relaxed: the flag is set only with exclusive access.
        self.touched.load(Relaxed)
    }

    /// Makes the value count as untouched. The caller has processed all changes.
    pub(super) fn forget(&self) {
        self.touched.store(false, Relaxed);
    }
}

impl<T> Deref for Touched<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Touched<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        *self.touched.get_mut() = true;
        &mut self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_could_have_written_has_touched() {
        let mut list = Touched::new(vec![1]);
        assert!(list.is_touched());
        list.forget();
        assert!(list.first() == Some(&1) && !list.is_touched());
        list.iter_mut().for_each(|one| *one += 1);
        assert!(list.is_touched());
    }
}
