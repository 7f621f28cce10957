//! The memory of components: buffers of rows, lists of values of an erased type, and layouts.
//! The memory itself is that of `rows/memory.rs`.

mod buffer;
mod erased_vec;
mod layout;

pub(super) use buffer::Buffer;
pub(super) use erased_vec::ErasedVec;
pub(super) use layout::{Layout, Layouts, place_of};
pub(crate) use layout::{first_too_large, layout_of};
