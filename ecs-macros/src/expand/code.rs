//! The code of a system that its declaration holds: an impl of `System`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use syn::Expr;

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
    let unreadable = || quote!(::core::panic!("the declaration cannot be read"));
    let Some(mut function) = code.function.as_deref() else { return unreadable() };
    while let Expr::Paren(inner) = function {
        function = &inner.expr;
    }
    let method = match (code.call, code.parameters()) {
        (Call::Run, _) => "run",
        (Call::Each, Some(2)) => "for_entities_with_effects",
        (Call::Each, None | Some(1)) => "for_entities",
        // The checks report it.
        (Call::Each, Some(_)) => return unreadable(),
    };
    // At the key: `rustc` says there what does not fit, and an editor shows there what is called.
    let method = Ident::new(method, code.at);
    let krate = located(krate, code.at);
    quote_spanned!(place(code.at)=> #krate::Data::#method(#data, #function);)
}
