//! Components: `component Position: contiguous_buffer;`, or several in one buffer:
//! `component (Color, Circle): contiguous_buffer;`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Path, Token, parenthesized, token};

use super::{Named, Tree, list, recover};
use crate::error::{Errors, Fault};

/// Components that are interleaved in one buffer. One alone has a column of its own.
pub(crate) struct Buffer {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) components: Vec<Named>,
}

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
    tree.buffers.push(Buffer { attributes, components });
    input.parse::<Token![:]>()?;
    let storage: Ident = input.parse()?;
    if storage != "contiguous_buffer" {
        let component = name.unwrap_or_default();
        let word = storage.to_string();
        errors.report(storage.span(), Fault::UnknownStorage { word, component });
        return recover::skip_item(input);
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
