//! How two pieces of work are run side by side.

/// Runs pieces of work, possibly on several threads.
///
/// This is all that the scheduler knows of threads: no queue, no latch, no way to wait for
/// anything but the two pieces of a [`join`](Self::join).
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` does not run pieces of work side by side",
    label = "not an executor",
    note = "use the `Workers` that `Threads::run` hands out, `Rayon` or `Inline`"
)]
pub trait Executor: Sync {
    /// Runs `a` and `b`, in any order or at the same time, each exactly once, and returns when
    /// both have returned. What was done before the call happens before both pieces; both happen
    /// before the return.
    ///
    /// A thread that waits here for the other piece must be able to run it itself, as long as
    /// no other thread has begun it: then any number of threads, from one up, gets everything
    /// done.
    ///
    /// # Panics
    ///
    /// With a panic of either piece, once neither is running any more.
    fn join<A, B>(&self, a: A, b: B)
    where
        A: FnOnce() + Send,
        B: FnOnce() + Send;

    /// How many threads there are to run pieces, at least 1.
    fn threads(&self) -> usize;
}

/// Runs everything on the calling thread: `a`, then `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inline;

impl Executor for Inline {
    fn join<A, B>(&self, a: A, b: B)
    where
        A: FnOnce() + Send,
        B: FnOnce() + Send,
    {
        a();
        b();
    }

    fn threads(&self) -> usize {
        1
    }
}

/// Runs pieces on the rayon pool that the calling thread belongs to, by [`rayon::join`]; from a
/// thread outside of every pool, on the global pool.
///
/// A thread that waits for a stolen piece runs other pieces meanwhile, so it may find itself in
/// the middle of one system while it runs another: neither may hold a lock then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rayon;

impl Executor for Rayon {
    fn join<A, B>(&self, a: A, b: B)
    where
        A: FnOnce() + Send,
        B: FnOnce() + Send,
    {
        rayon::join(a, b);
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads()
    }
}
