//! A boxed value that is made when it is first asked for.

use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{AcqRel, Acquire};

/// A boxed value that is made when it is first asked for, by any thread. It differs from [`OnceLock`](std::sync::OnceLock) in that no
/// thread waits: each that finds no value makes one, and the first one stays.
#[derive(Debug)]
pub(super) struct OnceBox<T> {
    /// Null, or a box that this value owns.
    value: AtomicPtr<T>,
    /// `T` itself is dropped by whatever thread drops this value, and shared by all.
    owned: PhantomData<Box<T>>,
}

impl<T: Send + Sync> OnceBox<T> {
    /// No value.
    pub(super) const fn new() -> Self {
        Self { value: AtomicPtr::new(ptr::null_mut()), owned: PhantomData }
    }

    /// The value. If there is none, `make` makes it. O(1), and whatever `make` takes.
    #[inline]
    pub(super) fn get_or_make(&self, make: impl FnOnce() -> Box<T>) -> &T {
        let value = self.value.load(Acquire);
        let value = if value.is_null() { self.keep(make()) } else { value };
        // SAFETY: `value` is not null, so it is a box that `self` owns: `keep` returns no other. What was written to it before it was
        // published happens before this read, by the `Acquire` here or in `keep`. While `self` is borrowed, nothing writes
        // to the box or drops it, as that takes `&mut self`.
        unsafe { &*value }
    }

    /// Keeps the value if there is none. Returns the one that is kept.
    #[cold]
    fn keep(&self, new: Box<T>) -> *mut T {
        let new = Box::into_raw(new);
        match self.value.compare_exchange(ptr::null_mut(), new, AcqRel, Acquire) {
            Ok(_) => new,
            Err(first) => {
                // SAFETY: it is the box from above, which was not published.
                drop(unsafe { Box::from_raw(new) });
                first
            }
        }
    }
}

impl<T> OnceBox<T> {
    /// The value, if there is one.
    #[inline]
    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        // SAFETY: it is null, or a box that `self` owns. As `self` is borrowed exclusively, nothing else reads it.
        unsafe { self.value.get_mut().as_mut() }
    }
}

impl<T> Drop for OnceBox<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: it is a box that `self` owns, and drops here once.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::AtomicUsize;
    use core::sync::atomic::Ordering::Relaxed;
    use std::sync::Barrier;

    use super::*;

    /// Counts those that live.
    struct Counted<'c>(&'c AtomicUsize, usize);

    impl<'c> Counted<'c> {
        fn new(count: &'c AtomicUsize, number: usize) -> Self {
            count.fetch_add(1, Relaxed);
            Self(count, number)
        }
    }

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Relaxed);
        }
    }

    #[test]
    fn the_first_value_stays_and_another_one_is_dropped() {
        let count = AtomicUsize::new(0);
        let one = OnceBox::new();
        let value = one.get_or_make(|| {
            assert_eq!(one.get_or_make(|| Box::new(Counted::new(&count, 1))).1, 1);
            Box::new(Counted::new(&count, 2))
        });
        assert_eq!((value.1, count.load(Relaxed)), (1, 1));
        drop(one);
        assert_eq!(count.load(Relaxed), 0);
    }

    #[test]
    fn all_threads_get_the_first_value() {
        for _ in 0..50 {
            let count = AtomicUsize::new(0);
            let mut one = OnceBox::new();
            assert!(one.get_mut().is_none());
            let barrier = Barrier::new(4);
            let seen = std::thread::scope(|scope| {
                let ask = |number| {
                    let (one, barrier, count) = (&one, &barrier, &count);
                    scope.spawn(move || {
                        barrier.wait();
                        ptr::from_ref(one.get_or_make(|| Box::new(Counted::new(count, number))))
                            .addr()
                    })
                };
                [0, 1, 2, 3].map(ask).map(|thread| thread.join().expect("it ends"))
            });
            assert!(seen.iter().all(|&value| value == seen[0]));
            assert_eq!(count.load(Relaxed), 1);
            let number = one.get_mut().expect("it is there").1;
            assert_eq!(one.get_or_make(|| unreachable!("it is there")).1, number);
            drop(one);
            assert_eq!(count.load(Relaxed), 0);
        }
    }
}
