//! That the declaration has its resources: signatures, initial values, and `HasResource`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{Context, initial_value, local};
use crate::syntax::name_of;

/// The elements of `RESOURCES`.
pub(super) fn signatures(cx: &Context<'_>) -> TokenStream {
    let krate = cx.krate;
    let signatures = cx.model.resources.iter().map(|resource| {
        let path = &resource.path;
        let name = name_of(path).to_string();
        quote!(#krate::signature::ResourceSignature::new::<#path>(#name))
    });
    quote!(#(#signatures,)*)
}

/// The function that puts the initial values.
pub(super) fn initial_values(cx: &Context<'_>) -> TokenStream {
    let krate = cx.krate;
    let sink = local(if cx.model.resources.is_empty() { "_sink" } else { "sink" });
    let values = cx.model.resources.iter().map(|resource| {
        let path = &resource.path;
        let value = initial_value(&resource.initial, path, name_of(path).span());
        quote!(#sink.put::<#path>(#value);)
    });
    quote! {
        fn resources(#sink: &mut #krate::signature::ResourceSink<'_, Self>) {
            #(#values)*
        }
    }
}

/// `HasResource`, by index.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let impls = cx.model.resources.iter().enumerate().map(|(index, resource)| {
        let (path, attributes) = (&resource.path, &resource.attributes);
        // Plain, so that messages that point here do not speak of macros.
        let at = name_of(path).span();
        quote_spanned! {at=>
            #(#attributes)*
            #[automatically_derived]
            impl #krate::signature::HasResource<#path> for #declaration {
                const INDEX: usize = #index;
            }
        }
    });
    impls.collect()
}
