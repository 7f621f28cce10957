//! Named bundles: `bundle Enemy { Position, Walker, Health }`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Path, Token, braced, token};

use crate::error::Errors;
use crate::syntax::reading::named::Named;
use crate::syntax::reading::{list, recover};
use crate::syntax::tree::{Bundle, Tree};

/// Reads what follows the word `bundle`. A bundle without readable components is declared all the same.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let name = recover::name(input, "bundle")?;
    let Some(name) = name.get_ident().cloned() else {
        let message = "expected one identifier: the bundle is a new type";
        return Err(syn::Error::new_spanned(name, message));
    };
    let mut bundle = Bundle {
        attributes,
        name: Named::new(Path::from(name)),
        components: Vec::new(),
        values: None,
        children: Vec::new(),
    };
    let read = components(input, &mut bundle.components, errors);
    tree.bundles.push(bundle);
    read
}

fn components(input: ParseStream<'_>, into: &mut Vec<Path>, errors: &mut Errors) -> Result<()> {
    if !input.peek(token::Brace) || recover::begins_item(input) {
        return Err(input.error("expected the components: `{ … }`"));
    }
    let content;
    braced!(content in input);
    *into = list::elements(&content, errors, |input| recover::listed(input, "component"))?;
    input.parse::<Option<Token![;]>>()?;
    Ok(())
}
