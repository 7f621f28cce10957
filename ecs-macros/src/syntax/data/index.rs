//! Indices of queries and events: `by_key(Team)`, `by_cell(Position, 4.0).within(LEAST, MOST)`; of a query, the path of a
//! type, too.

use syn::parse::{ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, Ident, Pat, Path, ReturnType, Token, Type, parenthesized, token};

use crate::error::{Errors, Fault};
use crate::similar::closest;
use crate::syntax::tree::{Form, Index};

/// The indices of the library.
pub(crate) const FORMS: [&str; 2] = ["by_key", "by_cell"];

/// Reads the index of a query. One that is not known is reported, and is none.
pub(crate) fn parse(
    input: ParseStream<'_>,
    query: &Ident,
    errors: &mut Errors,
) -> Result<Option<Index>> {
    if !(input.peek(Ident) && input.peek2(token::Paren)) {
        return Ok(Some(Index::Custom(Box::new(input.parse()?))));
    }
    let word: Ident = input.fork().parse()?;
    if !FORMS.iter().any(|form| word == form) {
        input.parse::<Ident>()?;
        let arguments;
        parenthesized!(arguments in input);
        let similar = closest(&word.to_string(), FORMS).map(str::to_owned);
        let fault =
            Fault::UnknownIndex { word: word.to_string(), query: query.to_string(), similar };
        errors.report(word.span(), fault);
        let _: proc_macro2::TokenStream = arguments.parse()?;
        bounds(input)?;
        return Ok(None);
    }
    let form = form(input, &format!("query `{query}`"), errors)?;
    Ok(form.map(|form| Index::Form(Box::new(form))))
}

/// Reads an index of the library's. One whose closure has no types is reported, and is none.
pub(crate) fn form(
    input: ParseStream<'_>,
    owner: &str,
    errors: &mut Errors,
) -> Result<Option<Form>> {
    let word: Ident = input.parse()?;
    let arguments;
    parenthesized!(arguments in input);
    let by_cell = word == "by_cell";
    let by = arguments.parse()?;
    let size = if by_cell {
        let missing = |_| {
            let example = "help: as in `by_cell(Position, 4.0)`: all that is nearer is found";
            let text = format!("expected `,` and the size of a cell\n{example}");
            syn::Error::new(word.span(), text)
        };
        arguments.parse::<Token![,]>().map_err(missing)?;
        Some(arguments.parse::<Expr>()?)
    } else {
        None
    };
    arguments.parse::<Option<Token![,]>>()?;
    if !arguments.is_empty() {
        let rest: proc_macro2::TokenStream = arguments.parse()?;
        return Err(syn::Error::new_spanned(rest, "expected `)`"));
    }
    let at = word.span();
    let within = bounds(input)?;
    if let (false, Some((least, _))) = (by_cell, &within) {
        return Err(syn::Error::new(
            least.span(),
            "only `by_cell` has bounds\nhelp: remove `.within(..)`",
        ));
    }
    let (component, function) = match by {
        Expr::Path(path) if path.qself.is_none() => (path.path, None),
        Expr::Closure(closure) => {
            let span = closure.span();
            let Some((component, result)) = types(&closure) else {
                errors.report(span, Fault::UntypedIndex { owner: owner.to_owned(), by_cell });
                return Ok(None);
            };
            (component, Some((Expr::Closure(closure), result)))
        }
        other => {
            let text = "expected a component, or a closure that takes one";
            return Err(syn::Error::new(other.span(), text));
        }
    };
    Ok(Some(Form { at, component, function, size, within }))
}

/// Reads `.within(least, most)`, if it follows.
fn bounds(input: ParseStream<'_>) -> Result<Option<(Expr, Expr)>> {
    if !input.peek(Token![.]) {
        return Ok(None);
    }
    input.parse::<Token![.]>()?;
    let word: Ident = input.parse()?;
    if word != "within" {
        let text =
            "expected `within`\nhelp: bounds are two corners: `.within([0.0, 0.0], [9.0, 9.0])`";
        return Err(syn::Error::new(word.span(), text));
    }
    let arguments;
    parenthesized!(arguments in input);
    let points: Punctuated<Expr, Token![,]> = Punctuated::parse_terminated(&arguments)?;
    let mut points = points.into_iter();
    if let (Some(least), Some(most), None) = (points.next(), points.next(), points.next()) {
        return Ok(Some((least, most)));
    }
    let text = "expected two points\nhelp: as in `.within([0.0, 0.0], [9.0, 9.0])`";
    Err(syn::Error::new(word.span(), text))
}

/// The component that the closure takes, and the type that it returns, if it says both.
fn types(closure: &ExprClosure) -> Option<(Path, Type)> {
    let ReturnType::Type(_, result) = &closure.output else { return None };
    let mut parameters = closure.inputs.iter();
    let (Some(Pat::Type(parameter)), None) = (parameters.next(), parameters.next()) else {
        return None;
    };
    let Type::Reference(reference) = &*parameter.ty else { return None };
    let Type::Path(component) = &*reference.elem else { return None };
    Some((component.path.clone(), (**result).clone()))
}
