//! Items: each begins with a word, and is read on its own.

use proc_macro2::{Span, TokenTree};
use syn::Ident;
use syn::Visibility;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::similar::meant;
use crate::syntax::data::{bundle, component, event, relation, resource, template};
use crate::syntax::reading::entries::attributes;
use crate::syntax::reading::recover::ITEMS;
use crate::syntax::reading::{lints, recover};
use crate::syntax::systems::{order, query, stage, state, system};
use crate::syntax::tree::Tree;
use crate::syntax::worlds::{set, world};

/// The words that Rust's own items and statements begin with.
const RUST: [&str; 14] = [
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "static",
    "struct",
    "trait",
    "type",
    "unsafe",
    "use",
];

/// Reads items until the end of `input`.
pub(crate) fn items(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    while !input.is_empty() {
        if let Err(error) = item(input, tree, errors) {
            let last = tree.tokens.clone().into_iter().last();
            let error = match last {
                Some(last) if recover::is_at_the_end(&error) => {
                    recover::after(error, end_of(&last))
                }
                _ => error,
            };
            errors.syntax(&error);
            recover::skip_names(input, &mut tree.lost)?;
        }
    }
    Ok(())
}

/// The span of the last character of a token.
fn end_of(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    }
}

/// Reads one item, or at least one token of it.
fn item(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    let mut attributes = attributes(input, errors)?;
    let allowed = lints::take_allowed(&mut attributes);
    let visibility: Visibility = input.parse()?;
    let Ok(keyword) = input.call(Ident::parse_any) else {
        let words = "`world`, `set`, `component`, `bundle`, `template`, `resource`, `event`, `state`, `relation`, `system`, `query`, `order`, `stages` or `include`";
        let error = input.error(format!("expected {words}"));
        recover::skip_token(input)?;
        return Err(error);
    };
    let word = keyword.to_string();
    let mut known = ITEMS.into_iter().find(|item| *item == word);
    if known.is_none() {
        // A mistyped word counts as the closest known word, unless the next item follows it.
        let is_rust = RUST.contains(&word.as_str());
        known = if is_rust { None } else { meant(&word, &ITEMS) };
        let fault = Fault::UnknownItem { word, similar: known.map(str::to_owned), is_rust };
        errors.report(keyword.span(), fault);
        if recover::begins_item(input) {
            return Ok(());
        }
    }
    if !matches!(known, Some("world" | "set" | "state"))
        && let Visibility::Public(_) | Visibility::Restricted(_) = visibility
    {
        errors.report(visibility.span(), Fault::Visibility);
    }
    let begun = input.cursor();
    let outcome = match known {
        Some(header @ ("world" | "set")) if !tree.accepts(header) => {
            let (found, called) = (header.to_owned(), tree.called);
            errors.report(keyword.span(), Fault::StrangeHeader { found, called });
            tree.header_is_lost = true;
            recover::skip_item(input)
        }
        Some("world") => {
            tree.allowed.extend(allowed);
            world::parse(input, &keyword, attributes, visibility, tree, errors)
        }
        Some("set") => {
            tree.allowed.extend(allowed);
            set::header(input, attributes, visibility, tree)
        }
        Some("order") => order::parse(input, &allowed, tree),
        Some("stages") => stage::parse(input, tree),
        Some("include") => set::include(input, tree),
        Some("query") => query::parse(input, attributes, allowed, tree, errors),
        Some("component") => component::parse(input, attributes, tree, errors),
        Some("bundle") => bundle::parse(input, attributes, tree, errors),
        Some("template") => template::parse(input, attributes, tree, errors),
        Some("resource") => resource::parse(input, &attributes, tree, errors),
        Some("state") => state::parse(input, &keyword, attributes, visibility, tree, errors),
        Some("event") => event::parse(input, &attributes, tree, errors),
        Some("relation") => relation::parse(input, &attributes, tree, errors),
        Some(_) => system::parse(input, attributes, allowed, tree, errors),
        None => recover::skip_item(input),
    };
    outcome.map_err(|error| {
        // A half-typed item: the next one follows its first word.
        let nothing = input.cursor() == begun && !recover::is_at_the_end(&error);
        let half = nothing && recover::begins_item(input);
        tree.header_is_lost |= matches!(known, Some("world" | "set"));
        tree.order_is_lost |= matches!(known, Some("order" | "stages"));
        if half { recover::after(error, keyword.span()) } else { error }
    })
}
