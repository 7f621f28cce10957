//! All that is generated for a declaration, but for what a set adds.

use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned;

use super::{declaration, editor, name, snapshot};
use crate::expand::attributes;
use crate::expand::context::{Context, any_world, const_argument};
use crate::expand::data::{bundle, component, expires, resource, states};
use crate::expand::systems::{access, accesses, code, condition, entry, system};
use crate::model::{self, Model};
use crate::site::{Krate, at_site, enter, macros_own, number, quote, quote_spanned, text};
use crate::syntax::{Composed, Count, ENTITY_LIMIT, Limit, List, Part, Set, Visibility, World};

/// Generates everything that the model allows. If there is a fault, there is no `const` check, since an
/// incomplete declaration cannot be checked; and the tables for clones and hashes are empty, so that code that
/// clones or hashes the world gets no further errors.
pub(crate) fn expand(model: &Model<'_>, faultless: bool) -> TokenStream {
    let private = Visibility::Inherited;
    let tree = model.tree;
    let visibility = match (&tree.world, &tree.set) {
        (Some(World { visibility, .. }), _) | (_, Some(Set { visibility, .. })) => visibility,
        _ => &private,
    };
    // Of the whole: the header, which is before all that is edited often.
    let header = match (&tree.world, &tree.set) {
        (Some(World { name, .. }), _) | (_, Some(Set { name, .. })) => name.span(),
        _ => Span::call_site(),
    };
    let _at = enter(header);
    let library = &tree.library;
    let own = || model.systems.iter().filter(|system| system.item.from.is_none());
    let names = own().map(|system| name::of_system(system, visibility));
    let bundles = model.bundles.iter().filter(|bundle| bundle.item.name.place.is_none());
    let bundles = bundles.map(|named| bundle::expand(model, named, visibility));
    let entries = own().map(|system| {
        let _at = enter(system.name().span());
        entry::expand(model, system, visibility)
    });
    // Entries whose uses the macro does not all see also get the fields that the system does not declare (ECS0113).
    let others = own().filter(|system| !accesses::uses_fields_only(system));
    let undeclared = entry::undeclared(model, others);
    let bodies = own().map(|system| {
        let _at = enter(system.name().span());
        match (&tree.world, &tree.set) {
            (Some(World { name, .. }), _) => {
                let name = at_site(name);
                code::expand(model, system, &quote!(), &quote!(#name), faultless)
            }
            (None, Some(set)) => {
                let world = Part::World.name(&set.name, set.name.span());
                let any = any_world();
                code::expand(model, system, &quote!(<#any: #world>), &quote!(#any), faultless)
            }
            (None, None) => None,
        }
    });
    let expires = expires::expand(model);
    let for_the_world = tree.world.as_ref().map(|world| {
        let cx = Context { model, world };
        // With an `include`, `gather` has generated it.
        let mut types = model::types(tree).into_iter();
        let is_taken = types.any(|(name, what)| *name == world.name && what != "the world");
        let item = (tree.includes.is_empty() && !is_taken).then(|| declaration::struct_of(world));
        let sets = included(&cx);
        let declaration = declaration::expand(&cx);
        let (components, resources) = (component::expand(&cx), resource::expand(&cx));
        let states = states::expand(&cx);
        let attributes = attributes::of_constant();
        // In one constant, for the reason in `access::expand`.
        let data = quote!(#components #resources);
        let data = (!data.is_empty()).then(|| quote!(#attributes const _: () = { #data };));
        let systems = (0..model.systems.len()).map(|index| {
            let _at = enter(model.systems[index].name().span());
            let name = system::expand(&cx, index);
            let access = access::expand(&cx, index);
            quote!(#name #access)
        });
        let check = faultless.then(|| check(&cx));
        let tables = snapshot::expand(&cx, faultless);
        quote!(#item #declaration #data #states #(#systems)* #sets #tables #check)
    });
    let editor = editor::expand(model);
    quote!(
        #(#names)* #(#bundles)* #(#entries)* #undeclared #(#bodies)* #expires #for_the_world #editor
        #[allow(
            unused_imports, clippy::wildcard_imports,
            reason = "several declarations in a module import the same"
        )]
        use #library::generated::library::*;
    )
}

/// The validation of the tables. Checks that concern a single line have the span of that line's token. The spans
/// are plain and the names short, as `rustc` would point at the whole `world!` otherwise.
fn check(cx: &Context<'_>) -> TokenStream {
    let declaration = cx.declaration();
    let mut calls = TokenStream::new();
    for (index, component) in cx.model.components.iter().enumerate() {
        let (at, index) = (component.name().span(), number(index));
        calls.extend(quote_spanned!(at=> check_component::<#declaration>(#index);));
    }
    for (index, system) in cx.model.systems.iter().enumerate() {
        if let Some(output) = &system.item.output {
            let (at, index) = (output.span(), number(index));
            calls.extend(quote_spanned!(at=> check_output::<#declaration>(#index);));
        }
    }
    for (consumer, system) in cx.model.systems.iter().enumerate() {
        for producer in system.listed(List::Streams) {
            let Some(output) = &cx.model.systems[producer].item.output else { continue };
            let (at, consumer) = (output.span(), number(consumer));
            calls.extend(quote_spanned!(at=> check_stream::<#declaration>(#consumer);));
        }
    }
    let conditions = condition::checks(cx.model, &quote!(#declaration));
    let (counts, variants) = (counts(cx), states::checks(cx));
    let (at, attributes) = (declaration.span(), attributes::of_constant());
    let component = (!cx.model.components.is_empty())
        .then(|| quote_spanned!(at=> use #Krate::generated::check_component;));
    let output = (cx.model.systems.iter().any(|system| system.item.output.is_some()))
        .then(|| quote_spanned!(at=> use #Krate::generated::check_output;));
    let stream = (cx.model.systems.iter().any(|system| !system.listed(List::Streams).is_empty()))
        .then(|| quote_spanned!(at=> use #Krate::generated::check_stream;));
    let condition = (!conditions.is_empty())
        .then(|| quote_spanned!(at=> use #Krate::generated::check_condition;));
    quote_spanned! {at=>
        #attributes
        const _: () = {
            use #Krate::signature::check;
            #component
            #output
            #stream
            #condition
            #calls
            #conditions
            check::<#declaration>();
        };
        #counts
        #variants
    }
}

/// The checks of the numbers that are not literals. The expressions are the user's, so they see no other name than they
/// see in the declaration.
fn counts(cx: &Context<'_>) -> TokenStream {
    let mut counts: Vec<(&Count, &str)> = Vec::new();
    let limit = cx.world.settings.limit.as_ref();
    if let Some(Limit::Fixed(count) | Limit::Dynamic(count)) = limit {
        counts.push((count, ENTITY_LIMIT));
    }
    // A number of a set is in the scope of the set, where the type of the strategy checks it.
    for system in cx.model.systems.iter().filter(|system| system.item.from.is_none()) {
        if let Some((strategy, _)) = &system.item.parallelism {
            strategy.counts(&mut counts);
        }
    }
    let mut checks = TokenStream::new();
    for (count, what) in counts {
        if count.literal().is_some() {
            continue;
        }
        let Count(value) = count;
        let at = value.span();
        let _at = enter(at);
        let what = text(what);
        // Plain, so that messages that point here do not mention macros.
        let check = Ident::new("__check_count", at);
        // An argument, as in the type that has the number: an error in it is the same twice, and shown once.
        let value = const_argument(count);
        let call = quote_spanned!(at=> #check::<#value>(#what));
        // The macro's own, so that `rustc` does not propose to add a parameter where a constant is unknown.
        checks.extend(quote_spanned! {macros_own(at)=>
            const _: () = {
                use #Krate::generated::check_count as #check;
                #call
            };
        });
    }
    checks
}

/// The impls by which the world includes its sets.
fn included(cx: &Context<'_>) -> TokenStream {
    let declaration = cx.declaration();
    let mut impls = TokenStream::new();
    for Composed { place, .. } in &cx.model.tree.sets {
        let [set, numbers] =
            [Part::Set, Part::Numbers].map(|part| place.part(&part, place.set.span()));
        let attributes = attributes::of_impl();
        impls.extend(quote! {
            #attributes
            impl #Krate::generated::IncludedIn<#declaration> for #set {
                type Set = Self;
                type Numbers = #numbers;
            }
        });
    }
    impls
}
