//! What tells a set from all others, of whatever crate: where its name stands.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A number for the set of this name; the same whenever the set's crate is compiled.
pub(crate) fn of(name: &syn::Ident) -> u64 {
    let mut hasher = DefaultHasher::new();
    for variable in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"] {
        std::env::var(variable).unwrap_or_default().hash(&mut hasher);
    }
    let span = name.span().unwrap();
    (span.file(), span.line(), span.column(), name.to_string()).hash(&mut hasher);
    hasher.finish()
}
