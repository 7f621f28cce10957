//! Values whose memory is what they write into a [`StateHasher`](super::StateHasher): many of them go in at once, as one slice.
//!
//! A slice of bytes is a proof that these bytes are initialised and do not change. So nothing here
//! trusts an implementation of [`StateHash`]: a struct gives the bytes of its fields, one after the other, and [`Fields`] looks
//! where they lie. If they fill each value from its first byte to its last, the values have no padding. For plain fields the
//! compiler knows all of this, and nothing is left of it.

use core::slice;

use super::StateHash;
use crate::types::Brand;

/// The bytes of values of a type, if they are what the values write.
type BytesOf<F> = for<'a> fn(&'a [F]) -> Option<&'a [u8]>;

/// The bytes of values that have a state hash. For a type without one, the same name is [`NoFieldBytes::BYTES`] in derived code:
/// then the derived `state_hash` has the error, and it is the only one.
#[derive(Debug)]
pub struct FieldBytes<F>(Brand<F>);

impl<F: StateHash> FieldBytes<F> {
    /// Those of the type.
    pub const BYTES: BytesOf<F> = F::state_hash_bytes;
}

/// The bytes of values without a state hash.
pub trait NoFieldBytes<F> {
    /// There are none.
    const BYTES: BytesOf<F> = |_| None;
}

impl<F> NoFieldBytes<F> for FieldBytes<F> {}

/// Values of a struct, whose fields are looked at one after the other.
#[derive(Debug)]
pub struct Fields<'a, S> {
    values: &'a [S],
    /// So many bytes from the start of each value are those of the fields so far. `None` if they are not.
    ///
    /// Invariant: then they have been handed out as parts of slices of bytes that live for `'a`.
    covered: Option<usize>,
}

impl<'a, S> Fields<'a, S> {
    /// These values, without fields.
    #[inline(always)]
    #[must_use]
    pub const fn of(values: &'a [S]) -> Self {
        Self { values, covered: Some(0) }
    }

    /// The next field, and the bytes of values of its type.
    #[inline(always)]
    #[must_use]
    pub fn and<F: 'a>(self, field: impl Fn(&'a S) -> &'a F, bytes_of: BytesOf<F>) -> Self {
        let Some(covered) = self.covered else { return self };
        let is_next = |value: &'a S| {
            bytes_of(slice::from_ref(field(value))).is_some_and(|bytes| {
                // No wrap within a value, and where fields reach further, `bytes` gives nothing.
                let place = (&raw const *value).addr().wrapping_add(covered);
                bytes.len() == size_of::<F>()
                    && (bytes.is_empty() || bytes.as_ptr().addr() == place)
            })
        };
        let is_next = self.values.iter().all(is_next);
        let covered = covered.checked_add(size_of::<F>()).filter(|_| is_next);
        Self { covered, ..self }
    }

    /// The bytes of the values, if the fields were all.
    #[inline(always)]
    #[must_use]
    pub fn bytes(self) -> Option<&'a [u8]> {
        let Self { values, covered } = self;
        // SAFETY: `values` has as many bytes, and lives for `'a`. By the invariant, slices of bytes that live for `'a` have been
        // handed out which together have all bytes of each value. So these are initialised, and nothing writes to them.
        (covered? == size_of::<S>()).then(|| unsafe { bytes_of_values(values) })
    }
}

/// The memory of these values.
///
/// # Safety
/// All of their bytes must be initialised, and nothing may write to them while they are borrowed.
#[inline(always)]
pub(super) const unsafe fn bytes_of_values<T>(values: &[T]) -> &[u8] {
    // SAFETY: the values are one allocation of this size, alive as long as they are borrowed. The rest is the contract.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

#[cfg(test)]
mod tests {
    use super::super::{StateHash, StateHasher};
    use super::*;

    /// A type that gives these bytes.
    struct Lies<const N: usize>(u32);

    static ELSEWHERE: [u8; 4] = [1; 4];

    impl<const N: usize> StateHash for Lies<N> {
        fn state_hash(&self, _: &mut StateHasher) {}

        fn state_hash_bytes(values: &[Self]) -> Option<&[u8]> {
            match N {
                0 => Some(&ELSEWHERE),
                1 => u32::state_hash_bytes(slice::from_ref(&values[0].0)).map(|bytes| &bytes[..3]),
                _ => None,
            }
        }
    }

    const PLAIN: BytesOf<u32> = FieldBytes::<u32>::BYTES;

    #[test]
    fn fields_that_fill_their_values() {
        let values = [[1_u32, 2], [3, 4]];
        let both = Fields::of(&values).and(|value| &value[0], PLAIN).and(|value| &value[1], PLAIN);
        if cfg!(target_endian = "little") {
            assert_eq!(both.bytes().unwrap(), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
        } else {
            assert!(both.bytes().is_none());
        }
        let none: [[u32; 2]; 0] = [];
        assert_eq!(Fields::of(&[(), ()]).bytes(), Some(&[][..]));
        assert!(Fields::of(&none).and(|value| &value[0], PLAIN).bytes().is_none());
    }

    #[test]
    fn fields_that_do_not() {
        let values = [[1_u32, 2], [3, 4]];
        let is_none = |fields: Fields<'_, [u32; 2]>| assert!(fields.bytes().is_none());
        let first = || Fields::of(&values).and(|value| &value[0], PLAIN);
        is_none(first());
        // One field twice, in another order, or one too many.
        is_none(first().and(|value| &value[0], PLAIN));
        is_none(Fields::of(&values).and(|value| &value[1], PLAIN).and(|value| &value[0], PLAIN));
        is_none(first().and(|value| &value[1], PLAIN).and(|value| &value[1], PLAIN));
        // Padding.
        let padded = [(1_u32, 2_u8)];
        let fields = Fields::of(&padded).and(|value| &value.0, PLAIN);
        assert!(fields.and(|value| &value.1, FieldBytes::<u8>::BYTES).bytes().is_none());
        // Another value's field, but for the first value.
        let other = &values[0];
        let all = Fields::of(&values).and(|_| &other[0], PLAIN).and(|value| &value[1], PLAIN);
        assert!(all.bytes().is_none());
    }

    #[test]
    fn types_that_lie_have_no_bytes() {
        fn bytes<const N: usize>(values: &[Lies<N>]) -> Option<&[u8]> {
            Fields::of(values).and(|value| value, FieldBytes::<Lies<N>>::BYTES).bytes()
        }
        assert_eq!(bytes(&[Lies::<0>(1)]), None);
        assert_eq!(bytes(&[Lies::<1>(1)]), None);
        assert_eq!(bytes(&[Lies::<2>(1)]), None);
    }

    #[test]
    fn without_a_state_hash_there_are_no_bytes() {
        use NoFieldBytes as _;
        struct Other;
        assert!(FieldBytes::<Other>::BYTES(&[Other]).is_none());
        assert!(FieldBytes::<u8>::BYTES(&[1]).is_some());
    }
}
