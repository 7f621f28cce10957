//! A set: a module with names for its parts, impls with the contents of its systems and resources, the trait of the
//! worlds that include it, and the macro that passes its items on.
//!
//! The code is in the scope of the declaration, where the declaration's paths are valid. Only the module has another
//! scope: it imports the declaration's scope by `use super::*`, and `self` and `super` in it are rewritten.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{LitStr, Visibility};

use super::world;
use crate::expand::attributes;
use crate::expand::context::{
    any_world, argument, initial_value, located_visibility, resource_argument,
};
use crate::expand::data::{number as component_number, query, resource};
use crate::expand::systems::{access, condition, entry, system};
use crate::model::{Model, System};
use crate::site::{Krate, enter, here, macros_own, number, quote, quote_spanned, text};
use crate::syntax::{Block, Composed, Part, Resource, Set, SetModule, Storage, this_crate};

/// The blocks that the set's macro passes on: the sets that this one includes, then itself.
fn blocks(model: &Model<'_>, set: &Set, identity: &str, faultless: bool) -> TokenStream {
    let tree = model.tree;
    let block = |block: &Block, way: &[Ident]| {
        let Block { identity, krate, faulty, name, items, .. } = block;
        let state = Ident::new(if *faulty { "faulty" } else { "sound" }, here());
        quote!({ #identity #krate #state [#(#way)*] #name { #items } })
    };
    let included = tree.sets.iter().map(|Composed { block: of_set, include, .. }| {
        let mut way = vec![Part::Include(*include).name(&set.name, here())];
        way.extend(of_set.way.iter().cloned());
        block(of_set, &way)
    });
    let literal = |text: &str| LitStr::new(text, here());
    let own = Block {
        identity: literal(identity),
        krate: literal(&this_crate()),
        faulty: !faultless,
        way: Vec::new(),
        name: set.name.clone(),
        items: tree.tokens.clone(),
    };
    let own = block(&own, &[]);
    quote!(#(#included)* #own)
}

/// The whole expansion of the set. `unique` makes the name of its macro unique in the crate.
pub(crate) fn expand(model: &Model<'_>, unique: u64, faultless: bool) -> TokenStream {
    let common = world::expand(model, false);
    let Some(set) = &model.tree.set else { return common };
    let _at = enter(set.name.span());
    let module = module(model, set);
    let systems =
        systems(model).into_iter().map(|(number, index)| contents(model, set, number, index));
    let contents = path_of(set, &Part::Set);
    let resources = model.tree.resources.iter().filter(|item| item.from.is_none());
    // The queue of an event begins without events, and a relation without links.
    let is_plain = |resource: &Resource| resource.event.is_none() && resource.relation.is_none();
    let resources = resources.enumerate().filter(|(_, resource)| is_plain(resource));
    let resources = resources.map(|(n, resource)| {
        let (ty, name) = (resource.name.ty(), resource.name.name());
        let _at = enter(name.span());
        let n = number(n);
        let value = initial_value(&resource.initial, ty, "InitialResource", name.span());
        let at = macros_own(name.span());
        let ty_here = quote_spanned!(at=> type Resource = #ty;);
        let attributes = attributes::of_impl_with_expressions();
        quote! {
            #attributes
            impl #Krate::generated::SetResource<#n> for #contents {
                #ty_here
                fn initial() -> #ty {
                    #value
                }
            }
        }
    });
    let events = model.tree.resources.iter().filter(|item| item.from.is_none()).enumerate();
    let indices = events.filter_map(|(n, event)| {
        let form = resource::index_of(event)?;
        let _at = enter(event.name.name().span());
        let query::Types { index, initial } = resource::event_index(event, form);
        let n = number(n);
        let at = macros_own(event.name.name().span());
        let ty_here = quote_spanned!(at=> type Form = #index;);
        let attributes = attributes::of_impl_with_expressions();
        Some(quote! {
            #attributes
            impl #Krate::generated::SetIndex<#n> for #contents {
                #ty_here
                fn form() -> #index {
                    #initial
                }
            }
        })
    });
    let world = world(model, set, unique);
    let components = components(model, set, unique);
    let callback = callback(model, set, unique, faultless);
    quote!(#common #module #components #(#systems)* #(#resources)* #(#indices)* #world #callback)
}

/// The numbers of the components, and a check that they are component types, which would otherwise be checked only in a
/// world.
fn components(model: &Model<'_>, set: &Set, unique: u64) -> TokenStream {
    let numbers_type = path_of(set, &Part::Numbers);
    let own = || model.components.iter().filter(|item| item.named.place.is_none());
    let numbers = own().enumerate().map(|(n, item)| {
        let _at = enter(item.name().span());
        let (number, n) = (component_number::in_set(n, unique), number(n));
        let attributes = attributes::of_impl();
        quote_spanned! {item.name().span()=>
            #attributes
            impl #Krate::generated::SetComponent<#n> for #numbers_type {
                type Number = #number;
            }
        }
    });
    let checks = own().map(|item| {
        let (ty, at) = (argument(item.named), item.name().span());
        let check = if item.by_name { "check_text_form" } else { "check_type" };
        let check = Ident::new(check, at);
        quote_spanned!(at=> #Krate::generated::#check::<#ty>();)
    });
    quote! {
        #(#numbers)*
        const _: () = { #(#checks)* };
    }
}

/// The set's own systems, by number in the set and by index.
fn systems(model: &Model<'_>) -> Vec<(usize, usize)> {
    let own = model.tree.systems.iter().filter(|item| item.from.is_none());
    let numbers = own.enumerate().filter_map(|(number, item)| {
        let index = model.systems.iter().position(|system| std::ptr::eq(system.item, item))?;
        Some((number, index))
    });
    numbers.collect()
}

/// The path of a part of the set.
fn path_of(set: &Set, part: &Part) -> syn::Path {
    let place = SetModule { module: set.name.clone().into(), set: set.name.clone() };
    place.part(part, here())
}

/// The module, which has a name for each part that impls in other declarations refer to. The names are declared beside the
/// module, where the declaration's paths are valid, and imported by one `use`: in a function, where a module does not see
/// what is beside it, that is the one error.
fn module(model: &Model<'_>, set: &Set) -> TokenStream {
    let tree = model.tree;
    let Set { attributes, visibility, name } = set;
    let inner = inner(visibility);
    let part = |part: Part, at: Span| part.name(name, at);
    let mut parts: Vec<(Ident, TokenStream)> = Vec::new();
    let components = tree.buffers.iter().flat_map(|buffer| {
        let all = buffer.components.iter().enumerate();
        all.map(move |(k, named)| (named, (k == 0).then_some(&buffer.storage)))
    });
    let components = components.filter(|(named, _)| named.place.is_none()).enumerate();
    for (n, (named, storage)) in components {
        let at = named.name().span();
        parts.push((part(Part::Component(n), at), named.ty().to_token_stream()));
        if let Some(Storage::Custom(strategy)) = storage {
            parts.push((part(Part::Storage(n), at), strategy.to_token_stream()));
        }
    }
    let resources = tree.resources.iter().filter(|item| item.from.is_none()).enumerate();
    parts.extend(resources.map(|(n, item)| {
        (part(Part::Resource(n), item.name.name().span()), item.name.ty().to_token_stream())
    }));
    let bundles = tree.bundles.iter().filter(|item| item.name.place.is_none()).enumerate();
    parts.extend(bundles.map(|(n, item)| {
        (part(Part::NamedBundle(n), item.name.name().span()), item.name.ty().to_token_stream())
    }));
    let systems = tree.systems.iter().filter(|item| item.from.is_none()).enumerate();
    for (n, item) in systems {
        let at = item.name.name().span();
        let by_type = item.spawn.iter().enumerate();
        let by_type = by_type.filter(|(_, bundle)| !model.is_checked_by_components(bundle));
        let bundles =
            by_type.map(|(k, bundle)| (part(Part::Bundle(n, k), at), bundle.to_token_stream()));
        parts.push((part(Part::System(n), at), item.name.ty().to_token_stream()));
        parts.extend(bundles);
    }
    let aliases = parts.iter().map(|(alias, ty)| {
        let (at, visibility) = (macros_own(alias.span()), located_visibility(visibility, alias.span()));
        quote_spanned! {at=>
            #[doc(hidden)]
            #[allow(dead_code, non_camel_case_types, reason = "it is named like the set, for its module")]
            #visibility type #alias = #ty;
        }
    });
    let includes = tree.includes.iter().enumerate().map(|(n, include)| {
        let include_name = part(Part::Include(n), here());
        let path = led_out(include.path.to_token_stream());
        quote!(#[doc(hidden)] #inner use #path as #include_name;)
    });
    let (contents, numbers) = (part(Part::Set, here()), part(Part::Numbers, here()));
    let (world, outside) = (part(Part::World, name.span()), part(Part::Outside, name.span()));
    let names = parts.iter().map(|(alias, _)| {
        let mut alias = alias.clone();
        alias.set_span(name.span());
        alias
    });
    let parts = quote_spanned!(name.span()=> #inner use super::{#outside, #world, #(#names),*};);
    let doc = text(&format!(" The set `{name}`, for `include`."));
    let set_doc = text(&format!(" Stands for the set `{name}`."));
    quote! {
        #(#aliases)*
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types, reason = "it is named in a message only")]
        #visibility type #outside = ();

        #[doc = #doc]
        #(#attributes)*
        #[allow(
            non_snake_case, non_camel_case_types, unused_imports, dead_code, unreachable_pub,
            clippy::wildcard_imports,
            reason = "names are made of the set's, and a set need not be used in its own crate"
        )]
        #visibility mod #name {
            use super::*;

            #[doc(hidden)]
            #parts

            #[doc = #set_doc]
            #[derive(::core::fmt::Debug)]
            #inner struct #contents;

            // Worlds that are more visible than the set name it. It is reached through the module alone.
            #[doc(hidden)]
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            pub struct #numbers;

            #(#includes)*
        }
    }
}

/// The visibility in the module of items that are as visible as the set.
fn inner(visibility: &Visibility) -> TokenStream {
    match visibility {
        Visibility::Inherited => quote!(pub(super)),
        Visibility::Restricted(restricted) if !restricted.path.is_ident("crate") => {
            let path = led_out(restricted.path.to_token_stream());
            quote!(pub(in #path))
        }
        other => other.to_token_stream(),
    }
}

/// A path of the declaration's scope, rewritten for use in the module.
fn led_out(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut within = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if !within && ident == "self" => {
                out.extend(quote_spanned!(ident.span()=> super));
            }
            TokenTree::Ident(ident) if !within && ident == "super" => {
                out.extend(quote_spanned!(ident.span()=> super::super));
            }
            TokenTree::Group(group) => {
                let mut led = Group::new(group.delimiter(), led_out(group.stream()));
                led.set_span(group.span());
                out.extend([TokenTree::Group(led)]);
                within = false;
                continue;
            }
            other => {
                within = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == ':');
                out.extend([other]);
                continue;
            }
        }
        within = false;
    }
    out
}

/// The contents of a system of the set, which are the same in every world.
fn contents(model: &Model<'_>, set: &Set, n: usize, index: usize) -> TokenStream {
    let contents = path_of(set, &Part::Set);
    let system = &model.systems[index];
    let _at = enter(system.name().span());
    let (name, n) = (system.item.name.ty(), number(n));
    let system::Types { body, output, parallelism, initial } = system::Types::of(model, system);
    // `rustc` points here if a type is private.
    let at = macros_own(system.name().span());
    let types = quote_spanned! {at=>
        type Name = #name;
        type System = #body;
        type Output = #output;
    };
    let (entry, terms) = (entry::name(system), entry::terms(model, system));
    let found = entry::found(model, system);
    let naming = entry::naming(system, &quote!(Self::Found<'a>));
    let attributes = attributes::of_impl_with_expressions();
    let condition = condition::in_set(system, set, &contents, &quote!(#n));
    quote! {
        #condition
        #attributes
        impl #Krate::generated::SetSystem<#n> for #contents {
            #types
            type Parallelism = #parallelism;
            type Terms = #terms;
            type Found<'a> = #found;
            type Entry<'a> = #entry<'a>;
            fn initial() -> Self::System {
                #initial
            }
            #naming
        }
    }
}

/// The trait of the worlds that include the set.
fn world(model: &Model<'_>, set: &Set, unique: u64) -> TokenStream {
    let Set { visibility, name, .. } = set;
    let world = Part::World.name(name, name.span());
    let (set_type, numbers_type) = (path_of(set, &Part::Set), path_of(set, &Part::Numbers));
    let included = model.tree.sets.iter().map(|Composed { place, .. }| {
        place.part(&Part::World, place.set.span()).into_token_stream()
    });
    let any = any_world();
    let own = || model.components.iter().filter(|item| item.named.place.is_none()).enumerate();
    let has_components = own().map(|(n, item)| {
        let (ty, number) = (argument(item.named), component_number::in_set(n, unique));
        quote!(#Krate::HasComponent<#ty, Number = #number>)
    });
    // The number by way of the set, so that nothing but the set is missing of a world without it.
    let asked_of_components = own().map(|(n, item)| {
        let (ty, n) = (argument(item.named), number(n));
        let numbers = quote!(<#set_type as #Krate::generated::IncludedIn<#any>>::Numbers);
        let number = quote!(<#numbers as #Krate::generated::SetComponent<#n>>::Number);
        quote!(#Krate::HasComponent<#ty, Number = #number>)
    });
    let resources = model.resources.iter().filter(|item| item.from.is_none()).map(|item| {
        let ty = resource_argument(item);
        if item.operation.is_some() {
            return quote!(#Krate::generated::Combines<#ty>);
        }
        if let Some(form) = resource::index_of(item) {
            let (of, index) = (argument(&item.name), resource::event_index(item, form).index);
            return quote!(#Krate::HasResource<#ty> + #Krate::joins::HasEventIndex<#of, Form = #index>);
        }
        quote!(#Krate::HasResource<#ty>)
    });
    let has: Vec<TokenStream> = included.chain(resources).collect();
    let systems = systems(model);
    let bounds = |declaration: &TokenStream| -> Vec<(TokenStream, TokenStream)> {
        let bounds = systems.iter().flat_map(|(_, index)| {
            let system: &System<'_> = &model.systems[*index];
            let system::Types { body, output, .. } = system::Types::of(model, system);
            let entry = entry::name(system);
            let rights = access::rights(model, *index, declaration);
            let (of_bundles, rights): (Vec<_>, Vec<_>) =
                rights.into_iter().partition(|right| right.bundle.is_some());
            let rights = rights.iter().filter_map(|right| right.bound.as_ref());
            let bound = quote! {
                for<'a> #Krate::SystemName<
                    #declaration, System = #body, Output = #output, Entry<'a> = #entry<'a>
                > #(+ #rights)*
            };
            let of_bundles = of_bundles
                .into_iter()
                .filter_map(|right| Some((right.bundle?, right.of.into_token_stream())));
            let of_system = (system.item.name.ty().to_token_stream(), bound);
            of_bundles.chain([of_system]).collect::<Vec<_>>()
        });
        bounds.collect()
    };
    let implied = bounds(&quote!(Self))
        .into_iter()
        .map(|(system, bound)| quote!(#Krate::generated::Implies<#system, Is: #bound>));
    let asked = bounds(&quote!(#any)).into_iter().map(|(system, bound)| quote!(#system: #bound));
    let doc = text(&format!(
        " A world that includes the set `{name}`: what the body of a system of the set, which is \
         `impl<D: {world}> System<D> for …`, can rely on."
    ));
    let (of_constant, of_impl) = (attributes::of_constant(), attributes::of_impl());
    quote! {
        #[doc = #doc]
        #of_constant
        #visibility trait #world: #Krate::Declaration #(+ #has)* #(+ #has_components)* #(+ #implied)* {}

        #of_impl
        impl<#any> #world for #any
        where
            #set_type: #Krate::generated::IncludedIn<#any, Set = #set_type, Numbers = #numbers_type>,
            #any: #Krate::Declaration #(+ #has)* #(+ #asked_of_components)*,
            #(#asked,)*
        {
        }
    }
}

/// The macro behind `include`.
fn callback(model: &Model<'_>, set: &Set, unique: u64, faultless: bool) -> TokenStream {
    let Set { visibility, name, .. } = set;
    let hidden = format_ident!("include_{name}_{}", format!("{unique:016x}"));
    let blocks = blocks(model, set, &format!("{name} {unique:016x}"), faultless);
    let export = matches!(visibility, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    quote! {
        #[doc(hidden)]
        #export
        #[allow(unused_macros, reason = "a set need not be included in its own crate")]
        macro_rules! #hidden {
            ({ $($declare:tt)* } { $($krate:tt)* } { $($sets:tt)* } { $($items:tt)* }) => {
                $($declare)* ! { ($($krate)* [$($sets)* { #blocks }]) $($items)* }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "a set need not be included in its own crate")]
        #visibility use #hidden as #name;
    }
}
