//! The outputs of systems: the traits, their implementations, and streams.

mod collections;
mod sequence;
pub(crate) mod stream;
mod traits;

pub use sequence::Sequence;
pub use stream::{Sender, Stream, Streaming};
pub use traits::Output;
