//! What an entry has in the place of a component that its system does not declare.
//!
//! A body that uses such a component meets this type, and the compiler's message shows it:
//! ``no field `0` on type `ecs_core::access::ECS0113_not_in_read_or_write<Fly, Position>` ``. On stable Rust, nothing else
//! puts words of ours into a message about a field. Closures in the declaration get a message of the macro before.

use crate::types::Brand;

/// The system `N` declares the component `C` neither in `read` nor in `write`.
///
/// It has no values, no public fields, no methods and no operators, so that every use is an error that shows the type
/// ([`ECS0113`](crate::errors::ecs0113)).
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "it is read in messages")]
pub struct ECS0113_not_in_read_or_write<N, C> {
    /// It has a name, since a private field `0` would be one that components have, too.
    nothing: Brand<(N, C)>,
}

/// The `Deref` of an entry calls it, in the place of a value of the fields that the system does not declare. Any use of
/// such a field is a compile error, except for a borrow with which nothing is done.
///
/// # Panics
/// Always.
#[cold]
#[track_caller]
pub fn not_declared() -> ! {
    panic!(
        "[ECS0113] the code borrows a field of an entry, whose component the system does not declare\n\
         help: list the component in `read` or `write` of the system"
    );
}
