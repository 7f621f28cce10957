//! How many steps there are in a time.

use core::num::NonZeroU32;
use core::time::Duration;

use super::TimeError;
use crate::types::{StateHash, StateHasher};

/// A number of steps in a period of time, as a fraction: 60 steps per second is exact.
///
/// ```
/// use core::time::Duration;
/// use ecs_core::time::Rate;
///
/// let film = Rate::new(24_000, Duration::from_secs(1001))?; // 23.976… per second
/// assert_eq!((film.steps(), film.period()), (24_000, Duration::from_secs(1001)));
/// assert_eq!(film.time_of(24_000), Duration::from_secs(1001));
/// assert_eq!(Rate::every(Duration::from_millis(20))?.step_seconds(), 0.02);
/// # Ok::<_, ecs_core::time::TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    steps: NonZeroU32,
    /// Invariant: not zero.
    period: Duration,
}

impl Rate {
    /// `steps` steps in each period.
    ///
    /// # Errors
    /// [`TimeError::ZeroRate`] if there is no step, [`TimeError::ZeroPeriod`] if there is no time.
    pub const fn new(steps: u32, period: Duration) -> Result<Self, TimeError> {
        let Some(steps) = NonZeroU32::new(steps) else { return Err(TimeError::ZeroRate) };
        if period.is_zero() {
            return Err(TimeError::ZeroPeriod);
        }
        Ok(Self { steps, period })
    }

    /// `steps` steps in each second.
    ///
    /// # Errors
    /// [`TimeError::ZeroRate`] if there is no step.
    #[doc(alias = "hertz")]
    pub const fn per_second(steps: u32) -> Result<Self, TimeError> {
        Self::new(steps, Duration::from_secs(1))
    }

    /// One step in each period.
    ///
    /// # Errors
    /// [`TimeError::ZeroPeriod`] if there is no time.
    pub const fn every(period: Duration) -> Result<Self, TimeError> {
        Self::new(1, period)
    }

    /// The steps in each [`period`](Self::period).
    #[must_use]
    pub const fn steps(self) -> u32 {
        self.steps.get()
    }

    /// The time in which there are [`steps`](Self::steps).
    #[must_use]
    pub const fn period(self) -> Duration {
        self.period
    }

    /// The seconds of one step, for equations of motion: the same bits on every machine.
    #[doc(alias = "delta")]
    #[must_use]
    pub fn step_seconds(self) -> f64 {
        self.nanos() as f64 / (u64::from(self.steps()) * 1_000_000_000) as f64
    }

    /// The time from the start of the first step to that of the step with this number, in whole nanoseconds,
    /// rounded down; [`Duration::MAX`] if it is longer.
    #[must_use]
    pub const fn time_of(self, number: u64) -> Duration {
        // Whole periods first, so that the rest is less than 2³² × 2⁹⁴.
        let (periods, rest) = (number / self.steps.get() as u64, number % self.steps.get() as u64);
        let rest = rest as u128 * self.nanos() / self.steps.get() as u128;
        let Some(whole) = self.nanos().checked_mul(periods as u128) else { return Duration::MAX };
        let Some(nanos) = whole.checked_add(rest) else { return Duration::MAX };
        let seconds = nanos / 1_000_000_000;
        if seconds > u64::MAX as u128 {
            return Duration::MAX;
        }
        Duration::new(seconds as u64, (nanos % 1_000_000_000) as u32)
    }

    /// The least number of steps that take this time or more; `u64::MAX` if there are more.
    ///
    /// ```
    /// use core::time::Duration;
    /// use ecs_core::time::Rate;
    ///
    /// let rate = Rate::per_second(60)?;
    /// assert_eq!(rate.steps_in(Duration::from_millis(500)), 30);
    /// assert_eq!(rate.steps_in(Duration::from_millis(501)), 31);
    /// # Ok::<_, ecs_core::time::TimeError>(())
    /// ```
    #[must_use]
    pub const fn steps_in(self, time: Duration) -> u64 {
        let steps = (time.as_nanos() * self.steps() as u128).div_ceil(self.nanos());
        if steps < u64::MAX as u128 { steps as u64 } else { u64::MAX }
    }

    /// The nanoseconds of a period: from 1 to less than 2⁹⁴.
    pub(super) const fn nanos(self) -> u128 {
        self.period.as_nanos()
    }
}

impl StateHash for Rate {
    fn state_hash(&self, hasher: &mut StateHasher) {
        (self.steps, self.period).state_hash(hasher);
    }
}
