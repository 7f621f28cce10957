//! Model to code: one file per generated thing. Expansion cannot fail. The generated code has no
//! algorithms: only tables, trait impls, and functions of one line.
//!
//! Every path begins at the crate that the caller named or at `::core`, so that renamed
//! dependencies and `#![no_implicit_prelude]` work. The user's tokens keep their spans. Generated
//! tokens that `rustc` may report errors at have the location of a user's token.

mod access;
mod component;
mod declaration;
mod entry;
mod gather;
mod name;
mod parallelism;
mod resource;
mod set;
mod settings;
mod snapshot;
mod system;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::model::Model;
use crate::syntax::{Count, Initial, List, Set, Visibility, World};

pub(crate) use gather::gather;
pub(crate) use set::expand as expand_set;

/// The context that every generated thing needs.
struct Context<'m> {
    krate: &'m TokenStream,
    model: &'m Model<'m>,
    world: &'m World,
}

impl Context<'_> {
    /// The declaration's type.
    fn declaration(&self) -> &Ident {
        &self.world.name
    }
}

/// Generates everything that the model allows. If there is a fault, there is no `const` check, since an
/// incomplete declaration cannot be checked; and the tables for clones and hashes are empty, so that code that
/// clones or hashes the world gets no further errors.
pub(crate) fn expand(model: &Model<'_>, faultless: bool) -> TokenStream {
    let krate = &model.tree.krate;
    let private = Visibility::Inherited;
    let tree = model.tree;
    let visibility = match (&tree.world, &tree.set) {
        (Some(World { visibility, .. }), _) | (_, Some(Set { visibility, .. })) => visibility,
        _ => &private,
    };
    let own = || model.systems.iter().filter(|system| system.item.from.is_none());
    let names = own().map(|system| name::of_system(system, visibility));
    let entries = own().map(|system| entry::expand(model, system, visibility));
    let for_the_world = tree.world.as_ref().map(|world| {
        let cx = Context { krate, model, world };
        // With an `include`, `gather` has generated it.
        let item = tree.includes.is_empty().then(|| declaration::struct_of(world));
        let sets = set::included(&cx);
        let declaration = declaration::expand(&cx);
        let components = component::expand(&cx);
        let resources = resource::expand(&cx);
        let systems = (0..model.systems.len()).map(|index| {
            let name = system::expand(&cx, index);
            let access = access::expand(&cx, index);
            quote!(#name #access)
        });
        let check = faultless.then(|| check(&cx));
        let tables = snapshot::expand(&cx, faultless);
        quote!(#item #declaration #components #resources #(#systems)* #sets #tables #check)
    });
    quote!(#(#names)* #(#entries)* #for_the_world)
}

/// The validation of the tables. Checks that concern a single line have the span of that line's token. The spans
/// are plain and the names short, as `rustc` would point at the whole `world!` otherwise.
fn check(cx: &Context<'_>) -> TokenStream {
    let (krate, declaration) = (cx.krate, cx.declaration());
    let mut calls = TokenStream::new();
    for (index, component) in cx.model.components.iter().enumerate() {
        let at = component.name().span();
        calls.extend(quote_spanned!(at=> check_component::<#declaration>(#index);));
    }
    for (index, system) in cx.model.systems.iter().enumerate() {
        if let Some(output) = &system.item.output {
            let at = output.span();
            calls.extend(quote_spanned!(at=> check_output::<#declaration>(#index);));
        }
    }
    for (consumer, system) in cx.model.systems.iter().enumerate() {
        for producer in system.listed(List::Streams) {
            let Some(output) = &cx.model.systems[producer].item.output else { continue };
            let at = output.span();
            calls.extend(quote_spanned!(at=> check_stream::<#declaration>(#consumer);));
        }
    }
    let at = declaration.span();
    let component = (!cx.model.components.is_empty())
        .then(|| quote_spanned!(at=> use #krate::signature::check_component;));
    let output = (cx.model.systems.iter().any(|system| system.item.output.is_some()))
        .then(|| quote_spanned!(at=> use #krate::signature::check_output;));
    let stream = (cx.model.systems.iter().any(|system| !system.listed(List::Streams).is_empty()))
        .then(|| quote_spanned!(at=> use #krate::signature::check_stream;));
    quote_spanned! {at=>
        const _: () = {
            use #krate::signature::check;
            #component
            #output
            #stream
            #calls
            check::<#declaration>();
        };
    }
}

/// The span of a generated token at a user's token: `rustc` points there, but names resolve as the
/// macro's own.
fn place(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// The path of the library, located at the user's token.
fn located(krate: &TokenStream, span: Span) -> TokenStream {
    let located = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    krate.clone().into_iter().map(located).collect()
}

/// A local name that the user's expressions cannot see.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The expression that makes the initial value of a type.
fn initial_value(initial: &Initial, of: &impl ToTokens, span: Span) -> TokenStream {
    match initial {
        Initial::Default => {
            let at = place(span);
            quote_spanned!(at=> <#of as ::core::default::Default>::default())
        }
        Initial::Value(value) => value.to_token_stream(),
        Initial::Unreadable => quote!(::core::panic!("the declaration cannot be read")),
    }
}

/// A number as the argument of a `const` parameter.
fn const_argument(count: &Count) -> TokenStream {
    let Count(value) = count;
    let is_whole = count.literal().is_some() || matches!(value, syn::Expr::Block(_));
    if is_whole { value.to_token_stream() } else { quote!({ #value }) }
}
