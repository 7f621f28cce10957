//! A named bundle: a struct with a field for each component, which is equal to a tuple. That of a template has a `Default`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Ident, Path, Visibility};

use super::attributes;
use super::context::{any_world, local, located_visibility, unreadable};
use crate::model::{Bundle, Model, idents};
use crate::site::{Krate, enter, macros_own, quote, quote_spanned, text};

/// The struct, and its conversion to a tuple.
pub(super) fn expand(
    model: &Model<'_>,
    bundle: &Bundle<'_>,
    visibility: &Visibility,
) -> TokenStream {
    let (written, name) = (&bundle.item.attributes, bundle.name());
    let _at = enter(name.span());
    let documented = written.iter().any(|attribute| attribute.path().is_ident("doc"));
    let doc = (!documented).then(|| {
        let noun = bundle.item.noun();
        let doc = text(&format!(" The {noun} `{name}`: components to spawn an entity with."));
        quote!(#[doc = #doc])
    });
    let components = || bundle.components.iter().map(|(index, path)| (*index, *path));
    let types: Vec<&Path> =
        components().map(|(index, _)| model.components[index].named.ty()).collect();
    let idents = idents(components().map(|(index, path)| {
        let written = crate::syntax::name_of(path).span();
        (model.components[index].name(), written)
    }));
    let docs =
        components().map(|(index, _)| text(&format!(" The `{}`.", model.components[index].name())));
    let (at, any) = (macros_own(name.span()), any_world());
    let visibility = located_visibility(visibility, at);
    let item = quote_spanned! {at=>
        #doc
        #(#written)*
        #[allow(dead_code, private_interfaces, reason = "a declaration need not use all that it names")]
        #visibility struct #name {
            #(
                #[doc = #docs]
                pub #idents: #types,
            )*
        }
    };
    let tuple = quote!((#(#types,)*));
    let system = local("System");
    let attributes = attributes::of_impl();
    let impls = quote_spanned! {at=>
        #attributes
        impl<#any: #Krate::Declaration> #Krate::Bundle<#any> for #name
        where
            #tuple: #Krate::Bundle<#any>,
        {
            const FACTS: #Krate::generated::BundleFacts =
                <#tuple as #Krate::Bundle<#any>>::FACTS;

            #[inline]
            fn put(self, sink: &mut #Krate::BundleSink<'_, #any>) {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::Bundle<#any>>::put((#(#idents,)*), sink);
            }

            #[inline]
            fn write_batch<I: ::core::iter::Iterator<Item = Self>>(
                writer: #Krate::generated::SpawnWriter<'_, '_, I, #any>,
            ) {
                <#tuple as #Krate::Bundle<#any>>::write_batch(
                    writer.map(|Self { #(#idents),* }| (#(#idents,)*)),
                );
            }

            #[inline]
            fn spawn(
                self,
                row: #Krate::generated::NewRow<'_, #any>,
            ) -> ::core::result::Result<#Krate::Entity, #Krate::LimitReached> {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::Bundle<#any>>::spawn((#(#idents,)*), row)
            }
        }

        #attributes
        impl<#any: #Krate::Declaration> #Krate::TemplateBundle<#any> for #name
        where
            #tuple: #Krate::TemplateBundle<#any>,
        {
            fn insert_into(self, template: &mut #Krate::Template<#any>) {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::TemplateBundle<#any>>::insert_into((#(#idents,)*), template);
            }
        }

        #attributes
        impl<#system: #Krate::access::Spawns<#any>, #any: #Krate::Declaration>
            #Krate::access::SpawnedBy<#system, #any> for #name
        where
            #tuple: #Krate::access::SpawnedBy<#system, #any>,
        {
            type Stored = <#tuple as #Krate::access::SpawnedBy<#system, #any>>::Stored;
            const POSITION: ::core::option::Option<usize> = ::core::option::Option::None;

            #[inline]
            fn stored(self) -> Self::Stored {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::access::SpawnedBy<#system, #any>>::stored((#(#idents,)*))
            }
        }
    };
    let values = default(bundle, &idents);
    quote!(#item #impls #values)
}

/// `Default`, with the values of a template.
fn default(bundle: &Bundle<'_>, idents: &[Ident]) -> Option<TokenStream> {
    let values = bundle.values.as_ref()?.iter().map(|value| match value {
        Some(value) => value.to_token_stream(),
        None => unreadable(),
    });
    let (name, at) = (bundle.name(), macros_own(bundle.name().span()));
    let attributes = attributes::of_impl_with_expressions();
    Some(quote_spanned! {at=>
        #attributes
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#idents: #values,)* }
            }
        }
    })
}
