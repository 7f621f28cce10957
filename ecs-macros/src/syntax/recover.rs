//! Recovery: where parsing continues after tokens that cannot be read.

use proc_macro2::TokenTree;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Path, Token, token};

/// The words that items begin with.
pub(super) const ITEMS: [&str; 10] = [
    "world",
    "component",
    "bundle",
    "resource",
    "system",
    "query",
    "order",
    "stages",
    "include",
    "set",
];

/// Skips one token, if there is one.
pub(super) fn skip_token(input: ParseStream<'_>) -> Result<()> {
    if !input.is_empty() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Skips to the end of the item: past a `;` or a brace group, or up to the beginning of the next item.
pub(super) fn skip_item(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() && !begins_item(input) {
        let semicolon = input.peek(Token![;]);
        let body = input.peek(token::Brace);
        skip_token(input)?;
        if body && input.peek(Token![;]) {
            return skip_token(input);
        }
        if semicolon || body {
            break;
        }
    }
    Ok(())
}

/// Skips past the next comma.
pub(super) fn skip_entry(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() {
        let comma = input.peek(Token![,]);
        skip_token(input)?;
        if comma {
            break;
        }
    }
    Ok(())
}

/// Reads the path that names a thing.
///
/// If the next item begins here instead, as behind a half-typed one, that is the error, and nothing is read.
pub(super) fn name(input: ParseStream<'_>, kind: &str) -> Result<Path> {
    if input.is_empty() || begins_item(input) {
        return Err(input.error(format!("expected the name of a {kind}")));
    }
    let path: Path = input.parse()?;
    if path.is_ident("Self") {
        let message = format!("`Self` is no type here\nhelp: write the name of the {kind}");
        return Err(syn::Error::new_spanned(path, message));
    }
    Ok(path)
}

/// Whether an item begins here: an attribute, a visibility, or an item's first word and a name.
pub(super) fn begins_item(input: ParseStream<'_>) -> bool {
    if input.peek(Token![#]) || input.peek(Token![pub]) {
        return true;
    }
    let named =
        input.peek2(Ident::peek_any) || input.peek2(token::Paren) || input.peek2(Token![::]);
    named
        && input
            .fork()
            .call(Ident::parse_any)
            .is_ok_and(|word| ITEMS.iter().any(|item| word == item))
}
