//! Resource signatures, and how a declaration provides the initial values.

use core::marker::PhantomData;

use crate::signature::{Declaration, HasResource};
use crate::types::{Brand, Erased, ThreadSafe, TypeInfo};

/// Names a resource: one value of a type, owned by the world.
///
/// ```
/// # use ecs_core::{Declaration, world};
/// # #[derive(Default)]
/// # struct Clock(u64);
/// # world! { world Game; resource Clock; }
/// let clock = &Game::RESOURCES[0];
/// assert_eq!((clock.name(), clock.info().size()), ("Clock", 8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResourceSignature {
    name: &'static str,
    info: TypeInfo,
}

impl ResourceSignature {
    /// A resource of type `R`.
    #[must_use]
    pub const fn new<R: 'static>(name: &'static str) -> Self {
        Self { name, info: TypeInfo::of::<R>() }
    }

    /// The resource's name in the declaration.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What storage knows of the resource's type.
    #[must_use]
    pub const fn info(&self) -> &TypeInfo {
        &self.info
    }
}

/// Takes the initial value of each resource when a world is made.
#[derive(Debug)]
pub struct ResourceSink<'a, D> {
    values: &'a mut [Option<Erased>],
    declaration: Brand<D>,
}

impl<'a, D: Declaration> ResourceSink<'a, D> {
    /// `values` has a place for each resource, by index.
    pub(crate) fn new(values: &'a mut [Option<Erased>]) -> Self {
        Self { values, declaration: PhantomData }
    }

    /// Gives the resource `R` its initial value. A second value replaces the first.
    ///
    /// # Panics
    /// If the declaration's tables disagree about `R`, which cannot happen with `world!`.
    pub fn put<R: ThreadSafe>(&mut self, value: R)
    where
        D: HasResource<R>,
    {
        self.values[<D as HasResource<R>>::INDEX] = Some(Erased::new(value));
    }
}
