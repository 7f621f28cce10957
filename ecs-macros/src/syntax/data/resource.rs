//! Resources: `resource Bounds;`, several as `resource Deaths, Score;`, with a value as
//! `resource Bounds = Bounds::new(1440.0, 900.0);`, `resource Score: sum;`, or `resource Scratch: transient;`.

use proc_macro2::{Delimiter, TokenTree};
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Token, token};

use crate::error::Errors;
use crate::similar::closest;
use crate::syntax::reading::named::Named;
use crate::syntax::tree::{Event, Initial, Resource, Tree};

/// The words of the operations, and their marker types.
const OPERATIONS: [(&str, &str); 6] = [
    ("sum", "Sum"),
    ("min", "Min"),
    ("max", "Max"),
    ("all", "All"),
    ("any", "Any"),
    ("combine", "Custom"),
];

/// The most characters of a value that a message repeats.
const LONGEST_VALUE: usize = 40;

/// Reads what follows the word `resource`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let first = names(input, "resource", None, attributes, tree, errors)?;
    let resources = &mut tree.resources[first..];
    if let [.., resource] = resources {
        let value = input.peek(token::Paren) || input.peek(token::Brace);
        if value && !input.peek2(Token![:]) {
            resource.initial = Initial::Unreadable;
            return Err(input.error(no_equals(input, resource.name.name())));
        }
    }
    if let [first, others @ ..] = &mut *resources
        && input.parse::<Option<Token![:]>>()?.is_some()
    {
        word(input, first)?;
        while input.parse::<Option<Token![,]>>()?.is_some() {
            word(input, first)?;
        }
        for resource in others {
            (resource.transient, resource.operation) = (first.transient, first.operation.clone());
        }
    }
    if let [resource] = resources
        && input.parse::<Option<Token![=]>>()?.is_some()
    {
        resource.initial.parse(input)?;
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

/// Reads `Name, Name`, and adds a resource for each, with what is said of an event. Returns where the first one is.
pub(crate) fn names(
    input: ParseStream<'_>,
    kind: &str,
    event: Option<&Event>,
    attributes: &[Attribute],
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<usize> {
    let first = tree.resources.len();
    loop {
        let mut name = Named::parse(input, kind)?;
        name.own(kind, errors);
        tree.resources.push(Resource { event: event.cloned(), ..Resource::new(attributes, name) });
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Ok(first);
        }
    }
}

/// The message where the initial value follows the name at once.
fn no_equals(input: ParseStream<'_>, name: &Ident) -> String {
    let value = match input.fork().parse() {
        Ok(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            format!(" {{ {} }}", group.stream())
        }
        Ok(TokenTree::Group(group)) => format!("({})", group.stream()),
        _ => String::new(),
    };
    let value = if value.chars().count() > LONGEST_VALUE { " …" } else { &value };
    format!(
        "expected `=` and an initial value, or `;`\nhelp: write `resource {name} = {name}{value};`"
    )
}

/// Reads `transient`, or the word of an operation.
fn word(input: ParseStream<'_>, resource: &mut Resource) -> Result<()> {
    let mut words = OPERATIONS.map(|(word, _)| word).to_vec();
    words.push("transient");
    let Ok(word) = input.parse::<Ident>() else {
        return Err(input.error(format!("expected one of `{}`", words.join("`, `"))));
    };
    let written = word.to_string();
    let again = if let Some((_, marker)) = OPERATIONS.iter().find(|(word, _)| *word == written) {
        resource.operation.replace(Ident::new(marker, word.span())).is_some()
    } else if written == "transient" {
        std::mem::replace(&mut resource.transient, true)
    } else {
        let help = closest(&written, words.iter().copied()).map_or_else(
            || format!("it can be `{}`", words.join("`, `")),
            |similar| format!("did you mean `{similar}`?"),
        );
        return Err(syn::Error::new(
            word.span(),
            format!("a resource cannot be `{written}`\nhelp: {help}"),
        ));
    };
    if again {
        let what = if written == "transient" { "this twice" } else { "two operations" };
        let message = format!("a resource cannot have {what}\nhelp: remove `{written}`");
        return Err(syn::Error::new(word.span(), message));
    }
    Ok(())
}
