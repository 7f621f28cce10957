//! Unit structs: the declaration itself, and the names of systems whose type has another name.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Visibility};

use crate::expand::context::located_visibility;
use crate::model::System;
use crate::site::{enter, macros_own, quote, quote_spanned, text};

/// A unit struct, with a default doc comment if the user wrote none. All of it is at the name, where `rustc` points if
/// the name is taken.
pub(crate) fn unit_struct(
    attributes: &[Attribute],
    visibility: &Visibility,
    name: &Ident,
    doc: &str,
) -> TokenStream {
    let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
    let at = macros_own(name.span());
    let _at = enter(at);
    let doc = (!documented).then(|| text(doc)).map(|doc| quote!(#[doc = #doc]));
    let visibility = located_visibility(visibility, at);
    quote_spanned! {at=>
        #doc
        #(#attributes)*
        #visibility struct #name;
    }
}

/// The struct that names a system, if its name is not that of the user's type.
pub(crate) fn of_system(system: &System<'_>, visibility: &Visibility) -> Option<TokenStream> {
    if !system.item.is_named_here() || system.is_taken {
        return None;
    }
    let name = system.name();
    let doc = format!(" The system `{name}`.");
    Some(unit_struct(&system.item.attributes, visibility, name, &doc))
}
