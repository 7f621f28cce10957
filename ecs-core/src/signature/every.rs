//! All systems of a declaration, as one type, for type checks of code for many systems.

use super::{Declaration, SystemName, SystemSignature};
use crate::brand::Brand;

/// The systems of a declaration are those of `T`: a balanced tree of [`Both`] with a [`One`] for each
/// system, or `()` if there is none. [`world!`](crate::world) implements it, once.
///
/// `T` is a parameter, because an associated type would have to be as visible as the world. A system that `T`
/// omits keeps its body in every execution; the table decides what runs.
pub trait EverySystem<T>: Declaration {}

/// A leaf: the system `N`.
#[derive(Debug)]
pub struct One<N>(Brand<N>);

/// The systems of `L`, and those of `R`.
#[derive(Debug)]
pub struct Both<L, R>(Brand<(L, R)>);

/// The signature of the system `N` in the table.
#[must_use]
pub const fn signature_of<D: Declaration, N: SystemName<D>>() -> &'static SystemSignature {
    &D::SYSTEMS[N::INDEX]
}
