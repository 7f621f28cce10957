//! What has been lent to be written is worth a look.

use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A value, and whether somebody may have changed it since that was last [forgotten](Self::forget).
#[derive(Debug)]
pub(super) struct Touched<T> {
    value: T,
    touched: AtomicBool,
}

impl<T> Touched<T> {
    /// It counts as touched.
    pub(super) const fn new(value: T) -> Self {
        Self { value, touched: AtomicBool::new(true) }
    }

    #[inline]
    pub(super) fn is_touched(&self) -> bool {
        // Relaxed: who touches it has it alone.
        self.touched.load(Relaxed)
    }

    /// From now on it counts as untouched: who calls this has seen what there is to be seen.
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
