//! Tokens to tree, item by item. An item that cannot be read does not affect the others.
//!
//! ```text
//! input = "(" path of ecs-core sets? ")" item*
//! item  = attribute* visibility?
//!         ( world | set | component | bundle | template | resource | event | state | relation | system | query | order | stages | include )
//! sets  = "[" ( "{" block* "}" )* "]"
//! ```
//!
//! An item is added to the tree as soon as its name is known, so that the name is declared even if the rest of the
//! item is faulty. The tree keeps every identifier with its span.

mod data;
mod items;
mod reading;
mod systems;
mod tree;
mod worlds;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser, Result};
use syn::{bracketed, parenthesized, token};

pub(crate) use ecs_rules::Flag;
pub(crate) use reading::lints::Lint;
pub(crate) use reading::list::List;
pub(crate) use reading::named::{Named, Part, SetModule, name_of};
pub(crate) use reading::parameters::{Parameter, Takes};
pub(crate) use reading::tokens::Tokens;
pub(crate) use syn::Visibility;
pub(crate) use systems::parallelism::{Argument, Count, Strategy};
pub(crate) use tree::{
    Block, Bundle, Call, Code, Composed, Condition, Form, Index, Initial, Order, Resource, Set,
    Stage, State, StateUse, Storage, System, Tree, World,
};
pub(crate) use worlds::compose::this_crate;
pub(crate) use worlds::settings::{ENTITY_LIMIT, Limit, Rows, Scheduler, Settings, StagedChanges};

use crate::error::{Errors, Fault};
use crate::macro_kind::MacroKind;

/// Reads a whole declaration and reports what it cannot read.
pub(crate) fn parse(input: TokenStream, called: MacroKind, errors: &mut Errors) -> Tree {
    let mut tree = Tree::new(quote!(::ecs_core).into(), called);
    // The first token after the path of `ecs-core`.
    let first = input.clone().into_iter().find(|token| !matches!(token, TokenTree::Group(_)));
    let outcome = (|input: ParseStream<'_>| declaration(input, &mut tree, errors)).parse2(input);
    // Tokens that are left in a group follow a fault that is reported already.
    if let Err(error) = outcome
        && errors.is_empty()
    {
        errors.syntax(&error);
    }
    let span = first.map_or_else(Span::call_site, |token| token.span());
    match called {
        _ if tree.header_is_lost => {}
        MacroKind::World if tree.world.is_none() => errors.report(span, Fault::NoWorld),
        MacroKind::Set if tree.set.is_none() => errors.report(span, Fault::NoSet),
        _ => {}
    }
    worlds::compose::compose(&mut tree, errors);
    data::template::resolve(&mut tree);
    tree
}

fn declaration(input: ParseStream<'_>, tree: &mut Tree, errors: &mut Errors) -> Result<()> {
    let mut sets = TokenStream::new();
    if input.peek(token::Paren) {
        let krate;
        parenthesized!(krate in input);
        tree.library = Tokens::default();
        while !krate.is_empty() && !krate.peek(token::Bracket) {
            tree.library.push(krate.parse::<TokenTree>()?);
        }
        if !krate.is_empty() {
            let content;
            bracketed!(content in krate);
            sets = content.parse()?;
        }
    }
    tree.tokens = input.fork().parse()?;
    let outcome = items::items(input, tree, errors);
    worlds::set::hand_out(sets, tree);
    outcome
}
