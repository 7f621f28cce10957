//! Relations: `relation ChildOf: one_to_many, on_despawn: despawn;`, or `detach`, or `forbid`; and
//! `relation Likes: many_to_many, on_despawn: detach;`.

use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token, token};

use super::resource;
use crate::error::Errors;
use crate::similar::closest;
use crate::syntax::tree::{Relation, Tree};

/// What can become of children, and the variants of `OnDespawn`.
const POLICIES: [(&str, &str); 3] =
    [("despawn", "Despawn"), ("detach", "Detach"), ("forbid", "Forbid")];

/// How many links an entity can have at either end.
const FORMS: [&str; 2] = ["one_to_many", "many_to_many"];

/// Reads what follows the word `relation`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let first = resource::names(input, "relation", None, attributes, tree, errors)?;
    let names: Vec<Ident> =
        tree.resources[first..].iter().map(|relation| relation.name.name().clone()).collect();
    let mut set = |many_to_many, on_despawn: &Ident| {
        for relation in &mut tree.resources[first..] {
            let on_despawn = on_despawn.clone();
            relation.relation = Some(Relation { on_despawn, many_to_many });
        }
    };
    let [name, ..] = &names[..] else { return Ok(()) };
    // So that they are relations even if the rest cannot be read.
    let unread = Ident::new("Detach", name.span());
    set(false, &unread);
    let whole = |form: &str| {
        format!("write `relation {name}: {form}, on_despawn: despawn;`, or `detach`, or `forbid`")
    };
    let missing = |form: &str, what: &str| format!("expected {what}\nhelp: {}", whole(form));
    let [one_to_many, many_to_many] = FORMS;
    if input.peek(token::Paren) {
        set(true, &unread);
        let message = format!(
            "`{name}` is the type of the values itself\nhelp: {}; `insert_link` takes a `{name}`",
            whole(many_to_many)
        );
        return Err(input.error(message));
    }
    let forms = "`: one_to_many` or `: many_to_many`";
    if !input.peek(Token![:]) {
        return Err(input.error(missing(one_to_many, forms)));
    }
    input.parse::<Token![:]>()?;
    let form =
        input.call(Ident::parse_any).map_err(|_| input.error(missing(one_to_many, forms)))?;
    let written = form.to_string();
    let Some(is) = FORMS.into_iter().find(|is| *is == written) else {
        let help = closest(&written, FORMS)
            .map_or_else(|| whole(one_to_many), |similar| format!("did you mean `{similar}`?"));
        let message = format!("a relation cannot be `{form}`\nhelp: {help}");
        return Err(syn::Error::new(form.span(), message));
    };
    let many = is == many_to_many;
    set(many, &unread);
    if !input.peek(Token![,]) {
        return Err(input.error(missing(is, "`, on_despawn: ..`")));
    }
    input.parse::<Token![,]>()?;
    let key =
        input.call(Ident::parse_any).map_err(|_| input.error(missing(is, "`on_despawn: ..`")))?;
    if key != "on_despawn" {
        let message = format!("a relation has no `{key}`\nhelp: {}", whole(is));
        return Err(syn::Error::new(key.span(), message));
    }
    input.parse::<Token![:]>()?;
    let of = if many { "sources" } else { "children" };
    let policy = input
        .call(Ident::parse_any)
        .map_err(|_| input.error(missing(is, &format!("what becomes of the {of}"))))?;
    let written = policy.to_string();
    let Some((_, variant)) = POLICIES.iter().find(|(word, _)| *word == written) else {
        let help = closest(&written, POLICIES.iter().map(|(word, _)| *word)).map_or_else(
            || "it can be `despawn`, `detach`, `forbid`".to_owned(),
            |similar| format!("did you mean `{similar}`?"),
        );
        let message = format!("{of} cannot be left to `{written}`\nhelp: {help}");
        return Err(syn::Error::new(policy.span(), message));
    };
    set(many, &Ident::new(variant, policy.span()));
    input.parse::<Token![;]>()?;
    Ok(())
}
