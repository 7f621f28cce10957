//! One system: its signature in the table, and its `SystemName`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::{condition, entry, parallelism};
use crate::expand::attributes;
use crate::expand::context::{
    Context, begin_of_impl, initial_value, local, system_argument, unreadable,
};
use crate::expand::data::{query, states};
use crate::model::{Model, System};
use crate::site::{Krate, here, number, quote, quote_spanned, text};
use crate::syntax::{Flag, List, Part, Strategy};

/// The element of `SYSTEMS`: a signature, with a call for each thing that the system declares.
pub(crate) fn signature(cx: &Context<'_>, index: usize) -> TokenStream {
    let system = &cx.model.systems[index];
    let name = system_argument(system);
    let text = text(&system.name().to_string());
    let lists = List::ALL.iter().filter_map(|list| {
        let indices = match list {
            List::Dependencies => cx.model.after(index),
            // The library reads them off the condition.
            List::RunIf => Vec::new(),
            other => system.listed(*other),
        };
        let setter = Ident::new(list.field(), here());
        let indices: Vec<_> = indices.into_iter().map(number).collect();
        (!indices.is_empty()).then(|| quote!(.#setter(&[#(#indices),*])))
    });
    // Every query is left out of clones and hashes, so its flag says nothing.
    let says = |flag: Flag| flag != Flag::Transient || system.item.query.is_none();
    let flags = Flag::ALL.iter().filter(|flag| system.item.flag(**flag).is_some() && says(**flag));
    let flags = flags.map(|flag| {
        let setter = Ident::new(flag.key(), here());
        quote!(.#setter())
    });
    let query = system.item.query.as_ref().map(|_| {
        let index = system.index.as_ref().map(|components| {
            let components = components.iter().copied().map(number);
            quote!(.indexed_by(&[#(#components),*]))
        });
        let indexed = (index.is_none() && system.is_indexed()).then(|| quote!(.indexed()));
        quote!(.query() #index #indexed)
    });
    let through = system.through.iter().map(|&(query, component)| {
        let (query, component) = (number(query), number(component));
        quote!((#query, #component))
    });
    let through: Vec<TokenStream> = through.collect();
    let through = (!through.is_empty()).then(|| quote!(.through(&[#(#through),*])));
    let delayed = system.delayed.iter().copied().map(number);
    let delayed = (!system.delayed.is_empty()).then(|| quote!(.delayed(&[#(#delayed),*])));
    let states = states::calls(system);
    let stage = cx.model.is_stage(index).then(|| quote!(.stage()));
    let spawn = (!system.item.spawn.is_empty()).then(|| spawn(cx, system));
    quote! {
        #Krate::signature::SystemSignature::new::<Self, #name>(#text)
            #(#lists)* #(#flags)* #query #through #delayed #states #stage #spawn
    }
}

/// The bundles that the system spawns: their components, if they are known.
fn spawn(cx: &Context<'_>, system: &System<'_>) -> TokenStream {
    let bundles = system.item.spawn.iter().map(|bundle| {
        let Some(components) = cx.model.components_of(bundle) else {
            return quote!(::core::option::Option::None);
        };
        let components = components.into_iter().map(number);
        quote!(::core::option::Option::Some(&[#(#components),*]))
    });
    quote!(.spawn(&[#(#bundles),*]))
}

/// `SystemName`: the types that belong to the system.
pub(crate) fn expand(cx: &Context<'_>, index: usize) -> TokenStream {
    let declaration = cx.declaration();
    let system = &cx.model.systems[index];
    let item = system.item;
    if let Some((place, number)) = &item.from {
        return of_a_set(cx, index, &place.part(&Part::Set, system.name().span()), *number);
    }
    let name = item.name.ty();
    // If the system has a unit struct as its name, the attributes are on that.
    let attributes = if item.is_named_here() { &[][..] } else { &item.attributes[..] };
    let Types { body, output, parallelism, initial } = Types::of(cx.model, system);
    // Each at the user's type, where `rustc` points if that is private.
    let at_body = item.body.as_ref().map_or_else(|| system.name().span(), Spanned::span);
    let mut types = quote_spanned!(at_body=> type System = #body;);
    let at_output = item.output.as_ref().map_or(at_body, Spanned::span);
    types.extend(quote_spanned!(at_output=> type Output = #output;));
    let at_strategy = match &item.parallelism {
        Some((Strategy::User(path, _), _)) => path.span(),
        _ => system.name().span(),
    };
    types.extend(quote_spanned!(at_strategy=> type Parallelism = #parallelism;));
    let condition = condition::item(system, &quote!(#declaration), None);
    let entry = entry::name(system);
    let terms = entry::terms_by_index(cx, system);
    let conversion = entry::conversion(cx, system);
    let at = system.name().span();
    let unit = codegen_unit(index);
    let (index, begin) = (number(index), begin_of_impl(at));
    let of_impl = attributes::of_impl_with_expressions();
    quote_spanned! {at=>
        #(#attributes)*
        #of_impl
        #begin #Krate::SystemName<#declaration> for #name {
            const INDEX: usize = #index;
            #types
            type Terms = #terms;
            type Entry<'a> = #entry<'a>;
            type CodegenUnit = #Krate::generated::codegen_unit::#unit;
            #condition
            #[inline(always)]
            fn initial() -> Self::System {
                #initial
            }
            #conversion
        }
    }
}

/// The type of `ecs_core` in whose module the system's loop is compiled. Systems one after the other have different
/// ones, so that a change of one compiles few others again.
fn codegen_unit(index: usize) -> Ident {
    Ident::new(&format!("U{}", index % CODEGEN_UNITS), here())
}

/// As many as there are in `ecs_core::generated::codegen_unit`.
const CODEGEN_UNITS: usize = 64;

/// The parts of a system that are the same in every declaration.
pub(crate) struct Types {
    pub(crate) body: TokenStream,
    pub(crate) output: TokenStream,
    pub(crate) parallelism: TokenStream,
    pub(crate) initial: TokenStream,
}

impl Types {
    pub(crate) fn of(model: &Model<'_>, system: &System<'_>) -> Self {
        let item = system.item;
        let name = item.name.ty();
        let (mut body, span) = match &item.body {
            Some(body) => (body.to_token_stream(), body.span()),
            None => (name.to_token_stream(), system.name().span()),
        };
        let output = item.output.as_ref();
        let mut output = output.map_or_else(|| quote!(()), ToTokens::to_token_stream);
        let strategy = item.parallelism.as_ref().map_or(&Strategy::None, |(strategy, _)| strategy);
        let parallelism = parallelism::expand(strategy);
        let mut initial = match &item.state {
            _ if system.is_taken => unreadable(),
            _ if !item.code.is_empty() => quote!(#name),
            state => initial_value(state, &body, "InitialState", span),
        };
        if let (Some(index), Some(at)) = (query::Types::of(model, system), query::span(system)) {
            (body, output) = (index.body(at), index.output(at));
            let value = &index.initial;
            initial = quote!(#Krate::generated::Indexed::of(#value));
        }
        Self { body, output, parallelism, initial }
    }
}

/// `SystemName` of a system of a set, with the contents that the set provides.
fn of_a_set(cx: &Context<'_>, index: usize, contents: &syn::Path, n: usize) -> TokenStream {
    let declaration = cx.declaration();
    let name = cx.model.systems[index].item.name.ty();
    let at = cx.model.systems[index].name().span();
    let condition =
        condition::item(&cx.model.systems[index], &quote!(#declaration), Some((contents, n)));
    let (found, n) = (local("found"), number(n));
    let unit = codegen_unit(index);
    let (index, begin) = (number(index), begin_of_impl(at));
    let attributes = attributes::of_impl();
    let prepared = quote_spanned!(at=> <#contents as #Krate::generated::SetSystem<#n>>);
    quote_spanned! {at=>
        #attributes
        #begin #Krate::SystemName<#declaration> for #name {
            const INDEX: usize = #index;
            type System = #prepared::System;
            type Output = #prepared::Output;
            type Parallelism = #prepared::Parallelism;
            type Terms = #prepared::Terms;
            type Entry<'a> = #prepared::Entry<'a>;
            type CodegenUnit = #Krate::generated::codegen_unit::#unit;
            #condition
            fn initial() -> Self::System {
                #prepared::initial()
            }
            fn entry<'a>(
                #found: #Krate::Item<'a, Self::Terms, #declaration>,
            ) -> Self::Entry<'a> {
                #prepared::entry(#found)
            }
        }
    }
}
