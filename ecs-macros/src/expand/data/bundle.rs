//! A named bundle: a struct with a field for each component, which is equal to a tuple. That of a template has a `Default`, and
//! may have children.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Ident, Path, Visibility};

use crate::expand::attributes;
use crate::expand::context::{any_world, local, located_visibility, unreadable};
use crate::model::{Bundle, Model, idents};
use crate::site::{Krate, enter, macros_own, number, quote, quote_spanned, text};

/// The struct, and its conversion to a tuple.
pub(crate) fn expand(
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
    let (system, items, to_bundle) = (local("System"), local("Items"), local("ToBundle"));
    let children = children(model, bundle, &any, &system);
    let Children { bounds, template_bounds, rights, count, spawn, spawn_by, insert } = children;
    let attributes = attributes::of_impl();
    let impls = quote_spanned! {at=>
        #attributes
        impl<#any: #Krate::Declaration> #Krate::Bundle<#any> for #name
        where
            #tuple: #Krate::Bundle<#any>,
            #bounds
        {
            const FACTS: #Krate::generated::BundleFacts =
                <#tuple as #Krate::Bundle<#any>>::FACTS #count;

            #[inline]
            fn put(self, sink: &mut #Krate::BundleSink<'_, #any>) {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::Bundle<#any>>::put((#(#idents,)*), sink);
            }

            #[inline]
            fn write_batch<#items: ::core::iter::Iterator, #to_bundle: ::core::ops::FnMut(#items::Item) -> Self>(
                writer: #Krate::generated::SpawnWriter<'_, '_, #items, #to_bundle, #any>,
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

            #spawn
        }

        #attributes
        impl<#any: #Krate::Declaration> #Krate::TemplateBundle<#any> for #name
        where
            #tuple: #Krate::TemplateBundle<#any>,
            #template_bounds
        {
            fn insert_into(self, template: &mut #Krate::Template<#any>) {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::TemplateBundle<#any>>::insert_into((#(#idents,)*), template);
                #insert
            }
        }

        #attributes
        impl<#system: #Krate::access::Spawns<#any>, #any: #Krate::Declaration>
            #Krate::access::SpawnedBy<#system, #any> for #name
        where
            #tuple: #Krate::access::SpawnedBy<#system, #any>,
            #rights
        {
            type Stored = <#tuple as #Krate::access::SpawnedBy<#system, #any>>::Stored;
            const POSITION: ::core::option::Option<usize> = ::core::option::Option::None;

            #[inline]
            fn stored(self) -> Self::Stored {
                let Self { #(#idents),* } = self;
                <#tuple as #Krate::access::SpawnedBy<#system, #any>>::stored((#(#idents,)*))
            }

            #spawn_by
        }
    };
    let values = default(bundle, &idents);
    quote!(#item #impls #values)
}

/// What the impls of a template have for its children. All empty if there are none.
#[derive(Default)]
struct Children {
    /// Bounds of `Bundle`.
    bounds: TokenStream,
    /// Bounds of `TemplateBundle`.
    template_bounds: TokenStream,
    /// Bounds of `SpawnedBy`.
    rights: TokenStream,
    /// The facts of the children.
    count: TokenStream,
    /// Items of `Bundle`.
    spawn: TokenStream,
    /// Items of `SpawnedBy`.
    spawn_by: TokenStream,
    /// The part of `TemplateBundle::insert_into`.
    insert: TokenStream,
}

fn children(model: &Model<'_>, bundle: &Bundle<'_>, any: &Ident, system: &Ident) -> Children {
    if bundle.children.is_empty() || bundle.is_cyclic {
        return Children::default();
    }
    let at = macros_own(bundle.name().span());
    let mut all = Children::default();
    let (mut spawn, mut spawn_by) = (TokenStream::new(), TokenStream::new());
    for child in &bundle.children {
        let relation = model.resources[child.relation].name.ty();
        let template = model.bundles[child.template].item.name.ty();
        let count = number(child.count);
        all.bounds.extend(quote_spanned! {at=>
            #any: #Krate::HasRelation<#relation>,
            #template: #Krate::Bundle<#any>,
        });
        all.template_bounds.extend(quote_spanned! {at=>
            #any: #Krate::HasRelation<#relation>,
            #template: #Krate::TemplateBundle<#any>,
        });
        all.rights.extend(quote_spanned! {at=>
            #any: #Krate::HasRelation<#relation>,
            #system: #Krate::access::Links<#relation, #any>,
            #template: #Krate::access::SpawnedBy<#system, #any>,
        });
        all.count.extend(quote_spanned!(at=> .with_children::<#any, #template>(#count)));
        spawn.extend(quote_spanned! {at=>
            #Krate::generated::Family::<#any>::spawn::<#relation, #template>(family, parents, #count);
        });
        spawn_by.extend(quote_spanned! {at=>
            #Krate::generated::FamilyBy::<#system, #any>::spawn::<#relation, #template>(family, parents, #count);
        });
        all.insert.extend(quote_spanned! {at=>
            template.insert_children_of::<#relation, #template>(#count);
        });
    }
    let family = local("Family");
    all.spawn = quote_spanned! {at=>
        fn spawn_children<#family: #Krate::generated::Family<#any>>(
            parents: #family::Parents,
            family: &mut #family,
        ) {
            #spawn
        }
    };
    all.rights.extend(quote_spanned!(at=> Self: #Krate::Bundle<#any>,));
    all.spawn_by = quote_spanned! {at=>
        const DESCENDANTS: usize = <Self as #Krate::Bundle<#any>>::FACTS.descendants();

        fn spawn_children<#family: #Krate::generated::FamilyBy<#system, #any>>(
            parents: #family::Parents,
            family: &mut #family,
        ) {
            #spawn_by
        }
    };
    all
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
