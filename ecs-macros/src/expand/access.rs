//! The rights of a system: one empty impl for each operation that its body may perform.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::context::{Context, begin_of_impl};
use crate::model::{Model, Target};
use crate::syntax::{Flag, List, Part};
use ecs_rules::Kind;

/// The lists that give a right to the named things. A right to write includes the right to read.
const BY_LIST: [(&str, &[List]); 14] = [
    ("Reads", &[List::Read, List::Write, List::Update]),
    ("Writes", &[List::Write]),
    ("ReadsOptional", &[List::ReadOptional, List::WriteOptional]),
    ("WritesOptional", &[List::WriteOptional]),
    ("ReadsAny", &[List::ReadAny]),
    ("Inputs", &[List::Inputs]),
    ("Queries", &[List::Queries]),
    (WRITES_MEMBERS, &[List::Write, List::WriteOptional]),
    ("Receives", &[List::Streams]),
    ("ReadsResource", &[List::ReadResources, List::WriteResources]),
    ("WritesResource", &[List::WriteResources]),
    ("Inserts", &[List::Insert]),
    ("Removes", &[List::Remove]),
    ("Updates", &[List::Update]),
];

/// A right that only sequential systems with queries have.
const WRITES_MEMBERS: &str = "WritesMembers";

/// The flags that give a right.
const BY_FLAG: [(&str, Flag); 5] = [
    ("Exclusive", Flag::Exclusive),
    ("IsSequential", Flag::Sequential),
    ("SliceDependent", Flag::SliceDependent),
    ("Despawns", Flag::Despawn),
    ("Defers", Flag::Defer),
];

/// All rights of the system at `index`.
pub(super) fn expand(cx: &Context<'_>, index: usize) -> TokenStream {
    let system = &cx.model.systems[index];
    let name = system.item.name.ty();
    // Plain, so that messages that point here do not mention macros.
    let at = system.name().span();
    let rights = rights(cx.model, index, cx.declaration()).into_iter().map(|right| {
        let Right { of, position } = right;
        let position = position.map(|position| quote!(const POSITION: usize = #position;));
        let begin = begin_of_impl(at);
        quote_spanned! {at=>
            #[automatically_derived]
            #begin #of for #name { #position }
        }
    });
    rights.collect()
}

/// A trait that a system implements.
pub(super) struct Right {
    pub(super) of: TokenStream,
    /// For a bundle, its position in `spawn`.
    position: Option<usize>,
}

/// The access traits of the system at `index` in a declaration.
pub(super) fn rights(model: &Model<'_>, index: usize, declaration: &dyn ToTokens) -> Vec<Right> {
    let krate = &model.tree.krate;
    let system = &model.systems[index];
    let at = system.name().span();
    let right = |right: &str, about: &dyn ToTokens| {
        let right = quote::format_ident!("{right}");
        let of = quote_spanned!(at=> #krate::access::#right<#about #declaration>);
        Right { of, position: None }
    };
    let rolls =
        system.item.flag(Flag::Sequential).is_some() && !system.listed(List::Queries).is_empty();
    let granted = BY_LIST.iter().filter(|(trait_name, _)| rolls || *trait_name != WRITES_MEMBERS);
    let by_list = granted.flat_map(|(trait_name, lists)| {
        let mut things = Vec::new();
        for list in *lists {
            for index in system.listed(*list) {
                if !things.contains(&(list.kind(), index)) {
                    things.push((list.kind(), index));
                }
            }
        }
        things.into_iter().map(|(kind, index)| {
            let path = path_of(model, kind, index);
            right(trait_name, &quote!(#path,))
        })
    });
    // At the flag, where an editor shows what it stands for.
    let by_flag = BY_FLAG.iter().filter_map(|(trait_name, flag)| {
        let right = Ident::new(trait_name, system.item.flag(*flag)?);
        let of = quote_spanned!(at=> #krate::access::#right<#declaration>);
        Some(Right { of, position: None })
    });
    let mut bundles: Vec<String> = Vec::new();
    let spawns = system.item.spawn.iter().enumerate().filter_map(|(number, bundle)| {
        let mut bundle = bundle_type(model, bundle);
        let written = bundle.to_string();
        let new = !bundles.contains(&written);
        bundles.push(written);
        if let Some((place, system)) = &system.item.from {
            bundle = place.part(&Part::Bundle(*system, number), at).into_token_stream();
        }
        let position = Some(number);
        new.then(|| Right { position, ..right("Spawns", &quote!(#bundle,)) })
    });
    by_list.chain(by_flag).chain(spawns).collect()
}

/// The type at an index.
fn path_of<'m>(model: &'m Model<'_>, kind: Kind, index: usize) -> &'m syn::Path {
    match kind {
        Kind::Component => model.components[index].named.ty(),
        Kind::Resource => model.resources[index].name.ty(),
        Kind::System => model.systems[index].item.name.ty(),
    }
}

/// A bundle with the declared paths of its components. A single component becomes a tuple; any
/// other type is a user-defined bundle.
pub(super) fn bundle_type(model: &Model<'_>, bundle: &Type) -> TokenStream {
    match bundle {
        Type::Path(path) => match component(model, path, Target::known) {
            Some(component) => quote!((#component,)),
            None => bundle.to_token_stream(),
        },
        Type::Tuple(tuple) => {
            let elements = tuple.elems.iter().map(|element| match element {
                Type::Path(path) => component(model, path, Target::index)
                    .map_or_else(|| element.to_token_stream(), ToTokens::to_token_stream),
                _ => element.to_token_stream(),
            });
            quote!((#(#elements,)*))
        }
        _ => bundle.to_token_stream(),
    }
}

/// The path of the declared component that a path names, if `index` accepts the target.
fn component<'m>(
    model: &Model<'m>,
    path: &syn::TypePath,
    index: impl Fn(Target) -> Option<usize>,
) -> Option<&'m syn::Path> {
    let index = index(model.find(Kind::Component, &path.path))?;
    Some(model.components[index].named.ty())
}
