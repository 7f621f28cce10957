//! Numbers as types, so that bounds can say that two components differ.
//!
//! On stable Rust no bound compares types or constants. So each component of a declaration has a number of its own, as
//! a type that is a list of bits, and numbers are compared bit by bit. That takes eight impls for all numbers, where
//! an impl for each pair of components would be quadratic.

/// `Self` and `N` are numbers that differ.
///
/// A number is the list of its bits, the lowest one first: `()` is 0, `(N,)` is twice `N`, and `(N, ())` is one more
/// than that. So 6 is `((((), ()), ()),)`.
pub trait OtherNumber<N> {}

impl<N> OtherNumber<(N,)> for () {}
impl<N> OtherNumber<(N, ())> for () {}
impl<M> OtherNumber<()> for (M,) {}
impl<M> OtherNumber<()> for (M, ()) {}
impl<M, N> OtherNumber<(N, ())> for (M,) {}
impl<M, N> OtherNumber<(N,)> for (M, ()) {}
impl<M: OtherNumber<N>, N> OtherNumber<(N,)> for (M,) {}
impl<M: OtherNumber<N>, N> OtherNumber<(N, ())> for (M, ()) {}
