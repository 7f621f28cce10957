//! The resources of the declaration: signatures, initial values, and `HasResource`.

use proc_macro2::{Ident, TokenStream};
use syn::spanned::Spanned;

use super::query;
use crate::expand::attributes;
use crate::expand::context::{
    Context, TypeArgument, argument, begin_of_impl, initial_value, local, resource_argument,
    unreadable,
};
use crate::site::{Krate, enter, here, number, quote, quote_spanned, text};
use crate::syntax::{Form, Part, Resource, name_of};

/// The elements of `RESOURCES`.
pub(crate) fn signatures(cx: &Context<'_>) -> TokenStream {
    let signatures = cx.model.resources.iter().map(|resource| {
        let path = resource_argument(resource);
        let name = text(&resource.name.name().to_string());
        quote!(#Krate::signature::ResourceSignature::new::<#path>(#name))
    });
    quote!(#(#signatures,)*)
}

/// The function that initialises the resources.
pub(crate) fn initial_values(cx: &Context<'_>) -> TokenStream {
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
pub(crate) fn events(cx: &Context<'_>) -> Option<TokenStream> {
    let events = cx.model.resources.iter().filter(|resource| resource.event.is_some());
    let events: Vec<TokenStream> = events
        .map(|event| {
            let of = argument(&event.name);
            let signature = if event.event.as_ref().is_some_and(|event| event.addressed) {
                quote!(addressed::<Self, #of>(#Krate::generated::OfMessage::<#of>::FORM))
            } else if index_of(event).is_some() {
                quote!(indexed::<Self, #of>(#Krate::generated::OfIndex::<Self, #of>::FORM))
            } else {
                let queue = resource_argument(event);
                return quote!(#Krate::generated::EventSignature::of::<Self, #queue>());
            };
            // The second line uses the import, whatever the event is.
            quote!({
                use #Krate::generated::EventIsNotCopy as _;
                let _ = #Krate::generated::OfMessage::<#Krate::generated::OfMessage<()>>::FORM;
                #Krate::generated::EventSignature::#signature
            })
        })
        .collect();
    (!events.is_empty()).then(|| {
        quote! {
            const EVENTS: &'static [#Krate::generated::EventSignature] = &[#(#events),*];
        }
    })
}

/// The index of an event, if it has one that it can have.
pub(crate) fn index_of(resource: &Resource) -> Option<&Form> {
    resource.event.as_ref().filter(|event| !event.addressed)?.index.as_ref()
}

/// The type of the index of an event, and the expression that makes it.
pub(crate) fn event_index(resource: &Resource, form: &Form) -> query::Types {
    let event = argument(&resource.name);
    let at = form.component.span();
    let copies = || quote_spanned!(at=> #Krate::generated::Copied<#event>);
    let types = query::Types::of_form(form, &event, copies);
    if name_of(&form.component) != resource.name.name() {
        return query::Types { initial: unreadable(), ..types };
    }
    types
}

/// The elements of `RELATIONS`.
pub(crate) fn relations(cx: &Context<'_>) -> Option<TokenStream> {
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
pub(crate) fn expand(cx: &Context<'_>) -> TokenStream {
    let mut impls = TokenStream::new();
    for (index, resource) in cx.model.resources.iter().enumerate() {
        let (path, attributes) = (resource_argument(resource), &resource.attributes);
        let of = argument(&resource.name);
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
        let indexed = index_of(resource).map(|form| {
            let (ty, value) = match &resource.from {
                None => {
                    let query::Types { index, initial } = event_index(resource, form);
                    (index, initial)
                }
                Some((place, n)) => {
                    let (contents, n) = (place.part(&Part::Set, at), number(*n));
                    let of_set = quote!(<#contents as #Krate::generated::SetIndex<#n>>);
                    (quote!(#of_set::Form), quote!(#of_set::form()))
                }
            };
            let of_impl = attributes::of_impl_with_expressions();
            quote! {
                #(#attributes)*
                #of_impl
                impl #Krate::joins::HasEventIndex<#of> for #declaration {
                    type Form = #ty;
                    fn form() -> #ty {
                        #value
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
            #indexed
        });
    }
    impls
}
