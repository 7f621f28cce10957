//! Unit structs: the declaration itself, and the names of systems whose type has another name.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use crate::model::System;

/// A unit struct, with a default doc comment if the user wrote none.
pub(super) fn unit_struct(
    attributes: &[Attribute],
    visibility: &Visibility,
    name: &Ident,
    doc: &str,
) -> TokenStream {
    let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
    let doc = (!documented).then(|| quote!(#[doc = #doc]));
    let text = name.to_string();
    quote! {
        #doc
        #(#attributes)*
        #visibility struct #name;

        #[automatically_derived]
        impl ::core::clone::Clone for #name {
            fn clone(&self) -> Self {
                *self
            }
        }

        #[automatically_derived]
        impl ::core::marker::Copy for #name {}

        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Formatter::write_str(f, #text)
            }
        }
    }
}

/// The struct that names a system, if its name is not that of the user's type.
pub(super) fn of_system(system: &System<'_>, visibility: &Visibility) -> Option<TokenStream> {
    if !system.item.is_named_here() {
        return None;
    }
    let name = system.name();
    let doc = format!(" The system `{name}`.");
    Some(unit_struct(&system.item.attributes, visibility, name, &doc))
}
