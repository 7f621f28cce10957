//! The threads that the work runs on: the caller, or a pool over which it is spread evenly.

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

/// A number of threads: one is the caller itself, more are a pool.
#[derive(Debug)]
pub(super) struct Threads {
    pool: Option<ThreadPool>,
}

impl Threads {
    /// `count` threads; with one, all work is on the calling thread.
    pub(super) fn new(count: usize) -> Self {
        assert!(count > 0, "work needs at least one thread");
        let pool = (count > 1).then(|| {
            ThreadPoolBuilder::new().num_threads(count).build().expect("the threads can be started")
        });
        Self { pool }
    }

    /// Runs `work`, in which [`each`] and `rayon::join` use these threads.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }
}

/// Calls `work` with each part, in parallel if there are several.
pub(super) fn each<P: Send>(
    parts: impl ExactSizeIterator<Item = P>,
    work: impl Fn(P) + Sync + Send,
) {
    if parts.len() == 1 {
        parts.for_each(work);
    } else {
        let parts: Vec<P> = parts.collect();
        parts.into_par_iter().with_max_len(1).for_each(work);
    }
}

/// Runs both, in parallel if there are several `parts` of work, else one after the other.
pub(super) fn both(parts: usize, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    if parts == 1 {
        one();
        other();
    } else {
        rayon::join(one, other);
    }
}

/// The start of part `part` of `parts`, if `len` items are split evenly.
pub(super) fn bound(len: usize, part: usize, parts: usize) -> usize {
    len * part / parts
}

/// Cuts a slice into `parts` parts, whose lengths differ by at most one item.
pub(super) fn cut<T>(mut slice: &mut [T], parts: usize) -> impl ExactSizeIterator<Item = &mut [T]> {
    let len = slice.len();
    (0..parts).map(move |part| {
        let size = bound(len, part + 1, parts) - bound(len, part, parts);
        slice.split_off_mut(..size).expect("the parts add up to the whole")
    })
}
