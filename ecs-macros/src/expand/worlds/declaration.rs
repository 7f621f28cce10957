//! The declaration's type and its tables.

use core::ops::Range;

use proc_macro2::TokenStream;

use super::{name, settings};
use crate::expand::attributes;
use crate::expand::context::{Context, begin_of_impl, local, system_argument};
use crate::expand::data::{component, resource, states};
use crate::expand::systems::{condition, system};
use crate::site::{Krate, number, quote, quote_spanned, text};
use crate::syntax::World;

/// The struct.
pub(crate) fn struct_of(world: &World) -> TokenStream {
    let doc = format!(" The world `{}`.", world.name);
    name::unit_struct(&world.attributes, &world.visibility, &world.name, &doc)
}

/// Its `Declaration`.
pub(crate) fn expand(cx: &Context<'_>) -> TokenStream {
    let world = cx.world;
    let declaration = cx.declaration();
    let text = text(&declaration.to_string());
    let staged_changes = settings::staged_changes(&world.settings);
    let seed = settings::seed(&world.settings);
    let at = settings::span(&world.settings).unwrap_or_else(|| declaration.span());
    let settings = settings::expand(&world.settings);
    let settings = quote_spanned!(at=> type Settings = #settings;);
    let (components, by_name) = (component::signatures(cx), component::by_name(cx));
    let (resources, events) = (resource::signatures(cx), resource::events(cx));
    let states = states::signatures(cx);
    let relations = resource::relations(cx);
    let systems = (0..cx.model.systems.len()).map(|index| system::signature(cx, index));
    let dispatch = dispatch(cx);
    let conditions = condition::calls(cx);
    let initial_values = resource::initial_values(cx);
    let every = every_system(cx, 0..cx.model.systems.len());
    let begin = begin_of_impl(declaration.span());
    let (unlinted, attributes) = (attributes::of_impl(), attributes::of_impl_with_expressions());
    quote! {
        #unlinted
        #begin #Krate::generated::EverySystem<#every> for #declaration {}
        #attributes
        #begin #Krate::Declaration for #declaration {
            #settings
            const NAME: &'static str = #text;
            const COMPONENTS: &'static [#Krate::signature::ComponentSignature] = &[#components];
            const RESOURCES: &'static [#Krate::signature::ResourceSignature] = &[#resources];
            #events
            #states
            #relations
            #by_name
            const SYSTEMS: &'static [#Krate::signature::SystemSignature] = &[#(#systems,)*];
            #staged_changes
            #seed
            #dispatch
            #conditions
            #initial_values
        }
    }
}

/// The systems in the range as a type: a balanced tree.
fn every_system(cx: &Context<'_>, range: Range<usize>) -> TokenStream {
    match range.len() {
        0 => quote!(()),
        1 => {
            let name = system_argument(&cx.model.systems[range.start]);
            quote!(#Krate::generated::One<#name>)
        }
        len => {
            let middle = range.start + len / 2;
            let left = every_system(cx, range.start..middle);
            let right = every_system(cx, middle..range.end);
            quote!(#Krate::generated::Both<#left, #right>)
        }
    }
}

/// From a system's index to its type.
fn dispatch(cx: &Context<'_>) -> TokenStream {
    let index = local("index");
    let visitor = local("visitor");
    let any = local("Visitor");
    let arms = cx.model.systems.iter().enumerate().map(|(index, system)| {
        let (name, index) = (system_argument(system), number(index));
        quote!(#index => #visitor.visit::<#name>(),)
    });
    let generics = quote!(<#any: #Krate::generated::SystemVisitor<Self>>);
    quote! {
        #[inline(always)]
        fn dispatch #generics (
            #index: usize,
            #visitor: #any,
        ) -> #any::Output {
            match #index {
                #(#arms)*
                _ => #Krate::generated::no_such_system(#index),
            }
        }
    }
}
