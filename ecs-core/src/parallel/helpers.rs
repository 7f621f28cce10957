//! Threads of rayon's global pool that help a thread outside of every pool.
//!
//! A thread outside of a pool cannot fork by rayon alone: it would hand all of its work over, sleep, and be woken up at the
//! end. So it keeps its work, and *offers* the second piece of each join. Jobs in the pool look for offers. The thread takes
//! an offer back if no job has taken it when the first piece has ended.
//!
//! The offers of a thread are a stack, since joins are nested: each has one slot, and a slot is used again when the join
//! has ended. A job mostly takes the oldest offer, which is the largest piece. Within a piece it forks by rayon, so a
//! further thread of the pool may take part.
//!
//! A thread of the pool may find a job while it waits for something else. It does not help within a piece. Within other work
//! by rayon, which the library knows nothing of, it helps for a few milliseconds at most; then a further job is started. If several threads
//! offer, the jobs of one may hold all threads of the pool for that long, while the others do their work alone.

use core::cell::{Cell, UnsafeCell};
use core::hint::spin_loop;
use core::mem::transmute;
use core::sync::atomic::{
    AtomicU8, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::DropQuietly;
use super::fork_join::{PATIENCE, Piece, wait_while};
use super::panic_slot::Payload;
use super::threads::threads_of_global;

/// Offers of one thread at a time. Deeper joins are run by that thread alone. Sixteen nested halvings make 65 536 pieces.
const SLOTS: usize = 16;

/// How long a job helps at most. Work that a thread was waiting for when it began the job goes on only then.
const LONGEST: Duration = Duration::from_millis(2);

/// The slot has no offer.
const EMPTY: u8 = 0;
/// A piece is offered.
const OFFERED: u8 = 1;
/// A job has taken the piece.
const TAKEN: u8 = 2;
/// The piece has ended, and the thread that has offered it does not know yet.
const DONE: u8 = 3;

/// The state of a slot, as a trait, so that a model checker can supply its own.
trait SlotState: Send + Sync {
    /// From empty to offered. What was done before happens before what follows [`take`](Self::take).
    fn offer(&self);

    /// From offered to taken, and whether it was offered.
    fn take(&self) -> bool;

    /// From offered to empty, and whether it was still offered. Only the thread that has offered calls it.
    fn take_back(&self) -> bool;

    /// From taken to done. What was done before happens before what follows an [`end`](Self::end) that returns true.
    fn finish(&self);

    /// From done to empty, and whether it was done. Only the thread that has offered calls it.
    fn end(&self) -> bool;
}

impl SlotState for AtomicU8 {
    fn offer(&self) {
        self.store(OFFERED, Release);
    }

    #[inline]
    fn take(&self) -> bool {
        // Most looks find nothing, and a load leaves the line of the cache where it is.
        self.load(Relaxed) == OFFERED
            && self.compare_exchange(OFFERED, TAKEN, Acquire, Relaxed).is_ok()
    }

    fn take_back(&self) -> bool {
        // Relaxed: nothing was done with the piece since this thread has offered it.
        self.compare_exchange(OFFERED, EMPTY, Relaxed, Relaxed).is_ok()
    }

    fn finish(&self) {
        self.store(DONE, Release);
    }

    #[inline]
    fn end(&self) -> bool {
        let is_done = self.load(Acquire) == DONE;
        if is_done {
            // No other thread changes a slot that is done.
            self.store(EMPTY, Relaxed);
        }
        is_done
    }
}

/// A place for an offer.
struct Slot<S> {
    state: S,
    /// The piece that is offered or taken.
    piece: UnsafeCell<Option<Piece<'static>>>,
    /// What it has panicked with. It is there when the piece has ended, until the next offer.
    panic: UnsafeCell<Option<Payload>>,
}

// SAFETY: a piece and what it panics with are `Send`. The thread that offers uses both cells while the slot is empty, or when
// it has ended; the job that has taken the offer uses them from then until it finishes. `SlotState` orders these.
unsafe impl<S: SlotState> Sync for Slot<S> {}

impl<S: SlotState> Slot<S> {
    /// An empty slot, as `state` must say.
    const fn new(state: S) -> Self {
        Self { state, piece: UnsafeCell::new(None), panic: UnsafeCell::new(None) }
    }

    /// Runs `a`, and offers `b` meanwhile; if no other thread [runs](Self::run) it, this one does after `a`. `offered` is
    /// called first. `wait` is called while another thread runs `b`, with a function that says whether it still does.
    ///
    /// # Panics
    /// With the panic of a piece, when neither is running any more: that of `a`, if both have panicked. If `a` panics, `b` may
    /// not have begun.
    ///
    /// # Safety
    /// The slot must be empty, no other thread may offer by it, and `wait` must not unwind.
    unsafe fn join(
        &self,
        a: Piece<'_>,
        b: Piece<'_>,
        offered: impl FnOnce(),
        wait: impl Fn(&dyn Fn() -> bool),
    ) {
        // SAFETY: only the lifetimes differ. Nothing uses the piece after this function has ended, which it does when the offer
        // was taken back, or the piece has ended.
        let piece = unsafe { transmute::<Piece<'_>, Piece<'static>>(b) };
        // SAFETY: the slot is empty, so no other thread uses the cell.
        unsafe { *self.piece.get() = Some(piece) };
        self.state.offer();
        // This function must not unwind while another thread has the piece. (`wait` does not, by the contract.)
        let first = catch_unwind(AssertUnwindSafe(|| {
            offered();
            a();
        }));
        let second = if self.state.take_back() {
            // SAFETY: no other thread has taken the piece, so none uses the cell.
            let piece = unsafe { (*self.piece.get()).take() };
            match (&first, piece) {
                (Ok(()), Some(piece)) => catch_unwind(AssertUnwindSafe(piece)).err(),
                _ => None,
            }
        } else {
            let has_ended = Cell::new(false);
            let runs = || {
                has_ended.set(has_ended.get() || self.state.end());
                !has_ended.get()
            };
            while runs() {
                wait(&runs);
            }
            // SAFETY: the piece has ended, so no other thread uses the cell.
            unsafe { (*self.panic.get()).take() }
        };
        if let Err(first) = first {
            drop(DropQuietly(second));
            resume_unwind(first);
        }
        if let Some(second) = second {
            resume_unwind(second);
        }
    }

    /// Takes the piece that is offered, calls `taken`, and runs it. Returns whether there was one.
    #[inline]
    fn run(&self, taken: impl FnOnce()) -> bool {
        if !self.state.take() {
            return false;
        }
        taken();
        // SAFETY: this thread has taken the offer, so no other one uses the cells until the piece has ended.
        let piece = unsafe { (*self.piece.get()).take() };
        let result = piece.map(|piece| catch_unwind(AssertUnwindSafe(piece)));
        // SAFETY: as above.
        unsafe { *self.panic.get() = result.and_then(Result::err) };
        self.state.finish();
        true
    }
}

/// The offers of a thread, and the jobs that look for them.
struct Offers {
    slots: [Slot<AtomicU8>; SLOTS],
    owner: Thread,
    /// The jobs in the pool.
    jobs: AtomicUsize,
    /// Those that look for offers.
    looking: AtomicUsize,
}

impl Offers {
    fn of_this_thread() -> Arc<Self> {
        Arc::new(Self {
            slots: [const { Slot::new(AtomicU8::new(EMPTY)) }; SLOTS],
            owner: thread::current(),
            jobs: AtomicUsize::new(0),
            looking: AtomicUsize::new(0),
        })
    }

    /// Starts a further job if none looks for offers, and there are fewer jobs than threads beside the owner.
    fn start_job(self: &Arc<Self>) {
        // Relaxed: with an old number a job too few may be there, and the owner does its work.
        if self.looking.load(Relaxed) > 0 || self.jobs.load(Relaxed) + 1 >= threads_of_global() {
            return;
        }
        self.jobs.fetch_add(1, Relaxed);
        let offers = Arc::clone(self);
        rayon::spawn(move || offers.help());
    }

    /// The job: runs what is offered until there was nothing for a while, or it was there for [`LONGEST`].
    fn help(&self) {
        let start = Instant::now();
        // Others may wait for a piece that this thread is within, and it would not go on while it helps.
        if PIECES.get() == 0 {
            let _guard = within_piece();
            while start.elapsed() < LONGEST && self.run_next() {}
        }
        self.jobs.fetch_sub(1, Relaxed);
    }

    /// Runs the next piece that is offered. Returns false if there was none for a while.
    fn run_next(&self) -> bool {
        let start = Instant::now();
        let stop = || _ = self.looking.fetch_sub(1, Relaxed);
        self.looking.fetch_add(1, Relaxed);
        while start.elapsed() < PATIENCE {
            if self.slots.iter().any(|slot| slot.run(stop)) {
                // The owner may be parked.
                self.owner.unpark();
                return true;
            }
            (0..32).for_each(|_| spin_loop());
            // Other work by rayon, which may take long.
            stop();
            let has_run = rayon::yield_now() == Some(rayon::Yield::Executed);
            self.looking.fetch_add(1, Relaxed);
            if !has_run {
                // There may be more threads than cores.
                thread::yield_now();
            }
        }
        stop();
        false
    }
}

/// The offers of this thread.
struct LocalOffers {
    offers: Arc<Offers>,
    /// How many slots are in use.
    depth: Cell<usize>,
}

thread_local! {
    static OFFERS: LocalOffers = LocalOffers { offers: Offers::of_this_thread(), depth: Cell::new(0) };

    /// How many pieces this thread is within, on a thread of a pool. A job that helps counts as one.
    static PIECES: Cell<usize> = const { Cell::new(0) };
}

/// Counts a piece that this thread runs.
pub(super) fn within_piece() -> impl Drop {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            PIECES.set(PIECES.get() - 1);
        }
    }
    PIECES.set(PIECES.get() + 1);
    Guard
}

/// A slot in use.
struct DepthGuard<'a>(&'a Cell<usize>);

impl Drop for DepthGuard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl LocalOffers {
    /// Runs both pieces.
    fn join(&self, a: Piece<'_>, b: Piece<'_>) {
        let Some(slot) = self.offers.slots.get(self.depth.get()) else {
            a();
            return b();
        };
        self.depth.set(self.depth.get() + 1);
        let _guard = DepthGuard(&self.depth);
        let wait = |runs: &dyn Fn() -> bool| {
            wait_while(runs);
            if runs() {
                thread::park();
            }
        };
        // SAFETY: the slots are those of this thread, which alone offers by them. Joins are nested, so this one is the first
        // that is not in use. Nothing that waits unwinds: outside of a pool no piece is run meanwhile.
        unsafe { slot.join(a, b, || self.offers.start_job(), wait) };
    }
}

/// Runs `a` and `b` on this thread, which is outside of every pool, with the help of rayon's global pool; see
/// [`ForkJoin::join`](super::ForkJoin::join).
pub(super) fn join(a: Piece<'_>, b: Piece<'_>) {
    if OFFERS.try_with(|local| local.join(&mut *a, &mut *b)).is_err() {
        // The thread ends: these are destructors of its values.
        a();
        b();
    }
}

#[cfg(all(test, not(miri)))]
mod model;
#[cfg(test)]
mod tests;
