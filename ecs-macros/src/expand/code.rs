//! The code of a system that its declaration holds: an impl of `System`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::context::{local, located, place};
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
    let (name, data) = (system.name(), local("data"));
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
    let function = code.function.as_ref().filter(|_| code.has_fitting_parameters());
    let Some(mut function) = function.map(|function| &**function) else {
        return quote!(::core::panic!("the declaration cannot be read"));
    };
    while let Expr::Paren(inner) = function {
        function = &inner.expr;
    }
    // A function's path is called by a closure. So `rustc` infers generic parameters for each call, and points at the
    // path if the function has other parameters.
    let function = match function {
        Expr::Path(path) => {
            // The call is the macro's own, so `rustc` does not propose to change its arguments.
            let at = place(path.span());
            let argument = Ident::new("__argument", at);
            quote_spanned!(at=> |#argument| #path(#argument))
        }
        other => other.to_token_stream(),
    };
    let method = match code.call {
        Call::Run => quote_spanned!(code.at=> run),
        Call::Each if code.parameters() == Some(2) => {
            quote_spanned!(code.at=> for_entities_with_effects)
        }
        Call::Each => quote_spanned!(code.at=> for_entities),
    };
    // At the key, where `rustc` points if the function does not fit.
    let krate = located(krate, code.at);
    quote_spanned!(code.at=> #krate::Data::#method(#data, #function);)
}
