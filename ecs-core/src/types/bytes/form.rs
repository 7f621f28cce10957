//! In which form the values of a type are saved.
//!
//! The form is a constant of the type, and the parameter of [`SaveForm`], which implements [`Codec`]. A type that is plain
//! old data has the form of its bytes, others that of `serde`.

#![expect(private_interfaces, reason = "sealed: only the library reads and writes bytes")]

use core::marker::PhantomData;

use bytemuck::{CheckedBitPattern, NoUninit};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Decoder, Encoder, Fault};
use crate::types::Brand;

/// By `serde`, in the format of `postcard`.
pub(crate) const SERDE: u8 = 0;
/// As the bytes in memory.
pub(crate) const PLAIN: u8 = 1;
/// Not at all: the type has no size, and a default.
pub(crate) const EMPTY: u8 = 2;
/// Not at all: the type has no size, and the world has a value.
pub(crate) const NOTHING: u8 = 3;

/// Represents a type by the form in which its values are saved.
#[derive(Debug)]
pub struct SaveForm<const FORM: u8>;

/// The form of the values of a component, an event or a link.
#[must_use]
pub const fn form_of<T>(is_plain: bool, has_default: bool) -> u8 {
    match (size_of::<T>(), is_plain, has_default) {
        (0, _, true) => EMPTY,
        (1.., true, _) => PLAIN,
        _ => SERDE,
    }
}

/// The form of a resource, or of a system's state, of which a world always has a value.
#[must_use]
pub const fn state_form_of<T>(is_plain: bool) -> u8 {
    match (size_of::<T>(), is_plain) {
        (0, _) => NOTHING,
        (_, true) => PLAIN,
        (_, false) => SERDE,
    }
}

/// Answers whether `T` is plain old data: `OfPlain::<T>::IT_IS` is the constant of this type where it is, else that of
/// [`IsNotPlain`].
#[derive(Debug)]
pub struct OfPlain<T>(Brand<T>);

impl<T: NoUninit + CheckedBitPattern> OfPlain<T> {
    /// It is.
    pub const IT_IS: bool = true;
}

/// The answer of [`OfPlain`] for other types.
pub trait IsNotPlain {
    /// It is not.
    const IT_IS: bool = false;
}

impl<T> IsNotPlain for OfPlain<T> {}

/// Answers whether `T` has a default, like [`OfPlain`].
#[derive(Debug)]
pub struct OfDefault<T>(Brand<T>);

impl<T: Default> OfDefault<T> {
    /// It has.
    pub const IT_HAS: bool = true;
}

/// The answer of [`OfDefault`] for other types.
pub trait HasNoDefault {
    /// It has not.
    const IT_HAS: bool = false;
}

impl<T> HasNoDefault for OfDefault<T> {}

/// Values of type `T` have bytes.
///
/// Implemented for [`SaveForm`] alone. The lifetime has the purpose that those of
/// [`CloneTable`](crate::generated::CloneTable) have.
#[diagnostic::on_unimplemented(
    message = "[ECS0149] values of `{T}` cannot be saved, so neither can the world",
    label = "neither `serde` nor `bytemuck` knows the bytes of `{T}`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{T}`; or, if it is plain old data, `#[derive(Clone, Copy, bytemuck::NoUninit, bytemuck::CheckedBitPattern)]`; or, if it has no size, `#[derive(Default)]`",
    note = "a resource or a system that each step makes anew is not saved if it is declared `transient`"
)]
pub trait Codec<'a, T> {
    /// The form.
    #[doc(hidden)]
    const FORM: u8;

    /// The number of bytes of each value, if all have as many.
    #[doc(hidden)]
    const BYTES: Option<usize> = None;

    /// Adds the bytes of a value.
    #[doc(hidden)]
    fn write(value: &T, to: &mut Encoder<'_>) -> Result<(), Fault>;

    /// Adds the bytes of all values.
    #[doc(hidden)]
    fn write_all(values: &[T], to: &mut Encoder<'_>) -> Result<(), Fault> {
        values.iter().try_for_each(|value| Self::write(value, to))
    }

    /// The value whose bytes are next.
    #[doc(hidden)]
    fn read(from: &mut Decoder<'_>) -> Result<T, Fault>;

    /// Calls `f` with each of the values whose bytes are next, up to the first error.
    #[doc(hidden)]
    #[inline]
    fn read_all(from: &mut Decoder<'_>, count: usize, mut f: impl FnMut(T)) -> Result<(), Fault> {
        (0..count).try_for_each(|_| Self::read(from).map(&mut f))
    }

    /// The values whose bytes are next, if their bytes are their memory.
    #[doc(hidden)]
    #[inline]
    fn plain<'b>(_: &mut Decoder<'b>, _: usize) -> Result<Option<PlainValues<'b, T>>, Fault> {
        Ok(None)
    }
}

/// The bytes of values of plain old data, one after the other, at any address. They are values: each was checked.
#[derive(Debug)]
pub(crate) struct PlainValues<'b, T> {
    bytes: &'b [u8],
    values: Brand<T>,
}

impl<'b, T> PlainValues<'b, T> {
    /// The bytes.
    pub(crate) fn bytes(&self) -> &'b [u8] {
        self.bytes
    }
}

impl<'b, T: CheckedBitPattern> PlainValues<'b, T> {
    /// The values with these bytes, if there are some. Of types of which all bytes are values, nothing is read.
    fn check(bytes: &'b [u8]) -> Result<Self, Fault> {
        let mut are_valid = true;
        for value in bytes.chunks_exact(size_of::<T>().max(1)) {
            are_valid &= T::is_valid_bit_pattern(&bytemuck::pod_read_unaligned(value));
        }
        if are_valid { Ok(Self { bytes, values: PhantomData }) } else { Err(no_value()) }
    }
}

/// Reads several values: by a codec, or from bytes of an older type.
pub(crate) trait ReadValues<T> {
    /// As [`Codec::plain`].
    fn plain<'b>(
        &self,
        _: &mut Decoder<'b>,
        _: usize,
    ) -> Result<Option<PlainValues<'b, T>>, Fault> {
        Ok(None)
    }

    /// As [`Codec::read_all`].
    fn read_all(&self, from: &mut Decoder<'_>, count: usize, f: impl FnMut(T))
    -> Result<(), Fault>;
}

/// Reads by the codec `K`.
pub(crate) struct ByCodec<K>(pub(crate) PhantomData<K>);

impl<'a, T, K: Codec<'a, T>> ReadValues<T> for ByCodec<(K, &'a ())> {
    #[inline]
    fn read_all(
        &self,
        from: &mut Decoder<'_>,
        count: usize,
        f: impl FnMut(T),
    ) -> Result<(), Fault> {
        K::read_all(from, count, f)
    }

    #[inline]
    fn plain<'b>(
        &self,
        from: &mut Decoder<'b>,
        count: usize,
    ) -> Result<Option<PlainValues<'b, T>>, Fault> {
        K::plain(from, count)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Serialize + DeserializeOwned> Codec<'a, T> for SaveForm<SERDE> {
    const FORM: u8 = SERDE;

    fn write(value: &T, to: &mut Encoder<'_>) -> Result<(), Fault> {
        postcard::serialize_with_flavor(value, Sink(to.bytes())).map_err(|error| fault(&error))
    }

    fn write_all(values: &[T], to: &mut Encoder<'_>) -> Result<(), Fault> {
        let mut left = values;
        while left.len() >= FEWEST_FOR_BUFFER {
            let written = write_into_buffer(left, to.bytes()).map_err(|error| fault(&error))?;
            left = &left[written..];
            if written == 0 {
                break;
            }
        }
        left.iter().try_for_each(|value| Self::write(value, to))
    }

    fn read(from: &mut Decoder<'_>) -> Result<T, Fault> {
        from.by_serde()
    }

    #[inline]
    fn read_all(from: &mut Decoder<'_>, count: usize, mut f: impl FnMut(T)) -> Result<(), Fault> {
        // A local variable, which stays in registers: `from` would be stored and loaded again around each call of `f`.
        let mut bytes = from.rest();
        for _ in 0..count {
            let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| fault(&error))?;
            bytes = rest;
            f(value);
        }
        *from.bytes() = bytes;
        Ok(())
    }
}

impl Decoder<'_> {
    /// The value whose bytes are next.
    #[inline]
    pub(crate) fn by_serde<T: DeserializeOwned>(&mut self) -> Result<T, Fault> {
        let bytes = self.bytes();
        let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| fault(&error))?;
        *bytes = rest;
        Ok(value)
    }
}

#[cold]
fn fault(error: &postcard::Error) -> Fault {
    Fault::new(error.to_string())
}

/// The bytes of a value by `postcard`.
pub(crate) fn postcard_bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    postcard::serialize_with_flavor(value, Sink(&mut bytes)).map_err(|error| fault(&error))?;
    Ok(bytes)
}

/// Fewer values than this are written one by one: to make the buffer costs more than it saves.
const FEWEST_FOR_BUFFER: usize = 16;

/// The size of a [`Buffer`] in bytes.
const BUFFER: usize = 1 << 12;

/// Adds the bytes of the first values, and returns the number of these values. It is 0 if the first one does not fit. The caller
/// serializes the first value that does not fit once more.
fn write_into_buffer<T: Serialize>(values: &[T], to: &mut Vec<u8>) -> postcard::Result<usize> {
    let start = to.len();
    to.resize(start + BUFFER, 0);
    let (free, mut len, mut count) = (&mut to[start..], 0, 0);
    for value in values {
        let mut is_full = false;
        let buffer = Buffer { free: &mut free[len..], len: 0, is_full: &mut is_full };
        match postcard::serialize_with_flavor(value, buffer) {
            // Whatever the result is: code of the value may ignore the error or replace it, as `collect_str` does.
            _ if is_full => break,
            Ok(bytes) => (len, count) = (len + bytes, count + 1),
            Err(error) => return Err(error),
        }
    }
    to.truncate(start + len);
    Ok(count)
}

/// Writes the bytes of a value into a slice of fixed length. A vector would check its capacity at each number.
struct Buffer<'a> {
    free: &'a mut [u8],
    len: usize,
    is_full: &'a mut bool,
}

impl postcard::ser_flavors::Flavor for Buffer<'_> {
    type Output = usize;

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        let free = self.free.get_mut(self.len..).and_then(|free| free.get_mut(..bytes.len()));
        let Some(free) = free else {
            *self.is_full = true;
            return Err(postcard::Error::SerializeBufferFull);
        };
        // Numbers of few bytes are copied without a call.
        match bytes.len() {
            1 => free[..1].copy_from_slice(&bytes[..1]),
            2 => free[..2].copy_from_slice(&bytes[..2]),
            3 => free[..3].copy_from_slice(&bytes[..3]),
            4 => free[..4].copy_from_slice(&bytes[..4]),
            5 => free[..5].copy_from_slice(&bytes[..5]),
            _ => free.copy_from_slice(bytes),
        }
        self.len += bytes.len();
        Ok(())
    }

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.try_extend(&[byte])
    }

    #[inline]
    fn finalize(self) -> postcard::Result<usize> {
        Ok(self.len)
    }
}

/// Takes the bytes of a value, with no more than a copy.
struct Sink<'a>(&'a mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Sink<'_> {
    type Output = ();

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: NoUninit + CheckedBitPattern> Codec<'a, T> for SaveForm<PLAIN> {
    const FORM: u8 = PLAIN;
    const BYTES: Option<usize> = Some(size_of::<T>());

    fn write(value: &T, to: &mut Encoder<'_>) -> Result<(), Fault> {
        to.put(bytemuck::bytes_of(value));
        Ok(())
    }

    fn write_all(values: &[T], to: &mut Encoder<'_>) -> Result<(), Fault> {
        to.put(bytemuck::cast_slice(values));
        Ok(())
    }

    fn read(from: &mut Decoder<'_>) -> Result<T, Fault> {
        checked(from.take(size_of::<T>())?)
    }

    #[inline]
    fn read_all(from: &mut Decoder<'_>, count: usize, mut f: impl FnMut(T)) -> Result<(), Fault> {
        if size_of::<T>() == 0 {
            return (0..count).try_for_each(|_| Self::read(from).map(&mut f));
        }
        let all = from.take(count.saturating_mul(size_of::<T>()))?;
        all.chunks_exact(size_of::<T>()).try_for_each(|bytes| checked(bytes).map(&mut f))
    }

    fn plain<'b>(
        from: &mut Decoder<'b>,
        count: usize,
    ) -> Result<Option<PlainValues<'b, T>>, Fault> {
        PlainValues::check(from.take(count.saturating_mul(size_of::<T>()))?).map(Some)
    }
}

/// The value with these bytes, if there is one.
#[inline]
pub(crate) fn checked<T: CheckedBitPattern>(bytes: &[u8]) -> Result<T, Fault> {
    bytemuck::checked::try_pod_read_unaligned(bytes).map_err(|_| no_value())
}

#[cold]
fn no_value() -> Fault {
    Fault::new("the bytes are no value of the type")
}

#[diagnostic::do_not_recommend]
impl<'a, T: Default> Codec<'a, T> for SaveForm<EMPTY> {
    const FORM: u8 = EMPTY;
    const BYTES: Option<usize> = Some(0);

    fn write(_: &T, _: &mut Encoder<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn read(_: &mut Decoder<'_>) -> Result<T, Fault> {
        Ok(T::default())
    }
}
