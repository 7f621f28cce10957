//! Queries: `query Still { read: [Position], without: [Velocity] }`.
//!
//! A query is a system with a body of the library, whose members other systems read. With `index: ByCell` it builds
//! an index of its members when it is executed; without one it is never executed.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::parse::{ParseStream, Result};
use syn::spanned::Spanned;
use syn::{Attribute, Path, Token, Type, braced};

use super::lints::Lint;
use super::list::List;
use super::named::{Named, name_of};
use super::system::entry;
use super::tree::{Query, System, Tree};
use super::{entries, recover};
use crate::error::Errors;
use ecs_rules::Flag;

/// The lists of a query.
const LISTS: [List; 6] =
    [List::Read, List::ReadOptional, List::With, List::Without, List::Dependencies, List::Before];

/// Its other keys.
const KEYS: [&str; 5] = ["opt_in", "index", "parallelism", "state", "stage"];

/// Reads what follows the word `query`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    allowed: Vec<Lint>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let name = Path::from(recover::plain_name(input, "query")?);
    let span = name_of(&name).span();
    let krate = tree.krate.clone();
    let own = span.resolved_at(Span::mixed_site());
    let body = quote_spanned!(own=> #krate::joins::Unindexed);
    let item = System {
        body: Some(Type::Verbatim(body)),
        allowed,
        query: Some(Query { keyed: None }),
        // Its state is recomputed at every execution.
        flags: vec![(Flag::Transient, span)],
        ..System::new(attributes, Named::new(name))
    };
    tree.systems.push(item);
    let content;
    braced!(content in input);
    let Some(query) = tree.systems.last_mut() else { return Ok(()) };
    let place = format!("the query `{}`", query.name.name());
    let keys: Vec<&'static str> = LISTS.iter().map(|list| list.key()).chain(KEYS).collect();
    let before = errors.len();
    let read = entries::parse(&content, &place, &keys, errors, |key, ident, errors| {
        if key != "index" {
            return entry(query, key, ident, &content, errors);
        }
        content.parse::<Token![:]>()?;
        let index: Type = content.parse()?;
        // Plain, so that messages about the index point at it.
        let at = index.span();
        let krate = located(&krate, at);
        query.body = Some(Type::Verbatim(quote_spanned!(at=> #krate::joins::Indexed<#index>)));
        let keyed = Type::Verbatim(quote_spanned!(at=> #krate::joins::Keyed<#index>));
        query.query = Some(Query { keyed: Some(keyed) });
        Ok(())
    });
    query.incomplete = read.is_err() || errors.lost_since(before);
    read
}

/// The same path, located at the span.
fn located(krate: &TokenStream, at: Span) -> TokenStream {
    let located = |mut token: TokenTree| {
        token.set_span(token.span().located_at(at));
        token
    };
    krate.clone().into_iter().map(located).collect()
}
