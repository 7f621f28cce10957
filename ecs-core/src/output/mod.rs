//! The outputs of systems: the traits, their implementations, and streams.

mod collections;
mod erased;
mod sequence;
pub(crate) mod stream;
mod traits;

pub(crate) use erased::{AnyOutput, OutputType};
pub use sequence::Sequence;
pub use stream::{Sender, Stream, Streaming};
pub use traits::Output;
