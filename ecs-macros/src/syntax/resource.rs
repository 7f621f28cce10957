//! Resources: `resource Bounds;`, `resource Bounds = Bounds::new(1440.0, 900.0);`, or
//! `resource Scratch: transient;`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Expr, Ident, Token};

use super::{Named, SetModule, Tree};

/// One value of a type, owned by the world.
pub(crate) struct Resource {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Named,
    pub(crate) initial: Initial,
    /// Whether it is left out of clones, snapshots and hashes.
    pub(crate) transient: bool,
    /// The set that declares it, and its number there, if it is part of a set.
    pub(crate) from: Option<(SetModule, usize)>,
}

/// The initial value of a resource, or of a system's state.
pub(crate) enum Initial {
    /// The type's `Default`.
    Default,
    /// An expression in the declaration.
    Value(Box<Expr>),
    /// An expression that cannot be read.
    Unreadable,
}

impl Initial {
    /// Reads an expression and replaces the current value.
    pub(super) fn parse(&mut self, input: ParseStream<'_>) -> Result<()> {
        *self = Self::Unreadable;
        *self = Self::Value(Box::new(input.parse()?));
        Ok(())
    }
}

/// Reads what follows the word `resource`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
) -> Result<()> {
    let name = Named::new(input.parse()?);
    let initial = Initial::Default;
    tree.resources.push(Resource { attributes, name, initial, transient: false, from: None });
    if let Some(resource) = tree.resources.last_mut() {
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
