//! Templates: `template Orc { Health(10), Speed(1.5), Label: label_of("orc") }`. Each is a named bundle with values.
//!
//! A value says its component by the name that it begins with: of a struct, of a variant, or of a type with a function or
//! constant. Any other value stands behind the component's name.

use syn::parse::{ParseStream, Result};
use syn::{Attribute, Expr, Path, PathArguments, Token, braced, token};

use super::named::Named;
use super::tree::{Bundle, Tree};
use super::{list, name_of, recover};
use crate::error::Errors;

/// The message where a value does not say its component.
const NO_COMPONENT: &str = "expected a component with its value, as in `Health(10)`\nhelp: write the component before the value: `Health: value`";

/// Reads what follows the word `template`. One without readable values is declared all the same.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let name = recover::name(input, "template")?;
    let Some(name) = name.get_ident().cloned() else {
        let message = "expected one identifier: the template is a new type";
        return Err(syn::Error::new_spanned(name, message));
    };
    let name = Named::new(Path::from(name));
    let values = Some(Vec::new());
    tree.bundles.push(Bundle { attributes, name, components: Vec::new(), values });
    if !input.peek(token::Brace) || recover::begins_item(input) {
        return Err(input.error("expected components with values: `{ … }`"));
    }
    let content;
    braced!(content in input);
    let read = list::elements(&content, errors, element)?;
    if let Some(template) = tree.bundles.last_mut() {
        let (components, values) = read.into_iter().unzip();
        (template.components, template.values) = (components, Some(values));
    }
    input.parse::<Option<Token![;]>>()?;
    Ok(())
}

/// Reads a value, and what it begins with; or a component and its value.
fn element(input: ParseStream<'_>) -> Result<(Path, Expr)> {
    let at = input.fork();
    let value: Expr = input.parse().map_err(|_| at.error(NO_COMPONENT))?;
    let Some(path) = begin(&value).cloned() else { return Err(at.error(NO_COMPONENT)) };
    if input.peek(Token![:]) && matches!(value, Expr::Path(_)) {
        input.parse::<Token![:]>()?;
        return Ok((path, input.parse()?));
    }
    Ok((path, value))
}

/// The path that the expression begins with.
fn begin(value: &Expr) -> Option<&Path> {
    match value {
        Expr::Path(path) if path.qself.is_none() => Some(&path.path),
        Expr::Struct(item) if item.qself.is_none() => Some(&item.path),
        Expr::Call(call) => begin(&call.func),
        Expr::MethodCall(call) => begin(&call.receiver),
        Expr::Paren(inner) => begin(&inner.expr),
        Expr::Group(inner) => begin(&inner.expr),
        _ => None,
    }
}

/// Makes components of what values begin with, when all components are declared: `Team::Red` and `Label::new` begin with a
/// component and a name that it has.
pub(super) fn resolve(tree: &mut Tree) {
    let known: Vec<_> = (tree.buffers.iter().flat_map(|buffer| &buffer.components))
        .map(|component| component.name().clone())
        .collect();
    for template in tree.bundles.iter_mut().filter(|bundle| bundle.values.is_some()) {
        for path in &mut template.components {
            if let Some(before) = path.segments.iter().nth_back(1) {
                let is_function = name_of(path).to_string().starts_with(char::is_lowercase);
                if !known.contains(name_of(path)) && (known.contains(&before.ident) || is_function)
                {
                    path.segments.pop();
                    path.segments.pop_punct();
                }
            }
            // `Buffer::<u8>` of an expression is the type `Buffer<u8>`.
            if let Some(PathArguments::AngleBracketed(arguments)) =
                path.segments.last_mut().map(|last| &mut last.arguments)
            {
                arguments.colon2_token = None;
            }
        }
    }
}
