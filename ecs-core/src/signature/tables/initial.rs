//! The values that a world starts with where the declaration says no other: `Default`, by traits with messages of ours.

/// The state of a system, or the index of a query, that has a `Default`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "[ECS0114] the state `{Self}` has no `Default` to start with",
    label = "no initial state",
    note = "write the value in the declaration: `state: …`, or add `#[derive(Default)]` to `{Self}`"
)]
pub trait InitialState {
    /// The initial value.
    fn initial() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> InitialState for T {
    fn initial() -> Self {
        Self::default()
    }
}

/// A resource that has a `Default`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "[ECS0114] the resource `{Self}` has no `Default` to start with",
    label = "no initial value",
    note = "write the value in the declaration: `resource {Self} = …;`, or add `#[derive(Default)]` to `{Self}`"
)]
pub trait InitialResource {
    /// The initial value.
    fn initial() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> InitialResource for T {
    fn initial() -> Self {
        Self::default()
    }
}
