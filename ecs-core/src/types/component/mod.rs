//! The definition of a component, and the facts about its type that the storage needs.

mod type_info;

pub use ecs_rules::IndexSet;
pub use type_info::TypeInfo;

/// The most components that one declaration can have.
pub const MAX_COMPONENTS: usize = ecs_rules::MOST;

/// A piece of data that an entity may own.
///
/// Implemented for every type that is `Send + Sync + 'static`; neither `Default` nor `Copy` is
/// required. The declaration of a world lists its components and how each is stored (thesis,
/// 7.1.1).
#[diagnostic::on_unimplemented(
    message = "[E0068] `{Self}` cannot be a component: threads cannot share it, or it borrows",
    label = "must be `Send + Sync + 'static`",
    note = "put `Arc` in the place of `Rc`, an atomic or a `Mutex` in the place of `Cell` or `RefCell`, and a value in the place of a reference"
)]
pub trait Component: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Component for T {}

/// Data that threads can share and that borrows nothing: resources, systems' states and outputs.
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
