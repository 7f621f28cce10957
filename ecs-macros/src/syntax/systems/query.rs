//! Queries: `query Still { read: [Position], without: [Velocity] }`.
//!
//! A query is a system with a body of the library, whose members other systems read. With an `index` it builds
//! an index of its members when it is executed; without one it is never executed.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Path, Token, Type, braced};

use super::system::entry;
use crate::error::Errors;
use crate::site::{Krate, macros_own, quote_spanned};
use crate::syntax::data::index;
use crate::syntax::reading::lints::Lint;
use crate::syntax::reading::list::{List, NameList};
use crate::syntax::reading::named::{Named, name_of};
use crate::syntax::reading::{entries, recover};
use crate::syntax::tree::{Index, Query, System, Tree};
use ecs_rules::Flag;

/// The lists of a query.
const LISTS: [List; 7] = [
    List::Read,
    List::ReadOptional,
    List::With,
    List::Without,
    List::Dependencies,
    List::Before,
    List::Sees,
];

/// Its other keys.
const KEYS: [&str; 5] = ["opt_in", "index", "parallelism", "state", "stage"];

/// Reads what follows the word `query`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    allowed: Vec<Lint>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let name = Path::from(recover::plain_name(input, "query")?);
    let span = name_of(&name).span();
    let body = quote_spanned!(macros_own(span)=> #Krate::generated::Unindexed);
    let item = System {
        body: Some(Type::Verbatim(body)),
        allowed,
        query: Some(Query { index: None }),
        // Its state is recomputed at every execution.
        flags: vec![(Flag::Transient, span)],
        ..System::new(attributes, Named::new(name))
    };
    tree.systems.push(item);
    let content;
    braced!(content in input);
    let Some(query) = tree.systems.last_mut() else { return Ok(()) };
    let place = format!("the query `{}`", query.name.name());
    let mut keys: Vec<&'static str> = LISTS.iter().map(|list| list.key()).collect();
    keys.extend(KEYS);
    let before = errors.len();
    let read = entries::parse(&content, &place, &keys, errors, &mut |key, ident, errors| {
        if key != "index" {
            return entry(query, key, ident, &content, errors);
        }
        content.parse::<Token![:]>()?;
        let index = index::parse(&content, query.name.name(), errors)?;
        query.query = Some(Query { index });
        Ok(())
    });
    query.incomplete = read.is_err() || errors.lost_since(before);
    show_indexed(query);
    read
}

/// The query reads what its index is made from, whether it says so or not.
fn show_indexed(query: &mut System) {
    let Some(Query { index: Some(Index::Form(form)) }) = &query.query else { return };
    let reads = |list: &NameList| list.list == List::Read || list.list == List::ReadOptional;
    let mut read = query.lists.iter().filter(|list| reads(list)).flat_map(|list| &list.names);
    if !read.any(|path| name_of(path) == name_of(&form.component)) {
        let names = vec![form.component.clone()];
        query.lists.push(NameList { list: List::Read, names, effects: Vec::new() });
    }
}
