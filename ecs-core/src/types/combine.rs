//! *Commutative* resources: values that any number of systems and subtasks add to at the same time.
//!
//! A system with `add: [Score]` contributes to the resource `Score`, which is declared with an operation: `resource Score:
//! sum;`. Each subtask keeps what it has added so far as one value. When the last of several unordered systems that add
//! to the resource is done, the values are combined with the resource, so that later systems find it complete. There is
//! neither a lock nor an allocation.
//!
//! ```
//! use ecs_core::{Combine, World, world};
//!
//! struct Health(i32);
//! #[derive(Combine, Default)]
//! struct Score(u64);
//!
//! world! {
//!     world Arena;
//!     component Health;
//!     resource Score: sum;
//!     system Fall {
//!         add: [Score],
//!         parallelism: split_evenly(cores),
//!         each: |health: &Health, effects| {
//!             if health.0 <= 0 {
//!                 effects.add(Score(1));
//!             }
//!         },
//!     }
//! }
//!
//! let mut world = World::<Arena>::new();
//! world.spawn_batch((-10..10).map(|health| (Health(health),)));
//! world.tick()?;
//! assert_eq!(world.resource::<Score>().0, 11);
//! # Ok::<_, ecs_core::StepError>(())
//! ```
//!
//! # Operations
//!
//! | in the declaration | operation | for |
//! | --- | --- | --- |
//! | `sum` | [`Sum`] | integers, which wrap around on overflow; [`Duration`](core::time::Duration)s |
//! | `min`, `max` | [`Min`], [`Max`] | integers, floating-point numbers (by `total_cmp`), `bool`, `char` |
//! | `all`, `any` | [`All`], [`Any`] | `bool`, and integers bit by bit |
//! | `combine` | [`Custom`] | types of yours that implement [`Combine`] |
//!
//! Arrays and tuples are combined element by element, and `#[derive(Combine)]` combines a struct field by field, by any
//! operation that all its fields have. For other types implement [`Combine`].
//!
//! # Why there is no sum of floating-point numbers
//!
//! It depends on the order: `(a + b) + c` and `a + (b + c)` have different bits. How many values a subtask adds up follows
//! from how its system is split, and results must not depend on that. For such a sum let the system output a `Vec`,
//! which has the same items in the same order for every split, and let a system with `inputs` add them up. Or add
//! integers, such as thousandths.

use core::fmt::Debug;
use core::num::Wrapping;
use core::time::Duration;

use super::ThreadSafe;

/// A value that others of its type are combined with, in any order, by the operation `O`.
///
/// The operation must be commutative and associative: `a·b` is `b·a`, and `(a·b)·c` is `a·(b·c)`, to the last bit.
/// Otherwise results depend on how systems are split. [`assert_lawful`] tests it. (No implementation can cause undefined
/// behaviour.)
///
/// `#[derive(Combine)]` implements it for a struct whose fields do, by every operation that they have.
/// `#[combine(crate = path)]` beside it says where this crate is, if it has been renamed.
///
/// ```
/// use ecs_core::{Combine, World, world};
///
/// /// The nearest target: its distance and its number.
/// #[derive(Default)]
/// struct Nearest(Option<(u32, usize)>);
///
/// impl Combine for Nearest {
///     fn combine(&mut self, other: Self) {
///         self.0 = match (self.0, other.0) {
///             (Some(one), Some(other)) => Some(one.min(other)),
///             (one, other) => one.or(other),
///         };
///     }
/// }
///
/// world! {
///     world Field;
///     resource Nearest: combine;
///     system Left { add: [Nearest], run: |data| data.effects.add(Nearest(Some((7, 1)))) }
///     system Right { add: [Nearest], run: |data| data.effects.add(Nearest(Some((3, 2)))) }
/// }
///
/// let mut world = World::<Field>::new();
/// world.tick()?;
/// assert_eq!(world.resource::<Nearest>().0, Some((3, 2)));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0102] `{Self}` cannot be combined in any order by `{O}`",
    label = "has no such operation",
    note = "add `#[derive(ecs_core::Combine)]` to a struct whose fields have the operation, or implement `Combine<{O}>`",
    note = "a sum of floating-point numbers depends on the order: put them into an `output: Vec<..>`, and add them up in a system with `inputs: [..]`"
)]
pub trait Combine<O = Custom>: ThreadSafe {
    /// Combines `other` with this value.
    fn combine(&mut self, other: Self);
}

/// Declares the markers of the operations.
macro_rules! operations {
    ($($(#[$doc:meta])* $Operation:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $Operation {}
    )*};
}

operations! {
    /// The sum: `resource Score: sum;`. Integers wrap around on overflow, because only that is associative for all of
    /// them.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(ecs_core::Combine, Default)]
    /// # struct Score(u64);
    /// world! {
    ///     world Arena;
    ///     resource Score: sum;
    ///     system Hit { add: [Score], run: |data| data.effects.add(Score(5)) }
    ///     system Bonus { add: [Score], run: |data| data.effects.add(Score(2)) }
    /// }
    /// # let mut world = World::<Arena>::new();
    /// # world.tick().unwrap();
    /// # assert_eq!(world.resource::<Score>().0, 7);
    /// ```
    Sum;
    /// The least value: `resource Score: min;`.
    ///
    /// ```
    /// use ecs_core::Combine;
    /// use ecs_core::combine::Min;
    ///
    /// let mut least = 3.5;
    /// Combine::<Min>::combine(&mut least, 1.5);
    /// assert_eq!(least, 1.5);
    /// ```
    Min;
    /// The greatest value: `resource Score: max;`.
    ///
    /// ```
    /// use ecs_core::Combine;
    /// use ecs_core::combine::Max;
    ///
    /// let mut greatest = (3, 'x');
    /// Combine::<Max>::combine(&mut greatest, (7, 'a')); // element by element
    /// assert_eq!(greatest, (7, 'x'));
    /// ```
    Max;
    /// Logical or bitwise *and*: `resource Done: all;`.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(ecs_core::Combine)]
    /// # struct Done(bool);
    /// # struct Health(u32);
    /// world! {
    ///     world Arena;
    ///     component Health;
    ///     resource Done: all = Done(true);
    ///     system Look {
    ///         add: [Done],
    ///         each: |health: &Health, effects| effects.add(Done(health.0 == 0)),
    ///     }
    /// }
    /// # let mut world = World::<Arena>::new();
    /// # world.spawn_batch([0, 3].map(|health| (Health(health),)));
    /// # world.tick().unwrap();
    /// # assert!(!world.resource::<Done>().0);
    /// ```
    All;
    /// Logical or bitwise *or*: `resource Alarm: any;`.
    ///
    /// ```
    /// use ecs_core::Combine;
    /// use ecs_core::combine::Any;
    ///
    /// let mut alarms = [0b0011_u8, 0]; // bit by bit
    /// Combine::<Any>::combine(&mut alarms, [0b0101, 1]);
    /// assert_eq!(alarms, [0b0111, 1]);
    /// ```
    Any;
    /// The operation of a type's own: `resource Nearest: combine;`.
    ///
    /// ```
    /// use ecs_core::Combine;
    ///
    /// struct Longest(String);
    ///
    /// impl Combine for Longest { // `Combine<Custom>`
    ///     fn combine(&mut self, other: Self) {
    ///         let key = |name: &String| (name.len(), name.clone());
    ///         if key(&self.0) < key(&other.0) {
    ///             *self = other;
    ///         }
    ///     }
    /// }
    /// # let mut longest = Longest("ab".into());
    /// # longest.combine(Longest("ba".into()));
    /// # assert_eq!(longest.0, "ba");
    /// ```
    Custom;
}

/// Implements an operation for types.
macro_rules! combine {
    ($($Operation:ident: $($type:ty)* => |$one:ident, $other:ident| $value:expr;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Combine<$Operation> for $type {
            #[inline]
            fn combine(&mut self, $other: Self) {
                let $one = *self;
                *self = $value;
            }
        }
    )*)*};
}

macro_rules! of_integers {
    ($($int:ty)*) => {
        combine! {
            Sum: $($int)* => |one, other| one.wrapping_add(other);
            Sum: $(Wrapping<$int>)* => |one, other| one + other;
            All: $($int)* => |one, other| one & other;
            Any: $($int)* => |one, other| one | other;
            Min: $($int)* => |one, other| Ord::min(one, other);
            Max: $($int)* => |one, other| Ord::max(one, other);
        }
    };
}

of_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

combine! {
    Sum: Duration => |one, other| one.saturating_add(other);
    Min: bool char Duration => |one, other| Ord::min(one, other);
    Max: bool char Duration => |one, other| Ord::max(one, other);
    All: bool => |one, other| one & other;
    Any: bool => |one, other| one | other;
    Min: f32 f64 => |one, other| if other.total_cmp(&one).is_lt() { other } else { one };
    Max: f32 f64 => |one, other| if other.total_cmp(&one).is_gt() { other } else { one };
}

#[diagnostic::do_not_recommend]
impl<O, T: Combine<O>, const N: usize> Combine<O> for [T; N] {
    #[inline]
    fn combine(&mut self, other: Self) {
        self.iter_mut().zip(other).for_each(|(one, other)| one.combine(other));
    }
}

macro_rules! of_tuples {
    ($($T:ident $one:ident $other:ident),+) => {
        #[diagnostic::do_not_recommend]
        impl<O, $($T: Combine<O>),+> Combine<O> for ($($T,)+) {
            #[inline]
            fn combine(&mut self, ($($other,)+): Self) {
                let ($($one,)+) = self;
                $($one.combine($other);)+
            }
        }
    };
}

of_tuples!(A a a2);
of_tuples!(A a a2, B b b2);
of_tuples!(A a a2, B b b2, C c c2);
of_tuples!(A a a2, B b b2, C c c2, E e e2);

/// Asserts that the operation of these values is commutative and associative, by all pairs and triples of them.
///
/// ```
/// use ecs_core::combine::{Max, assert_lawful};
///
/// assert_lawful::<Max, _>(&[f64::NAN, -0.0, 0.0, 1.5].map(f64::to_bits));
/// ```
///
/// O(values³).
///
/// # Panics
/// If it is not, with the values.
pub fn assert_lawful<O, T: Combine<O> + Clone + PartialEq + Debug>(values: &[T]) {
    let combined = |one: &T, other: &T| {
        let mut all = one.clone();
        all.combine(other.clone());
        all
    };
    for a in values {
        for b in values {
            let ab = combined(a, b);
            let ba = combined(b, a);
            assert!(ab == ba, "not commutative: {a:?}·{b:?} is {ab:?}, but {b:?}·{a:?} is {ba:?}");
            for c in values {
                let (left, right) = (combined(&ab, c), combined(a, &combined(b, c)));
                assert!(
                    left == right,
                    "not associative: ({a:?}·{b:?})·{c:?} is {left:?}, but {a:?}·({b:?}·{c:?}) is {right:?}"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares floating-point numbers by their bits.
    #[derive(Clone, Copy, Debug)]
    struct Bits<T>(T);

    impl PartialEq for Bits<f32> {
        fn eq(&self, other: &Self) -> bool {
            self.0.to_bits() == other.0.to_bits()
        }
    }

    impl<O> Combine<O> for Bits<f32>
    where
        f32: Combine<O>,
    {
        fn combine(&mut self, other: Self) {
            self.0.combine(other.0);
        }
    }

    #[test]
    fn the_operations_are_lawful() {
        let numbers = [i32::MIN, -7, -1, 0, 1, 2, 9, i32::MAX];
        assert_lawful::<Sum, _>(&numbers);
        assert_lawful::<Sum, _>(&numbers.map(Wrapping));
        assert_lawful::<Min, _>(&numbers);
        assert_lawful::<Max, _>(&numbers);
        assert_lawful::<All, _>(&numbers);
        assert_lawful::<Any, _>(&numbers);
        assert_lawful::<Sum, _>(&numbers.map(|n| (n, [n.unsigned_abs(), 3])));
        assert_lawful::<Sum, _>(&[Duration::MAX, Duration::from_nanos(7), Duration::ZERO]);
        let floats = [f32::NAN, -f32::NAN, 0.0, -0.0, 1.0, f32::NEG_INFINITY].map(Bits);
        assert_lawful::<Min, _>(&floats);
        assert_lawful::<Max, _>(&floats);
        for all in [false, true] {
            assert_lawful::<All, _>(&[all, !all]);
            assert_lawful::<Any, _>(&[all, !all]);
        }
    }

    #[test]
    #[should_panic(expected = "not associative")]
    fn a_saturating_sum_of_signed_numbers_is_found_out() {
        #[derive(Clone, Debug, PartialEq)]
        struct Saturating(i8);

        impl Combine for Saturating {
            fn combine(&mut self, other: Self) {
                self.0 = self.0.saturating_add(other.0);
            }
        }
        assert_lawful(&[100, 100, -100].map(Saturating));
    }

    #[test]
    #[should_panic(expected = "not commutative")]
    fn the_last_one_is_found_out() {
        #[derive(Clone, Debug, PartialEq)]
        struct Last(u8);

        impl Combine for Last {
            fn combine(&mut self, other: Self) {
                *self = other;
            }
        }
        assert_lawful(&[Last(1), Last(2)]);
    }
}
