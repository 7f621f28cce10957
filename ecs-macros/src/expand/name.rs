//! Unit structs: the declaration itself, and the second names of system types.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use crate::model::System;

/// A public unit struct, documented whether the user wrote a doc comment or not.
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

/// The struct that a system goes by, if the user's type isn't its own name.
pub(super) fn of_system(system: &System<'_>, visibility: &Visibility) -> Option<TokenStream> {
    system.item.body.as_ref()?;
    let name = system.name();
    let doc = format!(" The system `{name}`.");
    Some(unit_struct(&system.item.attributes, visibility, name, &doc))
}
