//! *Countdowns*: values that get less with each step, until they are over. A component that expires has one.

/// A value that counts down, step by step, until it is over: the field that `component Poison: expires(left)` names
/// ([reference](crate::world!#expires)).
///
/// Unsigned integers and [`Timer`](crate::time::Timer) count steps. Time is counted in steps, too:
/// [`Rate::steps_in`](crate::time::Rate::steps_in) says how many there are in a duration. A type of yours counts by what it knows:
///
/// ```
/// use ecs_core::time::Countdown;
/// use ecs_core::{World, world};
///
/// /// Half lives, of which each takes a quarter of a second, at 60 steps per second.
/// struct HalfLives(f32);
///
/// impl Countdown for HalfLives {
///     fn count_down(&mut self) -> bool {
///         self.0 -= 4.0 / 60.0;
///         self.0 <= 0.0
///     }
/// }
///
/// struct Isotope { rest: HalfLives }
///
/// world! {
///     world Laboratory;
///     component Isotope: expires(rest);
///     system Decay { expire: Isotope }
/// }
///
/// let mut world = World::<Laboratory>::new();
/// let sample = world.spawn((Isotope { rest: HalfLives(0.2) },));
/// let mut steps = 0;
/// while world.contains::<Isotope>(sample) {
///     world.tick()?;
///     steps += 1;
/// }
/// assert_eq!(steps, 3);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[doc(alias("expire", "lifetime", "ttl"))]
#[diagnostic::on_unimplemented(
    message = "[ECS0137] `{Self}` does not count down, so no component expires by it",
    label = "not a countdown",
    note = "an unsigned integer and `ecs_core::time::Timer` count steps; a type of yours implements `ecs_core::time::Countdown`"
)]
pub trait Countdown {
    /// Takes a step off. Returns whether it is over, also if it was over before.
    ///
    /// ```
    /// use ecs_core::time::Countdown;
    ///
    /// let mut left = 2_u8;
    /// assert_eq!([left.count_down(), left.count_down(), left.count_down()], [false, true, true]);
    /// assert_eq!(left, 0);
    /// ```
    fn count_down(&mut self) -> bool;
}

macro_rules! counts_steps {
    ($($Integer:ident)+) => {$(
        impl Countdown for $Integer {
            #[inline]
            fn count_down(&mut self) -> bool {
                *self = self.saturating_sub(1);
                *self == 0
            }
        }
    )+};
}

counts_steps! { u8 u16 u32 u64 u128 usize }

/// A declaration, or the part of a set that has its numbers, in which the component `C` expires.
#[doc(hidden)]
pub trait Expires<C> {
    /// Counts down the field that the declaration names.
    fn count_down(component: &mut C) -> bool;
}

#[cfg(test)]
mod tests {
    use super::Countdown;

    /// How many steps the countdown takes.
    fn steps(mut left: impl Countdown) -> usize {
        (1..1000).find(|_| left.count_down()).expect("it is over at some time")
    }

    #[test]
    fn integers_count_steps() {
        assert_eq!([steps(1_u8), steps(255_u8), steps(300_u16), steps(3_u32)], [1, 255, 300, 3]);
        assert_eq!([steps(4_u64), steps(5_u128), steps(6_usize)], [4, 5, 6]);
    }

    #[test]
    fn what_is_over_stays_so() {
        let mut left = 0_u32;
        assert!(left.count_down() && left.count_down());
        assert_eq!(left, 0);
    }
}
