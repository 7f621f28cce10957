//! *Sets*: what [`set!`](crate::set!) generates is made of these. Nobody else needs them, and nothing
//! relies on them: a world that includes a set is validated like any other.

use crate::component::ThreadSafe;
use crate::inner_parallelism::Strategy;
use crate::signature::Declaration;
use crate::system::Output;

/// The declaration `D` includes the set that this type, such as `PhysicsSet`, stands for.
#[diagnostic::on_unimplemented(
    message = "[E0044] the world `{D}` does not include the set of `{Self}`",
    label = "the set is not included",
    note = "add `include path::of::the::set;` to the declaration of `{D}`"
)]
pub trait IncludedIn<D: Declaration> {}

/// What the system number `I` of a set brings along into every world.
pub trait SetSystem<const I: usize> {
    /// The name that the system goes by.
    type Name: 'static;

    /// The user's type, which holds the system's state.
    type System: ThreadSafe;

    /// What each subtask puts out.
    type Output: Output;

    /// How the subscribed entities are split over subtasks.
    type Parallelism: Strategy;

    /// The entity and every component that the signature reads or writes, as a query.
    type Terms;

    /// What that query yields.
    type Found<'a>;

    /// The same with a named field for each component.
    type Entry<'a>;

    /// The state that the system starts with.
    fn initial() -> Self::System;

    /// Names what the query found.
    fn entry(found: Self::Found<'_>) -> Self::Entry<'_>;
}

/// What the resource number `I` of a set brings along into every world.
pub trait SetResource<const I: usize> {
    /// The resource.
    type Resource: ThreadSafe;

    /// The value that it starts with.
    fn initial() -> Self::Resource;
}

/// Always true, and `Is` is `T`.
///
/// As a supertrait with a bound on `Is`, it makes that bound on `T` known wherever the trait itself is
/// a bound, which a `where` clause would not. So `D: PhysicsWorld` is all that the body of a system
/// has to ask for.
pub trait Implies<T>: IsType<T, Is = T> {}

impl<T, W> Implies<T> for W {}

/// See [`Implies`].
pub trait IsType<T> {
    /// The type.
    type Is;
}

impl<T, W> IsType<T> for W {
    type Is = T;
}
