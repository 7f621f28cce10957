//! How a world is cloned and hashed: a table for each, with the bounds that all parts of the world can be cloned
//! or hashed.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use syn::Lifetime;

use super::context::{Context, argument, system_argument};
use crate::site::{here, macros_own, quote, quote_spanned};
use crate::syntax::Flag;

/// The bounds of one of the two impls, and the lines of its tables.
#[derive(Default)]
struct Table {
    bounds: Vec<TokenStream>,
    components: Vec<TokenStream>,
    resources: Vec<TokenStream>,
    systems: Vec<TokenStream>,
}

impl Table {
    /// Adds the bound of one part. `rustc` points at its name as the place where the bound is introduced.
    fn bound(&mut self, at: Span, ty: &TokenStream, bound: &TokenStream) {
        self.bounds.push(quote_spanned!(at=> #ty: #bound));
    }
}

/// Both impls. Because of the lifetime, the bounds are checked only where the impls are used. Spans are
/// plain, so that messages that point here do not mention macros. If the declaration has a fault, there are
/// neither bounds nor lines, so that code that clones or hashes the world gets no further errors.
pub(super) fn expand(cx: &Context<'_>, faultless: bool) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let (at, a) = (declaration.span(), lifetime());
    let Table { bounds, components, resources, systems } =
        if faultless { clones(cx) } else { Table::default() };
    // The macro's own, as in `begin_of_impl`.
    let generics = quote_spanned!(macros_own(at)=> <#a>);
    let clones = quote_spanned! {at=>
        #[automatically_derived]
        impl #generics #krate::generated::CloneTable<#a> for #declaration
        where
            #(#bounds,)*
        {
            const COMPONENT_CLONES: &'static [#krate::generated::ComponentClone<Self>] =
                &[#(#components,)*];
            const RESOURCE_CLONES: &'static [
                ::core::option::Option<#krate::generated::ResourceClone<Self>>
            ] = &[#(#resources,)*];
            const SYSTEM_CLONES: &'static [#krate::generated::SystemClone<Self>] =
                &[#(#systems,)*];
        }
    };
    let Table { bounds, components, resources, systems } =
        if faultless { hashes(cx) } else { Table::default() };
    let hashes = quote_spanned! {at=>
        #[automatically_derived]
        impl #generics #krate::generated::HashTable<#a> for #declaration
        where
            #(#bounds,)*
        {
            const COMPONENT_HASHES: &'static [#krate::generated::ComponentHash<Self>] =
                &[#(#components,)*];
            const RESOURCE_HASHES: &'static [
                ::core::option::Option<#krate::generated::ResourceHash<Self>>
            ] = &[#(#resources,)*];
            const SYSTEM_HASHES: &'static [#krate::generated::SystemHash<Self>] =
                &[#(#systems,)*];
        }
    };
    quote!(#clones #hashes)
}

/// The lifetime of the impls, with a span that does not depend on the other tokens.
fn lifetime() -> Lifetime {
    Lifetime::new("'a", macros_own(here()))
}

fn clones(cx: &Context<'_>) -> Table {
    let (krate, declaration, a) = (cx.krate, cx.declaration(), lifetime());
    let mut table = Table::default();
    for component in &cx.model.components {
        let (ty, at) = (argument(component.named), component.name().span());
        let bound = quote_spanned!(at=> #krate::generated::CloneComponent<#a, #declaration>);
        table.components.push(quote!(<#ty as #bound>::CLONE));
        table.bound(at, &ty, &bound);
    }
    for resource in &cx.model.resources {
        let (ty, at) = (argument(&resource.name), resource.name.name().span());
        if resource.transient {
            table.resources.push(none());
            continue;
        }
        let size = size(cx, &ty, at);
        let bound = quote_spanned!(at=> #krate::generated::CloneResource<#a, #declaration, #ty>);
        table.resources.push(quote!(<#size as #bound>::CLONE));
        table.bound(at, &size, &bound);
    }
    for System { name, at, state, output, size } in systems(cx) {
        table.systems.push(quote!(#krate::generated::SystemClone::of::<#name, #size>()));
        let bound = quote_spanned!(at=> #krate::generated::CloneSystem<#a, #state, #name>);
        table.bound(at, &size, &bound);
        if let Some(output) = output {
            let bound = quote_spanned!(at=> #krate::generated::CloneOutput<#a, #name>);
            table.bound(at, &output, &bound);
        }
    }
    table
}

fn hashes(cx: &Context<'_>) -> Table {
    let (krate, a) = (cx.krate, lifetime());
    let mut table = Table::default();
    for component in &cx.model.components {
        let (ty, at) = (argument(component.named), component.name().span());
        let size = size(cx, &ty, at);
        let bound = quote_spanned!(at=> #krate::generated::HashComponent<#a, #ty>);
        table.components.push(quote!(#krate::generated::ComponentHash::of::<#ty, #size>()));
        table.bound(at, &size, &bound);
    }
    for resource in &cx.model.resources {
        let (ty, at) = (argument(&resource.name), resource.name.name().span());
        if resource.transient {
            table.resources.push(none());
            continue;
        }
        let size = size(cx, &ty, at);
        let bound = quote_spanned!(at=> #krate::generated::HashResource<#a, #ty>);
        let hash = quote!(#krate::generated::ResourceHash::of::<#ty, #size>());
        table.resources.push(quote!(::core::option::Option::Some(#hash)));
        table.bound(at, &size, &bound);
    }
    for System { name, at, state, size, .. } in systems(cx) {
        table.systems.push(quote!(#krate::generated::SystemHash::of::<#name, #size>()));
        let bound = quote_spanned!(at=> #krate::generated::HashSystem<#a, #state, #name>);
        table.bound(at, &size, &bound);
    }
    table
}

fn none() -> TokenStream {
    quote!(::core::option::Option::None)
}

/// A type that depends on whether `ty` has a size.
fn size(cx: &Context<'_>, ty: &TokenStream, at: Span) -> TokenStream {
    let krate = cx.krate;
    quote_spanned!(at=> #krate::generated::HasNoSize<{ ::core::mem::size_of::<#ty>() == 0 }>)
}

/// The parts of the tables for a system that is not transient.
struct System {
    name: TokenStream,
    at: Span,
    state: TokenStream,
    /// The output type, if the system has one.
    output: Option<TokenStream>,
    /// The type that depends on whether the state has a size.
    size: TokenStream,
}

/// The systems that have a line: those that are not transient, and may have a state or an output. A system with its code
/// in the declaration has no state.
fn systems<'m>(cx: &'m Context<'m>) -> impl Iterator<Item = System> + 'm {
    let (krate, declaration) = (cx.krate, cx.declaration());
    cx.model.systems.iter().filter_map(move |system| {
        let is_stateless = !system.item.code.is_empty() && system.item.output.is_none();
        if is_stateless || system.item.flag(Flag::Transient).is_some() {
            return None;
        }
        let (name, at) = (system_argument(system), system.name().span());
        // The types of a set's system are known in the set only.
        let part = quote_spanned!(at=> <#name as #krate::SystemName<#declaration>>);
        let of_a_set = system.item.from.is_some();
        let state = match &system.item.body {
            _ if of_a_set => quote!(#part::System),
            Some(body) => body.to_token_stream(),
            None => name.clone(),
        };
        let output = (of_a_set || system.item.output.is_some()).then(|| quote!(#part::Output));
        let size = size(cx, &state, at);
        Some(System { name, at, state, output, size })
    })
}
