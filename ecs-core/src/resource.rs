//! *Resources*: single values that the world owns and systems declare.

use crate::component::ThreadSafe;
use crate::drops::DropEach;
use crate::erased::Erased;
use crate::signature::{Declaration, HasResource, ResourceSink};

/// The world's resources, by index.
///
/// All of them can be shared between threads, as `put` takes no others. Who finds one by its type
/// need not say so again.
#[derive(Debug)]
pub(crate) struct Resources {
    values: DropEach<Option<Erased>>,
}

impl Resources {
    pub(crate) fn new<D: Declaration>() -> Self {
        let mut resources = Self::empty::<D>();
        D::resources(&mut ResourceSink::new(&mut resources));
        for (value, signature) in resources.values.iter().zip(D::RESOURCES) {
            assert!(value.is_some(), "the resource `{}` got no initial value", signature.name());
        }
        resources
    }

    /// Places for the resources, without values.
    pub(crate) fn empty<D: Declaration>() -> Self {
        Self { values: DropEach::of(D::RESOURCES.len(), |_| None) }
    }

    /// Whether the resource at the index has a value.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.values[index].is_some()
    }

    pub(crate) fn put<R: ThreadSafe>(&mut self, index: usize, value: R) {
        self.values[index] = Some(Erased::new(value));
    }

    /// Where the resource `R` lies.
    #[inline]
    pub(crate) fn as_ptr<D: HasResource<R>, R: 'static>(&self) -> *mut R {
        match &self.values[<D as HasResource<R>>::INDEX] {
            Some(value) => value.as_ptr(),
            None => unreachable!("`new` checks that every resource has a value"),
        }
    }

    pub(crate) fn get<D: HasResource<R>, R: 'static>(&self) -> &R {
        // SAFETY: `as_ptr` asserts the type. Nothing writes resources through `&Resources` but the
        // one subtask of a system, which the declaration orders with every reader.
        unsafe { &*self.as_ptr::<D, R>() }
    }

    pub(crate) fn get_mut<D: HasResource<R>, R: 'static>(&mut self) -> &mut R {
        // SAFETY: `as_ptr` asserts the type; `&mut self` excludes everybody else.
        unsafe { &mut *self.as_ptr::<D, R>() }
    }
}
