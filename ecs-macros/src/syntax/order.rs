//! Orders: `order Accelerate -> Collide -> Draw;`.

use syn::parse::{ParseStream, Result};
use syn::{Path, Token};

use super::tree::Tree;

/// Reads what follows the word `order`: each system runs before the next one.
pub(super) fn parse(input: ParseStream<'_>, tree: &mut Tree) -> Result<()> {
    let mut earlier: Path = input.parse()?;
    if !input.peek(Token![->]) {
        return Err(input.error("expected `->` and the system that runs next"));
    }
    while input.parse::<Option<Token![->]>>()?.is_some() {
        let later: Path = input.parse()?;
        tree.orders.push((earlier, later.clone()));
        earlier = later;
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
