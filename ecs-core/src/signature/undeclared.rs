//! What an entry has in the place of a component that its system does not declare.
//!
//! A body that uses such a component meets this type, and the compiler's message shows it:
//! ``no field `0` on type `ecs_core::access::ECS0113_not_in_read_or_write<Fly, Position>` ``. On stable Rust, nothing else
//! puts words of ours into a message about a field. Closures in the declaration get a message of the macro before.

use core::fmt;
use core::marker::PhantomData;

use crate::types::Brand;

/// The system `N` declares the component `C` neither in `read` nor in `write`.
///
/// It has no public fields, no methods and no operators, so that every use is an error that shows the type
/// ([`ECS0113`](crate::errors::ecs0113)).
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "it is read in messages")]
pub struct ECS0113_not_in_read_or_write<N, C> {
    /// It has a name, since a private field `0` would be one that components have, too.
    nothing: Brand<(N, C)>,
}

impl<N, C> ECS0113_not_in_read_or_write<N, C> {
    /// The only value.
    #[doc(hidden)]
    pub const HERE: Self = Self { nothing: PhantomData };
}

/// A reference to a value without size, of which there may be any number. A reference to a constant would make the
/// compiler look at each of its fields, for each system.
#[must_use]
pub fn lend_nothing<T: 'static>(value: T) -> &'static T {
    const { assert!(size_of::<T>() == 0, "a value of some size would be leaked") };
    Box::leak(Box::new(value))
}

impl<N, C> fmt::Debug for ECS0113_not_in_read_or_write<N, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.nothing)
    }
}
