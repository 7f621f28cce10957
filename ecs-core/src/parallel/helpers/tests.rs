//! Joins on a thread outside of every pool.

use std::sync::atomic::AtomicUsize;
use std::thread::{ThreadId, sleep};
use std::time::Duration;

use super::*;
use crate::parallel::{ForkJoin, Rayon};

/// A tree of joins with `2^depth` leaves, each of which takes `time`. Returns the threads that have run them.
fn leaves(depth: u32, time: Duration) -> Vec<ThreadId> {
    if depth == 0 {
        sleep(time);
        return vec![thread::current().id()];
    }
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    Rayon.join(|| ones = leaves(depth - 1, time), || others = leaves(depth - 1, time));
    ones.append(&mut others);
    ones
}

/// Whether rayon's global pool has a second thread, without which nothing helps.
fn has_help() -> bool {
    rayon::current_num_threads() > 1
}

#[test]
fn the_calling_thread_works_and_others_help() {
    // The leaves are short, or take longer than a waiting thread stays awake.
    for time in [Duration::ZERO, Duration::from_micros(400)] {
        for _ in 0..50 {
            assert_eq!(leaves(5, time).len(), 32);
        }
    }
    let this = thread::current().id();
    // The other tests have the pool at times.
    let helped = (0..500).any(|_| {
        let threads = leaves(3, Duration::from_millis(1));
        assert!(threads.contains(&this));
        threads.iter().any(|&thread| thread != this)
    });
    assert_eq!(helped, has_help());
    assert_eq!(OFFERS.with(|local| local.depth.get()), 0);
}

#[test]
fn joins_deeper_than_the_slots_are_run_too() {
    fn deep(depth: usize) -> usize {
        if depth == 0 {
            return 1;
        }
        let (mut one, mut other) = (0, 0);
        Rayon.join(|| one = deep(depth - 1), || other = 1);
        one + other
    }
    assert_eq!(deep(5 * SLOTS), 5 * SLOTS + 1);
}

#[test]
fn several_threads_offer_at_the_same_time() {
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(leaves(6, Duration::from_micros(20)).len(), 64);
                }
            });
        }
    });
}

#[test]
fn a_panic_comes_out_when_both_pieces_have_ended() {
    for (one, other) in [(true, false), (false, true), (true, true)] {
        let ended = AtomicUsize::new(0);
        let piece = |panics: Option<&'static str>| {
            sleep(Duration::from_millis(1));
            ended.fetch_add(1, Relaxed);
            if let Some(panic) = panics {
                resume_unwind(Box::new(panic));
            }
        };
        let joined =
            || Rayon.join(|| piece(one.then_some("one")), || piece(other.then_some("other")));
        let payload = catch_unwind(AssertUnwindSafe(joined)).expect_err("a piece has panicked");
        assert_eq!(payload.downcast_ref(), Some(&if one { "one" } else { "other" }));
        // If the first one panics, the other one may not have begun.
        assert!(ended.into_inner() > usize::from(!one));
    }
    assert_eq!(leaves(4, Duration::ZERO).len(), 16);
}

#[test]
fn a_panic_of_a_piece_that_another_thread_has_taken_comes_out() {
    for one in [false, true] {
        let slot = Slot::new(AtomicU8::new(EMPTY));
        let begun = AtomicUsize::new(0);
        let mut a = || {
            while begun.load(Relaxed) == 0 {
                thread::yield_now();
            }
            if one {
                resume_unwind(Box::new("one"));
            }
        };
        let mut b = || {
            begun.store(1, Relaxed);
            resume_unwind(Box::new("other"));
        };
        let payload = thread::scope(|scope| {
            scope.spawn(|| while !slot.run(|| ()) {});
            let wait = |runs: &dyn Fn() -> bool| wait_while(runs);
            // SAFETY: only this thread offers by the slot, which is empty. Nothing that waits unwinds.
            let joined = || unsafe { slot.join(&mut a, &mut b, || (), wait) };
            catch_unwind(AssertUnwindSafe(joined)).expect_err("a piece has panicked")
        });
        assert_eq!(payload.downcast_ref(), Some(&if one { "one" } else { "other" }));
    }
}

#[test]
fn a_thread_that_ends_joins_alone() {
    struct JoinsLast(Arc<AtomicUsize>);
    impl Drop for JoinsLast {
        fn drop(&mut self) {
            self.0.store(leaves(3, Duration::ZERO).len(), Relaxed);
        }
    }
    thread_local! {
        static LAST: Cell<Option<JoinsLast>> = const { Cell::new(None) };
    }
    let count = Arc::new(AtomicUsize::new(0));
    let given = Arc::clone(&count);
    // Values of a thread are dropped in the order in which they were made, or in the other one; both are tried.
    for first in [true, false] {
        let given = Arc::clone(&given);
        let end = thread::spawn(move || {
            if first {
                leaves(1, Duration::ZERO);
            }
            LAST.set(Some(JoinsLast(given)));
            leaves(1, Duration::ZERO);
        });
        end.join().expect("nothing panics");
        assert_eq!(count.swap(0, Relaxed), 8);
    }
}

#[test]
fn a_job_that_was_there_for_long_takes_no_further_piece() {
    let offers = Offers::of_this_thread();
    let (is_over, begun, helped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let helper = thread::current().id();
    thread::scope(|scope| {
        scope.spawn(|| {
            let wait = |runs: &dyn Fn() -> bool| wait_while(runs);
            while is_over.load(Relaxed) == 0 {
                begun.store(0, Relaxed);
                // The owner is busy until the job has taken the piece.
                let mut a = || {
                    while begun.load(Relaxed) + is_over.load(Relaxed) == 0 {
                        thread::yield_now();
                    }
                };
                let mut b = || {
                    begun.store(1, Relaxed);
                    if thread::current().id() == helper {
                        // So that a job which takes all that is offered ends, too.
                        if helped.fetch_add(1, Relaxed) > 5 {
                            is_over.store(1, Relaxed);
                        }
                        sleep(2 * LONGEST);
                    }
                };
                // SAFETY: only this thread offers by the slot, which is empty. Nothing that waits unwinds.
                unsafe { offers.slots[0].join(&mut a, &mut b, || (), wait) };
            }
        });
        for pieces in 1..=5 {
            while helped.load(Relaxed) < pieces {
                offers.jobs.fetch_add(1, Relaxed);
                offers.help();
            }
            assert_eq!(helped.load(Relaxed), pieces, "a further offer is not taken");
        }
        is_over.store(1, Relaxed);
    });
    assert_eq!((offers.jobs.load(Relaxed), offers.looking.load(Relaxed)), (0, 0));
}

#[test]
fn a_thread_within_a_piece_does_not_help() {
    let offers = Offers::of_this_thread();
    let mut b = || ();
    let within = || {
        let _guard = within_piece();
        offers.jobs.fetch_add(1, Relaxed);
        offers.help();
        assert_eq!(offers.slots[0].state.load(Relaxed), OFFERED, "nothing is taken");
    };
    let has_waited = Cell::new(false);
    let wait = |_: &dyn Fn() -> bool| has_waited.set(true);
    // SAFETY: only this thread offers by the slot, which is empty. What waits does not unwind.
    unsafe { offers.slots[0].join(&mut || (), &mut b, within, wait) };
    assert!(!has_waited.get(), "nothing was taken");
    assert_eq!((offers.jobs.load(Relaxed), PIECES.get()), (0, 0));
}

#[test]
fn jobs_end_when_nothing_is_offered() {
    let offers = Offers::of_this_thread();
    offers.start_job();
    assert!(offers.jobs.load(Relaxed) <= 1);
    for _ in 0..1_000 {
        if offers.jobs.load(Relaxed) == 0 {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    assert_eq!((offers.jobs.load(Relaxed), offers.looking.load(Relaxed)), (0, 0));
}
