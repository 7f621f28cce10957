//! Drops values of user types: each exactly once, whatever destructors do.
//!
//! A destructor may panic. `Vec` then drops its other values, and aborts the program if a second
//! one panics; a struct of two fields does the same. A world holds values in many containers, so it
//! drops all of them in one way: value by value, each panic caught ([`PanicSlot::drop_each`]).
//! After all drops the first panic is resumed ([`drop_all`]). If the thread is already unwinding,
//! the panic is dropped instead.

use core::ops::{Deref, DerefMut};

use crate::parallel::PanicSlot;

impl PanicSlot {
    /// Calls `f` with each value. A panic is recorded for `subtask` of `node`, and `f` is still
    /// called with the other values.
    pub(crate) fn catch_each<T>(
        &self,
        node: usize,
        subtask: Option<usize>,
        values: impl IntoIterator<Item = T>,
        mut f: impl FnMut(T),
    ) {
        let mut values = values.into_iter();
        // Runs once, and once more after each panic, which consumes a value.
        while self.catch(node, subtask, || values.by_ref().for_each(&mut f)).is_none() {}
    }

    /// Drops the values one by one, as in [`catch_each`](Self::catch_each).
    pub(crate) fn drop_each<T>(
        &self,
        node: usize,
        subtask: Option<usize>,
        values: impl IntoIterator<Item = T>,
    ) {
        self.catch_each(node, subtask, values, drop);
    }
}

/// Calls `f`, which drops values and records panics in the slot. Then resumes the first panic,
/// unless the thread is unwinding.
///
/// # Panics
/// With the first recorded panic.
pub(crate) fn drop_all(f: impl FnOnce(&PanicSlot)) {
    let panics = PanicSlot::new();
    f(&panics);
    if !std::thread::panicking()
        && let Some(failure) = panics.take()
    {
        failure.resume();
    }
}

/// A value that is held for the caller. If it is dropped because the thread unwinds, a panic of its
/// destructor is dropped too.
pub(crate) struct DropQuietly<T>(pub(crate) Option<T>);

impl<T> DropQuietly<T> {
    pub(crate) fn into_inner(mut self) -> T {
        self.0.take().expect("a value is taken once")
    }
}

impl<T> Drop for DropQuietly<T> {
    #[inline]
    fn drop(&mut self) {
        if const { core::mem::needs_drop::<T>() }
            && let Some(value) = self.0.take()
        {
            PanicSlot::new().catch(0, None, || drop(value));
        }
    }
}

/// A list whose values are dropped one by one. The first panic is resumed after all drops.
#[derive(Debug)]
pub(crate) struct DropEach<T>(Vec<T>);

impl<T> DropEach<T> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Appends values until the list has `count` of them. `make` is called with the position of
    /// each. If it panics, the list has the values before that position.
    pub(crate) fn fill(&mut self, count: usize, mut make: impl FnMut(usize) -> T) {
        self.0.reserve(count.saturating_sub(self.0.len()));
        while self.0.len() < count {
            let value = make(self.0.len());
            self.0.push(value);
        }
    }

    /// A list of `count` values: `make` is called with the position of each.
    pub(crate) fn of(count: usize, make: impl FnMut(usize) -> T) -> Self {
        let mut this = Self::new();
        this.fill(count, make);
        this
    }
}

impl<T> Deref for DropEach<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for DropEach<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Drop for DropEach<T> {
    fn drop(&mut self) {
        drop_all(|panics| panics.drop_each(0, None, self.0.drain(..)));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::*;

    /// Counts its drop and panics with its number.
    struct Bomb<'a>(&'a Cell<usize>, usize);

    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
            resume_unwind(Box::new(self.1));
        }
    }

    #[test]
    fn all_are_dropped_and_the_first_panic_goes_on() {
        let count = Cell::new(0);
        let bombs = DropEach::of(5, |number| Bomb(&count, number));
        let payload = catch_unwind(AssertUnwindSafe(|| drop(bombs))).unwrap_err();
        assert_eq!((count.get(), payload.downcast_ref()), (5, Some(&0_usize)));
    }

    #[test]
    fn while_the_thread_unwinds_nothing_goes_on() {
        let count = Cell::new(0);
        let failing = || {
            let _bombs = DropEach::of(5, |number| Bomb(&count, number));
            resume_unwind(Box::new("first"));
        };
        let payload = catch_unwind(AssertUnwindSafe(failing)).unwrap_err();
        assert_eq!((count.get(), payload.downcast_ref()), (5, Some(&"first")));
    }

    #[test]
    fn what_was_made_before_a_panic_is_dropped() {
        let count = Cell::new(0);
        let make = |number| {
            if number == 3 { resume_unwind(Box::new("third")) } else { Bomb(&count, number) }
        };
        assert!(catch_unwind(AssertUnwindSafe(|| DropEach::of(5, make))).is_err());
        assert_eq!(count.get(), 3);
    }
}
