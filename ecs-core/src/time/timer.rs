//! Numbers of steps that pass.

use core::num::NonZeroU32;

use super::TimeError;
use crate::types::{Countdown, StateHash, StateHasher};

/// A number of steps that pass, once or again and again. It is plain data, mostly in a component.
///
/// A component that [expires](crate::world!#expires) counts a timer down, or an integer:
///
/// ```
/// use ecs_core::time::Timer;
/// use ecs_core::{World, world};
///
/// struct Health(i32);
/// struct Poison { left: Timer, each: Timer }
///
/// world! {
///     world Swamp;
///     component Health;
///     component Poison: hash_map, expires(left);
///     system Suffer {
///         each: |health: &mut Health, poison: &mut Poison| {
///             if poison.each.tick() {
///                 health.0 -= 1;
///             }
///         },
///     }
///     system Wear { expire: Poison, dependencies: [Suffer] }
/// }
///
/// let mut world = World::<Swamp>::new();
/// let poison = Poison { left: Timer::once(7), each: Timer::repeating(3)? };
/// let victim = world.spawn((Health(10), poison));
/// for _ in 0..20 {
///     world.tick()?;
/// }
/// assert_eq!(world.get::<Health>(victim).unwrap().0, 8);
/// assert!(!world.contains::<Poison>(victim));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// It counts steps and no time, so it is exact, and the same in a replay. [`Rate::steps_in`](super::Rate::steps_in) says how
/// many steps a time has.
#[doc(alias("cooldown", "countdown"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timer {
    left: u32,
    /// The steps of each round; `None` if there is one round only.
    round: Option<NonZeroU32>,
}

impl Timer {
    /// A timer that ends with the step of this number, counted from 1. One of 0 steps has ended.
    #[must_use]
    pub const fn once(steps: u32) -> Self {
        Self { left: steps, round: None }
    }

    /// A timer that ends after every `steps` steps.
    ///
    /// # Errors
    /// [`TimeError::ZeroPeriod`] if it is no step.
    pub const fn repeating(steps: u32) -> Result<Self, TimeError> {
        let Some(round) = NonZeroU32::new(steps) else { return Err(TimeError::ZeroPeriod) };
        Ok(Self { left: steps, round: Some(round) })
    }

    /// Takes a step. Returns whether the timer ends with it: once, or at the end of each round.
    pub const fn tick(&mut self) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        if left != 0 {
            return false;
        }
        if let Some(round) = self.round {
            self.left = round.get();
        }
        true
    }

    /// The steps until it ends; of one that has ended, 0.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.left
    }

    /// Whether it has ended. One that repeats never has.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.left == 0
    }
}

/// It is over when its first round is.
impl Countdown for Timer {
    #[inline]
    fn count_down(&mut self) -> bool {
        self.tick() || self.has_ended()
    }
}

impl StateHash for Timer {
    fn state_hash(&self, hasher: &mut StateHasher) {
        (self.left, self.round).state_hash(hasher);
    }
}
