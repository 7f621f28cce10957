//! `#[derive(States)]`: an enum of variants without data is a state, in the order of its variants.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Error, Result};

use crate::manifest;

/// The impl, or the errors of the type.
pub(crate) fn states(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    expand(&input).unwrap_or_else(|error| {
        let error = error.into_compile_error();
        // It has no variants, so that no other errors follow.
        let (name, (of_impl, of_type, clause)) = (&input.ident, input.generics.split_for_impl());
        let krate = manifest::path_of_ecs_core();
        quote! {
            #error
            #[automatically_derived]
            impl #of_impl #krate::States for #name #of_type #clause {
                const VARIANTS: &'static [Self] = &[];
            }
        }
    })
}

fn fault(at: &impl ToTokens, text: &str) -> Error {
    Error::new_spanned(at, format!("[ECS0138] {text}"))
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let krate = manifest::path_in(input, "states", fault)?
        .map_or_else(manifest::path_of_ecs_core, |path| quote!(#path));
    let Data::Enum(data) = &input.data else {
        let text = "only an enum is a state\nhelp: write `enum`, with a variant for each mode";
        return Err(fault(&input.ident, text));
    };
    if !input.generics.params.is_empty() {
        let text = "a state has no generic parameters\nhelp: keep what differs in a resource";
        return Err(fault(&input.generics, text));
    }
    if data.variants.is_empty() {
        let text = "a state has at least one variant, which a new world is in\nhelp: add one";
        return Err(fault(&input.ident, text));
    }
    if let Some(variant) = data.variants.iter().find(|variant| !variant.fields.is_empty()) {
        let text = "a variant of a state is a name alone\nhelp: keep data in a resource";
        return Err(fault(&variant.fields, text));
    }
    let name = &input.ident;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let positions = 0..variants.len();
    Ok(quote! {
        #[automatically_derived]
        impl #krate::States for #name {
            const VARIANTS: &'static [Self] = &[#(Self::#variants),*];

            #[inline]
            fn position(self) -> usize {
                match self { #(Self::#variants { .. } => #positions,)* }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::states;

    fn derived(input: &str) -> String {
        states(input.parse().expect("tokens")).to_string().replace(' ', "")
    }

    #[test]
    fn variants_in_order() {
        let code = derived("#[states(crate = x::y)] enum Mode { On = 4, Off = 2 }");
        assert!(code.contains("implx::y::StatesforMode"), "{code}");
        assert!(code.contains("=&[Self::On,Self::Off];"), "{code}");
        assert!(code.contains("Self::On{..}=>0usize,Self::Off{..}=>1usize,"), "{code}");
    }

    #[test]
    fn what_cannot_be_derived() {
        for (input, part) in [
            ("struct A;", "only an enum is a state"),
            ("enum A {}", "at least one variant"),
            ("enum A { B(u8) }", "a name alone"),
            ("enum A<T> { B }", "no generic parameters"),
            ("#[states(krate = x)] enum A { B }", "help: write `crate`"),
        ] {
            let code = states(input.parse().expect("tokens")).to_string();
            assert!(code.contains("[ECS0138]") && code.contains(part), "{code}");
        }
    }
}
