//! The header: `pub world Name { settings }` or `world Name;`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token, Visibility, braced, token};

use super::settings::{self, Settings};
use crate::error::{Errors, Fault};
use crate::syntax::reading::recover;
use crate::syntax::tree::{Tree, World};

/// Reads what follows the word `world`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    keyword: &Ident,
    attributes: Vec<Attribute>,
    visibility: Visibility,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let name = recover::plain_name(input, "world")?;
    if let Some(first) = &tree.world {
        let label = (first.name.span(), "the first world is declared here".to_owned());
        errors.report_with(keyword.span(), Fault::SecondWorld, label);
        return recover::skip_item(input);
    }
    let settings = Settings::default();
    let world = tree.world.insert(World { attributes, visibility, name, settings });
    if input.peek(token::Brace) {
        let content;
        braced!(content in input);
        settings::parse(&content, &world.name, &mut world.settings, errors)
    } else {
        input.parse::<Token![;]>().map_err(|_| input.error("expected `;` or `{ … }`"))?;
        Ok(())
    }
}
