//! Fixed steps: exact, bounded, and total.

#![expect(clippy::float_cmp, reason = "the exact values count")]
use core::time::Duration;

use proptest::prelude::*;

use super::{FixedTimestep, Rate, TimeError, Timer};
use crate::types::{StateHash, StateHasher};

const HOUR: Duration = Duration::from_hours(1);

fn driver(steps: u32, period: Duration, bound: u32) -> FixedTimestep {
    FixedTimestep::new(Rate::new(steps, period).unwrap(), bound).unwrap()
}

fn durations() -> impl Strategy<Value = Duration> {
    prop_oneof![
        (0..3_u64, 0..1_000_000_000_u32).prop_map(|(s, n)| Duration::new(s, n)),
        (0..100_u32).prop_map(|n| Duration::new(0, n)),
        (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(s, n)| Duration::new(s, n)),
        Just(Duration::ZERO),
        Just(Duration::MAX),
    ]
}

fn rates() -> impl Strategy<Value = Rate> {
    let steps = prop_oneof![1..1000_u32, Just(u32::MAX), 1..=u32::MAX];
    (steps, durations())
        .prop_map(|(steps, period)| Rate::new(steps, period.max(Duration::from_nanos(1))).unwrap())
}

#[test]
fn an_hour_of_uneven_frames_has_the_steps_of_an_hour() {
    // A step takes 16 666 666 ns and two thirds. Steps of whole nanoseconds would leave a remainder of 144 µs.
    let mut time = driver(60, Duration::from_secs(1), 1000);
    let (mut left, mut steps, mut frame) = (HOUR, 0, 1);
    while !left.is_zero() {
        frame = frame * 48_271 % 0x7fff_ffff;
        let elapsed = Duration::from_nanos(frame % 40_000_000).min(left);
        left -= elapsed;
        let due = time.advance(elapsed);
        assert_eq!(due.dropped(), 0);
        steps += due.len();
    }
    assert_eq!((steps, time.remainder(), time.alpha()), (3600 * 60, 0, 0.0));
    assert_eq!(time.rate().time_of(time.steps()), HOUR);
}

#[test]
fn numbers_follow_one_another_over_advances_and_wrap_around() {
    let rate = Rate::every(Duration::from_nanos(1)).unwrap();
    let mut time = FixedTimestep::from_parts(rate, 10, u64::MAX - 1, 0).unwrap();
    assert!(time.advance(Duration::from_nanos(3)).eq([u64::MAX - 1, u64::MAX, 0]));
    assert!(time.advance(Duration::ZERO).eq([]));
    assert!(time.advance(Duration::from_nanos(1)).eq([1]));
}

#[test]
fn the_bound_drops_whole_steps_and_keeps_the_part() {
    let mut time = driver(3, Duration::from_secs(1), 2);
    let due = time.advance(Duration::from_millis(2500));
    assert_eq!((due.clone().collect::<Vec<_>>(), due.dropped()), (vec![0, 1], 5));
    assert_eq!(time.alpha(), 0.5);
    assert!(time.advance(Duration::from_millis(250)).eq([2]));
    assert_eq!(time.steps(), 3);
}

#[test]
fn the_longest_time_at_the_fastest_rate_is_counted() {
    let mut time = driver(u32::MAX, Duration::from_nanos(1), u32::MAX);
    let due = time.advance(Duration::MAX);
    assert_eq!((due.len(), due.dropped()), (u32::MAX as usize, u64::MAX));
    assert_eq!(time.steps(), u64::from(u32::MAX));
    assert_eq!(time.rate().time_of(u64::MAX), Duration::from_nanos((1 << 32) + 1));
    assert_eq!(Rate::every(Duration::MAX).unwrap().time_of(u64::MAX), Duration::MAX);
    assert_eq!(Rate::every(Duration::MAX).unwrap().time_of(2), Duration::MAX);
    assert_eq!(Rate::every(Duration::MAX).unwrap().time_of(1), Duration::MAX);
}

#[test]
fn what_cannot_be_is_an_error() {
    let second = Duration::from_secs(1);
    assert_eq!(Rate::new(0, second), Err(TimeError::ZeroRate));
    assert_eq!(Rate::new(1, Duration::ZERO), Err(TimeError::ZeroPeriod));
    let rate = Rate::new(1, second).unwrap();
    assert_eq!(FixedTimestep::new(rate, 0), Err(TimeError::ZeroBound));
    let nanos = second.as_nanos();
    assert!(FixedTimestep::from_parts(rate, 1, 0, nanos - 1).is_ok());
    assert_eq!(FixedTimestep::from_parts(rate, 1, 0, nanos), Err(TimeError::RemainderTooLarge));
    let errors = [TimeError::ZeroRate, TimeError::ZeroPeriod, TimeError::ZeroBound];
    assert!(errors.iter().all(|error| error.to_string().contains("step")));
}

#[test]
fn alpha_stays_below_one() {
    let rate = Rate::every(Duration::MAX).unwrap();
    let last = Duration::MAX.as_nanos() - 1;
    let time = FixedTimestep::from_parts(rate, 1, 0, last).unwrap();
    assert!(last as f64 / (last + 1) as f64 == 1.0, "the quotient is rounded up");
    assert!(time.alpha_f64() < 1.0 && time.alpha() < 1.0);
    let second = Rate::every(Duration::from_secs(1)).unwrap();
    let time = FixedTimestep::from_parts(second, 1, 0, 999_999_999).unwrap();
    assert!(time.alpha_f64() as f32 == 1.0, "the conversion is rounded up");
    assert!(time.alpha() < 1.0);
}

fn hash(value: &impl StateHash) -> u64 {
    let mut hasher = StateHasher::new();
    value.state_hash(&mut hasher);
    hasher.finish()
}

#[test]
fn a_timer_ends_with_its_last_step() {
    let at = |mut timer: Timer| (1..=7).filter(|_| timer.tick()).collect::<Vec<i32>>();
    assert_eq!(at(Timer::once(3)), [3]);
    assert_eq!(at(Timer::once(7)), [7]);
    assert_eq!(at(Timer::once(0)), [0; 0]);
    assert_eq!(at(Timer::once(8)), [0; 0]);
    assert_eq!(at(Timer::repeating(3).unwrap()), [3, 6]);
    assert_eq!(at(Timer::repeating(1).unwrap()), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(Timer::repeating(0), Err(TimeError::ZeroPeriod));
    let mut timer = Timer::once(1);
    assert!(!timer.has_ended() && timer.tick() && timer.has_ended() && !timer.tick());
    let mut timer = Timer::repeating(2).unwrap();
    assert_eq!([timer.left(), u32::from(timer.tick()), timer.left()], [2, 0, 1]);
    assert!(timer.tick() && timer.left() == 2 && !timer.has_ended());
    let all = [Timer::once(2), Timer::once(3), timer].map(|timer| hash(&timer));
    assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
}

#[test]
fn a_time_has_the_steps_that_cover_it() {
    let third = Rate::new(3, Duration::from_nanos(10)).unwrap();
    let steps = [0, 1, 3, 4, 6, 7, 10, 11].map(|nanos| third.steps_in(Duration::from_nanos(nanos)));
    assert_eq!(steps, [0, 1, 1, 2, 2, 3, 3, 4]);
    let fastest = Rate::new(u32::MAX, Duration::from_nanos(1)).unwrap();
    assert_eq!(fastest.steps_in(Duration::MAX), u64::MAX);
    assert_eq!(Rate::every(Duration::MAX).unwrap().steps_in(Duration::MAX), 1);
}

#[test]
fn the_hash_has_every_part() {
    let second = Duration::from_secs(1);
    let all = [
        driver(60, second, 8),
        driver(61, second, 8),
        driver(60, 2 * second, 8),
        driver(60, second, 9),
        FixedTimestep::from_parts(Rate::new(60, second).unwrap(), 8, 1, 0).unwrap(),
        FixedTimestep::from_parts(Rate::new(60, second).unwrap(), 8, 0, 1).unwrap(),
    ];
    for (at, one) in all.iter().enumerate() {
        assert!(all[..at].iter().all(|other| hash(other) != hash(one) && other != one));
        assert_eq!(hash(&one.clone()), hash(one));
    }
}

proptest! {
    #[test]
    fn parts_of_a_time_give_the_steps_of_their_sum(
        steps in 1..10_000_u32,
        period in 1..3_000_000_000_u64,
        parts in prop::collection::vec(0..10_000_000_u64, 0..20),
    ) {
        let mut parted = driver(steps, Duration::from_nanos(period), u32::MAX);
        let mut whole = parted.clone();
        let mut numbers = Vec::new();
        for part in &parts {
            let due = parted.advance(Duration::from_nanos(*part));
            prop_assert_eq!(due.dropped(), 0);
            numbers.push((due.clone().next(), due.len() as u64));
        }
        let due = whole.advance(Duration::from_nanos(parts.iter().sum()));
        prop_assert_eq!(numbers.iter().map(|(_, count)| count).sum::<u64>(), due.len() as u64);
        prop_assert_eq!(&parted, &whole);
        let mut next = 0;
        for (first, count) in numbers {
            prop_assert!(first.is_none_or(|first| first == next));
            next += count;
        }
    }

    #[test]
    fn no_time_and_no_rate_panics(
        rate in rates(),
        bound in prop_oneof![1..5_u32, Just(u32::MAX)],
        times in prop::collection::vec(durations(), 1..8),
    ) {
        let mut time = FixedTimestep::new(rate, bound).unwrap();
        for elapsed in times {
            let before = time.clone();
            let due = time.advance(elapsed);
            let taken = due.len() as u64;
            prop_assert!(taken <= u64::from(bound));
            prop_assert!(due.dropped() == 0 || taken == u64::from(bound));
            prop_assert_eq!(time.steps(), before.steps() + taken);
            prop_assert!((0.0..1.0).contains(&time.alpha()) && (0.0..1.0).contains(&time.alpha_f64()));
            if due.dropped() < u64::MAX {
                // The time before and the time that has passed are those of the steps and what is left.
                let all = u128::from(due.dropped()) + u128::from(taken);
                let passed = elapsed.as_nanos() * u128::from(rate.steps()) + before.remainder();
                prop_assert_eq!(all * rate.period().as_nanos() + time.remainder(), passed);
            }
            let again = FixedTimestep::from_parts(rate, bound, time.steps(), time.remainder());
            prop_assert_eq!(again.unwrap(), time.clone());
            let _ = (rate.time_of(time.steps()), rate.step_seconds());
        }
    }
}
