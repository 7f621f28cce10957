//! A value of some type in a place of its own, found again by asserting that type.

use core::any::Any;
use core::cell::UnsafeCell;

use crate::component::TypeInfo;

/// One heap value of a type that is asserted at each use.
///
/// The world keeps its resources and system instances in these, one per index, so that a
/// declaration need not be a recursive type. Which type lies at which index is a constant, so the
/// assertions fold away.
pub(crate) struct Erased {
    info: TypeInfo,
    value: Box<UnsafeCell<dyn Any + Send + Sync>>,
}

// SAFETY: the value is `Send`.
unsafe impl Send for Erased {}
// SAFETY: the value is `Sync`; the methods that could write through `&Erased` hand out raw
// pointers only, whose users prove that nobody else is there.
unsafe impl Sync for Erased {}

impl Erased {
    pub(crate) fn new<T: Send + Sync + 'static>(value: T) -> Self {
        Self { info: TypeInfo::of::<T>(), value: Box::new(UnsafeCell::new(value)) }
    }

    /// Where the value lies.
    ///
    /// # Panics
    /// If it is no `T`.
    #[inline]
    pub(crate) fn as_ptr<T: 'static>(&self) -> *mut T {
        assert!(self.info.is::<T>(), "the declaration gives an index to two types");
        self.value.get().cast()
    }

    /// Where the value lies.
    ///
    /// # Safety
    /// It must be a `T`.
    #[inline]
    pub(crate) unsafe fn as_ptr_unchecked<T: 'static>(&self) -> *mut T {
        debug_assert!(self.info.is::<T>(), "the value is of another type");
        self.value.get().cast()
    }

    /// The value.
    ///
    /// # Safety
    /// Nobody writes it meanwhile.
    ///
    /// # Panics
    /// If it is no `T`.
    pub(crate) unsafe fn get<T: 'static>(&self) -> &T {
        // SAFETY: `as_ptr` asserts the type; the caller vouches for the rest.
        unsafe { &*self.as_ptr() }
    }

    /// The value, to write.
    ///
    /// # Panics
    /// If it is no `T`.
    #[inline]
    pub(crate) fn get_mut<T: 'static>(&mut self) -> &mut T {
        // SAFETY: `as_ptr` asserts the type; `&mut self` excludes everybody else.
        unsafe { &mut *self.as_ptr() }
    }
}

impl core::fmt::Debug for Erased {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Erased").field("type", &self.info).finish_non_exhaustive()
    }
}
