//! Values and numbers as bytes, of which saves consist.
//!
//! Numbers are little endian. Bytes come in *frames*, each with its length before it, so that no reader has to understand
//! what it skips, and no length is believed before its bytes are there.

mod decoder;
mod encoder;
mod form;
#[cfg(test)]
mod tests;

use core::fmt;

pub(crate) use decoder::{Decoder, Frames};
pub(crate) use encoder::{Encoder, Lengths};
pub(crate) use form::{
    ByCodec, EMPTY, NOTHING, PLAIN, PlainValues, ReadValues, SERDE, checked, postcard_bytes,
};
pub use form::{
    Codec, HasNoDefault, IsNotPlain, OfDefault, OfPlain, SaveForm, form_of, state_form_of,
};

/// Why bytes are not what they should be, or why a value has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub(crate) String);

impl Fault {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
