//! The resources of the declaration: signatures, initial values, and `HasResource`.

use proc_macro2::{Ident, TokenStream};

use super::context::{
    Context, TypeArgument, argument, begin_of_impl, initial_value, local, resource_argument,
};
use crate::site::{Krate, enter, here, number, quote, quote_spanned, text};
use crate::syntax::{Part, Resource};

/// The elements of `RESOURCES`.
pub(super) fn signatures(cx: &Context<'_>) -> TokenStream {
    let signatures = cx.model.resources.iter().map(|resource| {
        let path = resource_argument(resource);
        let name = text(&resource.name.name().to_string());
        quote!(#Krate::signature::ResourceSignature::new::<#path>(#name))
    });
    quote!(#(#signatures,)*)
}

/// The function that initialises the resources.
pub(super) fn initial_values(cx: &Context<'_>) -> TokenStream {
    let sink = local("sink");
    let values = cx.model.resources.iter().map(|resource| {
        let path = resource_argument(resource);
        let span = resource.name.name().span();
        let value = match &resource.from {
            _ if resource.event.is_some() => empty_queue(resource, &path),
            _ if let Some(relation) = &resource.relation => {
                // Plain, as the word is no name of the user's.
                let policy = Ident::new(&relation.on_despawn.to_string(), here());
                quote!(<#path>::new(#Krate::OnDespawn::#policy))
            }
            None => initial_value(&resource.initial, &path, "InitialResource", span),
            Some((place, n)) => {
                let n = number(*n);
                let contents = place.part(&Part::Set, span);
                quote!(<#contents as #Krate::generated::SetResource<#n>>::initial())
            }
        };
        quote!(#sink.put::<#path>(#value);)
    });
    quote! {
        fn resources(#sink: &mut #Krate::generated::ResourceSink<'_, Self>) {
            #(#values)*
        }
    }
}

/// The queue of an event, without events.
fn empty_queue(resource: &Resource, queue: &TypeArgument<'_>) -> TokenStream {
    let event = resource.event.clone().unwrap_or_default();
    let (keep, delayed) = (event.keep, event.delayed.is_some());
    let keep = keep.map_or_else(|| number(0), |steps| number(steps.base10_parse().unwrap_or(0)));
    quote!(<#queue as #Krate::generated::Queue>::empty(#keep, #delayed))
}

/// The elements of `EVENTS`.
pub(super) fn events(cx: &Context<'_>) -> Option<TokenStream> {
    let events = cx.model.resources.iter().filter(|resource| resource.event.is_some());
    let events: Vec<TokenStream> = events
        .map(|event| {
            if event.event.as_ref().is_some_and(|event| event.addressed) {
                let of = argument(&event.name);
                return quote!(#Krate::generated::EventSignature::addressed::<Self, #of>());
            }
            let queue = resource_argument(event);
            quote!(#Krate::generated::EventSignature::of::<Self, #queue>())
        })
        .collect();
    (!events.is_empty()).then(|| {
        quote! {
            const EVENTS: &'static [#Krate::generated::EventSignature] = &[#(#events),*];
        }
    })
}

/// The elements of `RELATIONS`.
pub(super) fn relations(cx: &Context<'_>) -> Option<TokenStream> {
    let relations = cx.model.resources.iter().filter_map(|resource| {
        let of = argument(&resource.name);
        Some(if resource.relation.as_ref()?.many_to_many {
            quote!(#Krate::generated::RelationSignature::many_to_many::<Self, #of>())
        } else {
            quote!(#Krate::generated::RelationSignature::of::<Self, #of>())
        })
    });
    let relations: Vec<TokenStream> = relations.collect();
    (!relations.is_empty()).then(|| {
        quote! {
            const RELATIONS: &'static [#Krate::generated::RelationSignature] = &[#(#relations),*];
        }
    })
}

/// `HasResource`, by index.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let mut impls = TokenStream::new();
    for (index, resource) in cx.model.resources.iter().enumerate() {
        let (path, attributes) = (resource_argument(resource), &resource.attributes);
        // Plain, so that messages that point here do not mention macros.
        let at = resource.name.name().span();
        let _at = enter(at);
        let declaration = cx.declaration();
        let begin = begin_of_impl(at);
        // At the word of the operation, so that `rustc` points there if the type does not have it.
        let combines = resource.operation.as_ref().map(|operation| {
            let at = operation.span();
            let (into, other) = (local("into"), local("other"));
            quote_spanned! {at=>
                #(#attributes)*
                #begin #Krate::generated::Combines<#path> for #declaration {
                    #[inline]
                    fn combine(#into: &mut #path, #other: #path) {
                        <#path as #Krate::Combine<#Krate::combine::#operation>>::combine(#into, #other)
                    }
                }
            }
        });
        let index = number(index);
        impls.extend(quote_spanned! {at=>
            #(#attributes)*
            #begin #Krate::HasResource<#path> for #declaration {
                const INDEX: usize = #index;
            }
            #combines
        });
    }
    impls
}
