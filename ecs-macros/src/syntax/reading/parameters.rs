//! Typed parameters of code in the declaration: `each: |position: &mut Position, velocity: &Velocity| …`.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, GenericArgument, Pat, Path, PathArguments, Type, TypePath};

use super::list::List;
use crate::syntax::tree::{Code, Condition};
use ecs_rules::Kind;

/// A parameter of a closure.
pub(crate) struct Parameter<'t> {
    pub(crate) pattern: &'t Pat,
    /// `None` if it is left to inference.
    pub(crate) typed: Option<(&'t Type, Takes<'t>)>,
}

/// What the type of a parameter asks for.
pub(crate) enum Takes<'t> {
    /// `Entity`: the entity's handle.
    Entity,
    /// `Place`: where the entity lies in this step.
    Place,
    /// `&C`, `&mut C`, `Mut<C>`, or an `Option` of one: a component or a resource. `marks`: it is a `Mut`.
    Reference { path: &'t Path, mutable: bool, optional: bool, marks: bool },
    /// Something else.
    Other,
}

impl Takes<'_> {
    /// The list that a reference stands for, if it is one to such a thing.
    pub(crate) fn list(mutable: bool, optional: bool, kind: Kind) -> Option<List> {
        Some(match (kind, mutable, optional) {
            (Kind::Component, false, false) => List::Read,
            (Kind::Component, true, false) => List::Write,
            (Kind::Component, false, true) => List::ReadOptional,
            (Kind::Component, true, true) => List::WriteOptional,
            (Kind::Resource, false, false) => List::ReadResources,
            (Kind::Resource, true, false) => List::WriteResources,
            _ => return None,
        })
    }
}

impl Code {
    /// The closure, if the code is one.
    pub(crate) fn closure(&self) -> Option<&ExprClosure> {
        closure(self.function.as_deref()?)
    }

    /// The parameters, if the code is a closure that declares by their types what the system accesses. The types of the
    /// library's proxies and of entries, which have lifetimes, declare nothing.
    pub(crate) fn typed(&self) -> Option<Vec<Parameter<'_>>> {
        let parameters: Vec<_> = self.closure()?.inputs.iter().map(parameter).collect();
        parameters.iter().any(|parameter| parameter.typed.is_some()).then_some(parameters)
    }
}

impl Condition {
    /// The parameters, if the condition is a closure.
    pub(crate) fn parameters(&self) -> Option<Vec<Parameter<'_>>> {
        let closure = closure(self.function.as_deref()?)?;
        Some(closure.inputs.iter().map(parameter).collect())
    }

    /// What is wrong with its parameters, and where. (Names of other things than resources are reported as unknown ones.)
    pub(crate) fn faults(&self) -> Vec<(Span, &'static str)> {
        let Some(parameters) = self.parameters() else { return Vec::new() };
        if parameters.is_empty() {
            let why = "reads nothing, so it is always the same\n\
                       help: take the resource that it depends on: `|r: &R| …`";
            return vec![(self.at, why)];
        }
        if let Some(excess) = parameters.get(MOST_READ) {
            let why = "has more than 8 parameters\n\
                       help: put what it depends on into fewer resources";
            return vec![(excess.pattern.span(), why)];
        }
        let faults = parameters.iter().filter_map(|parameter| match &parameter.typed {
            None => Some((
                parameter.pattern.span(),
                "has a parameter without a type\n\
                 help: write which resource it reads: `|r: &R| …`",
            )),
            Some((_, Takes::Reference { mutable: false, optional: false, .. })) => None,
            Some((ty, _)) => Some((
                ty.span(),
                "has a parameter of a type that it cannot have: it only reads resources\n\
                 help: write `&R` for the resource that it reads",
            )),
        });
        faults.collect()
    }

    /// Whether it can be expanded: it could be read, and its parameters are what they may be.
    pub(crate) fn is_sound(&self) -> bool {
        self.function.is_some() && self.faults().is_empty()
    }
}

/// The number of resources that a condition reads at most: the library implements its trait for so many.
const MOST_READ: usize = 8;

/// The closure, if the expression is one.
fn closure(mut function: &Expr) -> Option<&ExprClosure> {
    loop {
        function = match function {
            Expr::Closure(closure) => return Some(closure),
            Expr::Paren(inner) => &inner.expr,
            Expr::Group(inner) => &inner.expr,
            _ => return None,
        };
    }
}

fn parameter(input: &Pat) -> Parameter<'_> {
    match input {
        Pat::Type(typed) => {
            let is_a_proxy = of_reference(&typed.ty)
                .map_or_else(|| plain(&typed.ty), |(inner, _)| plain(inner))
                .is_some_and(|path| has_lifetime(path) && marked(path).is_none());
            let typed_as = (!is_a_proxy).then(|| (&*typed.ty, takes(&typed.ty)));
            Parameter { pattern: &typed.pat, typed: typed_as }
        }
        pattern => Parameter { pattern, typed: None },
    }
}

fn takes(ty: &Type) -> Takes<'_> {
    if let Some((inner, mutable)) = of_reference(ty) {
        return plain(inner).map_or(Takes::Other, |path| Takes::Reference {
            path,
            mutable,
            optional: false,
            marks: false,
        });
    }
    if let Some(path) = plain(ty).and_then(marked) {
        return Takes::Reference { path, mutable: true, optional: false, marks: true };
    }
    let Some(last) = plain(ty).and_then(|path| path.segments.last()) else { return Takes::Other };
    match &last.arguments {
        PathArguments::None if last.ident == "Entity" => Takes::Entity,
        PathArguments::None if last.ident == "Place" => Takes::Place,
        PathArguments::AngleBracketed(arguments) if last.ident == "Option" => {
            let Some(GenericArgument::Type(inner)) = arguments.args.first() else {
                return Takes::Other;
            };
            match takes(inner) {
                Takes::Reference { path, mutable, optional: false, marks } => {
                    Takes::Reference { path, mutable, optional: true, marks }
                }
                _ => Takes::Other,
            }
        }
        _ => Takes::Other,
    }
}

/// The type behind a reference, and whether that is exclusive.
fn of_reference(ty: &Type) -> Option<(&Type, bool)> {
    match ty {
        Type::Reference(reference) => Some((&reference.elem, reference.mutability.is_some())),
        Type::Group(group) => of_reference(&group.elem),
        Type::Paren(paren) => of_reference(&paren.elem),
        _ => None,
    }
}

/// The path, if the type is one.
fn plain(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Path(TypePath { qself: None, path, .. }) => Some(path),
        Type::Group(group) => plain(&group.elem),
        Type::Paren(paren) => plain(&paren.elem),
        _ => None,
    }
}

/// The component of `Mut<C>` or `Mut<'_, C>`.
fn marked(path: &Path) -> Option<&Path> {
    let last = path.segments.last().filter(|last| last.ident == "Mut")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let component = plain(types.next()?)?;
    types.next().is_none().then_some(component)
}

fn has_lifetime(path: &Path) -> bool {
    path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().any(|argument| matches!(argument, GenericArgument::Lifetime(_)))
        }
        _ => false,
    })
}
