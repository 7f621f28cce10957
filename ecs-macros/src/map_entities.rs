//! `#[derive(MapEntities)]`: the handles in the fields with `#[entities]`, one field after the other.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Member, Meta, Result};

use crate::manifest;

/// The impl, or the errors of the type.
pub(crate) fn map_entities(input: TokenStream) -> TokenStream {
    let outcome = syn::parse2(input).and_then(|input: DeriveInput| expand(&input));
    outcome.unwrap_or_else(Error::into_compile_error)
}

fn fault(at: &impl ToTokens, text: &str) -> Error {
    Error::new_spanned(at, format!("[ECS0157] {text}"))
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let krate = manifest::path_in(input, "map_entities", fault)?
        .map_or_else(manifest::path_of_ecs_core, ToTokens::into_token_stream);
    if let Some(attribute) = input.attrs.iter().find(|one| is_entities(one)) {
        let text =
            "`entities` is for fields\nhelp: write `#[entities]` at each field that holds handles";
        return Err(fault(attribute, text));
    }
    let map = Ident::new("map", Span::mixed_site());
    let (mut arms, mut is_marked) = (TokenStream::new(), false);
    let mut generics = input.generics.clone();
    let parameters: Vec<Ident> = generics.type_params().map(|one| one.ident.clone()).collect();
    let clause = generics.make_where_clause();
    let mut add = |path: TokenStream, fields: &Fields| -> Result<()> {
        let (mut patterns, mut calls) = (TokenStream::new(), TokenStream::new());
        for (field, member) in fields.iter().zip(fields.members()) {
            let Some(attribute) = field.attrs.iter().find(|one| is_entities(one)) else { continue };
            if !matches!(attribute.meta, Meta::Path(_)) {
                return Err(fault(
                    attribute,
                    "`entities` has no arguments\nhelp: write `#[entities]`",
                ));
            }
            is_marked = true;
            let name = match &member {
                Member::Named(name) => format_ident!("field_{}", name, span = Span::mixed_site()),
                Member::Unnamed(index) => {
                    format_ident!("field_{}", index.index, span = Span::mixed_site())
                }
            };
            patterns.extend(quote!(#member: #name,));
            // By its type, so that `rustc` points there if it holds no handles.
            let ty = &field.ty;
            if mentions(ty.to_token_stream(), &parameters) {
                clause.predicates.push(syn::parse_quote!(#ty: #krate::MapEntities));
            }
            calls.extend(quote_spanned! {Span::call_site().located_at(ty.span())=>
                <#ty as #krate::MapEntities>::map_entities(#name, #map);
            });
        }
        arms.extend(quote!(#path { #patterns .. } => { #calls }));
        Ok(())
    };
    match &input.data {
        Data::Struct(data) => add(quote!(Self), &data.fields)?,
        Data::Enum(data) => {
            for variant in &data.variants {
                let name = &variant.ident;
                add(quote!(Self::#name), &variant.fields)?;
            }
        }
        Data::Union(_) => {
            let text = "it is not known which field of a union holds handles\nhelp: implement `MapEntities` by hand";
            return Err(fault(&input.ident, text));
        }
    }
    if !is_marked {
        let text = "no field is said to hold handles\nhelp: write `#[entities]` at each field that does; a type without handles needs no `MapEntities`";
        return Err(fault(&input.ident, text));
    }
    let name = &input.ident;
    let (of_impl, of_type, clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #of_impl #krate::MapEntities for #name #of_type #clause {
            fn map_entities(
                &mut self,
                #map: &mut dyn ::core::ops::FnMut(#krate::Entity) -> #krate::Entity,
            ) {
                match self {
                    #arms
                }
            }
        }
    })
}

/// Whether one of the parameters is in the type.
fn mentions(ty: TokenStream, parameters: &[Ident]) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => parameters.contains(&ident),
        TokenTree::Group(group) => mentions(group.stream(), parameters),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn is_entities(attribute: &Attribute) -> bool {
    attribute.path().is_ident("entities")
}

#[cfg(test)]
mod tests {
    use super::map_entities;

    fn derived(input: &str) -> String {
        map_entities(input.parse().expect("tokens")).to_string().replace(' ', "")
    }

    #[test]
    fn marked_fields_one_by_one() {
        let code = derived(
            "struct Turret { #[entities] aim: Entity, range: f32, #[entities] crew: Vec<Entity> }",
        );
        let (aim, crew) =
            (code.find("map_entities(field_aim,map)"), code.find("map_entities(field_crew,map)"));
        assert!(aim.is_some() && aim < crew && !code.contains("range"), "{code}");
        let code = derived("#[map_entities(crate = other)] enum E<T> { A, B(u8, #[entities] T) }");
        assert!(
            code.contains("impl<T>other::MapEntitiesforE<T>whereT:other::MapEntities"),
            "{code}"
        );
        assert!(code.contains("Self::B{1:field_1,..}"), "{code}");
        assert!(code.contains("Self::A{..}=>{}"), "{code}");
        let code = derived(
            "struct S<T, K> { #[entities] all: [(T, u8); 2], #[entities] one: Entity, k: K }",
        );
        assert!(code.contains("where[(T,u8);2]:::ecs_core::MapEntities{"), "{code}");
    }

    #[test]
    fn what_cannot_be_derived() {
        for (input, part) in [
            ("struct S { a: Entity }", "no field is said"),
            ("#[entities] struct S(Entity);", "is for fields"),
            ("struct S(#[entities(all)] Entity);", "has no arguments"),
            ("union U { a: u8 }", "implement `MapEntities` by hand"),
            ("#[map_entities(krate = x)] struct S(#[entities] Entity);", "help: write `crate`"),
        ] {
            let code = map_entities(input.parse().expect("tokens")).to_string();
            assert!(code.contains("[ECS0157]") && code.contains(part), "{code}");
        }
    }
}
