//! The outputs of systems: the traits, their implementations, and streams; and the queues of events.

mod collections;
mod erased;
mod events;
mod sequence;
pub(crate) mod stream;
mod traits;

pub(crate) use erased::{AnyOutput, OutputType};
pub(crate) use events::{ByRow, Emitted, EventPlace};
pub use events::{EventIter, EventQueue};
pub use sequence::Sequence;
pub use stream::{Sender, Stream, Streaming};
pub use traits::Output;
