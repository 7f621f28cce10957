//! What a component is, and what the storage must know of its type.

mod set;
mod type_info;

pub use set::{IndexSet, MAX_COMPONENTS};
pub use type_info::TypeInfo;

/// A piece of data that an entity may own.
///
/// Implemented for every type that can be shared between and sent to threads and borrows nothing;
/// neither `Default` nor `Copy` is asked for. Which components a world knows, and how each is
/// stored, is said in its declaration (thesis, 7.1.1).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a component: it must be `Send + Sync + 'static`",
    label = "subtasks on several threads read and write components"
)]
pub trait Component: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Component for T {}
