//! The threads that a world runs on, chosen at run time.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::{ForkJoin, Inline, Rayon, SubtaskOrder};

/// Which threads to run on.
///
/// Bodies run on threads of the pool, so what they fork by rayon stays there. With [`Global`](Self::Global) they also run on
/// the thread that takes the step; what it forks by rayon goes to the global pool.
/// The closure of a step, deferred functions and functions of events run on the thread that takes the step. Bundles,
/// storage strategies, destructors, conditions, schedulers and operations of resources run on either. So the closure of a
/// step must not hold a lock while it executes systems that wait for it.
///
/// Work that is too small to be worth sharing stays on one thread: an execution of systems that other threads
/// could shorten by two microseconds at most. For more work, up to some milliseconds, both modes are measured
/// now and then, and steps use the faster one. Where threads must be woken up for each frame, that takes longer
/// than they save of a small one.
///
/// With [`Global`](Self::Global) the thread that takes the step does a part of the work itself. With a pool of the user's it
/// does so if it belongs to that pool. Otherwise it sleeps while the pool works, and is woken up afterwards, in each step. To
/// avoid that, run the loop of the program within `pool.install(|| …)`, or make the pool on the thread of the loop, which can
/// be in one pool only:
///
/// ```
/// use std::sync::Arc;
///
/// use ecs_core::Threads;
/// use rayon::ThreadPoolBuilder;
///
/// let pool = ThreadPoolBuilder::new().num_threads(2).use_current_thread().build()?;
/// let threads = Threads::Pool(Arc::new(pool)); // for `World::on`
/// assert_eq!(threads.threads(), 2);
/// # Ok::<_, rayon::ThreadPoolBuildError>(())
/// ```
///
/// With one thread nothing is shared. But unless it is the caller's, a pool's thread must be woken up for each
/// execution; [`Inline`](Self::Inline) avoids that.
#[derive(Clone, Debug, Default)]
pub enum Threads {
    /// The calling thread alone.
    Inline,
    /// The calling thread, helped by rayon's global pool. On a thread of a pool, that pool. (Bodies run on the stack of the
    /// calling thread, too.)
    #[default]
    Global,
    /// The user's own pool. If the calling thread is not one of its threads, each execution is handed to one of
    /// them, even if it is not worth sharing. As with [`rayon::ThreadPool::install`], a pool whose only thread
    /// was made by `use_current_thread` must be used from that thread: it never takes work from another one.
    Pool(Arc<rayon::ThreadPool>),
    /// The user's own pool, which every piece of work is handed to. [`Pool`](Self::Pool) keeps small work on
    /// one thread. Results are the same. This is for tests, and for measurements of small worlds on many
    /// threads.
    Eager(Arc<rayon::ThreadPool>),
}

/// The number of threads of [`Threads::Global`]. That of the global pool never changes, so it is kept.
#[inline]
pub(super) fn threads_of_global() -> usize {
    /// 0 before rayon is asked.
    static GLOBAL: AtomicUsize = AtomicUsize::new(0);
    if rayon::current_thread_index().is_some() {
        return rayon::current_num_threads();
    }
    // Relaxed: a thread that does not see the number yet asks rayon, too.
    match GLOBAL.load(Relaxed) {
        0 => {
            let threads = rayon::current_num_threads();
            GLOBAL.store(threads, Relaxed);
            threads
        }
        threads => threads,
    }
}

impl Threads {
    /// The number of threads, at least 1.
    pub fn threads(&self) -> usize {
        match self {
            Self::Inline => 1,
            Self::Global => threads_of_global(),
            Self::Pool(pool) | Self::Eager(pool) => pool.current_num_threads(),
        }
    }

    /// Whether every piece of work is forked.
    pub(crate) fn is_eager(&self) -> bool {
        matches!(self, Self::Eager(_))
    }

    /// Runs `f` on one of the threads, with the executor for all of them, and returns its result.
    ///
    /// Entering a user's pool from outside costs a hand-over (some microseconds, now and then an allocation in rayon's
    /// queue), so do it once per step. On a thread of the pool it costs nothing. With [`Global`](Self::Global), `f` runs on the
    /// calling thread; the first fork calls a thread of the pool (an allocation, if none is awake for it).
    ///
    /// # Panics
    ///
    /// With the panic of `f`.
    pub fn run<R: Send, F: FnOnce(&Workers) -> R + Send>(&self, f: F) -> R {
        let threads = self.threads();
        let workers = Workers { beside: threads > 1, ..Workers::alone(threads) };
        self.install(|| f(&workers))
    }

    /// The properties that an execution needs, read at once. O(1).
    #[inline(always)]
    pub(crate) fn available(&self) -> Available {
        let (count, contain_current) = match self {
            Self::Inline => (1, true),
            Self::Global => (threads_of_global(), true),
            Self::Pool(pool) | Self::Eager(pool) => {
                (pool.current_num_threads(), pool.current_thread_index().is_some())
            }
        };
        Available { count, are_eager: self.is_eager(), contain_current }
    }

    /// Whether the calling thread is one of them, so that its forks go to them. For [`Global`](Self::Global)
    /// this always holds, as rayon uses that pool anyway. O(1).
    #[inline]
    pub(crate) fn contain_current_thread(&self) -> bool {
        match self {
            Self::Inline | Self::Global => true,
            Self::Pool(pool) | Self::Eager(pool) => pool.current_thread_index().is_some(),
        }
    }

    /// Runs `f` on one of the threads and returns its result.
    #[inline]
    pub(crate) fn install<R: Send>(&self, f: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Inline | Self::Global => f(),
            Self::Pool(pool) | Self::Eager(pool) => enter(pool, f),
        }
    }
}

/// Runs `f` on a thread of the pool and returns its result.
fn enter<R: Send>(pool: &rayon::ThreadPool, f: impl FnOnce() -> R + Send) -> R {
    let (mut f, mut result) = (Some(f), None);
    enter_erased(pool, &mut || result = f.take().map(|f| f()));
    result.expect("a pool returns when the call has returned")
}

/// [`enter`], called with a function that runs once. Its type is erased, so that rayon's functions are compiled once, not for
/// each function.
fn enter_erased(pool: &rayon::ThreadPool, f: &mut (dyn FnMut() + Send)) {
    pool.install(f);
}

/// Threads as an execution sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Available {
    /// The number of threads, at least 1.
    pub(crate) count: usize,
    /// Whether every piece of work is forked.
    pub(crate) are_eager: bool,
    /// Whether the calling thread is one of them; see [`Threads::contain_current_thread`].
    pub(crate) contain_current: bool,
}

/// The executor of [`Threads::run`]: [`Inline`] if there is one thread, else [`Rayon`].
///
/// ```
/// use ecs_core::Threads;
/// use ecs_core::scheduler::ForkJoin;
///
/// Threads::Inline.run(|workers| assert_eq!(workers.threads(), 1));
/// ```
#[derive(Debug)]
pub struct Workers {
    threads: usize,
    /// Whether pieces are forked to other threads.
    beside: bool,
    order: SubtaskOrder,
}

impl Workers {
    /// The calling thread alone.
    pub const fn inline() -> Self {
        Self::alone(1)
    }

    /// The calling thread alone, as one of `threads`.
    pub(crate) const fn alone(threads: usize) -> Self {
        Self { threads, beside: false, order: SubtaskOrder::SideBySide }
    }

    /// Whether a single piece of work is run directly.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.order, SubtaskOrder::SideBySide)
    }

    /// The same executor with another order of subtasks.
    pub(crate) const fn with(&self, order: SubtaskOrder) -> Self {
        Self { order, ..*self }
    }

    /// Runs the subtasks of the system with this number: calls `f` with the position of each item and the item.
    pub(crate) fn run_subtasks<T: Send>(
        &self,
        system: usize,
        items: &mut [T],
        f: &(dyn Fn(usize, &mut T) + Sync),
    ) {
        self.order.run(self, system, items, f);
    }
}

impl ForkJoin for Workers {
    #[inline]
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        if self.beside {
            Rayon.join(a, b);
        } else {
            Inline.join(a, b);
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn concurrency(&self) -> usize {
        if self.beside { self.threads } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_one_thread_do_not_run_at_the_same_time() {
        let alone = Workers::alone(3);
        assert_eq!((alone.threads(), alone.concurrency()), (3, 1));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let threads = Threads::Pool(Arc::new(pool.expect("the threads can be started")));
        assert_eq!(threads.run(|workers| (workers.threads(), workers.concurrency())), (3, 3));
        assert_eq!(Inline.concurrency(), 1);
    }
}
