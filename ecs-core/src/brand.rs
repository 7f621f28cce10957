//! The brand: an invariant marker for type parameters that occur in no field.

use core::marker::PhantomData;

/// Makes a type invariant in `T`: two types that differ in `T` are never coerced into one another.
///
/// A value is validated for its type arguments when it is made, and later uses rely on them: a query that was checked for
/// `&One` hands out `&One`. Rust has subtypes: `for<'a> fn(&'a str)` is one of `fn(&'static str)`. A query that is covariant
/// in its terms, as `PhantomData<fn() -> T>` makes it, could be validated for one component and used for another one.
/// So each type parameter that a proof relies on, and that occurs in no field or in covariant fields only, is named in a
/// brand. The crate `attacks` probes every public type.
///
/// It takes no memory, owns no `T`, and is `Send` and `Sync` for every `T`.
pub(crate) type Brand<T> = PhantomData<fn(T) -> T>;
