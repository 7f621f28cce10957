//! Stages: `stages Input -> Simulate -> Draw;`.
//!
//! A stage is a system of the library, without entities, which runs at the end of the stage. A system of
//! a stage runs before the stage's own system, and after that of the previous stage.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::{Path, Token, Type};

use crate::site::{Krate, macros_own, quote_spanned};
use crate::syntax::reading::named::{Named, name_of};
use crate::syntax::reading::recover;
use crate::syntax::tree::{Order, Stage, System, Tree};

/// Reads what follows the word `stages`. Each stage runs before the next one.
pub(crate) fn parse(input: ParseStream<'_>, tree: &mut Tree) -> Result<()> {
    let mut previous = stage(input, None, tree)?;
    while input.parse::<Option<Token![->]>>()?.is_some() {
        previous = stage(input, Some(previous), tree)?;
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

fn stage(input: ParseStream<'_>, previous: Option<Path>, tree: &mut Tree) -> Result<Path> {
    let path = Path::from(recover::plain_name(input, "stage")?);
    let span: Span = name_of(&path).span();
    let body = quote_spanned!(macros_own(span)=> #Krate::Stage);
    tree.systems.push(System {
        body: Some(Type::Verbatim(body)),
        ..System::new(Vec::new(), Named::new(path.clone()))
    });
    // A stage that is named again is reported, and adds no order.
    let again = tree.stages.iter().any(|stage| name_of(&stage.path) == name_of(&path));
    if let Some(previous) = previous.as_ref().filter(|_| !again) {
        let order = Order { earlier: previous.clone(), later: path.clone(), allowed: Vec::new() };
        tree.orders.push(order);
    }
    tree.stages.push(Stage { path: path.clone(), previous });
    Ok(path)
}
