//! The code of a system that its declaration holds: an impl of `System`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::context::{local, place};
use super::entry;
use crate::model::{Model, System};
use crate::syntax::{Call, Code, List, Parameter, Takes};
use ecs_rules::Kind;

/// `System` for the system in the declaration, which is a type of these generics.
pub(super) fn expand(
    model: &Model<'_>,
    system: &System<'_>,
    generics: &TokenStream,
    declaration: &TokenStream,
) -> Option<TokenStream> {
    let krate = &model.tree.krate;
    let code = system.item.code.first()?;
    // A constant of the user's with the name of the parameter would be a pattern.
    let (name, data) = (system.name(), local("__data"));
    let at = place(system.name().span());
    let call = match code.typed() {
        Some(parameters) => {
            with_parameters(model, system, code, &parameters, &data).unwrap_or_else(unreadable)
        }
        None => call(krate, code, &data),
    };
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
    let Some(function) = &code.function else { return unreadable() };
    let method = match code.call {
        Call::Run => quote!(run),
        Call::Each if code.parameters() == Some(2) => quote!(for_entities_with_effects),
        Call::Each => quote!(for_entities),
    };
    quote!(#krate::Data::#method(#data, #function);)
}

fn unreadable() -> TokenStream {
    quote!(::core::panic!("the declaration cannot be read"))
}

/// The body of a closure with typed parameters: each parameter is a `let` before it. `None` if one of them is faulty.
fn with_parameters(
    model: &Model<'_>,
    system: &System<'_>,
    code: &Code,
    parameters: &[Parameter<'_>],
    data: &Ident,
) -> Option<TokenStream> {
    let krate = &model.tree.krate;
    let body = &code.closure()?.body;
    let [own, effects, entry, written] = ["__own", "__effects", "__entry", "__written"].map(local);
    // Resources are borrowed once, before the loop over the entities.
    let (mut borrowed, mut of_written) = (Vec::new(), Vec::new());
    let mut bindings = Vec::new();
    let mut untyped = parameters.iter().filter(|parameter| parameter.typed.is_none()).count();
    for (number, parameter) in parameters.iter().enumerate() {
        let pattern = parameter.pattern;
        let Some((ty, takes)) = &parameter.typed else {
            // The effects are the last parameter without a type.
            let value = if untyped == 1 { &effects } else { &own };
            bindings.push(quote!(let #pattern = &mut *#value;));
            untyped -= 1;
            continue;
        };
        let at = place(ty.span());
        let (value, known) = match takes {
            Takes::Entity => (quote_spanned!(at=> #entry.entity), true),
            Takes::Reference { path, .. } => {
                let used = system.parameter(path)?;
                let index = used.target.index()?;
                let value = if used.list.kind() == Kind::Component {
                    let field = entry::field(model, system, index)?;
                    quote_spanned!(at=> #entry.#field)
                } else {
                    let resource = model.resources[index].name.ty();
                    if used.list == List::WriteResources {
                        let place = proc_macro2::Literal::usize_unsuffixed(of_written.len());
                        of_written.push(resource);
                        quote_spanned!(at=> &mut *#written.#place)
                    } else {
                        let name = local(&format!("__resource{number}"));
                        let get = quote_spanned!(at=> #effects.resource::<#resource>());
                        borrowed.push(quote!(let #name = #get;));
                        name.into_token_stream()
                    }
                };
                (value, used.target.known().is_some())
            }
            Takes::Other => return None,
        };
        // A mistyped name is no type, which is reported already.
        let ascription = known.then(|| quote!(: #ty));
        bindings.push(quote_spanned!(at=> let #pattern #ascription = #value;));
    }
    let lend = (!of_written.is_empty()).then(|| {
        let at = place(system.name().span());
        quote_spanned! {at=>
            let (#written, mut #effects) = #effects.split_resources::<(#(#of_written,)*)>();
            let #effects = &mut #effects;
        }
    });
    let call = match code.call {
        Call::Run => quote!(#(#bindings)* #body),
        Call::Each => quote!(#own.for_entities(|#entry| { #(#bindings)* #body });),
    };
    Some(quote! {
        let (#own, #effects) = #krate::Data::split(#data);
        #lend
        #(#borrowed)*
        #call
    })
}
