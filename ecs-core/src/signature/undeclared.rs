//! What an entry has in the place of a component that its system does not declare.
//!
//! A body that uses such a component meets one of these types, and the compiler's message names it:
//! ``no field `0` on type `ECS0113_undeclared<Fly, read_or_write<[Position]>>` ``. There is no other way on stable Rust to
//! word a message about a field. Bodies in the declaration get a message of the macro before.

use core::marker::PhantomData;

/// The system `N` does not declare `K`.
///
/// It has no fields, methods or operators, so that every use is an error that shows its type
/// ([`ECS0113`](crate::errors::ecs0113)).
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "it is read in messages")]
pub struct ECS0113_undeclared<N, K> {
    /// Named, since a private field `0` would be one that components have, too.
    nothing: PhantomData<(N, K)>,
}

/// The keys of a system by which it may use the components of the list `L`.
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "it is read in messages")]
pub enum read_or_write<L: ?Sized> {
    #[doc(hidden)]
    Nothing(core::convert::Infallible, PhantomData<L>),
}

impl<N, K> ECS0113_undeclared<N, K> {
    /// The only value.
    #[doc(hidden)]
    pub const HERE: Self = Self { nothing: PhantomData };
}

impl<N, K> core::fmt::Debug for ECS0113_undeclared<N, K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("not declared")
    }
}
