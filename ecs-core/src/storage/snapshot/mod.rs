//! A storage as a whole: copied, hashed, written as bytes and read again.

#[cfg(feature = "serde")]
mod bytes;
mod copy;
mod hash;

#[cfg(feature = "ron")]
pub(crate) use bytes::REMOVED;
#[cfg(feature = "serde")]
pub(crate) use bytes::{LENGTHS, PAGE, Unfilled};
pub(crate) use copy::{CopyComponent, CopyPage};
