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
    let threads = leaves(6, Duration::from_millis(2));
    assert_eq!(threads.len(), 64);
    assert!(threads.contains(&thread::current().id()));
    if has_help() {
        assert!(threads.iter().any(|&thread| thread != thread::current().id()));
    }
    assert_eq!(OWN.with(|own| own.depth.get()), 0);
}

#[test]
fn joins_below_the_last_slot_are_run_by_one_thread() {
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
fn jobs_end_when_nothing_is_offered() {
    let offers = Offers::of_this_thread();
    if has_help() {
        offers.call();
        assert_eq!(offers.jobs.load(Relaxed), 1);
    }
    for _ in 0..1_000 {
        if offers.jobs.load(Relaxed) == 0 {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    assert_eq!((offers.jobs.load(Relaxed), offers.looking.load(Relaxed)), (0, 0));
}
