//! The front end of `ecs-core`: turns a `world!` declaration into tables and trait impls.
//!
//! Nothing here is trusted. The rules that make parallel access sound are checked once more by
//! `ecs-core`, in `const` evaluation over the tables that this crate writes; the checks here exist
//! to say what is wrong at the user's own token, and how to mend it.
//!
//! The way through, one module per stage:
//!
//! ```text
//! tokens ─ syntax ─▶ tree ─ model ─▶ names as indices, DAG ─ check ─▶ faults ─ expand ─▶ code
//! ```
//!
//! Only `syntax` and `check` report faults, and none of them stops the next stage: what is valid
//! is expanded in any case, so that one mistake doesn't turn every name in the file red.

#![forbid(unsafe_code)]

mod check;
mod error;
mod expand;
mod model;
mod similar;
mod syntax;
#[cfg(test)]
mod tests;

use error::Errors;

/// Declares a world. Use it through `ecs_core::world!`, which says how `ecs-core` is called here.
#[proc_macro]
pub fn world(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (errors, items) = declare(input.into());
    let errors = errors.into_compile_errors();
    quote::quote!(#errors #items).into()
}

/// The pipeline. The code is complete but for what the faults made meaningless.
fn declare(input: proc_macro2::TokenStream) -> (Errors, proc_macro2::TokenStream) {
    let mut errors = Errors::default();
    let tree = syntax::parse(input, &mut errors);
    let model = model::resolve(&tree);
    check::check(&model, &mut errors);
    let items = expand::expand(&model, errors.is_empty());
    (errors, items)
}
