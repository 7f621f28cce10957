//! Sets: the header `pub set Physics;`, and `include physics::Physics;`.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Path, Token, Visibility};

use crate::syntax::reading::recover;
use crate::syntax::tree::{Include, Set, Tree};

/// Reads what follows the word `set`.
pub(crate) fn header(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    visibility: Visibility,
    tree: &mut Tree,
) -> Result<()> {
    let name = recover::plain_name(input, "set")?;
    tree.set.get_or_insert(Set { attributes, visibility, name });
    input.parse::<Token![;]>()?;
    Ok(())
}

/// Reads what follows the word `include`.
pub(crate) fn include(input: ParseStream<'_>, tree: &mut Tree) -> Result<()> {
    let path = input.call(Path::parse_mod_style)?;
    tree.includes.push(Include { path, blocks: None });
    input.parse::<Token![;]>()?;
    Ok(())
}

/// Gives each `include` its blocks: one brace group for each, in order.
pub(crate) fn hand_out(groups: TokenStream, tree: &mut Tree) {
    let groups = groups.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    for (include, blocks) in tree.includes.iter_mut().zip(groups) {
        include.blocks = Some(blocks);
    }
}
