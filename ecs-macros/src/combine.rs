//! `#[derive(Combine)]`: a struct is combined field by field.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Result};

use crate::manifest;

/// The impl, or the errors of the type.
pub(crate) fn combine(input: TokenStream) -> TokenStream {
    let outcome = syn::parse2(input).and_then(|input: DeriveInput| expand(&input));
    outcome.unwrap_or_else(Error::into_compile_error)
}

fn fault(at: &impl ToTokens, text: &str) -> Error {
    Error::new_spanned(at, format!("[ECS0102] {text}"))
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let krate = manifest::path_in(input, "combine", fault)?
        .map_or_else(|| quote!(::ecs_core), |path| quote!(#path));
    let Data::Struct(data) = &input.data else {
        let text = "only a struct is combined field by field\nhelp: implement `Combine` by hand";
        return Err(fault(&input.ident, text));
    };
    // The impl is for every operation that all fields have.
    let operation = Ident::new("AnyOperation", Span::mixed_site());
    let other = Ident::new("other", Span::mixed_site());
    let mut generics = input.generics.clone();
    generics.params.push(syn::parse_quote!(#operation));
    let clause = generics.make_where_clause();
    let mut body = TokenStream::new();
    for (field, member) in data.fields.iter().zip(data.fields.members()) {
        let ty = &field.ty;
        clause.predicates.push(syn::parse_quote!(#ty: #krate::Combine<#operation>));
        // At the field's type, so that `rustc` points there if the type has no such operation.
        body.extend(quote_spanned! {Span::call_site().located_at(ty.span())=>
            #krate::Combine::<#operation>::combine(&mut self.#member, #other.#member);
        });
    }
    let name = &input.ident;
    let (_, of_type, _) = input.generics.split_for_impl();
    let (of_impl, _, clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #of_impl #krate::Combine<#operation> for #name #of_type #clause {
            #[inline]
            #[allow(unused_variables, reason = "there may be nothing to combine")]
            fn combine(&mut self, #other: Self) {
                #body
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::combine;

    fn derived(input: &str) -> String {
        combine(input.parse().expect("tokens")).to_string().replace(' ', "")
    }

    #[test]
    fn fields_one_by_one() {
        let code = derived("struct Score(u64);");
        assert!(
            code.contains("impl<AnyOperation>::ecs_core::Combine<AnyOperation>forScore"),
            "{code}"
        );
        assert!(code.contains("whereu64:::ecs_core::Combine<AnyOperation>"), "{code}");
        assert!(code.contains("combine(&mutself.0,other.0);"), "{code}");
        let code = derived("#[combine(crate = other)] struct A<T: X> { a: T, b: [u8; 3] }");
        assert!(
            code.contains("impl<T:X,AnyOperation>other::Combine<AnyOperation>forA<T>"),
            "{code}"
        );
        let (a, b) = (code.find("&mutself.a,other.a"), code.find("&mutself.b,other.b"));
        assert!(a.is_some() && a < b, "{code}");
    }

    #[test]
    fn what_cannot_be_derived() {
        for (input, part) in [
            ("enum E { A }", "only a struct"),
            ("union U { a: u8 }", "only a struct"),
            ("#[combine(krate = x)] struct A;", "help: write `crate`"),
        ] {
            let code = combine(input.parse().expect("tokens")).to_string();
            assert!(code.contains("[ECS0102]") && code.contains(part), "{code}");
        }
    }
}
