//! The entry of a system for one entity: a struct with a field for each component, the query that
//! fills it, and the conversion from the query's item to the struct.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Visibility};

use super::context::{Context, any_world, argument, local, located, system_argument};
use super::editor::link;
use crate::model::{Model, System};
use crate::site::{Krate, enter, here, macros_own, number, quote, quote_spanned, text};
use crate::syntax::{List, name_of};

/// The length of the longest tuple that is a query. Longer ones are nested.
const LONGEST: usize = 12;

/// A component as a field.
pub(super) struct Field {
    pub(super) ident: Ident,
    pub(super) component: usize,
    pub(super) list: List,
}

impl Field {
    /// The reference to the component with the given lifetime.
    fn reference(&self, model: &Model<'_>, lifetime: &TokenStream) -> TokenStream {
        self.reference_to(model.components[self.component].named.ty(), lifetime)
    }

    /// The reference to the component, which is this type.
    fn reference_to(&self, path: &impl ToTokens, lifetime: &TokenStream) -> TokenStream {
        match self.list {
            List::Write => quote!(&#lifetime mut #path),
            List::WriteOptional => quote!(::core::option::Option<&#lifetime mut #path>),
            List::ReadOptional => quote!(::core::option::Option<&#lifetime #path>),
            _ => quote!(&#lifetime #path),
        }
    }
}

/// What the entries of these systems dereference to: a field for each component, whose type says that the system does not declare it. A field
/// of the entry itself hides it. The struct is generic over the system, and the same for all systems, so that it costs
/// no time for each of them.
pub(super) fn undeclared(model: &Model<'_>, systems: &[&System<'_>]) -> Option<TokenStream> {
    let krate = &Krate;
    if systems.is_empty() || model.components.is_empty() {
        return None;
    }
    let _at = enter(macros_own(here()));
    let paths = model.components.iter().map(|component| argument(component.named));
    let idents = all_fields(model);
    let of = any_world();
    let impls = systems.iter().map(|system| {
        let (entry, system) = (name(system), system_argument(system));
        quote! {
            impl ::core::ops::Deref for #entry<'_> {
                type Target = __Undeclared<#system>;
                #[inline]
                fn deref(&self) -> &Self::Target {
                    #krate::generated::not_declared()
                }
            }
        }
    });
    Some(quote! {
        const _: () = {
            #[allow(dead_code, private_interfaces, reason = "it is there for messages")]
            pub struct __Undeclared<#of> {
                #(pub #idents: #krate::access::ECS0113_not_in_read_or_write<#of, #paths>,)*
            }
            #(#impls)*
        };
    })
}

/// A field for each component of the declaration.
pub(super) fn all_fields(model: &Model<'_>) -> Vec<Ident> {
    let names =
        model.components.iter().map(|component| (component.name(), component.name().span()));
    idents(names.collect())
}

/// The lists whose components are fields, the strongest access first.
const LISTS: [List; 5] =
    [List::Write, List::Read, List::Update, List::WriteOptional, List::ReadOptional];

/// Whether an entry of the declaration's own systems has a component, by index.
pub(super) fn components(model: &Model<'_>) -> Vec<bool> {
    let mut in_entries = vec![false; model.components.len()];
    for system in model.systems.iter().filter(|system| system.item.from.is_none()) {
        for list in LISTS {
            for component in system.listed(list) {
                in_entries[component] = true;
            }
        }
    }
    in_entries
}

/// The fields, the strongest access first. Each component has one field, which is at its name in the system's list.
pub(super) fn fields(model: &Model<'_>, system: &System<'_>) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for list in LISTS {
        for used in system.uses.iter().filter(|used| used.list == list) {
            let Some(component) = used.target.index() else { continue };
            if fields.iter().any(|field| field.component == component) {
                continue;
            }
            let (name, at) = (model.components[component].name(), name_of(used.path).span());
            let ident =
                free_ident(name, at, &|ident| fields.iter().any(|field| field.ident == *ident));
            fields.push(Field { ident, component, list });
        }
    }
    fields
}

/// The component's name as that of a field, with underscores if that is taken.
fn free_ident(component: &Ident, at: Span, is_taken: &dyn Fn(&Ident) -> bool) -> Ident {
    let mut text = snake_case(&component.to_string());
    let mut ident = field_ident(&text, at);
    while ident == "entity" || is_taken(&ident) {
        text.push('_');
        ident = field_ident(&text, at);
    }
    ident
}

/// The field of a component.
pub(super) fn field(model: &Model<'_>, system: &System<'_>, component: usize) -> Option<Ident> {
    let mut fields = fields(model, system).into_iter();
    fields.find(|field| field.component == component).map(|field| field.ident)
}

/// The fields of these components, each with the span of its field.
pub(super) fn idents(components: Vec<(&Ident, Span)>) -> Vec<Ident> {
    let mut taken = HashSet::new();
    let mut idents = Vec::new();
    for (name, at) in components {
        let ident = free_ident(name, at, &|ident| taken.contains(&ident.to_string()));
        taken.insert(ident.to_string());
        idents.push(ident);
    }
    idents
}

/// The struct's name.
pub(super) fn name(system: &System<'_>) -> Ident {
    system.entry.clone()
}

/// The struct.
pub(super) fn expand(
    model: &Model<'_>,
    system: &System<'_>,
    visibility: &Visibility,
) -> TokenStream {
    let krate = &Krate;
    let entry = name(system);
    let doc = text(&format!(" One entity of the system `{}`.", system.name()));
    let fields = fields(model, system);
    let definitions = fields.iter().map(|field| {
        let ident = &field.ident;
        let reference = field.reference(model, &quote!('a));
        let declared = &model.components[field.component];
        let component = link(declared.named.ty(), declared.name());
        let doc = match field.list {
            List::Write => format!(" The entity's {component}, to read and write."),
            List::WriteOptional => {
                format!(" The entity's {component}, if any, to read and write.")
            }
            List::ReadOptional => format!(" The entity's {component}, if any."),
            _ => format!(" The entity's {component}."),
        };
        let doc = text(&doc);
        // What the declaration says about the component follows.
        let of_the_component: Vec<&Attribute> =
            declared.attributes.iter().filter(|item| item.path().is_ident("doc")).collect();
        let gap = (!of_the_component.is_empty()).then(|| quote!(#[doc = ""]));
        quote! {
            #[doc = #doc]
            #gap
            #(#of_the_component)*
            pub #ident: #reference,
        }
    });
    let marker = fields.is_empty().then(|| quote!(marker: ::core::marker::PhantomData<&'a ()>,));
    // All of it is at the system's name, where `rustc` points if the name of the struct is taken.
    let at = macros_own(entry.span());
    let visibility = located(&visibility.to_token_stream(), at);
    quote_spanned! {at=>
        #[doc = #doc]
        #[allow(dead_code, reason = "a system need not look at all that it declares")]
        #visibility struct #entry<'a> {
            /// The entity.
            pub entity: #krate::Entity,
            #(#definitions)*
            #marker
        }
    }
}

/// The query: the entity itself, and each component by reference.
pub(super) fn terms(model: &Model<'_>, krate: &Krate, system: &System<'_>) -> TokenStream {
    let mut terms = vec![quote!(#krate::Entity)];
    terms
        .extend(fields(model, system).iter().map(|field| field.reference(model, &quote!('static))));
    nest(terms)
}

/// The same, by the indices of the components in the declaration.
pub(super) fn terms_by_index(cx: &Context<'_>, system: &System<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let mut terms = vec![quote!(#krate::Entity)];
    terms.extend(fields(cx.model, system).iter().map(|field| {
        let index = field.component;
        let index = number(index);
        let component = quote!(<#declaration as #krate::generated::ComponentAt<#index>>::Component);
        field.reference_to(&component, &quote!('static))
    }));
    nest(terms)
}

/// The function that converts the query's item to the struct.
pub(super) fn conversion(cx: &Context<'_>, system: &System<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    naming(cx.model, system, &quote!(#krate::Item<'a, Self::Terms, #declaration>))
}

/// The type of the query's item.
pub(super) fn found(model: &Model<'_>, krate: &Krate, system: &System<'_>) -> TokenStream {
    let mut found = vec![quote!(#krate::Entity)];
    found.extend(fields(model, system).iter().map(|field| field.reference(model, &quote!('a))));
    nest(found)
}

/// The function from the query's item, of the type `found`, to the struct.
pub(super) fn naming(model: &Model<'_>, system: &System<'_>, found: &TokenStream) -> TokenStream {
    let entry = name(system);
    let _at = enter(entry.span());
    let fields: Vec<Ident> = fields(model, system).into_iter().map(|field| field.ident).collect();
    let entity = local("entity");
    let values: Vec<Ident> = (0..fields.len()).map(|n| local(&format!("field{n}"))).collect();
    let bindings = std::iter::once(&entity).chain(&values);
    let pattern = nest(bindings.map(|ident| quote!(#ident)).collect());
    let marker = fields.is_empty().then(|| quote!(marker: ::core::marker::PhantomData,));
    quote_spanned! {entry.span()=>
        fn entry<'a>(
            #pattern: #found,
        ) -> Self::Entry<'a> {
            #entry { entity: #entity, #(#fields: #values,)* #marker }
        }
    }
}

/// A tuple of at most [`LONGEST`] elements. Longer ones become nested tuples of at most that length.
pub(super) fn nest(mut elements: Vec<TokenStream>) -> TokenStream {
    while elements.len() > LONGEST {
        elements = elements.chunks(LONGEST).map(tuple).collect();
    }
    tuple(&elements)
}

/// Where the element `at` of `count` is in such a tuple: `.1.0`.
pub(super) fn position(mut at: usize, mut count: usize) -> TokenStream {
    let mut digits = Vec::new();
    loop {
        digits.push(number(at % LONGEST));
        if count <= LONGEST {
            break;
        }
        (at, count) = (at / LONGEST, count.div_ceil(LONGEST));
    }
    digits.reverse();
    quote!(#(.#digits)*)
}

fn tuple(elements: &[TokenStream]) -> TokenStream {
    quote!((#(#elements,)*))
}

/// `HTTPServer` to `http_server`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.trim_start_matches("r#").chars().collect();
    let mut snake = String::new();
    for (i, letter) in letters.iter().enumerate() {
        let begins_word = letter.is_uppercase()
            && i > 0
            && letters[i - 1] != '_'
            && (!letters[i - 1].is_uppercase()
                || letters.get(i + 1).is_some_and(|next| next.is_lowercase()));
        if begins_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The text as an identifier, with an underscore if it is a keyword. `gen` is one from edition 2024 on, which `syn` does
/// not know.
fn field_ident(text: &str, span: Span) -> Ident {
    let keyword = text == "gen" || syn::parse_str::<Ident>(text).is_err();
    if keyword { Ident::new(&format!("{text}_"), span) } else { Ident::new(text, span) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn component_names_as_field_names() {
        for (name, expected) in [
            ("Position", "position"),
            ("KeepInBounds", "keep_in_bounds"),
            ("HTTPServer", "http_server"),
            ("Vec2D", "vec2_d"),
            ("A", "a"),
            ("Foo_Bar", "foo_bar"),
            ("already_snake", "already_snake"),
            ("r#Type", "type"),
        ] {
            assert_eq!(snake_case(name), expected);
        }
    }

    #[test]
    fn keywords_as_field_names() {
        let ident = |text| field_ident(text, Span::call_site()).to_string();
        assert_eq!(ident("position"), "position");
        assert_eq!(ident("type"), "type_");
        assert_eq!(ident("self"), "self_");
        assert_eq!(ident("gen"), "gen_");
        assert_eq!(ident("crate"), "crate_");
    }

    #[test]
    fn long_tuples_nest() {
        let nested = |n: usize| {
            let elements = (0..n).map(|i| {
                let i = proc_macro2::Literal::usize_unsuffixed(i);
                quote!(#i)
            });
            nest(elements.collect()).to_string().replace(' ', "")
        };
        assert_eq!(nested(1), "(0,)");
        assert_eq!(nested(12), "(0,1,2,3,4,5,6,7,8,9,10,11,)");
        assert_eq!(nested(13), "((0,1,2,3,4,5,6,7,8,9,10,11,),(12,),)");
        assert!(nested(145).starts_with("(((0,1,"));
        let position = |at, count| position(at, count).to_string().replace(' ', "");
        assert_eq!([position(0, 1), position(11, 12)], [".0", ".11"]);
        assert_eq!([position(11, 13), position(12, 13)], [".0.11", ".1.0"]);
        assert_eq!(position(144, 145), ".1.0.0");
    }
}
