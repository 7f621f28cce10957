//! A component that registers each value, so that a second drop of one is noticed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The living values, by their numbers, and the number of the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Living(Arc<Mutex<(BTreeSet<u64>, u64)>>);

impl Living {
    fn lock(&self) -> MutexGuard<'_, (BTreeSet<u64>, u64)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of living values.
    pub(super) fn count(&self) -> usize {
        self.lock().0.len()
    }

    pub(super) fn value(&self, content: u64) -> Counted {
        let (living, next) = &mut *self.lock();
        *next += 1;
        living.insert(*next);
        Counted(content, Id { number: *next, living: self.clone() })
    }
}

/// A number with the registration of its value.
#[derive(Debug)]
pub(super) struct Counted(pub(super) u64, Id);

/// The registration of one value.
#[derive(Debug)]
struct Id {
    number: u64,
    living: Living,
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.1.living.value(self.0)
    }
}

impl Drop for Id {
    fn drop(&mut self) {
        let is_there = self.living.lock().0.remove(&self.number);
        assert!(is_there, "a value is dropped twice");
    }
}
