//! Components: `component Position, Velocity;`, several in one buffer: `component (Color, Circle): contiguous_buffer;`,
//! or with another storage strategy, which has one instance per component: `component Name: hash_map;`. What is `by_name`
//! is accessible by name: `component Health: by_name;`, `component Name: hash_map, by_name;`. What `expires` names the field
//! that counts down: `component Poison: expires(left);`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Member, Token, Type, parenthesized, token};

use crate::error::{Errors, Fault};
use crate::similar::meant;
use crate::syntax::reading::named::Named;
use crate::syntax::reading::{list, recover};
use crate::syntax::tree::{Buffer, Storage, Tree};

/// The word for components that are accessible by name.
const BY_NAME: &str = "by_name";

/// The word for components that expire.
const EXPIRES: &str = "expires";

/// The message where the field of a component that expires is missing.
const NO_FIELD: &str = "expected the field that counts down, in parentheses\nhelp: write its name, as in `expires(left)`, or its number, as in `expires(0)`";

/// The names of strategies.
const STRATEGIES: [&str; 5] = ["contiguous_buffer", "empty", "hash_map", "sparse_set", "storage"];

/// The message where the type of a strategy is missing.
const NO_STORAGE: &str = "expected the type of the strategy after this\nhelp: write `storage(Type)`, with a type of yours, or one of `contiguous_buffer`, `empty`, `hash_map` and `sparse_set`";

/// Reads what follows the word `component`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let together = input.peek(token::Paren);
    let mut lost = None;
    let mut components: Vec<Named> = if together {
        let content;
        parenthesized!(content in input);
        if content.is_empty() {
            return Err(content.error(recover::nameless("component")));
        }
        list::elements(&content, errors, name)?
    } else {
        let mut components = vec![name(input)?];
        while input.peek(Token![,]) {
            let comma: Token![,] = input.parse()?;
            // A trailing comma.
            if input.peek(Token![;]) || (input.peek(Token![:]) && !input.peek(Token![::])) {
                break;
            }
            let begun = input.cursor();
            match name(input) {
                Ok(component) => components.push(component),
                Err(error) => {
                    let nothing = input.cursor() == begun;
                    lost = Some(if nothing { recover::after(error, comma.span) } else { error });
                    break;
                }
            }
        }
        components
    };
    for component in &mut components {
        component.own("component", errors);
    }
    let name = components.last().map(|component| component.name().clone());
    // The components are declared, even if the rest of the item cannot be read.
    let mut said = Said::default();
    let (at, before) = (input.span(), errors.len());
    let read = lost.map_or_else(|| said.parse(input, name.as_ref(), errors), Err);
    let Said { storage, by_name, expires } = said;
    let (storage, at) = storage.unwrap_or((Storage::ContiguousBuffer, at));
    let incomplete = read.is_err() || errors.len() > before;
    let all = Buffer { attributes, components, storage, at, by_name, expires, incomplete };
    tree.buffers.extend(apart(all, together));
    read
}

/// Reads the name of a component: a path of a type.
fn name(input: ParseStream<'_>) -> Result<Named> {
    Named::parse(input, "component")
}

/// What an item says of its components.
#[derive(Default)]
struct Said {
    storage: Option<(Storage, Span)>,
    by_name: bool,
    expires: Option<Member>,
}

impl Said {
    /// Reads the rest of the item: `;`, or `:` and words. If one is unknown, it is reported.
    fn parse(
        &mut self,
        input: ParseStream<'_>,
        component: Option<&Ident>,
        errors: &mut Errors,
    ) -> Result<()> {
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            return Ok(());
        }
        let colon = input.parse::<Token![:]>();
        colon.map_err(|_| {
            let error = input.error("expected `,`, `;`, or `:` and a storage strategy");
            let half = component.as_ref().filter(|_| recover::begins_item(input));
            half.map_or(error.clone(), |name| recover::after(error, name.span()))
        })?;
        loop {
            let Ok(word) = input.parse::<Ident>() else {
                return Err(input.error("expected a storage strategy, `by_name` or `expires(..)`"));
            };
            if word == BY_NAME {
                if std::mem::replace(&mut self.by_name, true) {
                    return Err(once(&word, "`by_name` twice"));
                }
            } else if word == EXPIRES {
                let field = field(&word, input)?;
                if self.expires.replace(field).is_some() {
                    return Err(once(&word, "`expires` twice"));
                }
            } else if let Some(storage) = storage(&word, input)? {
                if self.storage.replace((storage, word.span())).is_some() {
                    return Err(once(&word, "two storage strategies"));
                }
            } else {
                let known = [&STRATEGIES[..], &[BY_NAME, EXPIRES]].concat();
                let word_text = word.to_string();
                let similar = meant(&word_text, &known).map(str::to_owned);
                let component = component.map(ToString::to_string).unwrap_or_default();
                let fault = Fault::UnknownStorage { word: word_text, component, similar };
                errors.report(word.span(), fault);
                return recover::skip_item(input);
            }
            if input.peek(Ident) && !recover::begins_item(input) {
                return Err(input.error("expected `,` or `;`\nhelp: write `,` before this"));
            }
            if input.parse::<Option<Token![,]>>()?.is_none() || input.peek(Token![;]) {
                let end = input.parse::<Token![;]>().map(drop);
                let empty = input.is_empty();
                return end.map_err(|e| if empty { recover::after(e, word.span()) } else { e });
            }
        }
    }
}

/// The error where an item says something again.
fn once(word: &Ident, what: &str) -> syn::Error {
    syn::Error::new(word.span(), format!("a component cannot have {what}\nhelp: remove `{word}`"))
}

/// The field in parentheses after `expires`.
fn field(word: &Ident, input: ParseStream<'_>) -> Result<Member> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(word.span(), NO_FIELD));
    }
    let content;
    parenthesized!(content in input);
    if content.is_empty() {
        return Err(syn::Error::new(word.span(), NO_FIELD));
    }
    let field = content.parse().map_err(|_| content.error(NO_FIELD))?;
    if !content.is_empty() {
        return Err(content.error("expected one field, the one that counts down"));
    }
    Ok(field)
}

/// The storage strategy of this word, the rest of which is read. `None` if there is no such strategy.
fn storage(word: &Ident, input: ParseStream<'_>) -> Result<Option<Storage>> {
    Ok(Some(match word.to_string().as_str() {
        "contiguous_buffer" => Storage::ContiguousBuffer,
        "empty" => Storage::Empty,
        "hash_map" => Storage::HashMap,
        "sparse_set" => Storage::SparseSet,
        "storage" if input.peek(token::Paren) => {
            let content;
            parenthesized!(content in input);
            if content.is_empty() {
                return Err(syn::Error::new(word.span(), NO_STORAGE));
            }
            let strategy = content.parse()?;
            if !content.is_empty() {
                return Err(content.error("expected one type, the storage strategy"));
            }
            Storage::Custom(strategy)
        }
        "storage" => return Err(syn::Error::new(word.span(), NO_STORAGE)),
        _ => return Ok(None),
    }))
}

/// The components, each with a strategy of its own, unless they are written together and share a buffer. A
/// user-defined type without `_` is for one component. Several components then stay together, and the checks report
/// them.
fn apart(buffer: Buffer, together: bool) -> Vec<Buffer> {
    let is_for_one = matches!(&buffer.storage, Storage::Custom(ty) if !says_each(ty));
    if (together && matches!(buffer.storage, Storage::ContiguousBuffer)) || is_for_one {
        return vec![buffer];
    }
    let Buffer { attributes, components, storage, at, by_name, expires, incomplete } = buffer;
    let one = |component: Named| {
        let storage = match &storage {
            Storage::Custom(ty) => Storage::Custom(kept_by(ty, &component)),
            other => other.clone(),
        };
        let (attributes, expires) = (attributes.clone(), expires.clone());
        let components = vec![component];
        Buffer { attributes, components, storage, at, by_name, expires, incomplete }
    };
    components.into_iter().map(one).collect()
}

/// Whether the type has a `_` for the component.
fn says_each(ty: &Type) -> bool {
    let mut found = false;
    drop(filled(ty.to_token_stream(), &TokenStream::new(), &mut found));
    found
}

/// The type with each `_` replaced by the component.
fn kept_by(ty: &Type, component: &Named) -> Box<Type> {
    let component = component.ty().to_token_stream();
    let filled = filled(ty.to_token_stream(), &component, &mut false);
    // A path can stand wherever the type `_` can.
    Box::new(syn::parse2(filled).unwrap_or_else(|_| ty.clone()))
}

/// The tokens with each `_` replaced by `component`, except in `'_`.
fn filled(tokens: TokenStream, component: &TokenStream, found: &mut bool) -> TokenStream {
    let mut lifetime = false;
    let mut all = TokenStream::new();
    for token in tokens {
        let behind_a_tick = std::mem::replace(
            &mut lifetime,
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\''),
        );
        match token {
            TokenTree::Ident(ident) if ident == "_" && !behind_a_tick => {
                *found = true;
                all.extend(component.clone());
            }
            TokenTree::Group(group) => {
                let inner = filled(group.stream(), component, found);
                let mut filled = proc_macro2::Group::new(group.delimiter(), inner);
                filled.set_span(group.span());
                all.extend([TokenTree::Group(filled)]);
            }
            other => all.extend([other]),
        }
    }
    all
}
