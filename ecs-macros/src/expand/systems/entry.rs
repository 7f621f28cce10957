//! The entry of a system for one entity: a struct with a field for each component, the query that
//! fills it, and the conversion from the query's item to the struct.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Lifetime, Visibility};

use crate::expand::attributes;
use crate::expand::context::{
    Context, TypeArgument, any_world, argument, local, located_visibility, system_argument,
};
use crate::expand::worlds::editor::link;
use crate::model::{Field, Model, System, idents};
use crate::site::{Krate, enter, here, macros_own, number, quote, quote_spanned, text};
use crate::syntax::List;

/// The length of the longest tuple that is a query. Longer ones are nested.
const LONGEST: usize = 12;

/// The reference to the field's component with the given lifetime.
fn reference(field: &Field, model: &Model<'_>, lifetime: &Lifetime) -> TokenStream {
    let component = &model.components[field.component];
    reference_to(field, component.tracked, component.named.ty(), lifetime)
}

/// The reference to the field's component, which is this type. If it is tracked, an exclusive one marks.
fn reference_to(
    field: &Field,
    tracked: bool,
    path: &impl ToTokens,
    lifetime: &Lifetime,
) -> TokenStream {
    match field.list {
        List::Write if tracked => quote!(#Krate::Mut<#lifetime, #path>),
        List::WriteOptional if tracked => {
            quote!(::core::option::Option<#Krate::Mut<#lifetime, #path>>)
        }
        List::Write => quote!(&#lifetime mut #path),
        List::WriteOptional => quote!(::core::option::Option<&#lifetime mut #path>),
        List::ReadOptional => quote!(::core::option::Option<&#lifetime #path>),
        _ => quote!(&#lifetime #path),
    }
}

/// A lifetime that the macro writes.
fn lifetime(name: &str) -> Lifetime {
    Lifetime::new(name, here())
}

/// What the entries of these systems dereference to: a field for each component, whose type says that the system does not declare it. A field
/// of the entry itself hides it. The struct is generic over the system, and the same for all systems, so that it costs
/// no time for each of them.
pub(crate) fn undeclared<'m>(
    model: &Model<'_>,
    systems: impl Iterator<Item = &'m System<'m>>,
) -> Option<TokenStream> {
    let entries: Vec<(Ident, TypeArgument<'_>)> =
        systems.map(|system| (name(system), system_argument(system))).collect();
    if entries.is_empty() || model.components.is_empty() {
        return None;
    }
    let _at = enter(macros_own(here()));
    let paths = model.components.iter().map(|component| argument(component.named));
    let idents = all_fields(model);
    let of = any_world();
    let impls = entries.iter().map(|(entry, system)| {
        quote! {
            impl ::core::ops::Deref for #entry<'_> {
                type Target = __Undeclared<#system>;
                #[inline]
                fn deref(&self) -> &Self::Target {
                    #Krate::generated::not_declared()
                }
            }
        }
    });
    let types = quote!(#Krate::access::ECS0113_not_in_read_or_write);
    let attributes = attributes::of_constant();
    Some(quote! {
        #attributes
        const _: () = {
            #[allow(dead_code, private_interfaces, reason = "it is there for messages")]
            pub struct __Undeclared<#of> {
                #(pub #idents: #types<#of, #paths>,)*
            }
            #(#impls)*
        };
    })
}

/// A field for each component of the declaration.
pub(crate) fn all_fields(model: &Model<'_>) -> Vec<Ident> {
    idents(model.components.iter().map(|component| (component.name(), component.name().span())))
}

/// The components that an entry of the declaration's own systems has.
pub(crate) fn components(model: &Model<'_>) -> HashSet<usize> {
    let own = model.systems.iter().filter(|system| system.item.from.is_none());
    own.flat_map(|system| system.fields.iter().map(|field| field.component)).collect()
}

/// The struct's name.
pub(crate) fn name(system: &System<'_>) -> Ident {
    system.entry.clone()
}

/// The struct.
pub(crate) fn expand(
    model: &Model<'_>,
    system: &System<'_>,
    visibility: &Visibility,
) -> TokenStream {
    let entry = name(system);
    let doc = text(&format!(" One entity of the system `{}`.", system.name()));
    let fields = &system.fields;
    let a = lifetime("'a");
    let definitions = fields.iter().map(|field| {
        let ident = &field.ident;
        let reference = reference(field, model, &a);
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
    let visibility = located_visibility(visibility, at);
    quote_spanned! {at=>
        #[doc = #doc]
        #[allow(dead_code, clippy::partial_pub_fields, clippy::single_char_lifetime_names, reason = "a system need not look at all that it declares")]
        #visibility struct #entry<'a> {
            /// The entity.
            pub entity: #Krate::Entity,
            #(#definitions)*
            #marker
        }
    }
}

/// The query: the entity itself, and each component by reference.
pub(crate) fn terms(model: &Model<'_>, system: &System<'_>) -> TokenStream {
    let mut terms = vec![quote!(#Krate::Entity)];
    let of_program = lifetime("'static");
    terms.extend(system.fields.iter().map(|field| reference(field, model, &of_program)));
    nest(terms)
}

/// The same, by the indices of the components in the declaration.
pub(crate) fn terms_by_index(cx: &Context<'_>, system: &System<'_>) -> TokenStream {
    let declaration = cx.declaration();
    let mut terms = vec![quote!(#Krate::Entity)];
    let of_program = lifetime("'static");
    terms.extend(system.fields.iter().map(|field| {
        let index = field.component;
        let index = number(index);
        let component = quote!(<#declaration as #Krate::generated::ComponentAt<#index>>::Component);
        reference_to(field, cx.model.components[field.component].tracked, &component, &of_program)
    }));
    nest(terms)
}

/// The function that converts the query's item to the struct.
pub(crate) fn conversion(cx: &Context<'_>, system: &System<'_>) -> TokenStream {
    let declaration = cx.declaration();
    naming(system, &quote!(#Krate::Item<'a, Self::Terms, #declaration>))
}

/// The type of the query's item.
pub(crate) fn found(model: &Model<'_>, system: &System<'_>) -> TokenStream {
    let mut found = vec![quote!(#Krate::Entity)];
    let a = lifetime("'a");
    found.extend(system.fields.iter().map(|field| reference(field, model, &a)));
    nest(found)
}

/// The function from the query's item, of the type `found`, to the struct.
pub(crate) fn naming(system: &System<'_>, found: &TokenStream) -> TokenStream {
    let entry = name(system);
    let _at = enter(entry.span());
    let fields: Vec<&Ident> = system.fields.iter().map(|field| &field.ident).collect();
    let entity = local("entity");
    let values: Vec<Ident> = (0..fields.len()).map(|n| local(&format!("field{n}"))).collect();
    let bindings = std::iter::once(&entity).chain(&values);
    let pattern = nest(bindings.map(|ident| quote!(#ident)).collect());
    let marker = fields.is_empty().then(|| quote!(marker: ::core::marker::PhantomData,));
    quote_spanned! {entry.span()=>
        #[inline(always)]
        fn entry<'a>(
            #pattern: #found,
        ) -> Self::Entry<'a> {
            #entry { entity: #entity, #(#fields: #values,)* #marker }
        }
    }
}

/// A tuple of at most [`LONGEST`] elements. Longer ones become nested tuples of at most that length.
pub(crate) fn nest(mut elements: Vec<TokenStream>) -> TokenStream {
    while elements.len() > LONGEST {
        elements = elements.chunks(LONGEST).map(tuple).collect();
    }
    tuple(&elements)
}

/// Where the element `at` of `count` is in such a tuple: `.1.0`.
pub(crate) fn position(mut at: usize, mut count: usize) -> TokenStream {
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

#[cfg(test)]
mod tests {
    use super::*;

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
