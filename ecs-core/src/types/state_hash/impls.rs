//! The state hash of the library's and the language's own types.

use core::cmp::Ordering;
use core::marker::PhantomData;
use core::num::{self, Wrapping};
use core::time::Duration;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::{StateHash, StateHasher};

macro_rules! numbers {
    ($($number:ty, $non_zero:ty;)*) => {$(
        impl StateHash for $number {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                hasher.write(&self.to_le_bytes());
            }
        }

        as_others! {
            [] $non_zero: |value| value.get();
        }
    )*};
}

/// Types that are hashed as another type.
macro_rules! as_others {
    ($([$($parameters:tt)*] $ty:ty: |$value:ident| $other:expr;)*) => {$(
        impl<$($parameters)*> StateHash for $ty {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                let $value = self;
                $other.state_hash(hasher);
            }
        }
    )*};
}

numbers! {
    u8, num::NonZeroU8;
    u16, num::NonZeroU16;
    u32, num::NonZeroU32;
    u64, num::NonZeroU64;
    u128, num::NonZeroU128;
    i8, num::NonZeroI8;
    i16, num::NonZeroI16;
    i32, num::NonZeroI32;
    i64, num::NonZeroI64;
    i128, num::NonZeroI128;
}

as_others! {
    [] usize: |value| (*value as u64);
    [] isize: |value| (*value as i64);
    [] num::NonZeroUsize: |value| value.get();
    [] num::NonZeroIsize: |value| value.get();
    [] f32: |value| value.to_bits();
    [] f64: |value| value.to_bits();
    [] bool: |value| u8::from(*value);
    [] char: |value| u32::from(*value);
    [] str: |value| value.as_bytes();
    [] String: |value| value.as_bytes();
    [] Duration: |value| (value.as_secs(), value.subsec_nanos());
    [] Ordering: |value| (*value as i8);
    [T: StateHash] Vec<T>: |value| value.as_slice();
    [T: StateHash] Wrapping<T>: |value| value.0;
    [T: StateHash + ?Sized] Box<T>: |value| **value;
    [T: StateHash + ?Sized] Rc<T>: |value| **value;
    [T: StateHash + ?Sized] Arc<T>: |value| **value;
    [T: StateHash + ?Sized] &T: |value| **value;
    [T: StateHash + ToOwned + ?Sized] Cow<'_, T>: |value| **value;
}

/// Types without a value.
macro_rules! nothing {
    ($([$($parameters:tt)*] $ty:ty;)*) => {$(
        impl<$($parameters)*> StateHash for $ty {
            #[inline]
            fn state_hash(&self, _: &mut StateHasher) {}
        }
    )*};
}

nothing! {
    [] ();
    [T: ?Sized] PhantomData<T>;
}

impl<T: StateHash> StateHash for Option<T> {
    #[inline]
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.is_some().state_hash(hasher);
        if let Some(value) = self {
            value.state_hash(hasher);
        }
    }
}

impl<T: StateHash, E: StateHash> StateHash for Result<T, E> {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.is_ok().state_hash(hasher);
        match self {
            Ok(value) => value.state_hash(hasher),
            Err(error) => error.state_hash(hasher),
        }
    }
}

impl<T: StateHash, const N: usize> StateHash for [T; N] {
    #[inline]
    fn state_hash(&self, hasher: &mut StateHasher) {
        for value in self {
            value.state_hash(hasher);
        }
    }
}

/// Sequences whose order follows from their content, or from the order of insertion.
macro_rules! sequences {
    ($([$($parameters:tt)*] $ty:ty;)*) => {$(
        impl<$($parameters)*> StateHash for $ty {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                self.len().state_hash(hasher);
                for value in self {
                    value.state_hash(hasher);
                }
            }
        }
    )*};
}

sequences! {
    [T: StateHash] [T];
    [T: StateHash] VecDeque<T>;
    [T: StateHash] BTreeSet<T>;
    [K: StateHash, V: StateHash] BTreeMap<K, V>;
}

/// Tuples of the first of these types, of the first two, and so on.
macro_rules! tuples {
    ([$($name:ident)*]) => {};
    ([$($name:ident)*] $last:ident $($further:ident)*) => {
        impl<$($name: StateHash,)* $last: StateHash> StateHash for ($($name,)* $last,) {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                #[expect(non_snake_case, reason = "each value is called like its type")]
                let ($($name,)* $last,) = self;
                $($name.state_hash(hasher);)*
                $last.state_hash(hasher);
            }
        }

        tuples!([$($name)* $last] $($further)*);
    };
}

tuples!([] A B C D E F G H I J K L);

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(value: &impl StateHash) -> u64 {
        let mut hasher = StateHasher::new();
        value.state_hash(&mut hasher);
        hasher.finish()
    }

    /// The hash of these bytes.
    fn bytes(value: &[u8]) -> u64 {
        let mut hasher = StateHasher::new();
        hasher.write(value);
        hasher.finish()
    }

    #[test]
    fn values_go_in_by_their_bytes() {
        assert_eq!(hash(&0x0102_0304_u32), bytes(&[4, 3, 2, 1]));
        assert_eq!(hash(&-2_i16), bytes(&[0xFE, 0xFF]));
        assert_eq!(hash(&7_usize), hash(&7_u64));
        assert_eq!(hash(&1.5_f32), hash(&1.5_f32.to_bits()));
        assert_eq!(hash(&'ß'), hash(&0xDF_u32));
        assert_eq!(hash(&"ab".to_owned()), bytes(&[2, 0, 0, 0, 0, 0, 0, 0, b'a', b'b']));
        assert_eq!(hash(&[[1_u8, 2], [3, 4]]), bytes(&[1, 2, 3, 4]));
        assert_eq!(hash(&(1_u8, (), Box::new(Some(true)))), bytes(&[1, 1, 1]));
        assert_eq!(hash(&Err::<u8, u8>(9)), bytes(&[0, 9]));
    }

    #[test]
    fn what_differs_goes_in_differently() {
        assert_ne!(hash(&0.0_f64), hash(&-0.0_f64));
        assert_ne!(hash(&(vec![1_u8], vec![2_u8])), hash(&(vec![1_u8, 2], Vec::<u8>::new())));
        assert_ne!(hash(&None::<u8>), hash(&Some(0_u8)));
        let tree: BTreeMap<u8, u8> = [(2, 1), (1, 2)].into();
        assert_eq!(hash(&tree), hash(&vec![(1_u8, 2_u8), (2, 1)]));
        let mut turned = VecDeque::from([3_u8, 1, 2]);
        turned.rotate_left(1);
        assert_eq!(hash(&turned), hash(&vec![1_u8, 2, 3]));
    }
}
