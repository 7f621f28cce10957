//! Run conditions: the function of a system's `run_if`, which the library calls.

use proc_macro2::TokenStream;
use syn::Expr;

use crate::expand::attributes;
use crate::expand::context::{Context, any_world, local, system_argument};
use crate::model::{Model, System, Target};
use crate::site::{Krate, number, quote, quote_spanned};
use crate::syntax::{List, Part, Set};

/// The condition for worlds of this type; `None` if the system has none, or a faulty one.
fn value(system: &System<'_>, declaration: &TokenStream) -> Option<TokenStream> {
    let condition = system.item.condition.as_ref().filter(|condition| condition.is_sound())?;
    let is_unknown = |target: Target| target.known().is_none();
    if system.uses.iter().any(|used| used.list == List::RunIf && is_unknown(used.target)) {
        return None;
    }
    let mut function = condition.function.as_deref()?;
    while let Expr::Paren(inner) = function {
        function = &inner.expr;
    }
    let name = system_argument(system);
    // At the key, where `rustc` points if the function does not fit.
    Some(quote_spanned! {condition.at=>
        #Krate::generated::Condition::<#declaration>::of::<#name, _, _>(#function)
    })
}

/// The item of `SystemName`, if the system has a condition. `of_a_set` is the type of the set's contents and the number of the
/// system in the set, if it is part of one.
pub(crate) fn item(
    system: &System<'_>,
    declaration: &TokenStream,
    of_a_set: Option<(&syn::Path, usize)>,
) -> Option<TokenStream> {
    let mut condition = value(system, declaration)?;
    if let Some((contents, n)) = of_a_set {
        let n = number(n);
        condition = quote! {
            <#contents as #Krate::generated::SetCondition<#declaration, #n>>::CONDITION
        };
    }
    Some(quote! {
        const CONDITION: ::core::option::Option<#Krate::generated::Condition<#declaration>> =
            ::core::option::Option::Some(#condition);
    })
}

/// The condition of a system of a set, for all worlds that include the set: it is in the scope of the set.
pub(crate) fn in_set(
    system: &System<'_>,
    set: &Set,
    contents: &syn::Path,
    n: &TokenStream,
) -> Option<TokenStream> {
    let world = Part::World.name(&set.name, set.name.span());
    let any = any_world();
    let condition = value(system, &quote!(#any))?;
    let attributes = attributes::of_impl_with_expressions();
    Some(quote! {
        #attributes
        impl<#any: #world> #Krate::generated::SetCondition<#any, #n> for #contents {
            const CONDITION: #Krate::generated::Condition<#any> = #condition;
        }
    })
}

/// The item of `Declaration` that calls the conditions, if there are any: for each 64 systems.
pub(crate) fn calls(cx: &Context<'_>) -> Option<TokenStream> {
    let asked = local("asked");
    let words = cx.model.systems.chunks(64).enumerate().filter_map(|(word, systems)| {
        let conditional = systems.iter().filter(|system| system.item.condition.is_some());
        let names: Vec<_> = conditional.map(system_argument).collect();
        let word = number(word);
        (!names.is_empty()).then(|| quote!(#word => #asked #(.of::<Self, #names>())*.hold(),))
    });
    let words: TokenStream = words.collect();
    (!words.is_empty()).then(|| {
        quote! {
            #[inline]
            fn conditions(#asked: #Krate::generated::Asked<'_>) -> u64 {
                match #asked.word() {
                    #words
                    _ => 0,
                }
            }
        }
    })
}

/// The checks of the tables that are about one condition each, at its key.
pub(crate) fn checks(model: &Model<'_>, declaration: &TokenStream) -> TokenStream {
    let mut calls = TokenStream::new();
    for (index, system) in model.systems.iter().enumerate() {
        if let Some(condition) = &system.item.condition {
            let index = number(index);
            calls.extend(quote_spanned!(condition.at=> check_condition::<#declaration>(#index);));
        }
    }
    calls
}
