//! Components: `component Position: contiguous_buffer;`, several in one buffer:
//! `component (Color, Circle): contiguous_buffer;`, or another storage strategy.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Path, Token, Type, parenthesized, token};

use super::{Named, Tree, list, recover};
use crate::error::{Errors, Fault};
use crate::similar::closest;

/// Components that are stored together. One alone has a column of its own.
pub(crate) struct Buffer {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) components: Vec<Named>,
    pub(crate) storage: Storage,
    /// Where the strategy is named.
    pub(crate) at: Span,
}

/// A storage strategy.
pub(crate) enum Storage {
    ContiguousBuffer,
    Empty,
    HashMap,
    SparseSet,
    /// A type of the user's.
    Custom(Box<Type>),
}

/// The words for strategies.
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
    // Whatever comes, the components are declared.
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
    if let Some(buffer) = tree.buffers.last_mut() {
        (buffer.storage, buffer.at) = (storage, word.span());
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
