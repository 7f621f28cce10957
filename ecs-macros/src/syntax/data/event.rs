//! Events: `event Died;`, several as `event Died, Born;`, `event Died: keep(3);`, `event Ping: delayed;`,
//! `event Hit: addressed;`, `event Paid: by_key(|paid: &Paid| -> u32 { paid.account });`, or `event Sparks: transient;`.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, LitInt, Token, parenthesized, token};

use super::{index, resource};
use crate::error::Errors;
use crate::similar::closest;
use crate::syntax::tree::{Event, Tree};

/// The words that can follow the name.
const WORDS: [&str; 6] = ["keep", "delayed", "addressed", "by_key", "by_cell", "transient"];

/// The most steps for which an event is kept.
const LONGEST: u32 = 65_535;

/// Reads what follows the word `event`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let first = resource::names(input, "event", Some(&Event::default()), attributes, tree, errors)?;
    let events = &tree.resources[first..];
    if input.peek(token::Brace) || input.peek(token::Paren) {
        return Err(
            input.error("expected `;`\nhelp: declare the struct outside, and write its name")
        );
    }
    if input.parse::<Option<Token![:]>>()?.is_some() {
        let mut said = Event::default();
        let mut transient = false;
        let owner = events
            .last()
            .map_or_else(String::new, |event| format!("event `{}`", event.name.name()));
        word(input, &owner, &mut said, &mut transient, errors)?;
        while input.parse::<Option<Token![,]>>()?.is_some() {
            word(input, &owner, &mut said, &mut transient, errors)?;
        }
        for event in &mut tree.resources[first..] {
            (event.event, event.transient) = (Some(said.clone()), transient);
        }
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

/// Reads `keep(n)`, `delayed`, `addressed`, `transient`, or an index.
fn word(
    input: ParseStream<'_>,
    owner: &str,
    event: &mut Event,
    transient: &mut bool,
    errors: &mut Errors,
) -> Result<()> {
    let Ok(word) = input.fork().parse::<Ident>() else {
        return Err(input.error(format!("expected one of `{}`", WORDS.join("`, `"))));
    };
    let written = word.to_string();
    if index::FORMS.contains(&written.as_str()) {
        let form = index::form(input, owner, errors)?;
        if form.is_some() && event.index.is_some() {
            let message = "an event has one index\nhelp: remove one of the two";
            return Err(syn::Error::new(word.span(), message));
        }
        event.index = form.or(event.index.take());
        return Ok(());
    }
    input.parse::<Ident>()?;
    let again = match written.as_str() {
        "keep" => {
            if !input.peek(token::Paren) {
                let message = "expected a number of steps\nhelp: write `keep(1)`";
                return Err(syn::Error::new(word.span(), message));
            }
            let content;
            parenthesized!(content in input);
            let steps: LitInt = content.parse()?;
            if !steps.base10_parse::<u32>().is_ok_and(|steps| steps <= LONGEST) {
                let message = format!("an event is kept for at most {LONGEST} steps");
                return Err(syn::Error::new(steps.span(), message));
            }
            event.keep.replace(steps).is_some()
        }
        "delayed" => event.delayed.replace(word.span()).is_some(),
        "addressed" => std::mem::replace(&mut event.addressed, true),
        "transient" => std::mem::replace(transient, true),
        _ => {
            let help = closest(&written, WORDS.iter().copied()).map_or_else(
                || format!("it can be `{}`", WORDS.join("`, `")),
                |similar| format!("did you mean `{similar}`?"),
            );
            let message = format!("an event cannot be `{written}`\nhelp: {help}");
            return Err(syn::Error::new(word.span(), message));
        }
    };
    if again {
        let message = format!("an event cannot have this twice\nhelp: remove `{written}`");
        return Err(syn::Error::new(word.span(), message));
    }
    Ok(())
}
