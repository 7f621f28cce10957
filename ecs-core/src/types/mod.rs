//! What every room uses: facts about types, sets of indices, state hashes of values, and small helpers.

mod accumulate;
mod brand;
#[cfg(feature = "serde")]
pub(crate) mod bytes;
pub mod combine;
pub(crate) mod component;
mod countdown;
mod erased;
mod of_copy;
mod prefetch;
mod sealed;
mod state_hash;
pub(crate) mod xxh3;

pub use accumulate::Accumulate;
pub(crate) use brand::Brand;
pub(crate) use component::{Component, IndexSet, MAX_COMPONENTS, ThreadSafe, TypeInfo};
pub use countdown::{Countdown, Expires};
pub(crate) use erased::Erased;
pub use of_copy::{IsNotCopy, Neither, OfCopy};
pub(crate) use prefetch::{for_each_prefetched, prefetch};
pub(crate) use sealed::Sealed;
pub use state_hash::bytes::{FieldBytes, Fields, NoFieldBytes};
pub use state_hash::{StateHash, StateHasher};
