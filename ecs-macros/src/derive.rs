//! `#[derive(StateHash)]`: a type's fields, one after the other.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::manifest;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Field, Fields, GenericParam, Index, Member,
    Path, Result, Type,
};

/// The impl, or the errors of the type.
pub(crate) fn state_hash(input: TokenStream) -> TokenStream {
    let outcome = syn::parse2(input).and_then(|input: DeriveInput| expand(&input));
    outcome.unwrap_or_else(Error::into_compile_error)
}

fn fault(at: &impl ToTokens, text: &str) -> Error {
    Error::new_spanned(at, format!("[ECS0085] {text}"))
}

/// The options in the attributes of a type or of a field.
#[derive(Default)]
struct Options {
    krate: Option<Path>,
    skip: bool,
    with: Option<Path>,
}

impl Options {
    /// Reads `#[state_hash(…)]`, which may contain these keys.
    fn read(attributes: &[Attribute], keys: &[&str]) -> Result<Self> {
        let mut this = Self::default();
        for attribute in attributes.iter().filter(|one| one.path().is_ident("state_hash")) {
            attribute.parse_nested_meta(|meta| {
                let key = keys.iter().find(|key| meta.path.is_ident(key)).copied();
                match key {
                    Some("crate") => this.krate = Some(meta.value()?.parse()?),
                    Some("with") => this.with = Some(meta.value()?.parse()?),
                    Some(_) => this.skip = true,
                    None => {
                        let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
                        let text = format!("an unknown key\nhelp: write {}", keys.join(" or "));
                        return Err(fault(&meta.path, &text));
                    }
                }
                Ok(())
            })?;
        }
        if let (true, Some(with)) = (this.skip, &this.with) {
            return Err(fault(with, "a field that is skipped needs no function"));
        }
        Ok(this)
    }
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Options { krate, .. } = Options::read(&input.attrs, &["crate"])?;
    let krate = krate.map_or_else(manifest::path_of_ecs_core, |path| quote!(#path));
    // Hygienic, so that the expressions of the fields' functions cannot name it, and not the name of a constant.
    let hasher = Ident::new("__hasher", Span::mixed_site());
    let body = match &input.data {
        Data::Struct(data) => {
            let own = |index: usize, field: &Field| {
                // At the field's type, so that `rustc` points there if the type has no state hash.
                let at = Span::call_site().located_at(field.ty.span());
                let member = field.ident.clone().map_or_else(
                    || Member::Unnamed(Index { index: index as u32, span: at }),
                    Member::Named,
                );
                quote_spanned!(at=> &self.#member)
            };
            put(&krate, &data.fields, &hasher, own)?
        }
        Data::Enum(data) => variants(&krate, data, &hasher)?,
        Data::Union(data) => {
            let text = "a `union` does not know what is in it\nhelp: implement `StateHash` by hand";
            return Err(fault(&data.union_token, text));
        }
    };
    let bytes = bytes(&krate, input)?;
    let name = &input.ident;
    let mut generics = input.generics.clone();
    let parameters = generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(parameter.ident.clone()),
        _ => None,
    });
    let parameters: Vec<Ident> = parameters.collect();
    let clause = generics.make_where_clause();
    for parameter in parameters {
        clause.predicates.push(syn::parse_quote!(#parameter: #krate::StateHash));
    }
    let (of_impl, of_type, clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #of_impl #krate::StateHash for #name #of_type #clause {
            #[inline]
            #[allow(unused_variables, reason = "there may be nothing to put in")]
            fn state_hash(&self, #hasher: &mut #krate::StateHasher) {
                #body
            }

            #bytes
        }
    })
}

/// The function that looks whether many values can be hashed at once, as the memory of their fields. There is none if a
/// field is not hashed by its own state hash, or the type may not have a size.
fn bytes(krate: &TokenStream, input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else { return Ok(TokenStream::new()) };
    let mut fields = TokenStream::new();
    for (field, member) in data.fields.iter().zip(data.fields.members()) {
        let Options { skip, with, .. } = Options::read(&field.attrs, &["skip", "with"])?;
        let is_unsized = match &field.ty {
            Type::Slice(_) | Type::TraitObject(_) => true,
            Type::Path(path) => path.path.is_ident("str"),
            _ => false,
        };
        if skip || with.is_some() || is_unsized {
            return Ok(TokenStream::new());
        }
        let ty = &field.ty;
        fields.extend(quote! {
            .and(|value| &value.#member, #krate::generated::FieldBytes::<#ty>::BYTES)
        });
    }
    let (generics, clause) = (&input.generics, &input.generics.where_clause);
    if quote!(#generics #clause).to_string().contains('?') {
        return Ok(TokenStream::new());
    }
    Ok(quote! {
        #[inline(always)]
        fn state_hash_bytes(values: &[Self]) -> ::core::option::Option<&[u8]> {
            // In scope for fields without a state hash; used in any case.
            use #krate::generated::NoFieldBytes as __NoFieldBytes;
            let _ = <#krate::generated::FieldBytes<()> as __NoFieldBytes<()>>::BYTES;
            #krate::generated::Fields::of(values) #fields .bytes()
        }
    })
}

/// Hashes the fields. `value` gives the expression of a reference to a field.
fn put(
    krate: &TokenStream,
    fields: &Fields,
    hasher: &Ident,
    value: impl Fn(usize, &Field) -> TokenStream,
) -> Result<TokenStream> {
    let mut body = TokenStream::new();
    for (index, field) in fields.iter().enumerate() {
        let options = Options::read(&field.attrs, &["skip", "with"])?;
        if options.skip {
            continue;
        }
        let value = value(index, field);
        let at = Span::mixed_site().located_at(field.ty.span());
        let function = options.with.map_or_else(
            || quote_spanned!(at=> #krate::StateHash::state_hash),
            ToTokens::into_token_stream,
        );
        body.extend(quote_spanned!(at=> #function(#value, #hasher);));
    }
    Ok(body)
}

/// Hashes the number of the variant and its fields.
fn variants(krate: &TokenStream, data: &DataEnum, hasher: &Ident) -> Result<TokenStream> {
    let mut arms = TokenStream::new();
    for (number, variant) in data.variants.iter().enumerate() {
        let (number, name) = (number as u32, &variant.ident);
        let local = |index: usize| Ident::new(&format!("__field_{index}"), Span::mixed_site());
        let located = |index: usize, field: &Field| {
            let mut local = local(index);
            local.set_span(local.span().located_at(field.ty.span()));
            local.into_token_stream()
        };
        let members = variant.fields.members().enumerate();
        let pattern = members.map(|(index, member)| {
            let local = local(index);
            quote!(#member: #local)
        });
        let body = put(krate, &variant.fields, hasher, located)?;
        arms.extend(quote! {
            Self::#name { #(#pattern),* } => {
                #krate::StateHash::state_hash(&#number, #hasher);
                #body
            }
        });
    }
    if data.variants.is_empty() {
        return Ok(quote!(match *self {}));
    }
    Ok(quote!(match self { #arms }))
}

#[cfg(test)]
mod tests {
    use super::state_hash;

    fn derived(input: &str) -> String {
        state_hash(input.parse().expect("tokens")).to_string().replace(' ', "")
    }

    #[test]
    fn fields_in_order() {
        let code = derived(
            "struct A<T> { #[state_hash(skip)] a: u8, b: T, #[state_hash(with = f)] c: X }",
        );
        assert!(code.contains("T:::ecs_core::StateHash"), "{code}");
        let b = code.find("state_hash(&self.b,__hasher)").expect("the first");
        let c = code.find("f(&self.c,__hasher)").expect("the second");
        assert!(b < c && !code.contains("self.a"), "{code}");
    }

    #[test]
    fn memory_of_all_fields() {
        let has = |input| derived(input).contains("fnstate_hash_bytes");
        let code = derived("struct A<T>(u8, T);");
        assert!(code.contains("Fields::of(values).and(|value|&value.0,"), "{code}");
        assert!(code.contains("FieldBytes::<T>::BYTES).bytes()"), "{code}");
        assert!(has("struct A { a: u8, b: B }") && has("struct A;"));
        for input in [
            "struct A(#[state_hash(skip)] u8, u8);",
            "struct A(#[state_hash(with = f)] u8);",
            "struct A(u8, [u8]);",
            "struct A(str);",
            "struct A(dyn B);",
            "struct A<T: ?Sized>(T);",
            "struct A<T>(T) where T: ?Sized;",
            "enum A { B }",
        ] {
            assert!(!has(input), "{input}");
        }
    }

    #[test]
    fn variants_by_number() {
        let code = derived("#[state_hash(crate = other)] enum E { A, B(u8), C { x: u8 } }");
        assert!(
            code.contains("Self::A{}=>{other::StateHash::state_hash(&0u32,__hasher);}"),
            "{code}"
        );
        assert!(
            code.contains("Self::B{0:__field_0}") && code.contains("Self::C{x:__field_0}"),
            "{code}"
        );
        assert!(derived("enum Never {}").contains("match*self{}"));
    }

    #[test]
    fn what_cannot_be_derived() {
        for (input, part) in [
            ("union U { a: u8 }", "does not know what is in it"),
            ("struct A { #[state_hash(skipp)] a: u8 }", "help: write `skip` or `with`"),
            ("#[state_hash(skip)] struct A;", "help: write `crate`"),
            ("struct A(#[state_hash(skip, with = f)] u8);", "needs no function"),
        ] {
            let code = state_hash(input.parse().expect("tokens")).to_string();
            assert!(code.contains("[ECS0085]") && code.contains(part), "{code}");
        }
    }
}
