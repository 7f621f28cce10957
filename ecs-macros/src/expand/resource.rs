//! The resources of the declaration: signatures, initial values, and `HasResource`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::context::{Context, initial_value, local};
use crate::syntax::Part;

/// The elements of `RESOURCES`.
pub(super) fn signatures(cx: &Context<'_>) -> TokenStream {
    let krate = cx.krate;
    let signatures = cx.model.resources.iter().map(|resource| {
        let path = resource.name.ty();
        let name = resource.name.name().to_string();
        quote!(#krate::signature::ResourceSignature::new::<#path>(#name))
    });
    quote!(#(#signatures,)*)
}

/// The function that initialises the resources.
pub(super) fn initial_values(cx: &Context<'_>) -> TokenStream {
    let krate = cx.krate;
    let sink = local("sink");
    let values = cx.model.resources.iter().map(|resource| {
        let path = resource.name.ty();
        let span = resource.name.name().span();
        let value = match &resource.from {
            None => initial_value(&resource.initial, path, span),
            Some((place, number)) => {
                let contents = place.part(&Part::Set, span);
                quote!(<#contents as #krate::generated::SetResource<#number>>::initial())
            }
        };
        quote!(#sink.put::<#path>(#value);)
    });
    quote! {
        fn resources(#sink: &mut #krate::generated::ResourceSink<'_, Self>) {
            #(#values)*
        }
    }
}

/// `HasResource`, by index.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let impls = cx.model.resources.iter().enumerate().map(|(index, resource)| {
        let (path, attributes) = (resource.name.ty(), &resource.attributes);
        // Plain, so that messages that point here do not mention macros.
        let at = resource.name.name().span();
        quote_spanned! {at=>
            #(#attributes)*
            #[automatically_derived]
            impl #krate::HasResource<#path> for #declaration {
                const INDEX: usize = #index;
            }
        }
    });
    impls.collect()
}
