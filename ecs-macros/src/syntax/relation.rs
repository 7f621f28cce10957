//! Relations: `relation ChildOf: one_to_many, on_despawn: despawn;`, or `detach`, or `forbid`.

use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token};

use super::resource;
use super::tree::Tree;
use crate::error::Errors;
use crate::similar::closest;

/// What can become of children, and the variants of `OnDespawn`.
const POLICIES: [(&str, &str); 3] =
    [("despawn", "Despawn"), ("detach", "Detach"), ("forbid", "Forbid")];

/// Reads what follows the word `relation`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let first = resource::names(input, "relation", None, attributes, tree, errors)?;
    let names: Vec<Ident> =
        tree.resources[first..].iter().map(|relation| relation.name.name().clone()).collect();
    for relation in &mut tree.resources[first..] {
        // So that it is a relation even if the rest cannot be read.
        relation.relation = Some(Ident::new("Detach", relation.name.name().span()));
    }
    let [name, ..] = &names[..] else { return Ok(()) };
    let whole = format!(
        "write `relation {name}: one_to_many, on_despawn: despawn;`, or `detach`, or `forbid`"
    );
    let missing = |what: &str| format!("expected {what}\nhelp: {whole}");
    if !input.peek(Token![:]) {
        return Err(input.error(missing("`: one_to_many`")));
    }
    input.parse::<Token![:]>()?;
    let form = input.call(Ident::parse_any).map_err(|_| input.error(missing("`one_to_many`")))?;
    if form != "one_to_many" {
        let message = format!("a relation cannot be `{form}`\nhelp: {whole}");
        return Err(syn::Error::new(form.span(), message));
    }
    if !input.peek(Token![,]) {
        return Err(input.error(missing("`, on_despawn: ..`")));
    }
    input.parse::<Token![,]>()?;
    let key = input.call(Ident::parse_any).map_err(|_| input.error(missing("`on_despawn: ..`")))?;
    if key != "on_despawn" {
        let message = format!("a relation has no `{key}`\nhelp: {whole}");
        return Err(syn::Error::new(key.span(), message));
    }
    input.parse::<Token![:]>()?;
    let policy = input
        .call(Ident::parse_any)
        .map_err(|_| input.error(missing("what becomes of the children")))?;
    let written = policy.to_string();
    let Some((_, variant)) = POLICIES.iter().find(|(word, _)| *word == written) else {
        let help = closest(&written, POLICIES.iter().map(|(word, _)| *word)).map_or_else(
            || "it can be `despawn`, `detach`, `forbid`".to_owned(),
            |similar| format!("did you mean `{similar}`?"),
        );
        let message = format!("children cannot be left to `{written}`\nhelp: {help}");
        return Err(syn::Error::new(policy.span(), message));
    };
    for relation in &mut tree.resources[first..] {
        relation.relation = Some(Ident::new(variant, policy.span()));
    }
    input.parse::<Token![;]>()?;
    Ok(())
}
