//! States: `state Mode { Menu, Playing, Paused }`, or `state Mode = game::Mode { Menu, Playing }` for an enum that there is; and the keys of a system that name them: `in: Mode::Playing`,
//! `on_enter`, `on_exit`, `set_state: [Mode]`, and `every: 4`.

use ecs_rules::MOST_VARIANTS;
use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, LitInt, Path, Token, Visibility, braced, bracketed, token};

use crate::error::{Errors, Fault};
use crate::macro_kind::MacroKind;
use crate::syntax::reading::list;
use crate::syntax::reading::named::name_of;
use crate::syntax::reading::recover;
use crate::syntax::tree::{State, StateUse, System, Tree, Variant};

/// The keys of a system that name variants.
const VARIANT_KEYS: [&str; 3] = ["in", "on_enter", "on_exit"];

/// The key of a system that names states.
const SET_STATE: &str = "set_state";

/// The key that says in which executions a system runs.
const EVERY: &str = "every";

/// All of these keys.
pub(crate) const KEYS: [&str; 5] =
    [VARIANT_KEYS[0], VARIANT_KEYS[1], VARIANT_KEYS[2], SET_STATE, EVERY];

/// Reads what follows the word `state`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    keyword: &Ident,
    attributes: Vec<Attribute>,
    visibility: Visibility,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let name = recover::plain_name(input, "state")?;
    if tree.called == MacroKind::Set {
        tree.lost.push(name.to_string());
        let message =
            "a set has no states\nhelp: declare the state in the world that includes the set";
        errors.syntax(&syn::Error::new(keyword.span(), message));
        return recover::skip_item(input);
    }
    let at = tree.states.len();
    let (mut path, mut read) = (None, Ok(()));
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        let missing = "expected the enum\nhelp: write its path, and its variants: `game::Mode { Menu, Playing }`";
        match input.parse::<Path>() {
            Ok(of) if !matches!(visibility, Visibility::Inherited) => {
                let message = "the enum has a visibility of its own\nhelp: remove this one";
                errors.syntax(&syn::Error::new(visibility.span(), message));
                path = Some(of);
            }
            Ok(of) => path = Some(of),
            Err(_) => read = Err(input.error(missing)),
        }
    }
    let variants = Vec::new();
    tree.states.push(State { path, attributes, visibility, name: name.clone(), variants });
    read?;
    if !input.peek(token::Brace) {
        let of = tree.states[at]
            .path
            .as_ref()
            .map(|path| format!(" = {}", path.to_token_stream().to_string().replace(' ', "")));
        let of = of.unwrap_or_default();
        let message =
            format!("expected the variants\nhelp: write `state {name}{of} {{ First, Second }}`");
        return Err(input.error(message));
    }
    let content;
    braced!(content in input);
    let variants = list::elements(&content, errors, variant)?;
    input.parse::<Option<Token![;]>>()?;
    for variant in &variants {
        let conditional = |attribute: &&Attribute| {
            attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
        };
        if let Some(cfg) = variant.attributes.iter().find(conditional) {
            errors.report(name_of(cfg.path()).span(), Fault::Conditional);
        }
    }
    if variants.is_empty() {
        let message = "a state has at least one variant, which a new world is in";
        errors.syntax(&syn::Error::new(name.span(), message));
    }
    if let Some(excess) = variants.get(MOST_VARIANTS) {
        let message = format!("a state has at most {MOST_VARIANTS} variants");
        errors.syntax(&syn::Error::new(excess.name.span(), message));
    }
    tree.states[at].variants = variants;
    Ok(())
}

/// Reads a variant.
fn variant(input: ParseStream<'_>) -> Result<Variant> {
    let attributes = input.call(Attribute::parse_outer)?;
    let name = input.call(Ident::parse_any)?;
    if input.peek(token::Paren) || input.peek(token::Brace) || input.peek(Token![=]) {
        let message = "a variant of a state is a name alone\nhelp: keep data in a resource";
        return Err(input.error(message));
    }
    Ok(Variant { attributes, name })
}

/// Reads what follows one of the [`KEYS`].
pub(crate) fn entry(
    system: &mut System,
    key: &'static str,
    ident: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<()> {
    let at = ident.span();
    let read: fn(ParseStream<'_>) -> Result<Path> = |input| recover::listed(input, "state");
    if key == EVERY {
        input.parse::<Token![:]>()?;
        system.every = Some((every(input)?, at));
        return Ok(());
    }
    let paths = if key == SET_STATE {
        list::parse(input, key, errors, read)?
    } else {
        system.timing.push((key, at));
        input.parse::<Token![:]>()?;
        if input.peek(token::Bracket) {
            let content;
            bracketed!(content in input);
            list::elements(&content, errors, read)?
        } else {
            vec![read(input)?]
        }
    };
    if paths.is_empty() {
        let what = if key == SET_STATE { "a state" } else { "a variant of a state" };
        let error =
            syn::Error::new(at, format!("expected {what}\nhelp: name one, or remove `{key}`"));
        errors.syntax(&error);
    }
    system.states.extend(paths.into_iter().map(|path| StateUse { key, path }));
    Ok(())
}

/// Reads the number of executions.
fn every(input: ParseStream<'_>) -> Result<u32> {
    let span: Span = input.span();
    let message = "expected a number of executions, from 1 on\nhelp: write `every: 2`";
    let number = input.parse::<LitInt>().map_err(|_| syn::Error::new(span, message))?;
    let value = number.base10_parse::<u32>().ok().filter(|number| *number > 0);
    value.ok_or_else(|| syn::Error::new(span, message))
}
