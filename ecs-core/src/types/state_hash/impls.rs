//! The state hash of the library's and the language's own types.

use core::cmp::Ordering;
use core::marker::PhantomData;
use core::num::{self, Wrapping};
use core::time::Duration;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::bytes::{FieldBytes, Fields, bytes_of_values};
use super::{StateHash, StateHasher};

/// Types that are hashed by their memory, where that is in little-endian order.
macro_rules! numbers {
    ($($number:ty, $non_zero:ty;)*) => {$(
        impl StateHash for $number {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                hasher.write(&self.to_le_bytes());
            }

            #[inline(always)]
            fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
                // SAFETY: numbers have neither padding nor cells.
                let bytes = || unsafe { bytes_of_values(values) };
                (size_of::<Self>() == 1 || cfg!(target_endian = "little")).then(bytes)
            }
        }

        plain! {
            $non_zero: |value| value.get(), $number;
        }
    )*};
}

/// Types that are hashed as a number, which has the same memory.
macro_rules! plain {
    ($($ty:ty: |$value:ident| $other:expr, $number:ty;)*) => {$(
        impl StateHash for $ty {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                let $value = self;
                $other.state_hash(hasher);
            }

            #[inline(always)]
            fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
                // SAFETY: the language guarantees that such a value is laid out like the number, or like the bits of the
                // number: it has neither padding nor cells.
                let bytes = || unsafe { bytes_of_values(values) };
                // (`usize` is hashed as 64 bits.)
                let is_number = size_of::<Self>() == size_of::<$number>();
                (is_number && (size_of::<Self>() == 1 || cfg!(target_endian = "little"))).then(bytes)
            }
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

plain! {
    usize: |value| (*value as u64), u64;
    isize: |value| (*value as i64), i64;
    num::NonZeroUsize: |value| value.get(), u64;
    num::NonZeroIsize: |value| value.get(), i64;
    f32: |value| value.to_bits(), u32;
    f64: |value| value.to_bits(), u64;
    bool: |value| u8::from(*value), u8;
    char: |value| u32::from(*value), u32;
    Ordering: |value| (*value as i8), i8;
}

as_others! {
    [] str: |value| value.as_bytes();
    [] String: |value| value.as_bytes();
    [] Duration: |value| (value.as_secs(), value.subsec_nanos());
    [T: StateHash] Vec<T>: |value| value.as_slice();
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

            #[inline(always)]
            fn state_hash_bytes(_: &[Self]) -> Option<&[u8]> {
                Some(&[])
            }
        }
    )*};
}

nothing! {
    [] ();
    [T: ?Sized] PhantomData<T>;
}

impl<T: StateHash> StateHash for Wrapping<T> {
    #[inline]
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.0.state_hash(hasher);
    }

    #[inline(always)]
    fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
        Fields::of(values).and(|value| &value.0, FieldBytes::<T>::BYTES).bytes()
    }
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
        hasher.write_slice(self);
    }

    #[inline(always)]
    fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
        T::state_hash_bytes(values.as_flattened())
    }
}

impl<T: StateHash> StateHash for [T] {
    #[inline]
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.len().state_hash(hasher);
        hasher.write_slice(self);
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
    [T: StateHash] VecDeque<T>;
    [T: StateHash] BTreeSet<T>;
    [K: StateHash, V: StateHash] BTreeMap<K, V>;
}

/// Tuples of the first of these types, of the first two, and so on. Each type has the index of its value.
macro_rules! tuples {
    ([$($name:ident $index:tt)*]) => {};
    ([$($name:ident $index:tt)*] $last:ident $last_index:tt $($further:tt)*) => {
        impl<$($name: StateHash,)* $last: StateHash> StateHash for ($($name,)* $last,) {
            #[inline]
            fn state_hash(&self, hasher: &mut StateHasher) {
                $(self.$index.state_hash(hasher);)*
                self.$last_index.state_hash(hasher);
            }

            #[inline(always)]
            fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
                Fields::of(values)
                    $(.and(|value| &value.$index, FieldBytes::<$name>::BYTES))*
                    .and(|value| &value.$last_index, FieldBytes::<$last>::BYTES)
                    .bytes()
            }
        }

        tuples!([$($name $index)* $last $last_index] $($further)*);
    };
}

tuples!([] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);

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

    /// Checks that many values at once write what each of them does, and whether their memory is that.
    fn check<T: StateHash>(values: &[T], is_memory: bool) {
        let is_memory = is_memory && cfg!(target_endian = "little");
        assert_eq!(T::state_hash_bytes(values).is_some(), is_memory);
        let hashes: [fn(&[T], &mut StateHasher); 5] = [
            |values, hasher| values.iter().for_each(|value| value.state_hash(hasher)),
            |values, hasher| hasher.write_slice(values),
            |values, hasher| hasher.write_each(values.len(), values.iter()),
            |values, hasher| hasher.write_each(1000, values.iter()),
            |values, hasher| hasher.write_each(0, values.iter()),
        ];
        let hashes = hashes.map(|hash| {
            // With a length that fits no value, so that some do not fit into the rest of the buffer.
            let mut hasher = StateHasher::new();
            1_u8.state_hash(&mut hasher);
            (0..200).for_each(|_| hash(values, &mut hasher));
            hasher.finish()
        });
        assert_eq!(hashes, [hashes[0]; 5]);
    }

    #[test]
    fn many_values_at_once() {
        check(&[1_u8, 2, 3], true);
        check(&[1_i128, -2], true);
        check(&[[1.5_f32, -0.0], [0.0, f32::NAN]], true);
        check(&[true, false], true);
        check(&['a', 'ß'], true);
        check(&[Ordering::Less, Ordering::Greater], true);
        check(&[num::NonZeroU16::MIN, num::NonZeroU16::MAX], true);
        check(&[1_usize, 2], size_of::<usize>() == 8);
        check(&[Wrapping([1_u16, 2])], true);
        check(&[(), ()], true);
        check(&[(1_u32, 2.0_f32, [3_u16; 2], PhantomData::<String>)], true);
        check(&[(1_u8, 2_u32)], false);
        check(&[(1_u8, "one")], false);
        check(&[Some(1_u32), None], false);
        check(&[vec![1_u8, 2], Vec::new()], false);
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
