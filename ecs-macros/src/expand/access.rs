//! The rights of a system: one empty impl for each operation that its body may perform.

use super::context::{Context, begin_of_impl};
use crate::model::Model;
use crate::syntax::{Flag, List, Part};
use ecs_rules::Kind;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

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
        let Right { of, bundle } = right;
        let begin = begin_of_impl(at);
        let Some((bundle, position)) = bundle else {
            return quote_spanned! {at=>
                #[automatically_derived]
                #begin #of for #name {}
            };
        };
        quote_spanned! {at=>
            #[automatically_derived]
            #begin #of for #bundle {
                type Stored = Self;
                const POSITION: ::core::option::Option<usize> = ::core::option::Option::Some(#position);
                #[inline]
                fn stored(self) -> Self {
                    self
                }
            }
        }
    });
    rights.collect()
}

/// A trait that a system implements, or a bundle for the system.
pub(super) struct Right {
    pub(super) of: TokenStream,
    /// The bundle, and its position in `spawn`.
    pub(super) bundle: Option<(TokenStream, usize)>,
}

/// The access traits of the system at `index` in a declaration.
pub(super) fn rights(model: &Model<'_>, index: usize, declaration: &dyn ToTokens) -> Vec<Right> {
    let krate = &model.tree.krate;
    let system = &model.systems[index];
    let at = system.name().span();
    let right = |right: &str, about: &dyn ToTokens| {
        let right = quote::format_ident!("{right}");
        let of = quote_spanned!(at=> #krate::access::#right<#about #declaration>);
        Right { of, bundle: None }
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
    let by_flag = BY_FLAG
        .iter()
        .filter(|(_, flag)| system.item.flag(*flag).is_some())
        .map(|(trait_name, _)| right(trait_name, &TokenStream::new()));
    let spawn = &system.item.spawn;
    let spawns = spawn.iter().any(|bundle| model.is_judged_by_components(bundle));
    let spawns = spawns.then(|| right("Spawns", &TokenStream::new()));
    let mut bundles: Vec<String> = Vec::new();
    let by_type = spawn.iter().enumerate().filter_map(|(number, bundle)| {
        let mut written = bundle.to_token_stream();
        let text = written.to_string();
        if model.is_judged_by_components(bundle) || bundles.contains(&text) {
            return None;
        }
        bundles.push(text);
        if let Some((place, system)) = &system.item.from {
            written = place.part(&Part::Bundle(*system, number), at).into_token_stream();
        }
        let name = system.item.name.ty();
        let right = right("SpawnedBy", &quote!(#name,));
        Some(Right { bundle: Some((written, number)), ..right })
    });
    by_list.chain(by_flag).chain(spawns).chain(by_type).collect()
}

/// The type at an index.
fn path_of<'m>(model: &'m Model<'_>, kind: Kind, index: usize) -> &'m syn::Path {
    match kind {
        Kind::Component => model.components[index].named.ty(),
        Kind::Resource => model.resources[index].name.ty(),
        Kind::System => model.systems[index].item.name.ty(),
    }
}
