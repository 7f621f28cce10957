//! All systems of a declaration, as one type: what code for many systems is checked against.

use super::{Declaration, SystemName, SystemSignature};
use crate::brand::Brand;

/// The systems of a declaration are those of `T`: a balanced tree of [`Both`] with a [`One`] for each
/// system, or `()` if there is none. [`world!`](crate::world) implements it, once.
///
/// `T` is a parameter, as an associated type would have to be as visible as the world. A system that is
/// missing in it keeps its body in every execution; the table decides what runs.
pub trait EverySystem<T>: Declaration {}

/// A leaf: the system `N`.
#[derive(Debug)]
pub struct One<N>(Brand<N>);

/// The systems of `L`, and those of `R`.
#[derive(Debug)]
pub struct Both<L, R>(Brand<(L, R)>);

/// The line of the table that is about the system `N`.
#[must_use]
pub const fn signature_of<D: Declaration, N: SystemName<D>>() -> &'static SystemSignature {
    &D::SYSTEMS[N::INDEX]
}
