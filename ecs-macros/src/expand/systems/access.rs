//! The rights of a system: one empty impl for each operation that its body may perform.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

use crate::expand::attributes;
use crate::expand::context::{
    Context, TypeArgument, argument, begin_of_impl, resource_argument, system_argument,
};
use crate::expand::data::{query, states};
use crate::model::{Model, System, Use};
use crate::site::{Krate, number, quote, quote_spanned};
use crate::syntax::{Flag, List, Part};
use ecs_rules::Kind;

/// The lists that give a right to the named things. A right to write includes the right to read.
const BY_LIST: [(&str, &[List]); 22] = [
    ("Reads", &[List::Read, List::Write, List::Update]),
    ("Writes", &[List::Write]),
    ("ReadsOptional", &[List::ReadOptional, List::WriteOptional]),
    ("WritesOptional", &[List::WriteOptional]),
    ("ReadsAny", &[List::ReadAny]),
    ("Inputs", &[List::Inputs]),
    (WRITES_MEMBERS, &[List::Write, List::WriteOptional]),
    ("Receives", &[List::Streams]),
    ("ReadsResource", &[List::ReadResources, List::WriteResources]),
    ("WritesResource", &[List::WriteResources]),
    ("Adds", &[List::Add]),
    ("Emits", &[List::Emit]),
    ("ReadsEvents", &[List::On]),
    ("Links", &[List::Link]),
    ("ReadsLinks", &[List::Relations, List::AfterParent]),
    ("Inserts", &[List::Insert]),
    ("Removes", &[List::Remove]),
    ("Updates", &[List::Update]),
    ("Accumulates", &[List::Accumulate]),
    ("AsksChanged", &[List::Changed]),
    ("AsksAdded", &[List::Added]),
    ("AsksRemoved", &[List::Removed]),
];

/// A right that only sequential systems with queries have.
const WRITES_MEMBERS: &str = "WritesMembers";

/// The flags that give a right.
const BY_FLAG: [(&str, Flag); 6] = [
    ("Exclusive", Flag::Exclusive),
    ("IsSequential", Flag::Sequential),
    ("SliceDependent", Flag::SliceDependent),
    ("Despawns", Flag::Despawn),
    ("Defers", Flag::Defer),
    ("Draws", Flag::Random),
];

/// All rights of the system at `index`.
///
/// They are in a constant without a name. `rustc` identifies an impl by its number within a scope. A further right would
/// renumber the impls of the systems after it, and they would be compiled again.
pub(crate) fn expand(cx: &Context<'_>, index: usize) -> Option<TokenStream> {
    let system = &cx.model.systems[index];
    let name = system.item.name.ty();
    // Plain, so that messages that point here do not mention macros.
    let at = system.name().span();
    let mut impls = TokenStream::new();
    for Right { of, item, bundle, .. } in rights(cx.model, index, &cx.declaration()) {
        let begin = begin_of_impl(at);
        let of_what = bundle.unwrap_or_else(|| name.to_token_stream());
        impls.extend(quote_spanned! {at=>
            #begin #of for #of_what { #item }
        });
    }
    let attributes = attributes::of_constant();
    (!impls.is_empty()).then(|| quote_spanned!(at=> #attributes const _: () = { #impls };))
}

/// A trait that a system implements, or a bundle for the system.
pub(crate) struct Right {
    /// The trait.
    pub(crate) of: TokenStream,
    /// The trait as a bound, with its types. Only what bodies rely on is one.
    pub(crate) bound: Option<TokenStream>,
    /// What the impl has, if anything.
    item: Option<TokenStream>,
    /// The bundle that implements it, if it is not the system.
    pub(crate) bundle: Option<TokenStream>,
}

/// The access traits of the system at `index` in a declaration.
pub(crate) fn rights(model: &Model<'_>, index: usize, declaration: &dyn ToTokens) -> Vec<Right> {
    let system = &model.systems[index];
    let at = system.name().span();
    let right = |right: &str, about: &dyn ToTokens| {
        let right = Ident::new(right, at);
        let of = quote_spanned!(at=> #Krate::access::#right<#about #declaration>);
        Right { bound: Some(of.clone()), of, item: None, bundle: None }
    };
    let rolls =
        system.item.flag(Flag::Sequential).is_some() && !system.listed(List::Queries).is_empty();
    let mut rights = Vec::new();
    for (trait_name, lists) in BY_LIST {
        if trait_name == WRITES_MEMBERS && !rolls {
            continue;
        }
        let mut things = Vec::new();
        for list in lists {
            for index in system.listed(*list) {
                if !things.contains(&(list.kind(), index)) {
                    things.push((list.kind(), index));
                }
            }
        }
        for (kind, index) in things {
            let path = match lists[0] {
                // The relation itself, not what it is a resource as.
                List::Link | List::Relations => argument(&model.resources[index].name),
                _ => path_of(model, kind, index),
            };
            let mut right = right(trait_name, &quote!(#path,));
            if let [List::Accumulate] = lists {
                // At the component in the list, as it may lack what it must implement.
                let is_it = |used: &&Use<'_>| {
                    used.list == List::Accumulate && used.target.known() == Some(index)
                };
                if let Some(used) = system.uses.iter().find(is_it) {
                    let at = used.name().span();
                    let name = Ident::new(trait_name, at);
                    let declaration = declaration.to_token_stream();
                    right.of = quote_spanned!(at=> #Krate::access::#name<#path, #declaration>);
                }
            }
            rights.push(right);
        }
    }
    for state in &system.timing.set {
        let state = states::ty(&model.tree.states[*state]);
        rights.push(right("SetsState", &quote!(#state,)));
    }
    for (trait_name, flag) in BY_FLAG {
        let Some(flag) = system.item.flag(flag) else { continue };
        // At the flag, where an editor shows what it stands for.
        let right = Ident::new(trait_name, flag);
        let of = quote_spanned!(at=> #Krate::access::#right<#declaration>);
        rights.push(Right { bound: Some(of.clone()), of, item: None, bundle: None });
    }
    if !system.listed(List::AfterParent).is_empty() {
        rights.push(right("FollowsParents", &TokenStream::new()));
    }
    let spawn = &system.item.spawn;
    if spawn.iter().any(|bundle| model.is_checked_by_components(bundle)) {
        rights.push(right("Spawns", &TokenStream::new()));
    }
    let mut bundles: Vec<String> = Vec::new();
    for (position, bundle) in spawn.iter().enumerate() {
        let mut written = bundle.to_token_stream();
        let text = written.to_string();
        if model.is_checked_by_components(bundle) || bundles.contains(&text) {
            continue;
        }
        bundles.push(text);
        if let Some((place, system)) = &system.item.from {
            written = place.part(&Part::Bundle(*system, position), at).into_token_stream();
        }
        let (name, number) = (system_argument(system), number(position));
        let item = quote! {
            type Stored = Self;
            const POSITION: ::core::option::Option<usize> = ::core::option::Option::Some(#number);
            #[inline]
            fn stored(self) -> Self {
                self
            }
        };
        let right = right("SpawnedBy", &quote!(#name,));
        rights.push(Right { item: Some(item), bundle: Some(written), ..right });
    }
    for at in system.listed(List::Queries) {
        of_members(model, system, at, declaration, &mut rights);
    }
    if let Some(function) = query::entries_of(system, declaration) {
        let of = quote_spanned!(at=> #Krate::generated::TakesEntries<#declaration>);
        rights.push(Right { bound: None, of, item: Some(function), bundle: None });
    }
    for query::Copy { component, copies, function } in query::copies_of(model, system) {
        let component = path_of(model, Kind::Component, component);
        let of = |types: TokenStream| quote_spanned!(at=> #Krate::generated::Copies<#component, #declaration #types>);
        let item = quote!(type Copies = #copies; #function);
        let bound = Some(of(quote!(, Copies = #copies)));
        rights.push(Right { of: of(quote!()), bound, item: Some(item), bundle: None });
    }
    rights
}

/// Adds the rights of a user of the query `at`.
fn of_members(
    model: &Model<'_>,
    system: &System<'_>,
    at: usize,
    declaration: &dyn ToTokens,
    rights: &mut Vec<Right>,
) {
    let span = system.name().span();
    let query = path_of(model, Kind::System, at);
    let names = system.through.iter().any(|(query, _)| *query == at);
    let members = if names {
        system.item.name.ty().to_token_stream()
    } else {
        quote_spanned!(span=> #Krate::access::All)
    };
    rights.push(Right {
        of: quote_spanned!(span=> #Krate::access::Queries<#query, #declaration>),
        bound: Some(quote_spanned! {span=>
            #Krate::access::Queries<#query, #declaration, Members = #members>
        }),
        item: Some(quote!(type Members = #members;)),
        bundle: None,
    });
    if !names {
        return;
    }
    for (list, of) in [(List::Read, "Shows"), (List::ReadOptional, "ShowsOptional")] {
        let of = Ident::new(of, span);
        for component in system.shown(at, &model.systems[at], list) {
            let component = path_of(model, Kind::Component, component);
            let of = quote_spanned!(span=> #Krate::access::#of<#component, #query, #declaration>);
            rights.push(Right { bound: Some(of.clone()), of, item: None, bundle: None });
        }
    }
}

/// The type at an index, as a generic argument.
fn path_of<'m>(model: &Model<'m>, kind: Kind, index: usize) -> TypeArgument<'m> {
    match kind {
        Kind::Component => argument(model.components[index].named),
        Kind::Resource => resource_argument(model.resources[index]),
        Kind::System => system_argument(&model.systems[index]),
    }
}
