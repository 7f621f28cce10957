//! Lists of names: `read: [Position, physics::Velocity]`, `sees: [Walk.despawn]`.

pub(crate) use ecs_rules::List;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Result};
use syn::{Ident, Path, Token, bracketed, token};

use super::{name_of, recover};
use crate::error::Errors;

/// One list of a system.
pub(crate) struct NameList {
    pub(crate) list: List,
    pub(crate) names: Vec<Path>,
    /// The effects in `sees`, one for each name. Empty for other lists.
    pub(crate) effects: Vec<Ident>,
}

/// An element of `sees`: `Walk.despawn`.
struct Seen {
    system: Path,
    effect: Ident,
}

impl Parse for Seen {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let system: Path = input.parse()?;
        if !input.peek(Token![.]) {
            let name = name_of(&system);
            let message = format!(
                "expected an effect of `{name}`\nhelp: write `{name}.despawn`, or another effect"
            );
            return Err(syn::Error::new(name.span(), message));
        }
        input.parse::<Token![.]>()?;
        Ok(Self { system, effect: input.call(Ident::parse_any)? })
    }
}

impl NameList {
    /// Reads what follows the key of the list.
    pub(super) fn parse(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Result<Self> {
        if list != List::Sees {
            return Ok(Self {
                list,
                names: parse(input, list.key(), errors)?,
                effects: Vec::new(),
            });
        }
        let seen = parse::<Seen>(input, list.key(), errors)?;
        let (names, effects) =
            seen.into_iter().map(|Seen { system, effect }| (system, effect)).unzip();
        Ok(Self { list, names, effects })
    }
}

/// Reads `: [element, …]`, each element on its own.
pub(super) fn parse<T: Parse>(
    input: ParseStream<'_>,
    key: &str,
    errors: &mut Errors,
) -> Result<Vec<T>> {
    match input.parse::<Token![:]>() {
        Err(error) if input.peek(token::Bracket) => errors.syntax(&error),
        colon => drop(colon?),
    }
    if input.peek(token::Bracket) {
        let content;
        bracketed!(content in input);
        return elements(&content, errors);
    }
    // One element without brackets is reported and read as a list of one.
    let span: Span = input.span();
    let element = input.parse().map_err(|_| input.error("expected a list: `[…]`"))?;
    errors.syntax(&syn::Error::new(span, format!("expected a list: `{key}: […]`")));
    Ok(vec![element])
}

/// Reads elements with commas between them until the end of `input`.
pub(super) fn elements<T: Parse>(input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    while !input.is_empty() {
        match input.parse() {
            Ok(element) => elements.push(element),
            Err(error) => {
                errors.syntax(&error);
                recover::skip_entry(input)?;
                continue;
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            errors.syntax(&input.error("expected `,`"));
            if input.fork().parse::<T>().is_err() {
                recover::skip_entry(input)?;
            }
        }
    }
    Ok(elements)
}
