//! The order in which the subtasks of one system run.

use std::thread;
use std::time::Duration;

use super::Dice;
use super::{ForkJoin, fork_each};

/// How the subtasks of a system run in the next execution. A [`Scheduler`] returns it from
/// [`Scheduler::subtask_order`].
///
/// It does not affect the result of a system that uses only its proxies. Where a system has one subtask in every
/// execution, that runs at once.
///
/// [`Scheduler`]: crate::scheduler::Scheduler
/// [`Scheduler::subtask_order`]: crate::scheduler::Scheduler::subtask_order
///
/// ```
/// use ecs_core::scheduler::{Dag, Scheduler, Sequential, SubtaskOrder};
///
/// let scheduler = Sequential::new(&Dag::new::<_, usize>(&[vec![]])?);
/// assert_eq!(scheduler.subtask_order(), SubtaskOrder::SideBySide);
/// # Ok::<_, ecs_core::scheduler::DagError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubtaskOrder {
    /// Side by side; with one thread, in order.
    #[default]
    SideBySide,
    /// One after the other on the system's thread, in an order that follows from the number and the system.
    /// Allocates.
    Shuffled(u64),
    /// Side by side, with a pause before and after each, which follows from the number, the system and the
    /// subtask. The duration limits each pause, as far as the timer permits. Many pauses are shorter or empty.
    Delayed(u64, Duration),
}

impl SubtaskOrder {
    /// Runs the subtasks of the system with this number: calls `f` once with the position of each item and the
    /// item, as [`fork_each`] does.
    pub(crate) fn run<T: Send>(
        self,
        executor: &impl ForkJoin,
        system: usize,
        items: &mut [T],
        f: &(dyn Fn(usize, &mut T) + Sync),
    ) {
        match self {
            Self::SideBySide => fork_each(executor, items, &f),
            Self::Shuffled(number) => {
                let mut positions: Vec<usize> = (0..items.len()).collect();
                Dice::of([number, system as u64]).shuffle(&mut positions);
                for position in positions {
                    f(position, &mut items[position]);
                }
            }
            Self::Delayed(number, longest) => {
                let delayed: &(dyn Fn(usize, &mut T) + Sync) = &|position, item| {
                    let dice = Dice::of([number, system as u64, position as u64]);
                    between_pauses(dice, longest, || f(position, item));
                };
                fork_each(executor, items, &delayed);
            }
        }
    }
}

/// Calls `f`, with a pause before and one after it.
pub(crate) fn between_pauses<R>(mut dice: Dice, longest: Duration, f: impl FnOnce() -> R) -> R {
    pause(&mut dice, longest);
    let result = f();
    pause(&mut dice, longest);
    result
}

/// Half of the pauses are empty, a quarter yield the core to another waiting thread, and a quarter sleep for up
/// to `longest`.
fn pause(dice: &mut Dice, longest: Duration) {
    match dice.below(4) {
        0 => thread::sleep(part(dice, longest)),
        1 => thread::yield_now(),
        _ => {}
    }
}

/// A random fraction of a duration.
fn part(dice: &mut Dice, whole: Duration) -> Duration {
    whole.mul_f64(dice.below(1 << 20) as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{Inline, Threads};
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    /// The order in which five subtasks run. Checks that each has its own item.
    fn order(executor: &impl ForkJoin, subtasks: SubtaskOrder, system: usize) -> Vec<usize> {
        let order = Mutex::new(Vec::new());
        let mut items = [0; 5];
        subtasks.run(executor, system, &mut items, &|position, item| {
            *item += position + 1;
            order.lock().unwrap().push(position);
        });
        assert_eq!(items, [1, 2, 3, 4, 5]);
        order.into_inner().unwrap()
    }

    fn on_all(subtasks: SubtaskOrder, system: usize) -> Vec<usize> {
        Threads::Global.run(|workers| order(workers, subtasks, system))
    }

    #[test]
    fn every_order_is_reached_and_comes_again() {
        let orders: BTreeSet<_> =
            (0..2_000).map(|n| on_all(SubtaskOrder::Shuffled(n), 3)).collect();
        assert_eq!(orders.len(), 120, "all there are");
        let again = |system| (0..9).map(move |n| on_all(SubtaskOrder::Shuffled(n), system));
        assert!(again(3).eq(again(3)));
        assert!(!again(3).eq(again(4)), "each system has its own");
    }

    #[test]
    fn all_run_with_delays() {
        for number in 0..50 {
            let mut order = on_all(SubtaskOrder::Delayed(number, Duration::from_micros(50)), 0);
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn one_thread_keeps_the_order_unless_it_is_shuffled() {
        for subtasks in [SubtaskOrder::SideBySide, SubtaskOrder::Delayed(7, Duration::ZERO)] {
            assert_eq!(order(&Inline, subtasks, 0), [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn pauses_are_no_longer_than_they_may_be() {
        let mut dice = Dice::of([1]);
        let longest = Duration::from_millis(8);
        let lengths: Vec<Duration> = (0..1_000).map(|_| part(&mut dice, longest)).collect();
        assert!(lengths.iter().all(|&length| length < longest));
        assert!((1..8).all(|ms| lengths.iter().any(|length| length.as_millis() == ms)));
    }
}
