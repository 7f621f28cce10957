//! Lists of names: `read: [Position, physics::Velocity]`, `sees: [Walk.despawn]`.

use ecs_rules::Kind;
pub(crate) use ecs_rules::List;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Path, Token, bracketed, token};

use super::recover;
use crate::error::Errors;
use crate::syntax::name_of;

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

impl Seen {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let system = recover::listed(input, "system")?;
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
    pub(crate) fn parse(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Result<Self> {
        if list == List::AfterParent {
            input.parse::<Token![:]>()?;
            let names = if input.peek(token::Bracket) {
                let content;
                bracketed!(content in input);
                elements(&content, errors, |input| recover::listed(input, "relation"))?
            } else {
                vec![recover::listed(input, "relation")?]
            };
            return Ok(Self { list, names, effects: Vec::new() });
        }
        if list != List::Sees {
            return Ok(Self {
                list,
                names: parse(input, list.key(), errors, of_kind(list.kind()))?,
                effects: Vec::new(),
            });
        }
        let seen = parse(input, list.key(), errors, Seen::parse)?;
        let (names, effects) =
            seen.into_iter().map(|Seen { system, effect }| (system, effect)).unzip();
        Ok(Self { list, names, effects })
    }
}

/// Reads a name of this kind.
fn of_kind(kind: Kind) -> fn(ParseStream<'_>) -> Result<Path> {
    match kind {
        Kind::Component => |input| recover::listed(input, "component"),
        Kind::Resource => |input| recover::listed(input, "resource"),
        Kind::System => |input| recover::listed(input, "system"),
    }
}

/// Reads `: [element, …]`, each element on its own.
pub(crate) fn parse<T>(
    input: ParseStream<'_>,
    key: &str,
    errors: &mut Errors,
    read: fn(ParseStream<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    match input.parse::<Token![:]>() {
        Err(error) if input.peek(token::Bracket) => errors.syntax(&error),
        colon => drop(colon?),
    }
    if input.peek(token::Bracket) {
        let content;
        bracketed!(content in input);
        return elements(&content, errors, read);
    }
    // One element without brackets is reported and read as a list of one.
    let span: Span = input.span();
    let missing = input.error("expected a list: `[…]`");
    let element = read(input).map_err(|_| missing)?;
    errors.syntax(&syn::Error::new(span, format!("expected a list: `{key}: […]`")));
    let mut elements = vec![element];
    // Names in capitals that follow are no keys.
    while input.peek(Token![,]) && is_name(&input.fork()) {
        input.parse::<Token![,]>()?;
        elements.push(read(input)?);
    }
    Ok(elements)
}

/// Whether a comma follows, and a name in capitals that is no key.
fn is_name(input: ParseStream<'_>) -> bool {
    let name = input.parse::<Token![,]>().and_then(|_| input.parse::<Ident>());
    let capital = |name: Ident| name.to_string().starts_with(char::is_uppercase);
    name.is_ok_and(capital) && (!input.peek(Token![:]) || input.peek(Token![::]))
}

/// Reads elements with commas between them until the end of `input`.
pub(crate) fn elements<T>(
    input: ParseStream<'_>,
    errors: &mut Errors,
    element: fn(ParseStream<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    while !input.is_empty() {
        match element(input) {
            Ok(element) => elements.push(element),
            Err(error) => {
                errors.syntax(&error);
                recover::skip_entry(input)?;
                continue;
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            errors.syntax(&input.error("expected `,`"));
            if element(&input.fork()).is_err() {
                recover::skip_entry(input)?;
            }
        }
    }
    Ok(elements)
}
