//! Seals: parts of public traits that only the library implements.

/// A type that cannot be named outside the library. So only the library can define a trait's
/// constant of this type, or a method with a parameter of this type. Implementations of users get
/// the trait's default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sealed<T = ()>(pub(crate) T);
