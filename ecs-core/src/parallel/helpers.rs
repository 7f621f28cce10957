//! Threads of rayon's global pool that help a thread outside of every pool.
//!
//! A thread outside of a pool cannot fork by rayon alone: it would hand all of its work over, sleep, and be woken up at the
//! end. So it keeps its work, and *offers* the second piece of each join. Jobs in the pool look for offers. The thread takes
//! an offer back if no job has taken it when the first piece has ended.
//!
//! The thread, which owns the work, and its jobs are a *team*. A job that runs a piece offers the second pieces of its own joins
//! to the team, too, so no other thread of the pool is woken up for them. Each member has a stack of offers, since joins are
//! nested: a slot for each, which is used again when the join has ended. A job takes the oldest offer of a member, which is
//! mostly the largest piece. A member that waits for a piece runs offers of the thread that has it meanwhile, those that were made
//! since, and no others of the team (*leapfrogging*: D. Wagner and B. Calder, 1993). So what it runs belongs to the piece that it
//! waits for, unless that has ended just then. No two members wait for each other.
//!
//! A thread of the pool may find a job while it waits for something else. It does not help within a piece. Within other work
//! by rayon, which the library knows nothing of, it helps for a few milliseconds at most; then a further job is started. If
//! several threads own work, the jobs of one may hold all threads of the pool for that long, while the others do their work
//! alone.

use core::cell::{Cell, RefCell, UnsafeCell};
use core::mem::transmute;
use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::DropQuietly;
use super::fork_join::{PATIENCE, Piece, look_often};
use super::panic_slot::Payload;
use super::threads::threads_of_global;

/// Offers of one member at a time. In deeper joins, a job forks by rayon, and the owner runs both pieces itself. Sixteen nested
/// halvings make 65 536 pieces.
const SLOTS: usize = 16;

/// How long a job helps at most. Work that a thread was waiting for when it began the job goes on only then.
const LONGEST: Duration = Duration::from_millis(2);

/// How long a member sleeps that waits for a piece, before it looks again for offers, and a job for work of rayon's.
const NAP: Duration = Duration::from_micros(200);

/// The slot has no offer.
const EMPTY: u32 = 0;
/// A piece is offered.
const OFFERED: u32 = 1;
/// The piece has ended, and the member that has offered it does not know yet.
const DONE: u32 = 2;
/// The piece is taken; what is above is the [`Taker`].
const TAKEN: u32 = 3;

/// Who has taken a piece: a member, and the number of slots that it had in use then. Slots from there on are those of the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taker {
    member: usize,
    depth: usize,
}

impl Taker {
    const fn state(self) -> u32 {
        TAKEN + (self.member * (SLOTS + 1) + self.depth) as u32
    }

    /// The taker, if the state is one of a piece that is taken.
    const fn of(state: u32) -> Option<Self> {
        let Some(number) = state.checked_sub(TAKEN) else { return None };
        let number = number as usize;
        Some(Self { member: number / (SLOTS + 1), depth: number % (SLOTS + 1) })
    }
}

/// The state of a slot, as a trait, so that a model checker can supply its own.
trait SlotState: Send + Sync {
    /// From empty to offered. What was done before happens before what follows [`take`](Self::take).
    fn offer(&self);

    /// From offered to taken, and whether it was offered.
    fn take(&self, by: Taker) -> bool;

    /// From offered to empty, and whether it was still offered. Only the member that has offered calls it.
    fn take_back(&self) -> bool;

    /// Who has taken the piece, if it has not ended.
    fn taker(&self) -> Option<Taker>;

    /// From taken to done. What was done before happens before what follows an [`end`](Self::end) that returns true.
    fn finish(&self);

    /// From done to empty, and whether it was done. Only the member that has offered calls it.
    fn end(&self) -> bool;
}

impl SlotState for AtomicU32 {
    fn offer(&self) {
        self.store(OFFERED, Release);
    }

    #[inline]
    fn take(&self, by: Taker) -> bool {
        // Most looks find nothing, and a load leaves the line of the cache where it is.
        self.load(Relaxed) == OFFERED
            && self.compare_exchange(OFFERED, by.state(), Acquire, Relaxed).is_ok()
    }

    fn take_back(&self) -> bool {
        // Relaxed: nothing was done with the piece since this thread has offered it.
        self.compare_exchange(OFFERED, EMPTY, Relaxed, Relaxed).is_ok()
    }

    fn taker(&self) -> Option<Taker> {
        Taker::of(self.load(Relaxed))
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

/// What is offered: a piece, and the thread that waits for it.
struct Offer {
    piece: Piece<'static>,
    waits: Thread,
}

/// A place for an offer.
struct Slot<S> {
    state: S,
    /// What is offered or taken.
    offer: UnsafeCell<Option<Offer>>,
    /// What the piece has panicked with. It is there when the piece has ended, until the next offer.
    panic: UnsafeCell<Option<Payload>>,
}

// SAFETY: an offer and what its piece panics with are `Send`. The member that offers uses both cells while the slot is empty, or
// when the piece has ended; the one that has taken the offer uses them from then until it finishes. `SlotState` orders these.
unsafe impl<S: SlotState> Sync for Slot<S> {}

impl<S: SlotState> Slot<S> {
    /// An empty slot, as `state` must say.
    const fn new(state: S) -> Self {
        Self { state, offer: UnsafeCell::new(None), panic: UnsafeCell::new(None) }
    }

    /// Runs `a`, and offers `b` meanwhile; if no other thread [runs](Self::run) it, this one does after `a`. `offered` is
    /// called first. `wait` is called while another thread runs `b`, with a function that says whether it still does. The
    /// thread `this` is the calling one.
    ///
    /// # Panics
    /// With the panic of a piece, when neither is running any more: that of `a`, if both have panicked. If `a` panics, `b` may
    /// not have begun.
    ///
    /// # Safety
    /// The slot must be empty, no other thread may offer by it, and `wait` must not unwind.
    unsafe fn join(
        &self,
        this: &Thread,
        a: Piece<'_>,
        b: Piece<'_>,
        offered: impl FnOnce(),
        wait: impl Fn(&Self, &dyn Fn() -> bool),
    ) {
        // SAFETY: only the lifetimes differ. Nothing uses the piece after this function has ended, which it does when the offer
        // was taken back, or the piece has ended.
        let piece = unsafe { transmute::<Piece<'_>, Piece<'static>>(b) };
        // SAFETY: the slot is empty, so no other thread uses the cell.
        unsafe { *self.offer.get() = Some(Offer { piece, waits: this.clone() }) };
        self.state.offer();
        // This function must not unwind while another thread has the piece. (`wait` does not, by the contract.)
        let first = catch_unwind(AssertUnwindSafe(|| {
            offered();
            a();
        }));
        let second = if self.state.take_back() {
            // SAFETY: no other thread has taken the piece, so none uses the cell.
            let offer = unsafe { (*self.offer.get()).take() };
            match (&first, offer) {
                (Ok(()), Some(offer)) => catch_unwind(AssertUnwindSafe(offer.piece)).err(),
                _ => None,
            }
        } else {
            let has_ended = Cell::new(false);
            let runs = || {
                has_ended.set(has_ended.get() || self.state.end());
                !has_ended.get()
            };
            while runs() {
                wait(self, &runs);
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
    fn run(&self, by: Taker, taken: impl FnOnce()) -> bool {
        if !self.state.take(by) {
            return false;
        }
        taken();
        // SAFETY: this thread has taken the offer, so no other one uses the cells until the piece has ended.
        let offer = unsafe { (*self.offer.get()).take() };
        let Some(Offer { piece, waits }) = offer else { unreachable!("what is offered is there") };
        let result = catch_unwind(AssertUnwindSafe(piece));
        // SAFETY: as above.
        unsafe { *self.panic.get() = result.err() };
        self.state.finish();
        // It may be parked.
        waits.unpark();
        true
    }
}

/// The offers of one thread of a team.
#[repr(align(128))]
struct Member {
    slots: [Slot<AtomicU32>; SLOTS],
    /// How many slots are in use. Only this member changes it; for others it is a hint.
    depth: AtomicUsize,
    /// Whether a job is this member.
    is_there: AtomicBool,
}

impl Member {
    fn new() -> Self {
        Self {
            slots: [const { Slot::new(AtomicU32::new(EMPTY)) }; SLOTS],
            depth: AtomicUsize::new(0),
            is_there: AtomicBool::new(false),
        }
    }

    /// Runs the oldest piece that is offered in the slots from number `from` on. Returns whether there was one.
    #[inline]
    fn run_oldest(&self, from: usize, by: Taker, taken: impl Fn()) -> bool {
        // Relaxed: a new offer that is not seen now is seen later.
        let depth = self.depth.load(Relaxed);
        self.slots[..depth].iter().skip(from).any(|slot| slot.run(by, &taken))
    }
}

/// A thread outside of every pool, and its jobs in the global pool.
struct Team {
    /// The owner, then the jobs.
    members: Box<[Member]>,
    /// The jobs in the pool.
    jobs: AtomicUsize,
    /// Those that look for offers.
    looking: AtomicUsize,
}

impl Team {
    /// The most members. With more, a look at all slots would take long.
    const MOST: usize = 256;

    fn new() -> Arc<Self> {
        let members = threads_of_global().clamp(2, Self::MOST);
        Arc::new(Self {
            members: (0..members).map(|_| Member::new()).collect(),
            jobs: AtomicUsize::new(0),
            looking: AtomicUsize::new(0),
        })
    }

    /// Starts a further job if none looks for offers, and there are fewer jobs than threads beside the owner. (A member that
    /// waits counts, though it may sleep: if it is woken up for the end of its piece, it goes on at once.)
    fn start_job(self: &Arc<Self>) {
        let most = threads_of_global().min(self.members.len());
        // Relaxed: with an old number a job too few may be there, and the others do its work.
        if self.looking.load(Relaxed) > 0 || self.jobs.load(Relaxed) + 1 >= most {
            return;
        }
        self.jobs.fetch_add(1, Relaxed);
        let team = Arc::clone(self);
        rayon::spawn(move || team.help());
    }

    /// The job: runs what is offered until there was nothing for a while, or it was there for [`LONGEST`].
    fn help(self: &Arc<Self>) {
        let start = Instant::now();
        let is_free = |member: &Member| !member.is_there.swap(true, Acquire);
        // Others may wait for a piece that this thread is within, and it would not go on while it helps.
        if PIECES.get() == 0
            && let Some(number) = (1..self.members.len()).find(|&n| is_free(&self.members[n]))
        {
            let _guard = within_piece();
            // (Without an error, as a thread of a pool has it as long as it runs jobs.)
            let _ = MEMBERSHIP.try_with(|membership| {
                membership.within(self, number, || {
                    while start.elapsed() < LONGEST && self.run_next(number) {}
                });
            });
            self.members[number].is_there.store(false, Release);
        }
        self.jobs.fetch_sub(1, Relaxed);
    }

    /// Runs the next piece that is offered to a job. Returns false if there was none for a while.
    fn run_next(&self, number: usize) -> bool {
        let start = Instant::now();
        let stop = || _ = self.looking.fetch_sub(1, Relaxed);
        let by = Taker { member: number, depth: 0 };
        self.looking.fetch_add(1, Relaxed);
        while start.elapsed() < PATIENCE {
            if look_often(|| self.members.iter().any(|member| member.run_oldest(0, by, stop))) {
                return true;
            }
            // Other work by rayon, which may take long.
            stop();
            let has_run = do_other_work();
            self.looking.fetch_add(1, Relaxed);
            if !has_run {
                // There may be more threads than cores.
                thread::yield_now();
            }
        }
        stop();
        false
    }

    /// Waits while `runs` holds, for a piece in this slot of the member `number`.
    fn wait(&self, number: usize, slot: &Slot<AtomicU32>, runs: &dyn Fn() -> bool) {
        let by = Taker { member: number, depth: self.members[number].depth.load(Relaxed) };
        let is_outside = rayon::current_thread_index().is_none();
        let mut start = Instant::now();
        while runs() {
            let look = || {
                let helped = slot.state.taker().is_some_and(|taker| {
                    self.members[taker.member].run_oldest(taker.depth, by, || ())
                });
                if helped {
                    start = Instant::now();
                }
                helped || !runs()
            };
            if look_often(look) {
                continue;
            }
            if start.elapsed() < PATIENCE {
                // There may be more threads than cores.
                thread::yield_now();
            } else if is_outside || !do_other_work() {
                // (All threads of the pool may be asked for something, which only they can do.)
                thread::park_timeout(NAP);
            }
        }
    }
}

/// Does some other work by rayon, on a thread of a pool, if there is any. It is not that of the team, so the thread is no member
/// meanwhile. Returns whether there was some.
fn do_other_work() -> bool {
    let number = MEMBERSHIP.try_with(|membership| membership.number.replace(0));
    let has_run = rayon::yield_now() == Some(rayon::Yield::Executed);
    if let Ok(number) = number {
        let _ = MEMBERSHIP.try_with(|membership| membership.number.set(number));
    }
    has_run
}

/// The member of a team that this thread is: on a thread outside of every pool the owner of a team of its own, on one of the pool
/// the job that it runs, if it does.
struct Membership {
    team: RefCell<Option<Arc<Team>>>,
    number: Cell<usize>,
    this: Thread,
}

thread_local! {
    static MEMBERSHIP: Membership =
        Membership { team: RefCell::new(None), number: Cell::new(0), this: thread::current() };

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
struct DepthGuard<'a>(&'a AtomicUsize, usize);

impl Drop for DepthGuard<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Relaxed);
    }
}

impl Membership {
    /// Calls `f`, which does not unwind, while this thread is a member of this team. It does not, if the thread is within a join
    /// of another team.
    fn within(&self, team: &Arc<Team>, number: usize, f: impl FnOnce()) {
        let Ok(mut place) = self.team.try_borrow_mut() else { return };
        let before = (place.replace(Arc::clone(team)), self.number.replace(number));
        drop(place);
        f();
        *self.team.borrow_mut() = before.0;
        self.number.set(before.1);
    }

    /// Runs both pieces. Returns false, without having run any, if a job has no slot left.
    fn join(&self, a: Piece<'_>, b: Piece<'_>) -> bool {
        if self.team.borrow().is_none() {
            *self.team.borrow_mut() = Some(Team::new());
        }
        let team = self.team.borrow();
        let Some(team) = team.as_ref() else { unreachable!("it is there") };
        let number = self.number.get();
        let member = &team.members[number];
        let depth = member.depth.load(Relaxed);
        let Some(slot) = member.slots.get(depth) else {
            if number == 0 {
                a();
                b();
            }
            return number == 0;
        };
        member.depth.store(depth + 1, Relaxed);
        let _guard = DepthGuard(&member.depth, depth);
        let wait = |slot: &Slot<AtomicU32>, runs: &dyn Fn() -> bool| team.wait(number, slot, runs);
        // SAFETY: the slots are those of this thread, which alone offers by them while it is this member. Joins are nested, so
        // this slot is the first one that is not in use. Nothing that waits unwinds: pieces do not, as their panics are
        // caught, nor do other jobs of rayon's.
        unsafe { slot.join(&self.this, a, b, || team.start_job(), wait) };
        true
    }
}

/// Runs `a` and `b` on this thread, if it is outside of every pool or runs a job that helps, together with its team; see
/// [`ForkJoin::join`](super::ForkJoin::join). Returns false, without having run any, if the thread is to fork by rayon.
pub(super) fn join(a: Piece<'_>, b: Piece<'_>) -> bool {
    let is_outside = rayon::current_thread_index().is_none();
    let joined = MEMBERSHIP.try_with(|membership| {
        (is_outside || membership.number.get() > 0) && membership.join(&mut *a, &mut *b)
    });
    joined.unwrap_or_else(|_| {
        // The thread ends: these are destructors of its values.
        if is_outside {
            a();
            b();
        }
        is_outside
    })
}

#[cfg(all(test, not(miri)))]
mod model;
#[cfg(test)]
mod tests;
