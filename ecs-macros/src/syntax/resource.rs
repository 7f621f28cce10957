//! Resources: `resource Bounds;`, several as `resource Deaths, Score;`, with a value as
//! `resource Bounds = Bounds::new(1440.0, 900.0);`, or `resource Scratch: transient;`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token, token};

use super::named::Named;
use super::tree::{Initial, Resource, Tree};

/// Reads what follows the word `resource`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    tree: &mut Tree,
) -> Result<()> {
    let first = tree.resources.len();
    loop {
        let name = Named::parse(input, "resource")?;
        let (attributes, initial) = (attributes.to_vec(), Initial::Default);
        tree.resources.push(Resource { attributes, name, initial, transient: false, from: None });
        if input.parse::<Option<Token![,]>>()?.is_none() {
            break;
        }
    }
    let resources = &mut tree.resources[first..];
    if let [.., resource] = resources {
        let value = input.peek(token::Paren) || input.peek(token::Brace);
        if value && !input.peek2(Token![:]) {
            resource.initial = Initial::Unreadable;
            let name = resource.name.name();
            let message = format!(
                "expected `=` and an initial value, or `;`\nhelp: write `resource {name} = {name} …;`"
            );
            return Err(input.error(message));
        }
    }
    if input.parse::<Option<Token![:]>>()?.is_some() {
        let error = input.error("expected `transient`");
        let word: Option<Ident> = input.parse()?;
        if word.is_none_or(|word| word != "transient") {
            return Err(error);
        }
        for resource in &mut *resources {
            resource.transient = true;
        }
    }
    if let [resource] = resources
        && input.parse::<Option<Token![=]>>()?.is_some()
    {
        resource.initial.parse(input)?;
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
