//! The front end of `ecs-core`: turns a `world!` declaration into tables and trait impls.
//!
//! Soundness does not depend on this crate. `ecs-core` checks the rules that make parallel access sound
//! again, in `const` evaluation over the tables that this crate generates. The checks here ask the same rules, those of
//! `ecs-rules`, and report errors at the user's own tokens, with a proposed fix.
//!
//! The pipeline, one module per stage:
//!
//! ```text
//! tokens ─ syntax ─▶ tree ─ model ─▶ names as indices, DAG ─ check ─▶ faults ─ expand ─▶ code
//! ```
//!
//! Only `syntax` and `check` report faults, and no fault stops the next stage: valid items are always
//! expanded, so that one mistake does not cause errors at every name in the file.

#![forbid(unsafe_code)]

mod check;
mod combine;
mod derive;
#[cfg(test)]
mod disabled;
mod error;
mod expand;
mod identity;
mod macro_kind;
mod manifest;
mod map_entities;
mod model;
mod similar;
mod site;
mod states;
mod syntax;
#[cfg(test)]
mod tests;

use error::Errors;
use macro_kind::MacroKind;

/// Declares a world. Use it through `ecs_core::world!`, which passes the path of `ecs-core`.
#[proc_macro]
pub fn world(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (errors, items) = declare(input.into());
    let errors = errors.into_compile_errors();
    quote::quote!(#errors #items).into()
}

/// Declares a set. Use it through `ecs_core::set!`, which passes the path of `ecs-core`.
#[proc_macro]
pub fn set(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (errors, items) = declare_set(input.into(), identity::of);
    let errors = errors.into_compile_errors();
    quote::quote!(#errors #items).into()
}

/// Derives `ecs_core::StateHash`.
#[proc_macro_derive(StateHash, attributes(state_hash))]
pub fn state_hash(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive::state_hash(input.into()).into()
}

/// Derives `ecs_core::Combine`.
#[proc_macro_derive(Combine, attributes(combine))]
pub fn combine(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    combine::combine(input.into()).into()
}

/// Derives `ecs_core::MapEntities`.
#[proc_macro_derive(MapEntities, attributes(entities, map_entities))]
pub fn map_entities(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    map_entities::map_entities(input.into()).into()
}

/// Derives `ecs_core::States`.
#[proc_macro_derive(States, attributes(states))]
pub fn states(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    states::states(input.into()).into()
}

/// The pipeline. The code lacks only the items that faults make meaningless.
fn declare(input: proc_macro2::TokenStream) -> (Errors, proc_macro2::TokenStream) {
    let mut errors = Errors::default();
    let tree = syntax::parse(input, MacroKind::World, &mut errors);
    if let Some(next) = expand::gather(&tree) {
        // The macro is called again with the blocks of the next set, until all sets are included.
        return (Errors::default(), next);
    }
    let model = model::resolve(&tree);
    check_all(&model, &mut errors);
    let items = expand::expand(&model, errors.is_empty());
    (errors, items)
}

/// The same for a set. `identity` computes a number that is unique to the set.
fn declare_set(
    input: proc_macro2::TokenStream,
    identity: impl FnOnce(&syn::Ident) -> u64,
) -> (Errors, proc_macro2::TokenStream) {
    let mut errors = Errors::default();
    let tree = syntax::parse(input, MacroKind::Set, &mut errors);
    if let Some(next) = expand::gather(&tree) {
        return (Errors::default(), next);
    }
    let model = model::resolve(&tree);
    check_all(&model, &mut errors);
    let unique = tree.set.as_ref().map_or(0, |set| identity(&set.name));
    let items = expand::expand_set(&model, unique, errors.is_empty());
    (errors, items)
}

/// Reports the faults of this declaration, except those of an included set by itself: they are reported
/// where the set is declared.
fn check_all(model: &model::Model<'_>, errors: &mut Errors) {
    let sets = &model.tree.sets;
    let mut reported = Errors::default();
    for (last, set) in sets.iter().enumerate().filter(|(_, set)| set.block.faulty) {
        let alone: Vec<_> =
            sets[..=last].iter().filter(|other| other.include == set.include).collect();
        let alone = syntax::Tree::of_sets(alone, &model.tree.library);
        check::check(&model::resolve(&alone), &mut reported);
    }
    check::check(model, errors);
    errors.forget(&reported);
}
