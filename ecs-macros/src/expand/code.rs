//! The code of a system that its declaration holds: an impl of `System`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::context::{local, place};
use crate::model::System;
use crate::syntax::{Call, Code};

/// `System` for the system in the declaration, which is a type of these generics.
pub(super) fn expand(
    krate: &TokenStream,
    system: &System<'_>,
    generics: &TokenStream,
    declaration: &TokenStream,
) -> Option<TokenStream> {
    let code = system.item.code.first()?;
    // A constant of the user's with the name of the parameter would be a pattern.
    let (name, data) = (system.name(), local("__data"));
    let at = place(system.name().span());
    let call = call(krate, code, &data);
    Some(quote_spanned! {at=>
        impl #generics #krate::System<#declaration> for #name {
            fn process(&self, #data: &mut #krate::Data<'_, #declaration, Self>) {
                #call
            }
        }
    })
}

/// The call, with the function as an argument, so that the types of a closure's parameters are inferred.
fn call(krate: &TokenStream, code: &Code, data: &impl ToTokens) -> TokenStream {
    let Some(function) = &code.function else {
        return quote!(::core::panic!("the declaration cannot be read"));
    };
    let method = match code.call {
        Call::Run => quote!(run),
        Call::Each => match code.parameters() {
            Some(3) => quote!(each_with_resources),
            Some(2) => quote!(each_with_effects),
            _ => quote!(each),
        },
    };
    quote!(#krate::Data::#method(#data, #function);)
}
