//! Components: `component Position: contiguous_buffer;`, several in one buffer:
//! `component (Color, Circle): contiguous_buffer;`, or another storage strategy, which has one instance per
//! component.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Path, Token, Type, parenthesized, token};

use super::named::Named;
use super::tree::{Buffer, Storage, Tree};
use super::{list, recover};
use crate::error::{Errors, Fault};
use crate::similar::closest;

/// The names of strategies.
const STRATEGIES: [&str; 5] = ["contiguous_buffer", "empty", "hash_map", "sparse_set", "storage"];

/// Reads what follows the word `component`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let components: Vec<Path> = if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        if content.is_empty() {
            return Err(content.error("expected the name of a component"));
        }
        list::elements(&content, errors)?
    } else {
        vec![input.parse()?]
    };
    let components: Vec<Named> = components.into_iter().map(Named::new).collect();
    let name = components.first().map(|component| component.name().to_string());
    // The components are declared, even if the rest of the item cannot be read.
    tree.buffers.push(Buffer {
        attributes,
        components,
        storage: Storage::ContiguousBuffer,
        at: input.span(),
    });
    input.parse::<Token![:]>()?;
    let word: Ident = input.parse()?;
    let storage = match word.to_string().as_str() {
        "contiguous_buffer" => Storage::ContiguousBuffer,
        "empty" => Storage::Empty,
        "hash_map" => Storage::HashMap,
        "sparse_set" => Storage::SparseSet,
        "storage" if input.peek(token::Paren) => {
            let content;
            parenthesized!(content in input);
            let strategy = content.parse()?;
            if !content.is_empty() {
                return Err(content.error("expected one type, the storage strategy"));
            }
            Storage::Custom(strategy)
        }
        unknown => {
            let component = name.unwrap_or_default();
            let similar = closest(unknown, STRATEGIES).map(str::to_owned);
            let fault = Fault::UnknownStorage { word: unknown.to_owned(), component, similar };
            errors.report(word.span(), fault);
            return recover::skip_item(input);
        }
    };
    if let Some(buffer) = tree.buffers.pop() {
        tree.buffers.extend(apart(Buffer { at: word.span(), ..buffer }, &storage));
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

/// The components, each with a strategy of its own, unless they share a buffer. A user-defined type without
/// `_` is for one component. Several components then stay together, and the checks report them.
fn apart(buffer: Buffer, storage: &Storage) -> Vec<Buffer> {
    let Buffer { attributes, components, at, .. } = buffer;
    let is_for_one = matches!(storage, Storage::Custom(ty) if !says_each(ty));
    if matches!(storage, Storage::ContiguousBuffer) || is_for_one {
        return vec![Buffer { attributes, components, storage: storage.clone(), at }];
    }
    let one = |component: Named| {
        let storage = match storage {
            Storage::Custom(ty) => Storage::Custom(kept_by(ty, &component)),
            other => other.clone(),
        };
        Buffer { attributes: attributes.clone(), components: vec![component], storage, at }
    };
    components.into_iter().map(one).collect()
}

/// Whether the type has a `_` for the component.
fn says_each(ty: &Type) -> bool {
    let mut found = false;
    drop(filled(ty.to_token_stream(), &TokenStream::new(), &mut found));
    found
}

/// The type with each `_` replaced by the component.
fn kept_by(ty: &Type, component: &Named) -> Box<Type> {
    let component = component.ty().to_token_stream();
    let filled = filled(ty.to_token_stream(), &component, &mut false);
    // A path can stand wherever the type `_` can.
    Box::new(syn::parse2(filled).unwrap_or_else(|_| ty.clone()))
}

/// The tokens with each `_` replaced by `component`, except in `'_`.
fn filled(tokens: TokenStream, component: &TokenStream, found: &mut bool) -> TokenStream {
    let mut lifetime = false;
    let mut all = TokenStream::new();
    for token in tokens {
        let behind_a_tick = std::mem::replace(
            &mut lifetime,
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\''),
        );
        match token {
            TokenTree::Ident(ident) if ident == "_" && !behind_a_tick => {
                *found = true;
                all.extend(component.clone());
            }
            TokenTree::Group(group) => {
                let inner = filled(group.stream(), component, found);
                let mut filled = proc_macro2::Group::new(group.delimiter(), inner);
                filled.set_span(group.span());
                all.extend([TokenTree::Group(filled)]);
            }
            other => all.extend([other]),
        }
    }
    all
}
