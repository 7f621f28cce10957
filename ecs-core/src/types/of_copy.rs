//! Answers at compile time whether a type is `Copy`.

use super::Brand;

/// Answers whether `T` is `Copy`: `OfCopy::<T>::IT_IS` is the constant of this type where it is, else that of [`IsNotCopy`].
#[derive(Debug)]
pub struct OfCopy<T>(Brand<T>);

impl<T: Copy> OfCopy<T> {
    /// It is.
    pub const IT_IS: bool = true;
}

/// The answer of [`OfCopy`] for other types.
pub trait IsNotCopy {
    /// It is not.
    const IT_IS: bool = false;
}

impl<T> IsNotCopy for OfCopy<T> {}

/// A type that is neither `Copy` nor plain old data, and has no default.
#[derive(Debug)]
pub struct Neither(());
