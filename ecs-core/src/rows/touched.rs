//! Records whether a value has been borrowed mutably.

use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A value, and whether it may have changed since the last call of [`forget`](Self::forget).
#[derive(Debug)]
pub(crate) struct Touched<T> {
    value: T,
    touched: AtomicBool,
}

impl<T> Touched<T> {
    /// Creates a value that counts as touched.
    pub(crate) const fn new(value: T) -> Self {
        Self { value, touched: AtomicBool::new(true) }
    }

    #[inline]
    pub(crate) fn is_touched(&self) -> bool {
        // Relaxed: the flag is set only with exclusive access.
        self.touched.load(Relaxed)
    }

    /// The value, which does not count as touched: for changes that nothing has to be processed for.
    #[inline(always)]
    pub(crate) fn as_same(&mut self) -> &mut T {
        &mut self.value
    }

    /// Makes the value count as untouched. The caller has processed all changes.
    pub(crate) fn forget(&self) {
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
