//! The components of the declaration: signatures, and `HasComponent`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::number as component_number;
use crate::expand::context::{Context, argument, begin_of_impl};
use crate::expand::systems::entry;
use crate::model::Location;
use crate::site::{Krate, enter, macros_own, number, quote, quote_spanned, text};
use crate::syntax::Storage;

/// The elements of `COMPONENTS`.
pub(crate) fn signatures(cx: &Context<'_>) -> TokenStream {
    let signatures = cx.model.components.iter().map(|component| {
        let path = argument(component.named);
        let name = text(&component.name().to_string());
        let call = match component.place {
            Location::Buffer(buffer) => {
                let buffer = number(buffer);
                quote!(new::<#path>(#name, #buffer))
            }
            Location::Empty(buffer) => {
                let buffer = number(buffer);
                quote!(empty::<#path>(#name, #buffer))
            }
            Location::External(_) => quote!(external::<Self, #path>(#name)),
        };
        let at = component.name().span();
        // (`Neither` uses the import, whatever the type is.)
        let is_copy = quote_spanned! {at=>
            {
                use #Krate::generated::IsNotCopy as _;
                let _ = #Krate::generated::OfCopy::<#Krate::generated::Neither>::IT_IS;
                #Krate::generated::OfCopy::<#path>::IT_IS
            }
        };
        quote!(#Krate::signature::ComponentSignature::#call.copied(#is_copy))
    });
    quote!(#(#signatures,)*)
}

/// The table of the components that are accessible by name, if there are any.
pub(crate) fn by_name(cx: &Context<'_>) -> Option<TokenStream> {
    let named: Vec<_> = cx.model.components.iter().filter(|one| one.by_name).collect();
    let lines = named.iter().map(|component| {
        let path = argument(component.named);
        quote!(#Krate::generated::ComponentByName::of::<#path>())
    });
    (!named.is_empty()).then(|| {
        quote!(const BY_NAME: &'static [#Krate::generated::ComponentByName<Self>] = &[#(#lines),*];)
    })
}

/// `HasComponent`, by index.
pub(crate) fn expand(cx: &Context<'_>) -> TokenStream {
    let in_entries = entry::components(cx.model);
    let mut impls = TokenStream::new();
    for (index, component) in cx.model.components.iter().enumerate() {
        let attributes = component.attributes;
        let argument = argument(component.named);
        // Plain, so that messages that point here do not mention macros.
        let at = component.name().span();
        let _at = enter(at);
        let declaration = cx.declaration();
        let stored = match component.place {
            Location::Buffer(_) | Location::Empty(_) => {
                quote_spanned!(at=> type Strategy = #Krate::generated::ContiguousBuffer;)
            }
            Location::External(storage) => {
                let strategy = strategy(&argument, storage);
                // All tokens have the span of the user's type, for the message if it is not a strategy.
                let at = strategy.span();
                let stored =
                    quote_spanned!(macros_own(at)=> #Krate::generated::External<#strategy>);
                // `rustc` points here if the user's type is private.
                quote_spanned!(at=> type Strategy = #stored;)
            }
        };
        let begin = begin_of_impl(at);
        let in_set = match &component.named.numbered {
            Some((set, n)) => {
                let n = number(*n);
                quote_spanned!(at=> <#set as #Krate::generated::SetComponent<#n>>::Number)
            }
            None => component_number::of(index),
        };
        // A component that no entry has may be less visible than the world. The type is an argument, as everywhere else,
        // so that `rustc` says the same of a trait in its place, and shows that once.
        let place = number(index);
        let at_index = in_entries.contains(&index).then(|| {
            quote_spanned! {at=>
                #begin #Krate::generated::ComponentAt<#place> for #declaration {
                    type Component = <Self as #Krate::generated::IsType<#argument>>::Is;
                }
            }
        });
        impls.extend(quote_spanned! {at=>
            #(#attributes)*
            #begin #Krate::HasComponent<#argument> for #declaration {
                const INDEX: usize = #place;
                type Number = #in_set;
                #stored
            }
            #at_index
        });
    }
    impls
}

/// The type that stores the values of a component, as a `StorageStrategy`.
fn strategy(component: &impl ToTokens, storage: &Storage) -> TokenStream {
    match storage {
        Storage::HashMap => quote!(#Krate::storage::HashMapStorage<#component>),
        Storage::SparseSet => quote!(#Krate::storage::SparseSetStorage<#component>),
        Storage::Custom(strategy) => quote!(#strategy),
        Storage::ContiguousBuffer | Storage::Empty => quote!(#Krate::generated::ContiguousBuffer),
    }
}
