//! The brand: an invariant marker for type parameters that no field uses.

use core::marker::PhantomData;

/// Makes a type invariant in `T`: two types that differ in `T` are never coerced into one another.
///
/// A value is validated for its type arguments when it is created, and later uses rely on them: a
/// query that was validated for `&One` hands out `&One`. Rust has subtypes: `for<'a> fn(&'a str)`
/// is a subtype of `fn(&'static str)`. A query that is covariant in its terms, as with
/// `PhantomData<fn() -> T>`, could be validated for one component and used for another one. So a
/// brand names each type parameter that a proof relies on, if no field uses it or only covariant
/// fields do. The crate `attacks` tests every public type.
///
/// It takes no memory, owns no `T`, and is `Send` and `Sync` for every `T`.
pub(crate) type Brand<T> = PhantomData<fn(T) -> T>;
