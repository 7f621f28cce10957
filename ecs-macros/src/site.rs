//! Where generated tokens lie: at a token of the user's.
//!
//! `rustc` compiles again what has moved since the last build. A token of `Span::call_site()` lies in the whole
//! `world!`, which is longer or shorter after each edit, and all code that has such a token would be compiled again. So
//! each item is generated *at* a token: the name of the system or the component that it is for, or that of the world.

use std::cell::Cell;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens;

thread_local! {
    static SITE: Cell<Option<Span>> = const { Cell::new(None) };
}

/// The span of generated tokens: that of the innermost [`enter`].
pub(crate) fn here() -> Span {
    SITE.get().unwrap_or_else(Span::call_site)
}

/// The span with the macro's own hygiene: `rustc` proposes no change there, most lints skip it, and the user's code does
/// not see its names. The hygiene refers to the whole call of the macro, so what has it is checked again after each edit.
/// Headers of items have it, and bodies only where they must.
pub(crate) fn macros_own(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// Restores the former span when it is dropped.
pub(crate) struct At(Option<Span>);

/// Generates tokens at `span` as long as the value lives.
pub(crate) fn enter(span: Span) -> At {
    At(SITE.replace(Some(span)))
}

impl Drop for At {
    fn drop(&mut self) {
        SITE.set(self.0);
    }
}

/// `quote::quote!` with the span [`here`].
macro_rules! quote {
    ($($tokens:tt)*) => { ::quote::quote_spanned!($crate::site::here()=> $($tokens)*) };
}

/// `quote::quote_spanned!`. The span is also that of what the interpolated expressions generate.
macro_rules! quote_spanned {
    ($span:expr=> $($tokens:tt)*) => {{
        let span = $span;
        let _at = $crate::site::enter(span);
        ::quote::quote_spanned!(span=> $($tokens)*)
    }};
}

pub(crate) use {quote, quote_spanned};

/// The name, at the site.
pub(crate) fn at_site(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(here());
    name
}

/// A number without a suffix, at the site.
pub(crate) fn number(value: usize) -> Literal {
    let mut literal = Literal::usize_unsuffixed(value);
    literal.set_span(here());
    literal
}

/// A string, at the site.
pub(crate) fn text(value: &str) -> Literal {
    let mut literal = Literal::string(value);
    literal.set_span(here());
    literal
}

/// The name by which each declaration imports `ecs-core`. It has the version, as declarations of two versions may be in
/// one module.
pub(crate) const LIBRARY: &str = concat!(
    "__ecs_",
    env!("CARGO_PKG_VERSION_MAJOR"),
    "_",
    env!("CARGO_PKG_VERSION_MINOR"),
    "_",
    env!("CARGO_PKG_VERSION_PATCH"),
);

/// The path of `ecs-core`, at the site: an imported name, as `$crate` itself lies in the whole `world!`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Krate;

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        Ident::new(LIBRARY, here()).to_tokens(tokens);
    }
}
