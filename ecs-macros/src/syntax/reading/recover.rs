//! Recovery: where parsing continues after tokens that cannot be read.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Path, Token, Type, token};

/// The words that items begin with.
pub(crate) const ITEMS: [&str; 14] = [
    "world",
    "component",
    "bundle",
    "template",
    "resource",
    "event",
    "state",
    "relation",
    "system",
    "query",
    "order",
    "stages",
    "include",
    "set",
];

/// Skips one token, if there is one.
pub(crate) fn skip_token(input: ParseStream<'_>) -> Result<()> {
    if !input.is_empty() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Skips to the end of the item: past a `;` or a brace group, or up to the beginning of the next item.
pub(crate) fn skip_item(input: ParseStream<'_>) -> Result<()> {
    skip_names(input, &mut Vec::new())
}

/// The same. The names among the skipped tokens may be meant as declared.
pub(crate) fn skip_names(input: ParseStream<'_>, names: &mut Vec<String>) -> Result<()> {
    while !input.is_empty() && !begins_item(input) {
        let semicolon = input.peek(Token![;]);
        let body = input.peek(token::Brace);
        if let Ok(name) = input.fork().parse::<Ident>() {
            names.push(name.to_string());
        }
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
pub(crate) fn skip_entry(input: ParseStream<'_>) -> Result<()> {
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
/// If the next item begins here instead, as behind a half-typed one, that is the error, and nothing is read. A type
/// without a name is an error by itself, and read.
pub(crate) fn name(input: ParseStream<'_>, kind: &str) -> Result<Path> {
    let other = input.peek(token::Bracket)
        || input.peek(token::Paren)
        || input.peek(Token![&])
        || input.peek(Token![*])
        || input.peek(Token![!])
        || input.peek(Token![fn])
        || input.peek(Token![dyn])
        || input.peek(Token![impl]);
    if other && input.fork().parse::<Type>().is_ok() {
        let ty: Type = input.parse()?;
        let message = format!(
            "a {kind} needs a name\nhelp: declare a struct for it, or an alias: `type Name = …;`"
        );
        return Err(syn::Error::new_spanned(ty, message));
    }
    if input.is_empty() || begins_item(input) {
        return Err(input.error(nameless(kind)));
    }
    let Ok(path) = input.fork().parse::<Path>() else { return Err(input.error(nameless(kind))) };
    drop(input.parse::<Path>());
    no_self(&path, kind)?;
    Ok(path)
}

/// Reads the path of a thing that is declared elsewhere.
pub(crate) fn listed(input: ParseStream<'_>, kind: &str) -> Result<Path> {
    let missing = begins_item(input) || input.fork().parse::<Path>().is_err();
    if missing || input.peek(Token![Self]) {
        return name(input, kind).map_err(|error| match error.to_string() {
            text if text.ends_with(&nameless(kind)) => {
                input.error(format!("expected the name of a {kind}"))
            }
            _ => error,
        });
    }
    input.parse()
}

/// Reads a plain name.
pub(crate) fn plain_name(input: ParseStream<'_>, kind: &str) -> Result<Ident> {
    if input.peek(Token![Self]) {
        let path: Path = input.parse()?;
        no_self(&path, kind)?;
    }
    if input.is_empty() || begins_item(input) || !input.peek(Ident) {
        return Err(input.error(nameless(kind)));
    }
    input.parse()
}

/// Refuses `Self`, which is the type of the world in the code that is generated, and modules.
fn no_self(path: &Path, kind: &str) -> Result<()> {
    let first = path.segments.first().filter(|first| first.ident == "Self");
    let last = path
        .segments
        .last()
        .filter(|last| ["self", "super", "crate"].iter().any(|word| last.ident == word));
    let Some(word) = first.or(last).map(|segment| &segment.ident) else { return Ok(()) };
    let message = format!("`{word}` is no type here\nhelp: write the name of the {kind}");
    Err(syn::Error::new_spanned(path, message))
}

/// The message where a name is missing.
pub(crate) fn nameless(kind: &str) -> String {
    let example = match kind {
        "system" => "system Move { … }",
        "query" => "query Near { … }",
        "world" => "world Game;",
        "set" => "set Physics;",
        "state" => "state Mode { Menu, Playing }",
        "template" => "template Orc { Health(10) }",
        "stage" => "stages Input -> Draw;",
        "resource" => "resource Time;",
        _ => "component Position;",
    };
    format!("expected the name of a {kind}\nhelp: write one, as in `{example}`")
}

/// What `syn` says at the end of the tokens, before what it expects.
const AT_THE_END: &str = "unexpected end of input, ";

/// Whether the error is that the tokens end.
pub(crate) fn is_at_the_end(error: &syn::Error) -> bool {
    error.to_string().starts_with(AT_THE_END)
}

/// The same error at the token after which something is missing.
pub(crate) fn after(error: syn::Error, last: Span) -> syn::Error {
    let text = error.to_string();
    let text = text.strip_prefix(AT_THE_END).unwrap_or(&text);
    if !text.starts_with("expected") {
        return error;
    }
    let (what, help) = text.split_at(text.find('\n').unwrap_or(text.len()));
    syn::Error::new(last, format!("{what} after this{help}"))
}

/// Whether an item begins here: an attribute, a visibility, or an item's first word and a name.
pub(crate) fn begins_item(input: ParseStream<'_>) -> bool {
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
