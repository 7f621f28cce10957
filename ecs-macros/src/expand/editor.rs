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
pub(super) fn expand(model: &Model<'_>) -> TokenStream {
    let own = || model.systems.iter().filter(|system| system.item.from.is_none());
    let listed = own().flat_map(|system| {
        let uses = system.uses.iter().filter(|used| used.is_of_the_system());
        uses.map(|used| (used.list.kind(), used.path))
    });
    let stages = own().filter_map(|system| Some((Kind::System, system.item.stage.as_ref()?)));
    let orders = model.tree.orders.iter().flat_map(|order| [&order.earlier, &order.later]);
    let orders = orders.map(|path| (Kind::System, path));
    let bundled = own().flat_map(|system| &system.item.spawn).flat_map(|bundle| match bundle {
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        other => vec![other],
    });
    let bundled = bundled.filter_map(|part| match part {
        Type::Path(part) => Some((Kind::Component, &part.path)),
        _ => None,
    });
    let named = model.bundles.iter().filter(|bundle| bundle.item.name.place.is_none());
    let named = named.flat_map(|bundle| &bundle.components);
    let named = named.map(|(_, path)| (Kind::Component, *path));
    let names = listed.chain(stages).chain(orders).chain(bundled).chain(named);
    let types: Vec<Path> = names.filter_map(|(kind, path)| located(model, kind, path)).collect();
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
pub(super) fn link(path: &Path, name: &Ident) -> String {
    let of_a_macro =
        path.to_token_stream().into_iter().any(|token| token.to_string().starts_with('$'));
    let mut text = if path.leading_colon.is_some() { "::".to_owned() } else { String::new() };
    let segments: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    text += &segments.join("::");
    if of_a_macro || text.contains("r#") { format!("`{name}`") } else { format!("[`type@{text}`]") }
}
