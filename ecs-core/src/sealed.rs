//! Seals: parts of traits that users implement, but not these parts.

/// A type without a name outside of the library: a trait's constant of this type, or a method with a parameter of it, is
/// implemented here alone. For users' impls the trait has a default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sealed<T = ()>(pub(crate) T);
