//! A boxed value of an erased type, accessed by asserting that type.

use core::cell::UnsafeCell;

use crate::types::TypeInfo;

/// One boxed value whose type is asserted at each use.
///
/// The world stores its resources and system instances in these, one per index, so that a
/// declaration need not be a recursive type. The type at each index is a constant, so the compiler
/// evaluates the assertions.
pub(crate) struct Erased {
    info: TypeInfo,
    value: Box<UnsafeCell<dyn Value>>,
}

/// A value of any type. (`Any` would have a function for each type.)
trait Value: Send + Sync {}

impl<T: Send + Sync> Value for T {}

// SAFETY: the value is `Send`.
unsafe impl Send for Erased {}
// SAFETY: the value is `Sync`. The methods that could write through `&Erased` hand out raw pointers
// only, and each use of these proves that there are no other accesses.
unsafe impl Sync for Erased {}

impl Erased {
    pub(crate) fn new<T: Send + Sync + 'static>(value: T) -> Self {
        Self { info: const { TypeInfo::of::<T>() }, value: Box::new(UnsafeCell::new(value)) }
    }

    /// The address of the value.
    ///
    /// # Panics
    /// If the value is not a `T`.
    #[inline]
    pub(crate) fn as_ptr<T: 'static>(&self) -> *mut T {
        assert!(self.info.is::<T>(), "the declaration gives an index to two types");
        self.value.get().cast()
    }

    /// The address of the value.
    ///
    /// # Safety
    /// The value must be a `T`.
    #[inline]
    pub(crate) unsafe fn as_ptr_unchecked<T: 'static>(&self) -> *mut T {
        debug_assert!(self.info.is::<T>(), "the value is of another type");
        self.value.get().cast()
    }

    /// The value.
    ///
    /// # Safety
    /// Nothing may write the value while the reference exists.
    ///
    /// # Panics
    /// If the value is not a `T`.
    pub(crate) unsafe fn get<T: 'static>(&self) -> &T {
        // SAFETY: `as_ptr` asserts the type. By the contract nothing writes the value meanwhile.
        unsafe { &*self.as_ptr() }
    }

    /// The value, mutable.
    ///
    /// # Panics
    /// If the value is not a `T`.
    #[inline]
    pub(crate) fn get_mut<T: 'static>(&mut self) -> &mut T {
        // SAFETY: `as_ptr` asserts the type. `&mut self` excludes all other references.
        unsafe { &mut *self.as_ptr() }
    }
}

impl core::fmt::Debug for Erased {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Erased").field("type", &self.info).finish_non_exhaustive()
    }
}
