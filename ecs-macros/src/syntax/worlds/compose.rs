//! Composition: the items of the included sets become a part of the declaration.
//!
//! A set's macro passes on the contents of an `include` as blocks: one for each set that the set includes, and then
//! one for the set itself.
//!
//! ```text
//! block = "{" identity crate ("sound" | "faulty") "[" way "]" name "{" item* "}" "}"
//! ```

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::TokenStreamExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::{Ident, PathSegment, braced, bracketed, token};

use crate::error::{Errors, Fault};
use crate::macro_kind::MacroKind;
use crate::syntax::items::items;
use crate::syntax::reading::named::{Part, SetModule, name_of};
use crate::syntax::reading::tokens::Tokens;
use crate::syntax::tree::{Block, Composed, Storage, Tree};

/// The name of the crate that is being compiled.
pub(crate) fn this_crate() -> String {
    std::env::var("CARGO_CRATE_NAME").unwrap_or_default()
}

/// Inserts the items of the included sets before those of the declaration, each set once.
pub(crate) fn compose(tree: &mut Tree, errors: &mut Errors) {
    let mut sets: Vec<Composed> = Vec::new();
    let mut direct: Vec<(String, Span)> = Vec::new();
    for (number, include) in tree.includes.iter().enumerate() {
        let Some(blocks) = include.blocks.clone() else { continue };
        let blocks = many.parse2(blocks).unwrap_or_default();
        let span = name_of(&include.path).span();
        if let Some(own) = blocks.last() {
            let identity = own.identity.value();
            if let Some((_, first)) = direct.iter().find(|(seen, _)| *seen == identity) {
                let label = (*first, format!("`{}` is included here first", own.name));
                let fault = Fault::IncludedTwice { set: own.name.to_string() };
                errors.report_with(span, fault, label);
            }
            direct.push((identity, span));
        }
        for block in blocks {
            if sets.iter().any(|set| set.block.identity.value() == block.identity.value()) {
                continue;
            }
            let mut module = include.path.clone();
            module.segments.extend(block.way.iter().cloned().map(PathSegment::from));
            let place = SetModule { module, set: block.name.clone() };
            sets.push(Composed { block, place, include: number, at: span });
        }
    }
    let mut whole = Tree::new(tree.library.clone(), tree.called);
    for set in &sets {
        whole.append(part(set, &tree.library));
    }
    let own = std::mem::replace(tree, whole);
    tree.append(own);
    tree.sets = sets;
}

/// The items of a set. Items that cannot be read are reported at the set's declaration.
///
/// For tokens of other crates, `rustc` shows the whole macro call that they were expanded from. So items from
/// another crate have the span of the `include` that they come from.
fn part(set: &Composed, krate: &Tokens) -> Tree {
    let items_here = if set.block.krate.value() == this_crate() {
        set.block.items.clone()
    } else {
        moved(set.block.items.clone(), set.at)
    };
    let mut tree = Tree::new(krate.clone(), MacroKind::Set);
    let mut reported = Errors::default();
    let parse = |input: ParseStream<'_>| items(input, &mut tree, &mut reported);
    // A failure ends the set: there are no further items to read.
    drop(parse.parse2(items_here));
    let place = &set.place;
    let mut n = 0;
    for buffer in &mut tree.buffers {
        if let Storage::Custom(strategy) = &mut buffer.storage {
            let path = place.part(&Part::Storage(n), buffer.at);
            **strategy = syn::Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path });
        }
        for component in &mut buffer.components {
            component.place = Some(place.part(&Part::Component(n), component.name().span()));
            component.numbered = Some((place.part(&Part::Numbers, component.name().span()), n));
            n += 1;
        }
    }
    for (n, bundle) in tree.bundles.iter_mut().enumerate() {
        bundle.name.place = Some(place.part(&Part::NamedBundle(n), bundle.name.name().span()));
    }
    for (n, resource) in tree.resources.iter_mut().enumerate() {
        resource.name.place = Some(place.part(&Part::Resource(n), resource.name.name().span()));
        resource.from = Some((place.clone(), n));
    }
    for (n, system) in tree.systems.iter_mut().enumerate() {
        system.name.place = Some(place.part(&Part::System(n), system.name.name().span()));
        system.from = Some((place.clone(), n));
    }
    tree.set = None;
    tree.includes.clear();
    tree
}

/// The same tokens at another span.
fn moved(tokens: TokenStream, at: Span) -> TokenStream {
    let mut all = TokenStream::new();
    for mut token in tokens {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), at)).into();
        }
        token.set_span(at);
        all.append(token);
    }
    all
}

fn many(input: ParseStream<'_>) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    while input.peek(token::Brace) {
        let (block, way, items);
        braced!(block in input);
        let identity = block.parse()?;
        let krate = block.parse()?;
        let faulty = block.parse::<Ident>()? == "faulty";
        bracketed!(way in block);
        let way_idents = way.call(|way| {
            let mut idents = Vec::new();
            while !way.is_empty() {
                idents.push(way.parse()?);
            }
            Ok(idents)
        })?;
        let name = block.parse()?;
        braced!(items in block);
        blocks.push(Block {
            identity,
            krate,
            faulty,
            way: way_idents,
            name,
            items: items.parse()?,
        });
    }
    Ok(blocks)
}

impl Tree {
    /// The tree of the items of these sets.
    pub(crate) fn of_sets(sets: Vec<&Composed>, krate: &Tokens) -> Self {
        let mut whole = Self::new(krate.clone(), MacroKind::Set);
        for set in sets {
            whole.append(part(set, krate));
        }
        whole
    }
}
