//! The settings in the world's body: entity limit, rows, inner parallelism, scheduler, staged changes, seed.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, LitInt, Path, Token, parenthesized, token};

use crate::error::{Errors, Fault};
use crate::similar::meant;
use crate::syntax::reading::entries;
use crate::syntax::reading::named::name_of;
use crate::syntax::reading::recover;
use crate::syntax::systems::parallelism::Count;

/// The settings in the world's body; `None` for those that it does not set.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) limit: Option<Limit>,
    /// `rows`, and the word of its value.
    pub(crate) rows: Option<(Rows, Ident)>,
    pub(crate) inner_parallelism: Option<bool>,
    pub(crate) scheduler: Option<Scheduler>,
    pub(crate) staged_changes: Option<StagedChanges>,
    /// `seed`: a number of 64 bits.
    pub(crate) seed: Option<Count>,
}

/// What the number of an `entity_limit` is.
pub(crate) const ENTITY_LIMIT: &str = "the entity limit";

/// `entity_limit`.
pub(crate) enum Limit {
    Fixed(Count),
    Dynamic(Count),
}

/// `rows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    InOrder,
    ByArchetype,
}

/// `scheduler`.
pub(crate) enum Scheduler {
    AtomicCounter,
    Sequential,
    User(Path),
}

/// `staged_changes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StagedChanges {
    AfterStep,
    RefreshBeforeDependents,
    Deny,
}

/// Reads the world's body.
pub(crate) fn parse(
    input: ParseStream<'_>,
    world: &Ident,
    settings: &mut Settings,
    errors: &mut Errors,
) -> Result<()> {
    let place = format!("the world `{world}`");
    let keys = ["entity_limit", "rows", "inner_parallelism", "scheduler", "staged_changes", "seed"];
    entries::parse(input, &place, &keys, errors, &mut |key, _, errors| {
        input.parse::<Token![:]>()?;
        match key {
            "entity_limit" => settings.limit = limit(input, errors)?.or(settings.limit.take()),
            "rows" => settings.rows = rows(input, errors)?,
            "inner_parallelism" => settings.inner_parallelism = inner_parallelism(input, errors)?,
            "scheduler" => settings.scheduler = scheduler(input, errors)?,
            "staged_changes" => settings.staged_changes = staged_changes(input, errors)?,
            _ => settings.seed = Some(input.parse()?),
        }
        Ok(())
    })
}

fn limit(input: ParseStream<'_>, errors: &mut Errors) -> Result<Option<Limit>> {
    if input.peek(LitInt) {
        // A number alone is reported, and read as the number of a dynamic limit.
        let count: Count = input.parse()?;
        let number = count.0.to_token_stream();
        let message = format!(
            "expected `dynamic` or `fixed`\nhelp: write `dynamic({number})`, a limit that grows, or `fixed({number})`"
        );
        errors.syntax(&syn::Error::new_spanned(number, message));
        return Ok(Some(Limit::Dynamic(count)));
    }
    let word = input.call(Ident::parse_any)?;
    let Some(limit) = closest_of(&word, "entity_limit", &["dynamic", "fixed"], errors) else {
        // Its number, if it has one.
        if input.peek(token::Paren) {
            recover::skip_token(input)?;
        }
        return Ok(None);
    };
    if !input.peek(token::Paren) {
        if word == limit {
            let message =
                format!("expected a number of entities after this\nhelp: write `{word}(50_000)`");
            return Err(syn::Error::new(word.span(), message));
        }
        return Ok(None);
    }
    let content;
    parenthesized!(content in input);
    let count: Count = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    if !content.is_empty() {
        return Err(content.error("expected one number\nhelp: remove this"));
    }
    Ok(Some(if limit == "fixed" { Limit::Fixed(count) } else { Limit::Dynamic(count) }))
}

fn rows(input: ParseStream<'_>, errors: &mut Errors) -> Result<Option<(Rows, Ident)>> {
    let word = input.call(Ident::parse_any)?;
    Ok(closest_of(&word, "rows", &["in_order", "by_archetype"], errors).map(|value| match value {
        "by_archetype" => (Rows::ByArchetype, word),
        _ => (Rows::InOrder, word),
    }))
}

fn inner_parallelism(input: ParseStream<'_>, errors: &mut Errors) -> Result<Option<bool>> {
    let word = input.call(Ident::parse_any)?;
    let value = closest_of(&word, "inner_parallelism", &["allow", "disallow"], errors);
    Ok(value.map(|value| value == "allow"))
}

fn scheduler(input: ParseStream<'_>, errors: &mut Errors) -> Result<Option<Scheduler>> {
    let path: Path = input.parse()?;
    let name = name_of(&path);
    // Names of built-in schedulers are single lower-case words. Other paths are types.
    if path.segments.len() > 1 || !name.to_string().starts_with(char::is_lowercase) {
        return Ok(Some(Scheduler::User(path)));
    }
    let known = ["atomic_counter", "sequential"];
    Ok(closest_of(name, "scheduler", &known, errors).map(|value| match value {
        "sequential" => Scheduler::Sequential,
        _ => Scheduler::AtomicCounter,
    }))
}

fn staged_changes(input: ParseStream<'_>, errors: &mut Errors) -> Result<Option<StagedChanges>> {
    let word = input.call(Ident::parse_any)?;
    let known = ["after_step", "refresh_before_dependents", "deny"];
    Ok(closest_of(&word, "staged_changes", &known, errors).map(|value| match value {
        "after_step" => StagedChanges::AfterStep,
        "deny" => StagedChanges::Deny,
        _ => StagedChanges::RefreshBeforeDependents,
    }))
}

/// The known value that `word` names. An unknown word is reported, and the most similar value is returned.
fn closest_of(
    word: &Ident,
    setting: &'static str,
    known: &[&'static str],
    errors: &mut Errors,
) -> Option<&'static str> {
    if let Some(value) = known.iter().copied().find(|value| word == value) {
        return Some(value);
    }
    let word_text = word.to_string();
    let similar = meant(&word_text, known);
    errors.report(
        word.span(),
        Fault::UnknownSetting {
            setting,
            word: word_text,
            similar: similar.map(str::to_owned),
            known: format!("`{}`", known.join("` or `")),
        },
    );
    similar
}
