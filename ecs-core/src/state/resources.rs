//! *Resources*: single values that the world owns and systems declare.

use crate::output::EventQueue;
use crate::parallel::DropEach;
use crate::signature::access::HasQueues;
use crate::signature::{Declaration, HasResource, ResourceSink, ResourceValues};
use crate::types::{Erased, ThreadSafe};

/// The world's resources, by index.
///
/// Every value is [`ThreadSafe`], because `put` requires it. So access by type needs no such bound.
#[derive(Debug)]
pub(crate) struct Resources {
    values: DropEach<Option<Erased>>,
}

impl Resources {
    pub(crate) fn new<D: Declaration>() -> Self {
        let mut resources = Self::empty::<D>();
        D::resources(&mut ResourceSink::new(&mut resources.values));
        for (value, signature) in resources.values.iter().zip(D::RESOURCES) {
            assert!(value.is_some(), "the resource `{}` got no initial value", signature.name());
        }
        resources
    }

    /// Slots for the resources, without values.
    pub(crate) fn empty<D: Declaration>() -> Self {
        Self { values: DropEach::of(D::RESOURCES.len(), |_| None) }
    }

    /// The value of the resource at the index.
    pub(crate) fn value(&self, index: usize) -> &Erased {
        self.values[index].as_ref().expect("`new` checks that every resource has a value")
    }

    /// The same, to write.
    pub(crate) fn value_mut(&mut self, index: usize) -> &mut Erased {
        self.values[index].as_mut().expect("`new` checks that every resource has a value")
    }

    /// Whether the resource at the index has a value.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.values[index].is_some()
    }

    /// The values, for conditions.
    pub(crate) fn values(&mut self) -> ResourceValues<'_> {
        ResourceValues::new(&mut self.values)
    }

    pub(crate) fn put<R: ThreadSafe>(&mut self, index: usize, value: R) {
        self.values[index] = Some(Erased::new(value));
    }

    /// The address of the resource `R`.
    #[inline]
    pub(crate) fn as_ptr<D: HasResource<R>, R: 'static>(&self) -> *mut R {
        match &self.values[<D as HasResource<R>>::INDEX] {
            Some(value) => value.as_ptr(),
            None => unreachable!("`new` checks that every resource has a value"),
        }
    }

    pub(crate) fn get<D: HasResource<R>, R: 'static>(&self) -> &R {
        // SAFETY: `as_ptr` asserts the type. Only the one subtask of a system writes a resource through `&Resources`,
        // and the declaration orders that system with every reader.
        unsafe { &*self.as_ptr::<D, R>() }
    }

    pub(crate) fn get_mut<D: HasResource<R>, R: 'static>(&mut self) -> &mut R {
        // SAFETY: `as_ptr` asserts the type; `&mut self` excludes every other access.
        unsafe { &mut *self.as_ptr::<D, R>() }
    }
}

impl HasQueues for Resources {
    #[inline]
    fn queue<D: HasResource<EventQueue<E>>, E: ThreadSafe>(&self) -> &EventQueue<E> {
        self.get::<D, EventQueue<E>>()
    }
}
