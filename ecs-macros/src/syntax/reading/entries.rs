//! Attributes, and the inside of a `{ … }` body: comma-separated entries, each of which begins with a key.

use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token};

use super::named::name_of;
use super::recover;
use crate::error::{Errors, Fault};
use crate::similar::meant;

/// Reads entries until the end of `input`. `entry` reads what follows a key.
///
/// A mistyped key is reported and counts as the closest known key. A repeated key is reported, and all its entries
/// are read.
pub(crate) fn parse(
    input: ParseStream<'_>,
    place: &str,
    keys: &[&'static str],
    errors: &mut Errors,
    entry: &mut dyn FnMut(&'static str, &Ident, &mut Errors) -> Result<()>,
) -> Result<()> {
    let mut seen: Vec<(&'static str, proc_macro2::Span)> = Vec::new();
    while !input.is_empty() {
        let Some((key, ident)) = key(input, place, keys, errors)? else {
            recover::skip_entry(input)?;
            continue;
        };
        if let Some((_, first)) = seen.iter().find(|(seen, _)| *seen == key) {
            let fault = Fault::SecondKey { place: place.to_owned(), key: key.to_owned() };
            let label = (*first, format!("`{key}` is here first"));
            errors.report_with(ident.span(), fault, label);
        }
        seen.push((key, ident.span()));
        if let Err(error) = entry(key, &ident, errors) {
            if ident != key {
                // What it was presumed to mean is not what it meant, and it is reported already.
                recover::skip_entry(input)?;
                continue;
            }
            let colon = || error.to_string() == "expected `:`";
            let half = input.is_empty() && (recover::is_at_the_end(&error) || colon());
            errors.syntax(&if half { recover::after(error, ident.span()) } else { error });
            recover::skip_entry(input)?;
        } else if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            errors.syntax(&input.error("expected `,`"));
            if known(input, keys).is_none() {
                recover::skip_entry(input)?;
            }
        }
    }
    Ok(())
}

/// Reads a key, or reports why there is none.
fn key(
    input: ParseStream<'_>,
    place: &str,
    keys: &[&'static str],
    errors: &mut Errors,
) -> Result<Option<(&'static str, Ident)>> {
    match attributes(input, errors) {
        Ok(others) => {
            for attribute in others.iter().filter(|attribute| !attribute.path().is_ident("doc")) {
                let error = syn::Error::new_spanned(
                    attribute,
                    "an entry has no attributes\nhelp: remove it, or put it on the item",
                );
                errors.syntax(&error);
            }
        }
        Err(error) => {
            errors.syntax(&error);
            return Ok(None);
        }
    }
    if let Some(key) = known(input, keys) {
        return Ok(Some((key, input.call(Ident::parse_any)?)));
    }
    let Ok(ident) = input.call(Ident::parse_any) else {
        errors.syntax(&input.error("expected a key"));
        return Ok(None);
    };
    let key = ident.to_string();
    let similar = meant(&key, keys);
    errors.report(
        ident.span(),
        Fault::UnknownKey {
            place: place.to_owned(),
            key,
            similar: similar.map(str::to_owned),
            known: list_of(keys),
        },
    );
    Ok(similar
        .and_then(|key| keys.iter().copied().find(|known| *known == key))
        .map(|key| (key, ident)))
}

/// The keys, or the usual ones among many.
fn list_of(keys: &[&'static str]) -> String {
    let quoted = |keys: &[&str]| format!("`{}`", keys.join("`, `"));
    if keys.len() <= 12 {
        return format!("the keys are {}", quoted(keys));
    }
    let usual: Vec<&str> = keys.iter().copied().filter(|key| USUAL.contains(key)).collect();
    format!("the usual keys are {}, and the page of `ecs_core::world!` lists all", quoted(&usual))
}

/// The keys that most systems have.
const USUAL: [&str; 12] = [
    "read",
    "write",
    "read_optional",
    "with",
    "without",
    "dependencies",
    "read_resources",
    "write_resources",
    "insert",
    "despawn",
    "each",
    "run",
];

/// The known key at this position.
fn known(input: ParseStream<'_>, keys: &[&'static str]) -> Option<&'static str> {
    let ident = input.fork().call(Ident::parse_any).ok()?;
    keys.iter().copied().find(|key| ident == key)
}

/// Reads outer attributes and reports those that would make a part of the declaration conditional.
pub(crate) fn attributes(input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<Attribute>> {
    let mut attributes = match input.call(Attribute::parse_outer) {
        Ok(attributes) => attributes,
        Err(error) => {
            recover::skip_token(input)?;
            return Err(error);
        }
    };
    attributes.retain(|attribute| {
        let path = attribute.path();
        let conditional = path.is_ident("cfg") || path.is_ident("cfg_attr");
        if conditional {
            errors.report(name_of(path).span(), Fault::Conditional);
        }
        !conditional
    });
    Ok(attributes)
}
