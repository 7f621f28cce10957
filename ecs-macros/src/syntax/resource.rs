//! Resources: `resource Bounds;`, `resource Bounds = Bounds::new(1440.0, 900.0);`, or
//! `resource Scratch: transient;`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token, token};

use super::named::Named;
use super::tree::{Initial, Resource, Tree};

/// Reads what follows the word `resource`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
) -> Result<()> {
    let name = Named::parse(input, "resource")?;
    let initial = Initial::Default;
    tree.resources.push(Resource { attributes, name, initial, transient: false, from: None });
    if let Some(resource) = tree.resources.last_mut() {
        let value = input.peek(token::Paren) || input.peek(token::Brace);
        if value && !input.peek2(Token![:]) {
            resource.initial = Initial::Unreadable;
            let name = resource.name.name();
            let message = format!(
                "expected `=` and an initial value, or `;`\nhelp: write `resource {name} = {name} …;`"
            );
            return Err(input.error(message));
        }
        if input.parse::<Option<Token![:]>>()?.is_some() {
            let error = input.error("expected `transient`");
            let word: Option<Ident> = input.parse()?;
            resource.transient = word.is_some_and(|word| word == "transient");
            if !resource.transient {
                return Err(error);
            }
        }
        if input.parse::<Option<Token![=]>>()?.is_some() {
            resource.initial.parse(input)?;
        }
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
