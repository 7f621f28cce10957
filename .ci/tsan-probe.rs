//! Programs that `.ci/tsan` must report, and one that it must not: `probe CASE`.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rayon::ThreadPoolBuilder;

/// A number without synchronisation.
struct Shared(UnsafeCell<u64>);

// SAFETY: there is none. This is the error to be reported.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new(0));

/// Adds to the number: a race, if another thread does so, too, and the two are unordered.
#[inline(never)]
fn add() {
    // SAFETY: see above.
    unsafe { *SHARED.0.get() += 1 };
}

/// Waits for the other task, by a counter that establishes no order. Without it, one task might finish before the other
/// one starts, and the pool's own counters would order them.
fn meet() {
    static HERE: AtomicUsize = AtomicUsize::new(0);
    HERE.fetch_add(1, Ordering::Relaxed);
    while HERE.load(Ordering::Relaxed) < 2 {
        std::thread::yield_now();
    }
}

fn main() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    match std::env::args().nth(1).as_deref() {
        // Two tasks of one pool that run at the same time.
        Some("race_of_tasks") => {
            pool.broadcast(|_| {
                meet();
                add();
            });
        }
        // A task, and the thread that starts it and does not wait for it.
        Some("race_with_the_caller") => {
            pool.spawn(add);
            add();
            pool.install(|| {});
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        // Two tasks, one after the other, with a flag between them that establishes no order.
        Some("race_by_a_relaxed_flag") => {
            static IS_SET: AtomicBool = AtomicBool::new(false);
            pool.broadcast(|context| {
                meet();
                if context.index() == 0 {
                    add();
                    IS_SET.store(true, Ordering::Relaxed);
                } else {
                    while !IS_SET.load(Ordering::Relaxed) {
                        std::thread::yield_now();
                    }
                    add();
                }
            });
        }
        // The same number, behind a lock, and passed to the pool and back; and a value with several owners.
        Some("no_race") => {
            let lock = Arc::new(Mutex::new(vec![0]));
            for _ in 0..200 {
                let owner = Arc::clone(&lock);
                pool.install(add);
                pool.broadcast(|_| {
                    let mut values = owner.lock().expect("no panic");
                    values.push(1);
                    add();
                });
                add();
                let last = Arc::new(vec![String::from("owned")]);
                let other = Arc::clone(&last);
                pool.spawn(move || drop(other));
                drop(last);
            }
        }
        case => panic!("no such case: {case:?}"),
    }
}
