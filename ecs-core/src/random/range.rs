//! Integers of a range, without bias.

use core::ops::{Bound, RangeBounds};

use super::Random;

/// An integer type that [`Random::range`] draws: from `u8` to `u64`, from `i8` to `i64`, `usize` and `isize`.
///
/// ```
/// use ecs_core::random::{Integer, Random};
///
/// /// Any number of its type.
/// fn any<T: Integer>(random: &mut Random) -> T {
///     random.range(..)
/// }
/// assert_ne!(any::<i64>(&mut Random::new(1, 0)), any::<i64>(&mut Random::new(2, 0)));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0142] a random number of a range is an integer, and `{Self}` is none",
    label = "not a range of integers",
    note = "for a fractional number, write `low + (high - low) * random.f32()`; for an item of a list, `list[random.range(..list.len())]`"
)]
pub trait Integer: Copy + sealed::Ordered {}

mod sealed {
    /// Integers as `u64` in the same order.
    pub trait Ordered: Sized {
        const LEAST: u64;
        const MOST: u64;
        fn rank(self) -> u64;
        fn of_rank(rank: u64) -> Self;
    }
}

/// What is added to signed numbers, so that the least one is 0 as an unsigned number.
const SIGN: u64 = 1 << 63;

macro_rules! integers {
    ($($unsigned:ident $signed:ident)*) => {$(
        impl Integer for $unsigned {}
        impl sealed::Ordered for $unsigned {
            const LEAST: u64 = 0;
            const MOST: u64 = $unsigned::MAX as u64;

            #[allow(clippy::cast_lossless, reason = "`usize` has no `From`")]
            #[inline]
            fn rank(self) -> u64 {
                self as u64
            }

            #[inline]
            fn of_rank(rank: u64) -> Self {
                rank as Self
            }
        }

        impl Integer for $signed {}
        impl sealed::Ordered for $signed {
            const LEAST: u64 = ($signed::MIN as i64 as u64) ^ SIGN;
            const MOST: u64 = ($signed::MAX as i64 as u64) ^ SIGN;

            #[allow(clippy::cast_lossless, reason = "`usize` has no `From`")]
            #[inline]
            fn rank(self) -> u64 {
                (self as i64 as u64) ^ SIGN
            }

            #[inline]
            fn of_rank(rank: u64) -> Self {
                (rank ^ SIGN) as Self
            }
        }
    )*};
}

integers! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize }

impl Random {
    /// An integer of the range, all of which are equally likely.
    ///
    /// It takes one number of the sequence, and one more with a probability of less than the length of the range in
    /// 2⁶⁴: rejection by D. Lemire, “Fast Random Integer Generation in an Interval” (2019).
    ///
    /// ```
    /// use ecs_core::random::Random;
    ///
    /// let mut random = Random::new(17, 0);
    /// let temperature = random.range(-20_i32..=40);
    /// assert!((-20..=40).contains(&temperature));
    /// let cards = ["queen", "king", "ace"];
    /// println!("{}", cards[random.range(..cards.len())]);
    /// ```
    ///
    /// # Panics
    /// If the range is empty.
    #[inline]
    #[track_caller]
    pub fn range<T: Integer>(&mut self, range: impl RangeBounds<T>) -> T {
        let least = match range.start_bound() {
            Bound::Included(least) => Some(least.rank()),
            Bound::Excluded(before) => before.rank().checked_add(1),
            Bound::Unbounded => Some(T::LEAST),
        };
        let most = match range.end_bound() {
            Bound::Included(most) => Some(most.rank()),
            Bound::Excluded(behind) => behind.rank().checked_sub(1),
            Bound::Unbounded => Some(T::MOST),
        };
        match (least, most) {
            (Some(least), Some(most)) if least <= most => {
                T::of_rank(least + self.up_to(most - least))
            }
            _ => empty(),
        }
    }

    /// A number from 0 to `most`.
    #[inline]
    fn up_to(&mut self, most: u64) -> u64 {
        let Some(count) = most.checked_add(1) else { return self.u64() };
        let mut product = u128::from(self.u64()) * u128::from(count);
        if (product as u64) < count {
            // Each result has `2⁶⁴ / count` numbers, rounded down, whose product is not below this.
            let surplus = count.wrapping_neg() % count;
            while (product as u64) < surplus {
                product = u128::from(self.u64()) * u128::from(count);
            }
        }
        (product >> 64) as u64
    }
}

#[cold]
#[track_caller]
fn empty() -> ! {
    panic!("there is no number in an empty range")
}
