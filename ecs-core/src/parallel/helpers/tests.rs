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

/// The slots of this thread, which owns a team, that are in use.
fn depth_of_this_thread() -> usize {
    MEMBERSHIP.with(|membership| {
        let team = membership.team.borrow();
        team.as_ref().map_or(0, |team| team.members[membership.number.get()].depth.load(Relaxed))
    })
}

/// The first job of a team.
const JOB: Taker = Taker { member: 1, depth: 0 };

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
    assert_eq!(depth_of_this_thread(), 0);
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
        let slot = Slot::new(AtomicU32::new(EMPTY));
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
            scope.spawn(|| while !slot.run(JOB, || ()) {});
            let wait = |_: &Slot<AtomicU32>, _: &dyn Fn() -> bool| thread::yield_now();
            let this = thread::current();
            // SAFETY: only this thread offers by the slot, which is empty. Nothing that waits unwinds.
            let joined = || unsafe { slot.join(&this, &mut a, &mut b, || (), wait) };
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
    let team = Team::new();
    let (is_over, begun, helped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let helper = thread::current().id();
    team.members[0].depth.store(1, Relaxed);
    thread::scope(|scope| {
        scope.spawn(|| {
            let this = thread::current();
            let wait = |_: &Slot<AtomicU32>, _: &dyn Fn() -> bool| thread::yield_now();
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
                unsafe { team.members[0].slots[0].join(&this, &mut a, &mut b, || (), wait) };
            }
        });
        for pieces in 1..=5 {
            while helped.load(Relaxed) < pieces {
                team.jobs.fetch_add(1, Relaxed);
                team.help();
            }
            assert_eq!(helped.load(Relaxed), pieces, "a further offer is not taken");
        }
        is_over.store(1, Relaxed);
    });
    assert_eq!((team.jobs.load(Relaxed), team.looking.load(Relaxed)), (0, 0));
}

#[test]
fn a_thread_within_a_piece_does_not_help() {
    let team = Team::new();
    team.members[0].depth.store(1, Relaxed);
    let mut b = || ();
    let within = || {
        let _guard = within_piece();
        team.jobs.fetch_add(1, Relaxed);
        team.help();
        assert_eq!(team.members[0].slots[0].state.load(Relaxed), OFFERED, "nothing is taken");
    };
    let has_waited = Cell::new(false);
    let wait = |_: &Slot<AtomicU32>, _: &dyn Fn() -> bool| has_waited.set(true);
    let this = thread::current();
    // SAFETY: only this thread offers by the slot, which is empty. What waits does not unwind.
    unsafe { team.members[0].slots[0].join(&this, &mut || (), &mut b, within, wait) };
    assert!(!has_waited.get(), "nothing was taken");
    assert_eq!((team.jobs.load(Relaxed), PIECES.get()), (0, 0));
}

/// The owner's first piece is short. The second one, which a job has, offers pieces of its own, at once or when the owner has gone to
/// sleep, and the owner runs some of them.
#[test]
fn a_member_that_waits_helps_with_the_piece_that_it_waits_for() {
    let this = thread::current().id();
    for later in [Duration::ZERO, 10 * PATIENCE] {
        let helped = (0..200).any(|_| {
            let begun = AtomicUsize::new(0);
            let mut threads = Vec::new();
            Rayon.join(
                || {
                    let start = Instant::now();
                    while begun.load(Relaxed) == 0 && start.elapsed() < Duration::from_millis(20) {
                        thread::yield_now();
                    }
                },
                || {
                    begun.store(1, Relaxed);
                    sleep(later);
                    threads = leaves(4, Duration::from_millis(1));
                    threads.push(thread::current().id());
                },
            );
            let by_job = threads.pop().is_some_and(|thread| thread != this);
            by_job && threads.contains(&this)
        });
        assert_eq!(helped, has_help());
        assert_eq!(depth_of_this_thread(), 0);
    }
}

/// What a job finds to do while it waits is not its team's: it forks by rayon.
#[test]
fn other_work_is_that_of_no_member() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let (sender, found) = std::sync::mpsc::channel();
    pool.install(|| {
        let team = Team::new();
        MEMBERSHIP.with(|membership| {
            membership.within(&team, 1, || {
                assert!(!do_other_work(), "there is none");
                rayon::spawn(move || {
                    let number = MEMBERSHIP.with(|membership| membership.number.get());
                    let mut depth = 0;
                    Rayon.join(|| depth = depth_of_this_thread(), || ());
                    sender.send((number, depth)).expect("it is waited for");
                });
                assert!(do_other_work());
                assert_eq!(membership.number.get(), 1);
                assert_eq!(team.members[1].depth.load(Relaxed), 0);
            });
            assert!(membership.team.borrow().is_none());
        });
    });
    assert_eq!(found.recv(), Ok((0, 0)));
}

/// A job has no slot for joins as deep as these.
#[test]
fn deep_joins_of_a_job_are_run_too() {
    fn deep(depth: usize, leaves: &AtomicUsize) {
        if depth > 0 {
            Rayon.join(|| deep(depth - 1, leaves), || _ = leaves.fetch_add(1, Relaxed));
        }
    }

    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let leaves = AtomicUsize::new(0);
    pool.install(|| {
        let team = Team::new();
        MEMBERSHIP.with(|membership| {
            membership.within(&team, 1, || deep(3 * SLOTS, &leaves));
        });
        assert_eq!(team.members[1].depth.load(Relaxed), 0);
    });
    assert_eq!(leaves.into_inner(), 3 * SLOTS);
}

/// A body may ask all threads of the pool for something, also those that wait for a piece.
#[test]
fn threads_that_wait_do_other_work_of_rayons() {
    for _ in 0..20 {
        let asked = AtomicUsize::new(0);
        let ask = || {
            rayon::broadcast(|_| asked.fetch_add(1, Relaxed));
        };
        let both = || Rayon.join(|| sleep(Duration::from_micros(300)), ask);
        Rayon.join(both, both);
        assert_eq!(asked.into_inner(), 2 * rayon::current_num_threads());
    }
}

#[test]
fn a_taker_is_in_the_state() {
    assert!([EMPTY, OFFERED, DONE].map(Taker::of).iter().all(Option::is_none));
    for member in [0, 1, 2, Team::MOST - 1] {
        for depth in 0..=SLOTS {
            let taker = Taker { member, depth };
            assert_eq!(Taker::of(taker.state()), Some(taker));
        }
    }
}

#[test]
fn jobs_end_when_nothing_is_offered() {
    let team = Team::new();
    team.start_job();
    assert!(team.jobs.load(Relaxed) <= 1);
    for _ in 0..1_000 {
        if team.jobs.load(Relaxed) == 0 {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    assert_eq!((team.jobs.load(Relaxed), team.looking.load(Relaxed)), (0, 0));
}
