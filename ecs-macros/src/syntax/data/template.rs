//! Templates: `template Orc { Health(10), Speed(1.5), Label: label_of("orc"), children: Holds [Axe] }`. Each is a named bundle with
//! values, and with children.
//!
//! A value says its component by the name that it begins with: of a struct, of a variant, or of a type with a function or
//! constant. Any other value stands behind the component's name.

use syn::parse::{ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Path, PathArguments, Token, braced, bracketed, token};

use crate::error::Errors;
use crate::syntax::name_of;
use crate::syntax::reading::named::Named;
use crate::syntax::reading::{list, recover};
use crate::syntax::tree::{Bundle, Children, Tree};

/// The message where a value does not say its component.
const NO_COMPONENT: &str = "expected a component with its value, as in `Health(10)`\nhelp: write the component before the value: `Health: value`";

/// Reads what follows the word `template`. One without readable values is declared all the same.
pub(crate) fn parse(
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
    let (components, children) = (Vec::new(), Vec::new());
    tree.bundles.push(Bundle { attributes, name, components, values, children });
    if !input.peek(token::Brace) || recover::begins_item(input) {
        return Err(input.error("expected components with values: `{ … }`"));
    }
    let content;
    braced!(content in input);
    let read = list::elements(&content, errors, element)?;
    if let Some(template) = tree.bundles.last_mut() {
        let mut values = Vec::new();
        for element in read {
            match element {
                Element::Value(component, value) => {
                    template.components.push(component);
                    values.push(*value);
                }
                Element::Children(children) => template.children.push(children),
            }
        }
        template.values = Some(values);
    }
    input.parse::<Option<Token![;]>>()?;
    Ok(())
}

/// What a template is made of.
enum Element {
    /// A component, and its value.
    Value(Path, Box<Expr>),
    Children(Children),
}

fn element(input: ParseStream<'_>) -> Result<Element> {
    let is_key = input.peek2(Token![:]) && !input.peek2(Token![::]);
    if is_key && input.fork().parse::<Ident>().is_ok_and(|key| key == "children") {
        return children(input).map(Element::Children);
    }
    value(input).map(|(component, value)| Element::Value(component, Box::new(value)))
}

/// Reads `children: ChildOf [Turret, Wheel]`.
fn children(input: ParseStream<'_>) -> Result<Children> {
    input.parse::<Ident>()?;
    input.parse::<Token![:]>()?;
    let relation = recover::listed(input, "relation")?;
    if !input.peek(token::Bracket) {
        let name = name_of(&relation);
        let message = format!(
            "expected the templates of the children\nhelp: write `children: {name} [Turret, Wheel]`"
        );
        return Err(input.error(message));
    }
    let content;
    bracketed!(content in input);
    let template = |input: ParseStream<'_>| recover::listed(input, "template");
    let templates = Punctuated::<Path, Token![,]>::parse_terminated_with(&content, template)?;
    Ok(Children { relation, templates: templates.into_iter().collect() })
}

/// Reads a value, and what it begins with; or a component and its value.
fn value(input: ParseStream<'_>) -> Result<(Path, Expr)> {
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
pub(crate) fn resolve(tree: &mut Tree) {
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
