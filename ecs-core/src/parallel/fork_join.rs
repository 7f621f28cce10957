//! How two pieces of work are run side by side.

use core::hint::spin_loop;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread::yield_now;
use std::time::{Duration, Instant};

use super::helpers;

/// Runs pieces of work, possibly on several threads.
///
/// This is the scheduler's only interface to threads. It has no queue and no latch, and the only wait is for
/// the two pieces of a [`join`](Self::join).
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// use ecs_core::scheduler::{ForkJoin, Inline, Rayon};
///
/// fn both(executor: &impl ForkJoin) -> usize {
///     let sum = AtomicUsize::new(0);
///     let add = |n| sum.fetch_add(n, Relaxed);
///     executor.join(|| _ = add(1), || _ = add(2));
///     sum.into_inner()
/// }
///
/// assert_eq!((both(&Inline), both(&Rayon)), (3, 3));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` does not run pieces of work side by side",
    label = "not an executor",
    note = "use the `Workers` that `Threads::run` hands out, `Rayon` or `Inline`"
)]
pub trait ForkJoin: Sync {
    /// Runs `a` and `b`, in any order or at the same time, each exactly once, and returns when both have
    /// returned. What was done before the call happens before both pieces; both happen before the return.
    ///
    /// A thread that waits here for the other piece must be able to run it itself, as long as no other thread
    /// has begun it. Then any number of threads, from one up, completes all work.
    ///
    /// # Panics
    ///
    /// With a panic of either piece, once neither is running any more.
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B);

    /// The number of threads that run pieces, at least 1.
    fn threads(&self) -> usize;

    /// How many pieces can run at the same time, at least 1. That is the number of threads, unless the executor runs all
    /// pieces on the calling thread for now. Results must not depend on it.
    fn concurrency(&self) -> usize {
        self.threads()
    }
}

/// Runs everything on the calling thread: `a`, then `b`.
///
/// ```
/// use ecs_core::scheduler::{ForkJoin, Inline};
///
/// let mut order = std::sync::Mutex::new(Vec::new());
/// Inline.join(|| order.lock().unwrap().push('a'), || order.lock().unwrap().push('b'));
/// assert_eq!(order.get_mut().unwrap(), &['a', 'b']);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inline;

impl ForkJoin for Inline {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        a();
        b();
    }

    fn threads(&self) -> usize {
        1
    }
}

/// How long a thread that waits for a piece, or looks for one, stays awake. Waking it takes as long as a small system, and
/// delays everything after the join.
pub(super) const PATIENCE: Duration = Duration::from_micros(100);

/// The piece has not begun.
const WAITING: u8 = 0;
/// A thread has begun the piece.
const RUNNING: u8 = 1;
/// The piece has ended.
const DONE: u8 = 2;

/// Marks a piece as ended when it has returned or panicked.
struct Done<'a>(&'a AtomicU8);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(DONE, Relaxed);
    }
}

/// Calls `look` up to 16 times, until it returns true, with a short pause after each call. Returns whether it did. One long pause, or
/// one `sched_yield`, for each look would delay the thread by up to a microsecond.
#[inline(always)]
pub(super) fn look_often(mut look: impl FnMut() -> bool) -> bool {
    (0..16).any(|_| {
        look() || {
            spin_loop();
            spin_loop();
            false
        }
    })
}

/// Waits while `condition` holds, for at most [`PATIENCE`]. A thread of a pool runs other pieces meanwhile.
#[cold]
pub(super) fn wait_while(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while condition() && start.elapsed() < PATIENCE {
        let has_run = rayon::yield_now() == Some(rayon::Yield::Executed);
        if !has_run && !look_often(|| !condition()) {
            // There may be more threads than cores.
            yield_now();
        }
    }
}

/// A piece of work that runs once. Its type is erased, so that rayon's functions are compiled once, not for each
/// piece.
pub(super) type Piece<'a> = &'a mut (dyn FnMut() + Send);

/// A function that runs the piece when it is first called.
fn once(piece: impl FnOnce()) -> impl FnMut() {
    let mut piece = Some(piece);
    move || {
        if let Some(piece) = piece.take() {
            piece();
        }
    }
}

/// [`Rayon::join`], compiled once for all pieces.
fn join_erased(a: Piece<'_>, b: Piece<'_>) {
    if helpers::join(&mut *a, &mut *b) {
        return;
    }
    let other = AtomicU8::new(WAITING);
    rayon::join(
        || {
            let _guard = helpers::within_piece();
            a();
            let is_running = || other.load(Relaxed) == RUNNING;
            if is_running() {
                wait_while(is_running);
            }
        },
        || {
            other.store(RUNNING, Relaxed);
            let _done = Done(&other);
            let _guard = helpers::within_piece();
            b();
        },
    );
}

/// Runs pieces on the rayon pool that the calling thread belongs to, by [`rayon::join`]. A thread outside of every pool runs
/// pieces itself, and threads of the global pool help it.
///
/// A thread that waits for a stolen piece runs other pieces meanwhile. So it may run one system in the middle
/// of another: neither may hold a lock then. If there are no other pieces, it looks for some for up to 100 µs,
/// then sleeps until the piece has returned. A thread outside of every pool, and one that helps it, wakes up now and then to look
/// for more.
///
/// ```
/// use ecs_core::scheduler::{ForkJoin, Rayon};
///
/// assert_eq!(Rayon.threads(), rayon::current_num_threads());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rayon;

impl ForkJoin for Rayon {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        join_erased(&mut once(a), &mut once(b));
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads()
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::AtomicUsize;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::thread::sleep;

    use rayon::{ThreadPool, ThreadPoolBuilder};

    use super::*;

    fn pool(threads: usize) -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("the threads can be started")
    }

    /// Counts the leaves of a tree of joins. The second piece of each join takes `time`.
    fn leaves(depth: usize, time: Duration, count: &AtomicUsize) {
        if depth == 0 {
            count.fetch_add(1, Relaxed);
            return;
        }
        let other = || {
            sleep(time);
            leaves(depth - 1, time, count);
        };
        Rayon.join(|| leaves(depth - 1, time, count), other);
    }

    #[test]
    fn both_pieces_run_once_whether_they_are_waited_for_awake_or_asleep() {
        for threads in [1, 2, 4] {
            for time in [Duration::ZERO, PATIENCE / 10, 3 * PATIENCE] {
                let count = AtomicUsize::new(0);
                pool(threads).install(|| leaves(6, time, &count));
                assert_eq!(count.into_inner(), 64);
            }
        }
    }

    #[test]
    fn a_panic_of_either_piece_comes_out_when_both_have_ended() {
        for (one, other) in [(true, false), (false, true)] {
            let ended = AtomicUsize::new(0);
            let piece = |panics: bool| {
                sleep(PATIENCE / 2);
                ended.fetch_add(1, Relaxed);
                if panics {
                    resume_unwind(Box::new("the piece"));
                }
            };
            let joined = || pool(2).install(|| Rayon.join(|| piece(one), || piece(other)));
            let payload = catch_unwind(AssertUnwindSafe(joined)).expect_err("one has panicked");
            assert_eq!(payload.downcast_ref(), Some(&"the piece"));
            // If the first one panics, the other one may not have begun.
            assert!(ended.into_inner() > usize::from(other));
        }
    }
}
