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
    message = "[E0068] `{Self}` cannot be a component: threads cannot share it, or it borrows",
    label = "must be `Send + Sync + 'static`",
    note = "put `Arc` in the place of `Rc`, an atomic or a `Mutex` in the place of `Cell` or `RefCell`, and a value in the place of a reference"
)]
pub trait Component: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Component for T {}

/// What threads can share and what borrows nothing: resources, systems' states and outputs.
///
/// Implemented for every such type.
#[diagnostic::on_unimplemented(
    message = "[E0068] `{Self}` cannot be in a world: threads cannot share it, or it borrows",
    label = "must be `Send + Sync + 'static`",
    note = "put `Arc` in the place of `Rc`, an atomic or a `Mutex` in the place of `Cell` or `RefCell`, and a value in the place of a reference"
)]
pub trait ThreadSafe: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ThreadSafe for T {}
