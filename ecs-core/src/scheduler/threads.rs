//! The threads that a world runs on, chosen at run time.

use super::{Executor, Inline, Rayon, SubtaskOrder};
use std::sync::Arc;

/// Which threads to run on.
///
/// With one thread, however chosen, nothing is handed to another thread: all happens on the
/// caller's.
#[derive(Clone, Debug, Default)]
pub enum Threads {
    /// The calling thread alone.
    Inline,
    /// Rayon's global pool; on a thread of some other pool, that pool.
    #[default]
    Global,
    /// The user's own pool.
    Pool(Arc<rayon::ThreadPool>),
}

impl Threads {
    /// How many threads there are, at least 1.
    pub fn threads(&self) -> usize {
        match self {
            Self::Inline => 1,
            Self::Global => rayon::current_num_threads(),
            Self::Pool(pool) => pool.current_num_threads(),
        }
    }

    /// Runs `f` on one of the threads, lending it the executor for all of them, and returns what
    /// it returns.
    ///
    /// Entering a pool from outside costs a hand-over (some microseconds, now and then an
    /// allocation in rayon's queue), so do it once per step. Already on a thread of the pool, it
    /// costs nothing.
    ///
    /// # Panics
    ///
    /// With the panic of `f`.
    pub fn run<R, F>(&self, f: F) -> R
    where
        R: Send,
        F: FnOnce(&Workers) -> R + Send,
    {
        let workers = Workers { threads: self.threads(), order: SubtaskOrder::SideBySide };
        match self {
            Self::Global if workers.threads > 1 => rayon::scope(|_| f(&workers)),
            Self::Pool(pool) if workers.threads > 1 => pool.install(|| f(&workers)),
            _ => f(&workers),
        }
    }
}

/// The executor of [`Threads::run`]: [`Inline`] if there is one thread, else [`Rayon`].
#[derive(Debug)]
pub struct Workers {
    threads: usize,
    order: SubtaskOrder,
}

impl Workers {
    /// The calling thread alone.
    pub const fn inline() -> Self {
        Self { threads: 1, order: SubtaskOrder::SideBySide }
    }

    /// The same, with other orders of subtasks.
    pub(crate) const fn with(&self, order: SubtaskOrder) -> Self {
        Self { threads: self.threads, order }
    }

    /// Runs the subtasks of the system with this number: calls `f` with the position of each item and the
    /// item.
    pub(crate) fn run_subtasks<T: Send>(
        &self,
        system: usize,
        items: &mut [T],
        f: &(impl Fn(usize, &mut T) + Sync),
    ) {
        self.order.run(self, system, items, f);
    }
}

impl Executor for Workers {
    #[inline]
    fn join<A, B>(&self, a: A, b: B)
    where
        A: FnOnce() + Send,
        B: FnOnce() + Send,
    {
        if self.threads == 1 {
            Inline.join(a, b);
        } else {
            Rayon.join(a, b);
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }
}
