//! What only editors read: the names in lists, as types at their own places.
//!
//! The tables name each thing by the path of its declaration, at its place there, so that `rustc` reports a wrong path
//! once. An editor finds a name under the cursor by its place. So each name in a list stands once more in a constant
//! that `rust-analyzer` alone compiles, by the `cfg` that it sets.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Ident, Path, Type};

use crate::model::{Model, Target};
use crate::site::quote;
use ecs_rules::Kind;

/// The names in the lists of the declaration's own systems, and in its orders.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let mut types: Vec<Path> = Vec::new();
    let mut name = |kind: Kind, path: &Path| types.extend(located(model, kind, path));
    for system in model.systems.iter().filter(|system| system.item.from.is_none()) {
        for used in &system.uses {
            if used.is_of_the_system() {
                name(used.list.kind(), used.path);
            }
        }
        if let Some(stage) = &system.item.stage {
            name(Kind::System, stage);
        }
        for bundle in &system.item.spawn {
            match bundle {
                Type::Tuple(bundle) => {
                    for part in &bundle.elems {
                        if let Type::Path(part) = part {
                            name(Kind::Component, &part.path);
                        }
                    }
                }
                Type::Path(part) => name(Kind::Component, &part.path),
                _ => {}
            }
        }
    }
    for order in &model.tree.orders {
        name(Kind::System, &order.earlier);
        name(Kind::System, &order.later);
    }
    for bundle in model.bundles.iter().filter(|bundle| bundle.item.name.place.is_none()) {
        for (_, path) in &bundle.components {
            name(Kind::Component, path);
        }
    }
    if types.is_empty() {
        return TokenStream::new();
    }
    // No item within, whose name a type could have. `rustc` does not know the `cfg`.
    quote! {
        #[allow(unexpected_cfgs, reason = "an editor sets it")]
        const _: () = {
            #[cfg(rust_analyzer)]
            const _: ::core::option::Option<fn(#(#types),*)> = ::core::option::Option::None;
        };
    }
}

/// The path by which a thing is declared, with the segments that `path` has, too, at their places there.
fn located(model: &Model<'_>, kind: Kind, path: &Path) -> Option<Path> {
    let Target::Known(index) = model.find(kind, path) else { return None };
    let declared = match kind {
        Kind::Component => model.components[index].named.ty(),
        Kind::Resource => model.resources[index].name.ty(),
        Kind::System => model.systems[index].item.name.ty(),
    };
    let mut located = declared.clone();
    for (own, used) in located.segments.iter_mut().rev().zip(path.segments.iter().rev()) {
        own.ident.set_span(used.ident.span());
    }
    Some(located)
}

/// A link to a type of the user's in a doc comment, or its name if the path cannot be written there.
pub(crate) fn link(path: &Path, name: &Ident) -> String {
    let of_a_macro =
        path.to_token_stream().into_iter().any(|token| token.to_string().starts_with('$'));
    let mut text = String::new();
    for segment in &path.segments {
        if !text.is_empty() || path.leading_colon.is_some() {
            text += "::";
        }
        text += &segment.ident.to_string();
    }
    if of_a_macro || text.contains("r#") { format!("`{name}`") } else { format!("[`type@{text}`]") }
}
