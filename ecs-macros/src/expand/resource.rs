//! The resources of the declaration: signatures, initial values, and `HasResource`.

use proc_macro2::TokenStream;

use super::context::{Context, argument, begin_of_impl, initial_value, local};
use crate::site::{Krate, enter, number, quote, quote_spanned, text};
use crate::syntax::Part;

/// The elements of `RESOURCES`.
pub(super) fn signatures(cx: &Context<'_>) -> TokenStream {
    let signatures = cx.model.resources.iter().map(|resource| {
        let path = argument(&resource.name);
        let name = text(&resource.name.name().to_string());
        quote!(#Krate::signature::ResourceSignature::new::<#path>(#name))
    });
    quote!(#(#signatures,)*)
}

/// The function that initialises the resources.
pub(super) fn initial_values(cx: &Context<'_>) -> TokenStream {
    let sink = local("sink");
    let values = cx.model.resources.iter().map(|resource| {
        let path = argument(&resource.name);
        let span = resource.name.name().span();
        let value = match &resource.from {
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

/// `HasResource`, by index.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let mut impls = TokenStream::new();
    for (index, resource) in cx.model.resources.iter().enumerate() {
        let (path, attributes) = (argument(&resource.name), &resource.attributes);
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
