//! The identity of a set among all crates: the position of its name in the source.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The identity of the set with this name. It is the same in every compilation of the set's crate.
pub(crate) fn of(name: &syn::Ident) -> u64 {
    let mut hasher = DefaultHasher::new();
    for variable in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"] {
        std::env::var(variable).unwrap_or_default().hash(&mut hasher);
    }
    let span = name.span().unwrap();
    (span.file(), span.line(), span.column(), name.to_string()).hash(&mut hasher);
    hasher.finish()
}
