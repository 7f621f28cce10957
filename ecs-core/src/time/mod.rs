//! *Fixed time steps*: how many steps are due in the real time that has passed, and how far the time is into the next
//! one.
//!
//! A world has no clock. A step is the same whenever it runs, so a replay of the same steps gives the same bits. A
//! program that follows real time asks its own clock how much has passed, and hands that to a [`FixedTimestep`]. It
//! answers with the [steps that are due](Due), of a fixed [`Rate`]:
//!
//! ```
//! use core::time::Duration;
//! use ecs_core::time::{FixedTimestep, Rate};
//! use ecs_core::{World, world};
//!
//! #[derive(Default)]
//! struct Thrust(f32);
//! #[derive(Clone, Copy)]
//! struct Height(f32);
//! /// The height before the latest step, for drawing.
//! struct Before(f32);
//!
//! world! {
//!     world Rockets;
//!     component Height, Before;
//!     resource Thrust;
//!     system Fly {
//!         each: |height: &mut Height, before: &mut Before, thrust: &Thrust| {
//!             before.0 = height.0;
//!             height.0 += thrust.0;
//!         },
//!     }
//! }
//!
//! let mut world = World::<Rockets>::new();
//! let rocket = world.spawn((Height(0.0), Before(0.0)));
//! // 60 steps per second, and at most 8 of them for one frame.
//! let mut time = FixedTimestep::new(Rate::per_second(60)?, 8)?;
//!
//! // A frame of 40 ms: two steps, and 40 % of the next one.
//! for number in time.advance(Duration::from_millis(40)) {
//!     // The input of a step is a resource, which is set before it.
//!     world.resource_mut::<Thrust>().0 = if number == 0 { 1.0 } else { 2.0 };
//!     world.tick()?;
//! }
//! let [before, height] =
//!     [world.get::<Before>(rocket).unwrap().0, world.get::<Height>(rocket).unwrap().0];
//! assert_eq!([before, height], [1.0, 3.0]);
//! // What is drawn lies between the last two states.
//! let drawn = before + (height - before) * time.alpha();
//! assert!((drawn - 1.8).abs() < 1e-6);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! **Exact.** All arithmetic is on integers. A rate is a fraction, so 60 steps per second do not drift although a step
//! takes no whole number of nanoseconds. Times that are handed in one by one give the same steps as their sum.
//!
//! **Bounded.** After a pause of the program, many steps are due. If each takes longer than the time that it stands for,
//! more and more become due. So an advance returns at most as many steps as the driver was made for, and
//! [drops](Due::dropped) the others: the simulation falls behind the clock.
//!
//! **Replays** record the inputs of steps by their [number](FixedTimestep::steps), and no real time.
//!
//! **Several rates.** A system with `every: 4` runs in each fourth execution of its world. What the program does in every fourth
//! step asks for `number % 4 == 0`. What runs at a rate of its own has a
//! driver of its own, which is handed the same times; [`Rate::time_of`] tells which of two steps comes first.
//!
//! **Timers** in components count steps, and [components that expire](crate::world!#expires) are removed when theirs are over.
//!
//! **Slow motion and pauses** are other times that are handed in: half of the real one, or none.

mod rate;
#[cfg(test)]
mod tests;
mod timer;

use core::error::Error;
use core::fmt;
use core::iter::FusedIterator;
use core::num::NonZeroU32;
use core::time::Duration;

pub use crate::types::Countdown;
pub use rate::Rate;
pub use timer::Timer;

use crate::types::{StateHash, StateHasher};

/// Why there is no such [`FixedTimestep`] or [`Rate`].
///
/// ```
/// use core::time::Duration;
/// use ecs_core::time::{FixedTimestep, Rate, TimeError};
///
/// assert_eq!(Rate::per_second(0), Err(TimeError::ZeroRate));
/// assert_eq!(Rate::every(Duration::ZERO), Err(TimeError::ZeroPeriod));
/// let rate = Rate::per_second(60)?;
/// assert_eq!(FixedTimestep::new(rate, 0), Err(TimeError::ZeroBound));
/// # Ok::<_, TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeError {
    /// No step would ever be due.
    ZeroRate,
    /// Any number of steps would be due at once.
    ZeroPeriod,
    /// No step would ever be returned.
    ZeroBound,
    /// The remainder that was given is a whole step or more.
    RemainderTooLarge,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZeroRate => "a rate of 0 steps has no step that is ever due",
            Self::ZeroPeriod => "a rate of steps in no time has infinitely many steps",
            Self::ZeroBound => "with at most 0 steps in an advance, no step is ever returned",
            Self::RemainderTooLarge => "the remainder is not less than a step of this rate",
        })
    }
}

impl Error for TimeError {}

/// A driver of fixed steps: real time goes in, and the steps that are due come out. The [module](self) has an example.
///
/// It is plain data beside the world: a clone continues exactly as the original does. To store it, keep
/// [`rate`](Self::rate), [`bound`](Self::bound), [`steps`](Self::steps) and [`remainder`](Self::remainder), and give
/// them to [`from_parts`](Self::from_parts). As a resource, it is part of the snapshots and the hash of its world.
#[doc(alias("clock", "accumulator", "overstep"))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FixedTimestep {
    rate: Rate,
    bound: NonZeroU32,
    steps: u64,
    /// The time that no step stands for yet, in `1 / rate.steps()` of a nanosecond. Invariant: less than the nanoseconds
    /// of `rate.period()`, which are the length of a step in this unit.
    remainder: u128,
}

impl FixedTimestep {
    /// A driver whose first step is due after the time of one step. An advance returns at most `bound` steps.
    ///
    /// # Errors
    /// [`TimeError::ZeroBound`] if the bound is 0.
    pub const fn new(rate: Rate, bound: u32) -> Result<Self, TimeError> {
        Self::from_parts(rate, bound, 0, 0)
    }

    /// A driver that continues where another one was, of which the parts were stored.
    ///
    /// ```
    /// use core::time::Duration;
    /// use ecs_core::time::{FixedTimestep, Rate};
    ///
    /// let mut time = FixedTimestep::new(Rate::per_second(60)?, 8)?;
    /// time.advance(Duration::from_millis(40));
    /// let stored = (time.steps(), time.remainder());
    /// let again = FixedTimestep::from_parts(time.rate(), time.bound(), stored.0, stored.1)?;
    /// assert_eq!(again, time);
    /// # Ok::<_, ecs_core::time::TimeError>(())
    /// ```
    ///
    /// # Errors
    /// [`TimeError::ZeroBound`] if the bound is 0; [`TimeError::RemainderTooLarge`] if the remainder is that of another
    /// rate.
    pub const fn from_parts(
        rate: Rate,
        bound: u32,
        steps: u64,
        remainder: u128,
    ) -> Result<Self, TimeError> {
        let Some(bound) = NonZeroU32::new(bound) else { return Err(TimeError::ZeroBound) };
        if remainder >= rate.nanos() {
            return Err(TimeError::RemainderTooLarge);
        }
        Ok(Self { rate, bound, steps, remainder })
    }

    /// Lets `elapsed` pass, and returns the numbers of the steps that are due. They count as taken, also
    /// where a loop over them ends early.
    ///
    /// Of more steps than the bound, the excess is dropped; the part of a step that is left is kept. Constant time; no
    /// duration is too long.
    #[must_use = "the steps that are due count as taken"]
    pub const fn advance(&mut self, elapsed: Duration) -> Due {
        // Below 2⁹⁴ nanoseconds times less than 2³² steps, and less than 2⁹⁴ for the remainder: below 2¹²⁷.
        let time = elapsed.as_nanos() * self.rate.steps() as u128 + self.remainder;
        let due = time / self.rate.nanos();
        self.remainder = time % self.rate.nanos();
        let bound = self.bound.get();
        let steps = if due < bound as u128 { due as u32 } else { bound };
        let dropped = due - steps as u128;
        let dropped = if dropped < u64::MAX as u128 { dropped as u64 } else { u64::MAX };
        let first = self.steps;
        self.steps = first.wrapping_add(steps as u64);
        Due { first, steps, dropped }
    }

    /// How far the time is from the latest step to the next one: from 0 to less than 1. What is drawn is at
    /// `before + (now - before) * alpha`, if `now` is the state after the latest step, and `before` the one before it.
    ///
    /// It is the same bits on every machine. [`alpha_f64`](Self::alpha_f64) is more exact.
    #[doc(alias = "overstep_fraction")]
    #[must_use]
    pub fn alpha(&self) -> f32 {
        (self.alpha_f64() as f32).min(1.0 - f32::EPSILON / 2.0)
    }

    /// As [`alpha`](Self::alpha), in double precision.
    #[must_use]
    pub fn alpha_f64(&self) -> f64 {
        // Conversions and the division are rounded, so that a quotient just below 1 can become 1.
        (self.remainder as f64 / self.rate.nanos() as f64).min(1.0 - f64::EPSILON / 2.0)
    }

    /// The rate of the steps.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// The greatest number of steps that an advance returns.
    #[must_use]
    pub const fn bound(&self) -> u32 {
        self.bound.get()
    }

    /// The number of steps that were due so far, without those that were dropped. It is the number of the next step; it
    /// wraps around after 2⁶⁴.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The time since the latest step that was due, in `1 / rate.steps()` of a nanosecond.
    #[must_use]
    pub const fn remainder(&self) -> u128 {
        self.remainder
    }
}

impl StateHash for FixedTimestep {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.rate.state_hash(hasher);
        (self.bound, self.steps, self.remainder).state_hash(hasher);
    }
}

/// The steps that are due after an [advance](FixedTimestep::advance): an iterator over their numbers, from 0 for the
/// first step of the driver.
///
/// ```
/// use core::time::Duration;
/// use ecs_core::time::{FixedTimestep, Rate};
///
/// let mut time = FixedTimestep::new(Rate::per_second(10)?, 4)?;
/// assert!(time.advance(Duration::from_millis(250)).eq([0, 1]));
/// // Nine are due with the half step before.
/// let due = time.advance(Duration::from_millis(850));
/// assert_eq!((due.len(), due.dropped()), (4, 5));
/// assert!(due.eq([2, 3, 4, 5]));
/// # Ok::<_, ecs_core::time::TimeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "the steps that are due count as taken"]
pub struct Due {
    first: u64,
    steps: u32,
    dropped: u64,
}

impl Due {
    /// How many steps the bound has dropped; `u64::MAX` also if there were more.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl Iterator for Due {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.steps = self.steps.checked_sub(1)?;
        let number = self.first;
        self.first = number.wrapping_add(1);
        Some(number)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.steps as usize, Some(self.steps as usize))
    }
}

impl ExactSizeIterator for Due {}
impl FusedIterator for Due {}
