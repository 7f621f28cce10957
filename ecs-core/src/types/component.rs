//! The definition of a component, and the facts about its type that the storage needs.

use core::any::TypeId;
use core::ptr::drop_in_place;

pub use ecs_rules::IndexSet;

/// The most components that one declaration can have.
pub const MAX_COMPONENTS: usize = ecs_rules::MOST;

/// A piece of data that an entity may own.
///
/// Implemented for every type that is `Send + Sync + 'static`; neither `Default` nor `Copy` is
/// required. The declaration of a world lists its components and how each is stored (thesis,
/// 7.1.1).
///
/// ```
/// use ecs_core::{Component, World, world};
///
/// struct Position(f32, f32);
///
/// fn is_component<C: Component>() {}
///
/// is_component::<Position>(); // any such type is one, without an impl
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0068] `{Self}` cannot be a component: threads cannot share it, or it borrows",
    label = "must be `Send + Sync + 'static`",
    note = "put `Arc` in the place of `Rc`, an atomic or a `Mutex` in the place of `Cell` or `RefCell`, and a value in the place of a reference"
)]
pub trait Component: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Component for T {}

/// Data that threads can share and that borrows nothing: resources, systems' states and outputs.
///
/// Implemented for every such type.
///
/// ```
/// use ecs_core::signature::ThreadSafe;
///
/// fn can_be_in_a_world<T: ThreadSafe>() {}
///
/// can_be_in_a_world::<std::sync::Arc<Vec<u32>>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0068] `{Self}` cannot be in a world: threads cannot share it, or it borrows",
    label = "must be `Send + Sync + 'static`",
    note = "put `Arc` in the place of `Rc`, an atomic or a `Mutex` in the place of `Cell` or `RefCell`, and a value in the place of a reference"
)]
pub trait ThreadSafe: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ThreadSafe for T {}

/// Size, alignment, identity and drop glue of one type.
///
/// The fields are private and [`TypeInfo::of`] is the only constructor, so a `TypeInfo` is always
/// correct. The storage relies on that for any declaration, also a hand-written one.
///
/// ```
/// use ecs_core::signature::TypeInfo;
///
/// let info = TypeInfo::of::<String>();
/// assert!(info.is::<String>() && info.needs_drop());
/// assert_eq!((info.size(), info.align()), (size_of::<String>(), align_of::<String>()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypeInfo {
    id: TypeId,
    size: usize,
    align: usize,
    needs_drop: bool,
    drop_in_place: unsafe fn(*mut u8),
}

impl TypeInfo {
    /// The facts of `T`.
    #[must_use]
    pub const fn of<T: 'static>() -> Self {
        /// # Safety
        /// `value` must be valid for dropping as a `T`.
        unsafe fn drop_as<T>(value: *mut u8) {
            // SAFETY: by the contract of this function.
            unsafe { drop_in_place(value.cast::<T>()) }
        }
        Self {
            id: TypeId::of::<T>(),
            size: size_of::<T>(),
            align: align_of::<T>(),
            needs_drop: core::mem::needs_drop::<T>(),
            drop_in_place: drop_as::<T>,
        }
    }

    /// Whether this is the type `T`. Evaluated at compile time if the `TypeInfo` is a constant.
    #[inline]
    #[must_use]
    pub fn is<T: 'static>(&self) -> bool {
        self.id == const { TypeId::of::<T>() }
    }

    /// Whether both are of one type.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id
    }

    /// Size of a value in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Alignment of a value in bytes.
    #[must_use]
    pub const fn align(&self) -> usize {
        self.align
    }

    /// Whether dropping a value does anything.
    #[must_use]
    pub const fn needs_drop(&self) -> bool {
        self.needs_drop
    }

    /// Drops the value at `value`.
    ///
    /// # Safety
    /// `value` must point to a live value of this type, which nothing else refers to and which is
    /// not used afterwards.
    pub(crate) unsafe fn drop_in_place(&self, value: *mut u8) {
        // SAFETY: `drop_in_place` is the drop glue of exactly this type, as `of` is the only
        // constructor. By the contract the value may be dropped.
        unsafe { (self.drop_in_place)(value) }
    }
}
