//! That the declaration has its components: signatures, and `HasComponent`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::Context;

/// The elements of `COMPONENTS`.
pub(super) fn signatures(cx: &Context<'_>) -> TokenStream {
    let krate = cx.krate;
    let signatures = cx.model.components.iter().map(|component| {
        let (path, buffer) = (component.named.ty(), component.buffer);
        let name = component.name().to_string();
        quote!(#krate::signature::ComponentSignature::new::<#path>(#name, #buffer))
    });
    quote!(#(#signatures,)*)
}

/// `HasComponent`, by index.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let impls = cx.model.components.iter().enumerate().map(|(index, component)| {
        let (path, attributes) = (component.named.ty(), component.attributes);
        // Plain, so that messages that point here do not speak of macros.
        let at = component.name().span();
        quote_spanned! {at=>
            #(#attributes)*
            #[automatically_derived]
            impl #krate::signature::HasComponent<#path> for #declaration {
                const INDEX: usize = #index;
            }
        }
    });
    impls.collect()
}
