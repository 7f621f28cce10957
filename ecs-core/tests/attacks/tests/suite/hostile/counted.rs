//! A component whose drops are counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How many values there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Living(Arc<AtomicUsize>);

impl Living {
    pub(super) fn count(&self) -> usize {
        self.0.load(Relaxed)
    }

    pub(super) fn value(&self, number: u64) -> Counted {
        self.0.fetch_add(1, Relaxed);
        Counted(number, self.clone())
    }
}

/// A number on the heap, so to speak: one that is not there twice, nor dropped twice.
#[derive(Debug)]
pub(super) struct Counted(pub(super) u64, Living);

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.1.value(self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let before = self.1.0.fetch_sub(1, Relaxed);
        assert_ne!(before, 0, "a value is dropped twice");
    }
}
