//! States: the enum of each, its place in the declaration, and what systems say of it.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Path, Token, Visibility, punctuated::Punctuated};

use crate::expand::attributes;
use crate::expand::context::{Context, begin_of_impl, located_visibility};
use crate::model::System;
use crate::site::{Krate, at_site, enter, here, macros_own, number, quote, quote_spanned, text};
use crate::syntax::{State, name_of};
use ecs_rules::Moment;

/// The traits that the enum derives, and the module of each.
const DERIVED: [(&str, &str); 6] = [
    ("clone", "Clone"),
    ("marker", "Copy"),
    ("fmt", "Debug"),
    ("cmp", "PartialEq"),
    ("cmp", "Eq"),
    ("hash", "Hash"),
];

/// The states, each once.
fn states<'m>(cx: &'m Context<'_>) -> impl Iterator<Item = (usize, &'m State)> {
    let states = &cx.model.tree.states;
    let is_first = |at: usize| states[..at].iter().all(|other| other.name != states[at].name);
    states.iter().enumerate().filter(move |(at, _)| is_first(*at))
}

/// The elements of `STATES`.
pub(crate) fn signatures(cx: &Context<'_>) -> Option<TokenStream> {
    let all = cx.model.tree.states.iter().map(|state| {
        let name = text(&state.name.to_string());
        let variants = state.variants.iter().map(|variant| text(&variant.name.to_string()));
        quote!(#Krate::generated::StateSignature::new(#name, &[#(#variants),*]))
    });
    (!cx.model.tree.states.is_empty())
        .then(|| quote!(const STATES: &'static [#Krate::generated::StateSignature] = &[#(#all),*];))
}

/// The enums, and the impls by which the world has them.
pub(crate) fn expand(cx: &Context<'_>) -> TokenStream {
    let mut items = TokenStream::new();
    for (index, state) in states(cx) {
        let State { visibility, name, .. } = state;
        let at = name.span();
        let _at = enter(at);
        let visibility = match visibility {
            Visibility::Inherited => &cx.world.visibility,
            own => own,
        };
        let (declaration, begin, index) = (cx.declaration(), begin_of_impl(at), number(index));
        let attributes = attributes::of_impl();
        let variants = state.variants.iter().map(|variant| {
            let name = &variant.name;
            quote!(Self::#name)
        });
        let position = (!state.variants.is_empty()).then(|| {
            quote! {
                #[inline]
                fn position(self) -> usize {
                    self as usize
                }
            }
        });
        if state.path.is_none() {
            let the_enum = the_enum(state, visibility);
            items.extend(quote_spanned! {at=>
                #the_enum
                #attributes
                #begin #Krate::States for #name {
                    const VARIANTS: &'static [Self] = &[#(#variants),*];
                    #position
                }
            });
        }
        let ty = ty(state);
        items.extend(quote_spanned! {at=>
            #attributes
            #begin #Krate::HasState<#ty> for #declaration {
                const INDEX: usize = #index;
            }
        });
    }
    items
}

/// The type of the state, as a generic argument.
pub(crate) fn ty(state: &State) -> TokenStream {
    state
        .path
        .as_ref()
        .map_or_else(|| at_site(&state.name).into_token_stream(), ToTokens::to_token_stream)
}

/// Checks that a state which is an enum of the user's lists its variants, in their order. No name of the macro's is in the scope
/// of the paths. Where the enum is no state, that is an error already, and it has no variants.
pub(crate) fn checks(cx: &Context<'_>) -> TokenStream {
    let mut calls = TokenStream::new();
    for (_, state) in states(cx) {
        let Some(path) = &state.path else { continue };
        let at = state.name.span();
        let name = text(&state.name.to_string());
        let variants = state.variants.iter().map(|variant| {
            let variant = &variant.name;
            quote_spanned!(variant.span()=> #path::#variant { .. })
        });
        calls.extend(quote_spanned! {at=>
            const _: () = #Krate::generated::check_variants(
                #name,
                {
                    #[allow(unused_imports, reason = "it is for an enum that is no state")]
                    use #Krate::generated::NoState as _;
                    ::core::matches!(#Krate::generated::VariantsOf::<#path>::ALL, [] | [#(#variants),*])
                },
            );
        });
    }
    calls
}

/// The enum of a state, with default doc comments where the user wrote none.
fn the_enum(state: &State, visibility: &Visibility) -> TokenStream {
    let State { attributes, name, variants, .. } = state;
    let at = macros_own(name.span());
    let documented =
        |attributes: &[Attribute]| attributes.iter().any(|one| one.path().is_ident("doc"));
    let doc = |attributes: &[Attribute], doc: String| {
        (!documented(attributes)).then(|| text(&doc)).map(|doc| quote!(#[doc = #doc]))
    };
    let doc_of_state = doc(attributes, format!(" The state `{name}`."));
    let derived = derived(attributes);
    let missing = DERIVED.iter().filter(|(_, name)| derived.iter().all(|other| other != name));
    let missing = missing.map(|(module, name)| {
        let [module, name] = [module, name].map(|name| Ident::new(name, here()));
        quote!(::core::#module::#name)
    });
    let variants = variants.iter().map(|variant| {
        let doc = doc(&variant.attributes, format!(" `{}`.", variant.name));
        let (attributes, name) = (&variant.attributes, &variant.name);
        quote!(#doc #(#attributes)* #name)
    });
    let visibility = located_visibility(visibility, at);
    quote_spanned! {name.span()=>
        #doc_of_state
        #(#attributes)*
        #[derive(#(#missing),*)]
        #visibility enum #name { #(#variants,)* }
    }
}

/// The names of the traits that the user derives.
fn derived(attributes: &[Attribute]) -> Vec<String> {
    let derives = attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
    let paths = derives.filter_map(|derive| {
        derive.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok()
    });
    paths.flatten().map(|path| name_of(&path).to_string()).collect()
}

/// What the system says of states, as calls for its signature.
pub(crate) fn calls(system: &System<'_>) -> TokenStream {
    let timing = &system.timing;
    let variants = timing.variants.iter().map(|(state, mask)| {
        let (state, mask) = (number(*state), text_of_mask(*mask));
        quote!((#state, #mask))
    });
    let setter = match timing.moment {
        Moment::During => "in_states",
        Moment::Enter => "on_enter",
        Moment::Exit => "on_exit",
    };
    let setter = Ident::new(setter, here());
    let says = timing.moment != Moment::During || !timing.variants.is_empty();
    let variants = says.then(|| quote!(.#setter(&[#(#variants),*])));
    let set = timing.set.iter().copied().map(number);
    let set = (!timing.set.is_empty()).then(|| quote!(.set_state(&[#(#set),*])));
    let every = number(timing.every as usize);
    let every = (timing.every > 0).then(|| quote!(.every(#every)));
    quote!(#variants #set #every)
}

/// A mask, in binary digits.
fn text_of_mask(mask: u64) -> TokenStream {
    let mut literal: proc_macro2::Literal = format!("0b{mask:b}").parse().expect("it is a number");
    literal.set_span(here());
    quote!(#literal)
}
