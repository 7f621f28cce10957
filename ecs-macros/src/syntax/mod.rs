//! Tokens to tree, item by item. An item that cannot be read does not affect the others.
//!
//! ```text
//! input = "(" path of ecs-core sets? ")" item*
//! item  = attribute* visibility?
//!         ( world | set | component | resource | system | query | order | stages | include )
//! sets  = "[" ( "{" block* "}" )* "]"
//! ```
//!
//! An item is added to the tree as soon as its name is known, so that the name is declared even if the rest of the
//! item is faulty. The tree keeps every identifier with its span.

mod component;
mod entries;
mod list;
mod named;
mod order;
mod parallelism;
mod query;
mod recover;
mod resource;
mod set;
mod settings;
mod stage;
mod system;
mod world;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Path, bracketed, parenthesized, token};

pub(crate) use component::{Buffer, Storage};
pub(crate) use list::List;
pub(crate) use named::{Named, Part, SetModule};
pub(crate) use parallelism::{Argument, Count, Strategy};
pub(crate) use query::Query;
pub(crate) use resource::{Initial, Resource};
pub(crate) use set::{Block, Composed, Include, Set, this_crate};
pub(crate) use settings::{Limit, Rows, Scheduler, Settings, StagedChanges};
pub(crate) use stage::Stage;
pub(crate) use syn::Visibility;
pub(crate) use system::{Flag, System};
pub(crate) use world::World;

use crate::error::{Errors, Fault};
use crate::similar::closest;

/// The words that items begin with.
const ITEMS: [&str; 9] =
    ["world", "component", "resource", "system", "query", "order", "stages", "include", "set"];

/// The macro that reads a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MacroKind {
    World,
    Set,
}

/// A parsed declaration.
pub(crate) struct Tree {
    /// The path of `ecs-core` at the call site: opaque tokens to copy.
    pub(crate) krate: TokenStream,
    pub(crate) called: MacroKind,
    pub(crate) world: Option<World>,
    pub(crate) set: Option<Set>,
    pub(crate) includes: Vec<Include>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) systems: Vec<System>,
    /// Pairs of systems; the first one runs before the second one.
    pub(crate) orders: Vec<(Path, Path)>,
    /// The stages, in order.
    pub(crate) stages: Vec<Stage>,
    /// Names of systems that could not be read. References to them are not reported.
    pub(crate) lost: Vec<String>,
    /// The sets that the declaration includes, each once. A set comes after the sets that it includes.
    pub(crate) sets: Vec<Composed>,
    /// The tokens of all items.
    pub(crate) tokens: TokenStream,
}

impl Tree {
    fn new(krate: TokenStream, called: MacroKind) -> Self {
        Self {
            krate,
            called,
            world: None,
            set: None,
            includes: Vec::new(),
            buffers: Vec::new(),
            resources: Vec::new(),
            systems: Vec::new(),
            orders: Vec::new(),
            stages: Vec::new(),
            lost: Vec::new(),
            sets: Vec::new(),
            tokens: TokenStream::new(),
        }
    }

    /// Appends the items of another tree, and takes its headers.
    fn append(&mut self, other: Self) {
        self.world = self.world.take().or(other.world);
        self.set = self.set.take().or(other.set);
        self.includes.extend(other.includes);
        self.buffers.extend(other.buffers);
        self.resources.extend(other.resources);
        self.systems.extend(other.systems);
        self.orders.extend(other.orders);
        self.stages.extend(other.stages);
        self.lost.extend(other.lost);
        self.tokens.extend(other.tokens);
    }

    /// Whether the header is accepted: `world` in `world!`, and `set` in `set!`, once.
    fn accepts(&self, header: &str) -> bool {
        match self.called {
            MacroKind::World => header == "world",
            MacroKind::Set => header == "set" && self.set.is_none(),
        }
    }
}

/// Reads a whole declaration and reports what it cannot read.
pub(crate) fn parse(input: TokenStream, called: MacroKind, errors: &mut Errors) -> Tree {
    let mut tree = Tree::new(quote!(::ecs_core), called);
    // The first token after the path of `ecs-core`.
    let first = input.clone().into_iter().find(|token| !matches!(token, TokenTree::Group(_)));
    let outcome = (|input: ParseStream<'_>| declaration(input, &mut tree, errors)).parse2(input);
    if let Err(error) = outcome {
        errors.syntax(&error);
    }
    let span = first.map_or_else(Span::call_site, |token| token.span());
    match called {
        MacroKind::World if tree.world.is_none() => errors.report(span, Fault::NoWorld),
        MacroKind::Set if tree.set.is_none() => errors.report(span, Fault::NoSet),
        _ => {}
    }
    set::compose(&mut tree, errors);
    tree
}

fn declaration(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    let mut sets = TokenStream::new();
    if input.peek(token::Paren) {
        let krate;
        parenthesized!(krate in input);
        tree.krate = TokenStream::new();
        while !krate.is_empty() && !krate.peek(token::Bracket) {
            tree.krate.extend([krate.parse::<TokenTree>()?]);
        }
        if !krate.is_empty() {
            let content;
            bracketed!(content in krate);
            sets = content.parse()?;
        }
    }
    tree.tokens = input.fork().parse()?;
    let outcome = items(input, tree, errors);
    set::hand_out(sets, tree);
    outcome
}

/// Reads items until the end of `input`.
fn items(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
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
        let words = "`world`, `set`, `component`, `resource`, `system`, `query`, `order`, `stages` or `include`";
        let error = input.error(format!("expected {words}"));
        recover::skip_token(input)?;
        return Err(error);
    };
    let word = keyword.to_string();
    // A mistyped word counts as the closest known word.
    let known = ITEMS.into_iter().find(|item| *item == word).or_else(|| {
        let similar = closest(&word, ITEMS);
        let fault = Fault::UnknownItem { word, similar: similar.map(str::to_owned) };
        errors.report(keyword.span(), fault);
        similar
    });
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
        Some("resource") => resource::parse(input, attributes, tree),
        Some(_) => system::parse(input, attributes, tree, errors),
        None => recover::skip_item(input),
    }
}

/// Reads outer attributes and reports those that would make a part of the declaration conditional.
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

/// The name of a path: its last segment.
pub(crate) fn name_of(path: &Path) -> &Ident {
    &path.segments.last().expect("a path has at least one segment").ident
}
