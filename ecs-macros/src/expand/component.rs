//! The components of the declaration: signatures, and `HasComponent`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::context::{Context, argument, begin_of_impl, located, place};
use super::{entry, number};
use crate::model::Location;
use crate::syntax::{Storage, Tokens};

/// The elements of `COMPONENTS`.
pub(super) fn signatures(cx: &Context<'_>) -> TokenStream {
    let krate = cx.krate;
    let signatures = cx.model.components.iter().map(|component| {
        let path = argument(component.named);
        let name = component.name().to_string();
        let call = match component.place {
            Location::Buffer(buffer) => quote!(new::<#path>(#name, #buffer)),
            Location::Empty(buffer) => quote!(empty::<#path>(#name, #buffer)),
            Location::External(_) => quote!(external::<Self, #path>(#name)),
        };
        quote!(#krate::signature::ComponentSignature::#call)
    });
    quote!(#(#signatures,)*)
}

/// `HasComponent`, by index.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let in_entries = entry::components(cx.model);
    let impls = cx.model.components.iter().enumerate().map(|(index, component)| {
        let attributes = component.attributes;
        let argument = argument(component.named);
        // Plain, so that messages that point here do not mention macros.
        let at = component.name().span();
        let krate = &located(krate, at);
        let stored = match component.place {
            Location::Buffer(_) | Location::Empty(_) => {
                quote_spanned!(at=> type Strategy = #krate::generated::ContiguousBuffer;)
            }
            Location::External(storage) => {
                let strategy = strategy(krate, &argument, storage);
                // All tokens have the span of the user's type, for the message if it is not a strategy.
                let at = strategy.span();
                let krate = located(krate, at);
                let stored = quote_spanned!(place(at)=> #krate::generated::External<#strategy>);
                // `rustc` points here if the user's type is private.
                quote_spanned!(at=> type Strategy = #stored;)
            }
        };
        let begin = begin_of_impl(at);
        let number = match &component.named.numbered {
            Some((set, n)) => {
                quote_spanned!(at=> <#set as #krate::generated::SetComponent<#n>>::Number)
            }
            None => number::of(index),
        };
        // A component that no entry has may be less visible than the world. The type is an argument, as everywhere else,
        // so that `rustc` says the same of a trait in its place, and shows that once.
        let at_index = in_entries.contains(&index).then(|| {
            quote_spanned! {at=>
                #[automatically_derived]
                #begin #krate::generated::ComponentAt<#index> for #declaration {
                    type Component = <Self as #krate::generated::IsType<#argument>>::Is;
                }
            }
        });
        quote_spanned! {at=>
            #(#attributes)*
            #[automatically_derived]
            #begin #krate::HasComponent<#argument> for #declaration {
                const INDEX: usize = #index;
                type Number = #number;
                #stored
            }
            #at_index
        }
    });
    impls.collect()
}

/// The type that stores the values of a component, as a `StorageStrategy`.
fn strategy(krate: &Tokens, component: &impl ToTokens, storage: &Storage) -> TokenStream {
    match storage {
        Storage::HashMap => quote!(#krate::storage::HashMapStorage<#component>),
        Storage::SparseSet => quote!(#krate::storage::SparseSetStorage<#component>),
        Storage::Custom(strategy) => quote!(#strategy),
        Storage::ContiguousBuffer | Storage::Empty => quote!(#krate::generated::ContiguousBuffer),
    }
}
