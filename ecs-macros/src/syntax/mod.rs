//! Tokens to tree, item by item: an item that cannot be read costs itself only.
//!
//! ```text
//! input = "(" path of ecs-core ")" item*
//! item  = attribute* visibility? ( world | component | resource | system )
//! ```
//!
//! An item goes into the tree as soon as its name is known, so that names stay known whatever
//! else is wrong with their items. The tree keeps every identifier with its span.

mod component;
mod entries;
mod list;
mod parallelism;
mod recover;
mod resource;
mod settings;
mod system;
mod world;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Path, parenthesized, token};

pub(crate) use component::{Buffer, Storage};
pub(crate) use list::List;
pub(crate) use parallelism::{Count, Strategy};
pub(crate) use resource::{Initial, Resource};
pub(crate) use settings::{Limit, Scheduler, Settings, StagedChanges};
pub(crate) use syn::Visibility;
pub(crate) use system::{Flag, System};
pub(crate) use world::World;

use crate::error::{Errors, Fault};
use crate::similar::closest;

/// The words that items begin with.
const ITEMS: [&str; 4] = ["world", "component", "resource", "system"];

/// A declaration as it is written.
pub(crate) struct Tree {
    /// How `ecs-core` is called at the place of use: tokens to copy, never to look into.
    pub(crate) krate: TokenStream,
    pub(crate) world: Option<World>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) systems: Vec<System>,
    /// Names of systems that could not be read: nothing is wrong with references to them.
    pub(crate) lost: Vec<String>,
}

/// Reads a whole declaration and reports what it cannot read.
pub(crate) fn parse(input: TokenStream, errors: &mut Errors) -> Tree {
    let mut tree = Tree {
        krate: quote!(::ecs_core),
        world: None,
        buffers: Vec::new(),
        resources: Vec::new(),
        systems: Vec::new(),
        lost: Vec::new(),
    };
    // Behind the way to `ecs-core`.
    let first = input.clone().into_iter().find(|token| !matches!(token, TokenTree::Group(_)));
    let outcome = (|input: ParseStream<'_>| declaration(input, &mut tree, errors)).parse2(input);
    if let Err(error) = outcome {
        errors.syntax(&error);
    }
    if tree.world.is_none() {
        let span = first.map_or_else(Span::call_site, |token| token.span());
        errors.report(span, Fault::NoWorld);
    }
    tree
}

fn declaration(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    if input.peek(token::Paren) {
        let krate;
        parenthesized!(krate in input);
        tree.krate = krate.parse()?;
    }
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
        let error = input.error("expected `world`, `component`, `resource` or `system`");
        recover::skip_token(input)?;
        return Err(error);
    };
    let word = keyword.to_string();
    // A mistyped word counts as the one that it is closest to.
    let known = ITEMS.into_iter().find(|item| *item == word).or_else(|| {
        let similar = closest(&word, ITEMS);
        let fault = Fault::UnknownItem { word, similar: similar.map(str::to_owned) };
        errors.report(keyword.span(), fault);
        similar
    });
    if known != Some("world")
        && let Visibility::Public(_) | Visibility::Restricted(_) = visibility
    {
        errors.report(visibility.span(), Fault::Visibility);
    }
    match known {
        Some("world") => world::parse(input, &keyword, attributes, visibility, tree, errors),
        Some("component") => component::parse(input, attributes, tree, errors),
        Some("resource") => resource::parse(input, attributes, tree),
        Some(_) => system::parse(input, attributes, tree, errors),
        None => recover::skip_item(input),
    }
}

/// Reads outer attributes and refuses those that would make a part of the declaration conditional.
fn attributes(input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<Attribute>> {
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

/// The name that a path goes by: its last segment.
pub(crate) fn name_of(path: &Path) -> &Ident {
    &path.segments.last().expect("a path has at least one segment").ident
}
