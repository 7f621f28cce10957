//! Systems: `system Accelerate { … }`, `system Rise: Adjust { … }`, `system Idle;`.

use syn::parse::{Parse, ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprGroup, ExprParen, Ident, Path, PathArguments, Token, Type, braced,
    parenthesized, token,
};

use super::{parallelism, state};
use crate::error::Errors;
use crate::syntax::reading::lints::Lint;
use crate::syntax::reading::list::{self, List, NameList};
use crate::syntax::reading::named::{Named, name_of};
use crate::syntax::reading::{entries, recover};
use crate::syntax::tree::{Call, Code, Condition, System, Tree};
use ecs_rules::Flag;

/// The keys that are neither lists nor flags.
const OTHER_KEYS: [&str; 8] =
    ["parallelism", "output", "spawn", "state", "stage", "each", "run", "expire"];

/// Reads what follows the word `system`.
pub(crate) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    allowed: Vec<Lint>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let (name, body) = head(input, tree)?;
    tree.systems.push(System { allowed, body, ..System::new(attributes, Named::new(name)) });
    if input.peek(token::Brace) {
        let content;
        braced!(content in input);
        let before = errors.len();
        if let Some(system) = tree.systems.last_mut() {
            let read = entries_of(system, &content, errors);
            plain(system, errors);
            if !system.code.is_empty() && system.name.path.get_ident().is_none() {
                // The checks report the path. What is generated has a plain name.
                system.name.place = Some(Path::from(system.name.name().clone()));
            }
            system.incomplete = read.is_err() || errors.lost_since(before);
            read?;
        }
        Ok(())
    } else {
        input.parse::<Token![;]>().map_err(|_| input.error("expected `;` or `{ … }`"))?;
        Ok(())
    }
}

/// Reports generic arguments of a name that becomes a type, and removes them.
fn plain(system: &mut System, errors: &mut Errors) {
    let last = system.name.path.segments.last_mut().filter(|last| !last.arguments.is_empty());
    let Some(last) = last.filter(|_| !system.code.is_empty()) else { return };
    let message = "the name of a system with code has no arguments\nhelp: remove them";
    errors.syntax(&syn::Error::new_spanned(&last.arguments, message));
    last.arguments = PathArguments::None;
}

/// Reads `Name` or `Name: Type`.
fn head(input: ParseStream<'_>, tree: &mut Tree) -> Result<(Path, Option<Type>)> {
    let name = recover::name(input, "system")?;
    let mut lost = |error| {
        tree.lost.push(name_of(&name).to_string());
        error
    };
    if !input.peek(Token![:]) {
        return Ok((name, None));
    }
    if name.get_ident().is_none() {
        return Err(lost(syn::Error::new_spanned(
            &name,
            "a second name must be a plain one\nhelp: import the type, and write its last segment",
        )));
    }
    input.parse::<Token![:]>()?;
    if input.peek(token::Brace) || input.peek(Token![;]) {
        let message = "expected the type of the body\nhelp: write it, or remove the `:`";
        return Err(lost(input.error(message)));
    }
    let body = input.parse().map_err(lost)?;
    Ok((name, Some(body)))
}

fn entries_of(system: &mut System, input: ParseStream<'_>, errors: &mut Errors) -> Result<()> {
    let place = format!("the system `{}`", system.name.name());
    let mut keys: Vec<&'static str> = List::ALL.iter().map(|list| list.key()).collect();
    keys.extend(Flag::ALL.iter().map(|flag| flag.key()));
    keys.extend(OTHER_KEYS);
    keys.extend(state::KEYS);
    entries::parse(input, &place, &keys, errors, &mut |key, ident, errors| {
        entry(system, key, ident, input, errors)
    })
}

/// `Query`, or `Query(Component, ..)`.
struct Through {
    query: Path,
    components: Vec<Path>,
}

impl Through {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let query = recover::listed(input, "query")?;
        if !input.peek(token::Paren) {
            return Ok(Self { query, components: Vec::new() });
        }
        let named;
        let parentheses = parenthesized!(named in input);
        let components = Punctuated::<Path, Token![,]>::parse_terminated(&named)?;
        if components.is_empty() {
            let text = "expected the components that are read of its members\n\
                        help: remove the parentheses, to read all that the query reads";
            return Err(syn::Error::new(parentheses.span.join(), text));
        }
        Ok(Self { query, components: components.into_iter().collect() })
    }
}

/// Reads what follows a key.
pub(crate) fn entry(
    system: &mut System,
    key: &'static str,
    ident: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<()> {
    if let Some(flag) = Flag::ALL.iter().copied().find(|flag| flag.key() == key) {
        system.flags.push((flag, ident.span()));
        if input.peek(Token![:]) {
            return Err(input.error(format!("`{key}` stands alone\nhelp: write only `{key}`")));
        }
        return Ok(());
    }
    if state::KEYS.contains(&key) {
        return state::entry(system, key, ident, input, errors);
    }
    if key == List::RunIf.key() {
        return condition(system, ident, input);
    }
    if let Some(list) = List::ALL.iter().copied().find(|list| list.key() == key) {
        let names = if list == List::Queries {
            let mut uses = list::parse(input, key, errors, Through::parse)?;
            system.through.extend(
                uses.iter_mut()
                    .filter(|used| !used.components.is_empty())
                    .map(|used| (used.query.clone(), std::mem::take(&mut used.components))),
            );
            let names = uses.into_iter().map(|used| used.query).collect();
            NameList { list, names, effects: Vec::new() }
        } else {
            NameList::parse(input, list, errors)?
        };
        system.lists.push(names);
        return Ok(());
    }
    if key == "spawn" {
        let bundles = list::parse(input, key, errors, Type::parse)?;
        system.spawn.extend(bundles.into_iter().map(without_parentheses));
        return Ok(());
    }
    input.parse::<Token![:]>()?;
    match key {
        "parallelism" => {
            system.parallelism = Some((parallelism::parse(input, errors)?, ident.span()));
        }
        "output" => system.output = Some(input.parse()?),
        "stage" => system.stage = Some(recover::listed(input, "stage")?),
        "expire" => {
            system.code.push(Code { call: Call::Expire, at: ident.span(), function: None });
            if input.peek(token::Bracket) {
                let message = "expected one component, without brackets\n\
                               help: declare a system for each component that expires, as each has entities of its own";
                return Err(input.error(message));
            }
            system.expire = Some(recover::listed(input, "component")?);
        }
        "each" | "run" => {
            let call = if key == "each" { Call::Each } else { Call::Run };
            system.code.push(Code { call, at: ident.span(), function: None });
            let function: Expr = input.parse()?;
            if let Expr::Lit(_) = function {
                let message = "expected a closure, or the path of a function";
                return Err(syn::Error::new_spanned(function, message));
            }
            if let Some(code) = system.code.last_mut() {
                code.function = Some(Box::new(function));
            }
        }
        _ => system.state.parse(input)?,
    }
    Ok(())
}

/// Reads the condition, whose parameters are the names of the list `run_if`.
fn condition(system: &mut System, ident: &Ident, input: ParseStream<'_>) -> Result<()> {
    let condition = system.condition.insert(Condition { at: ident.span(), function: None });
    input.parse::<Token![:]>()?;
    let function: Expr = input.parse()?;
    let mut inner = &function;
    while let Expr::Paren(ExprParen { expr, .. }) | Expr::Group(ExprGroup { expr, .. }) = inner {
        inner = expr;
    }
    if !matches!(inner, Expr::Closure(_) | Expr::Path(_)) {
        let message = "expected a closure, or the path of a function\n\
                       help: write `|r: &R| …` with the resources that the condition reads";
        return Err(syn::Error::new_spanned(function, message));
    }
    condition.function = Some(Box::new(function));
    Ok(())
}

/// The type without parentheses around it: `(A)` is `A`.
fn without_parentheses(mut ty: Type) -> Type {
    while let Type::Paren(inner) = ty {
        ty = *inner.elem;
    }
    ty
}
