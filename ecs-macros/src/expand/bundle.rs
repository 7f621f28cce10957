//! A named bundle: a struct with a field for each component, which is equal to a tuple.

use proc_macro2::TokenStream;
use syn::Visibility;

use super::context::{any_world, local};
use super::entry;
use crate::model::{Bundle, Model};
use crate::site::{Krate, enter, macros_own, quote, quote_spanned, text};
use crate::syntax::name_of;

/// The struct, and its conversion to a tuple.
pub(super) fn expand(
    model: &Model<'_>,
    bundle: &Bundle<'_>,
    visibility: &Visibility,
) -> TokenStream {
    let krate = &Krate;
    let (attributes, name) = (&bundle.item.attributes, bundle.name());
    let _at = enter(name.span());
    let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
    let doc = (!documented).then(|| {
        let doc = text(&format!(" The bundle `{name}`: components to spawn an entity with."));
        quote!(#[doc = #doc])
    });
    let (mut types, mut names, mut docs) = (Vec::new(), Vec::new(), Vec::new());
    for (index, path) in &bundle.components {
        let component = &model.components[*index];
        types.push(component.named.ty());
        names.push((component.name(), name_of(path).span()));
        docs.push(text(&format!(" The `{}`.", component.name())));
    }
    let idents = entry::idents(names);
    let (at, any) = (macros_own(name.span()), any_world());
    let item = quote! {
        #doc
        #(#attributes)*
        #[allow(dead_code, reason = "a declaration need not use all that it names")]
        #visibility struct #name {
            #(
                #[doc = #docs]
                pub #idents: #types,
            )*
        }
    };
    let tuple = quote!((#(#types,)*));
    let system = local("System");
    let impls = quote_spanned! {at=>
        #[automatically_derived]
        impl<#any: #krate::Declaration> #krate::Bundle<#any> for #name
        where
            #tuple: #krate::Bundle<#any>,
        {
            const FACTS: #krate::generated::BundleFacts =
                <#tuple as #krate::Bundle<#any>>::FACTS;

            #[inline]
            fn put(self, sink: &mut #krate::BundleSink<'_, #any>) {
                let Self { #(#idents),* } = self;
                <#tuple as #krate::Bundle<#any>>::put((#(#idents,)*), sink);
            }

            #[inline]
            fn write_batch<I: ::core::iter::Iterator<Item = Self>>(
                writer: #krate::generated::SpawnWriter<'_, '_, I, #any>,
            ) {
                <#tuple as #krate::Bundle<#any>>::write_batch(
                    writer.map(|Self { #(#idents),* }| (#(#idents,)*)),
                );
            }
        }

        #[automatically_derived]
        impl<#system: #krate::access::Spawns<#any>, #any: #krate::Declaration>
            #krate::access::SpawnedBy<#system, #any> for #name
        where
            #tuple: #krate::access::SpawnedBy<#system, #any>,
        {
            type Stored = <#tuple as #krate::access::SpawnedBy<#system, #any>>::Stored;
            const POSITION: ::core::option::Option<usize> = ::core::option::Option::None;

            #[inline]
            fn stored(self) -> Self::Stored {
                let Self { #(#idents),* } = self;
                <#tuple as #krate::access::SpawnedBy<#system, #any>>::stored((#(#idents,)*))
            }
        }
    };
    quote!(#item #impls)
}
