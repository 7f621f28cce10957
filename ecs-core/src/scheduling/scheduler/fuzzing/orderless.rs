//! Checks that every seed gives the same result.

use std::fmt;
use std::thread;

/// Calls `run` with each seed, and panics at the first that does not give `expected`, with the seed in the
/// message. It tests that the order of systems and subtasks does not affect results.
///
/// If `run` itself panics, the seed is printed on the standard error.
///
/// ```
/// use ecs_core::scheduler::{Delayed, Shuffled, assert_orderless};
/// use ecs_core::settings::{Scheduled, Settings};
/// use ecs_core::{Threads, World, world};
/// use std::sync::Mutex;
///
/// /// What has been counted. A static is what no declaration knows.
/// static COUNTED: Mutex<Vec<i32>> = Mutex::new(Vec::new());
///
/// #[derive(Default)]
/// struct Total(i32);
///
/// world! {
///     world Votes;
///     resource Total;
///     system Yes { run: |_| COUNTED.lock().unwrap().push(3) }
///     system No { run: |_| COUNTED.lock().unwrap().push(-2) }
///     system Tally {
///         inputs: [Yes, No],
///         write_resources: [Total],
///         run: |data| {
///             // `Yes` and `No` may come in any order. A sum does not show it; the first vote would.
///             let counted: Vec<i32> = COUNTED.lock().unwrap().drain(..).collect();
///             data.resources.get_mut::<Total>().0 += counted.iter().sum::<i32>();
///         },
///     }
/// }
///
/// fn total<S: Settings>(mut world: World<Votes, S>) -> i32 {
///     for _ in 0..3 {
///         world.tick().unwrap();
///     }
///     world.resource::<Total>().0
/// }
///
/// assert_orderless(0..50, &3, |seed| {
///     type Shuffling = Scheduled<Votes, Shuffled>;
///     total(World::<Votes, Shuffling>::with_scheduler(Threads::Inline, |dag| {
///         Shuffled::seeded(dag, seed)
///     }))
/// });
/// assert_orderless(0..5, &3, |seed| {
///     type Delaying = Scheduled<Votes, Delayed>;
///     total(World::<Votes, Delaying>::with_scheduler(Threads::Global, |dag| {
///         Delayed::seeded(dag, seed)
///     }))
/// });
/// ```
///
/// # Panics
/// If a seed does not give `expected`, and with the panic of `run`.
#[track_caller]
pub fn assert_orderless<T>(
    seeds: impl IntoIterator<Item = u64>,
    expected: &T,
    mut run: impl FnMut(u64) -> T,
) where
    T: PartialEq + fmt::Debug,
{
    for seed in seeds {
        let told = TellInPanic(seed);
        let result = run(seed);
        drop(told);
        assert!(
            result == *expected,
            "seed {seed} gives another result: something depends on the order of systems or subtasks\n\
             expected: {expected:?}\n\
             \x20   with it: {result:?}"
        );
    }
}

/// Prints the seed if it is dropped during a panic.
struct TellInPanic(u64);

impl Drop for TellInPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the panic came with seed {}", self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_tried_up_to_the_first_that_differs() {
        let mut tried = Vec::new();
        assert_orderless(3..6, &7, |seed| {
            tried.push(seed);
            7
        });
        assert_eq!(tried, [3, 4, 5]);
    }

    #[test]
    #[should_panic(expected = "seed 17 gives another result")]
    fn the_seed_is_named() {
        assert_orderless(0..100, &"same", |seed| if seed == 17 { "other" } else { "same" });
    }
}
