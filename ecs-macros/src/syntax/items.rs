//! Items: each begins with a word, and is read on its own.

use syn::Ident;
use syn::Visibility;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::spanned::Spanned;

use super::entries::attributes;
use super::recover::ITEMS;
use super::tree::Tree;
use super::{bundle, component, order, query, recover, resource, set, stage, system, world};
use crate::error::{Errors, Fault};
use crate::similar::closest;

/// Reads items until the end of `input`.
pub(super) fn items(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    while !input.is_empty() {
        if let Err(error) = item(input, tree, errors) {
            errors.syntax(&error);
            recover::skip_item(input)?;
        }
    }
    Ok(())
}

/// Reads one item, or at least one token of it.
fn item(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    let attributes = attributes(input, errors)?;
    let visibility: Visibility = input.parse()?;
    let Ok(keyword) = input.call(Ident::parse_any) else {
        let words = "`world`, `set`, `component`, `bundle`, `resource`, `system`, `query`, `order`, `stages` or `include`";
        let error = input.error(format!("expected {words}"));
        recover::skip_token(input)?;
        return Err(error);
    };
    let word = keyword.to_string();
    let mut known = ITEMS.into_iter().find(|item| *item == word);
    if known.is_none() {
        // A mistyped word counts as the closest known word, unless the next item follows it.
        known = closest(&word, ITEMS);
        let fault = Fault::UnknownItem { word, similar: known.map(str::to_owned) };
        errors.report(keyword.span(), fault);
        if recover::begins_item(input) {
            return Ok(());
        }
    }
    if !matches!(known, Some("world" | "set"))
        && let Visibility::Public(_) | Visibility::Restricted(_) = visibility
    {
        errors.report(visibility.span(), Fault::Visibility);
    }
    match known {
        Some(header @ ("world" | "set")) if !tree.accepts(header) => {
            let (found, called) = (header.to_owned(), tree.called);
            errors.report(keyword.span(), Fault::StrangeHeader { found, called });
            recover::skip_item(input)
        }
        Some("world") => world::parse(input, &keyword, attributes, visibility, tree, errors),
        Some("set") => set::header(input, attributes, visibility, tree),
        Some("order") => order::parse(input, tree),
        Some("stages") => stage::parse(input, tree),
        Some("include") => set::include(input, tree),
        Some("query") => query::parse(input, attributes, tree, errors),
        Some("component") => component::parse(input, attributes, tree, errors),
        Some("bundle") => bundle::parse(input, attributes, tree, errors),
        Some("resource") => resource::parse(input, attributes, tree),
        Some(_) => system::parse(input, attributes, tree, errors),
        None => recover::skip_item(input),
    }
}
