//! Orders: `order Accelerate -> Collide -> Draw;`.

use syn::Token;
use syn::parse::{ParseStream, Result};

use crate::syntax::reading::lints::Lint;
use crate::syntax::reading::recover;
use crate::syntax::tree::{Order, Tree};

/// Reads what follows the word `order`: each system runs before the next one.
pub(crate) fn parse(input: ParseStream<'_>, allowed: &[Lint], tree: &mut Tree) -> Result<()> {
    let mut earlier = recover::listed(input, "system")?;
    if !input.peek(Token![->]) {
        return Err(input.error("expected `->` and the system that runs next"));
    }
    while input.parse::<Option<Token![->]>>()?.is_some() {
        let later = recover::listed(input, "system")?;
        let allowed = allowed.to_vec();
        tree.orders.push(Order { earlier, later: later.clone(), allowed });
        earlier = later;
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
