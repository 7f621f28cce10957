//! What a closure of `each` uses of its entity, as far as its tokens show that.

use std::cell::LazyCell;

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Pat;

use super::entry::all_fields;
use crate::model::{By, Field, Model, System};
use crate::site::here;
use crate::syntax::{Call, Code, List};
use ecs_rules::Kind;

/// The use of a component that the system does not declare, or only reads.
pub(crate) struct Undeclared {
    /// The field, as it is written.
    pub(crate) field: Ident,
    pub(crate) component: usize,
    /// Whether it is assigned to.
    pub(crate) assigned: bool,
    /// Whether the system reads it.
    pub(crate) read: bool,
}

/// The undeclared components that these loops use, each once: the name of an entity, and the code that it is for.
pub(crate) fn undeclared(
    model: &Model<'_>,
    system: &System<'_>,
    loops: Vec<(Ident, TokenStream)>,
) -> Vec<Undeclared> {
    if system.uses.iter().any(|used| used.target.known().is_none()) {
        return Vec::new();
    }
    let found = loops.into_iter().flat_map(|(parameter, body)| {
        let mut accesses = Accesses { parameter, exact: true, found: Vec::new() };
        accesses.visit(body, false);
        // If the name is used for anything else, it may be that of another variable.
        if accesses.exact { accesses.found } else { Vec::new() }
    });
    let declared = &system.fields;
    // Looked up for errors only: there are many.
    let all = LazyCell::new(|| all_fields(model));
    let mut undeclared: Vec<Undeclared> = Vec::new();
    for Access { field, assigned, in_macro } in found {
        if in_macro || undeclared.iter().any(|other| other.field == field) {
            continue;
        }
        let of_the_entry = declared.iter().find(|declared| declared.ident == field);
        let component = match of_the_entry {
            Some(Field { component, list: List::Read, .. }) if assigned => Some(*component),
            Some(_) => None,
            None => all.iter().position(|ident| *ident == field),
        };
        let read = of_the_entry.is_some();
        undeclared.extend(component.map(|component| Undeclared {
            field,
            component,
            assigned,
            read,
        }));
    }
    undeclared
}

/// What a system declares, and its code certainly does not use.
pub(crate) struct Unused {
    /// The components of its own entities.
    pub(crate) components: Vec<usize>,
    pub(crate) resources: Vec<usize>,
    /// Whether it uses no effect.
    pub(crate) effects: bool,
}

/// Whether the code of the system certainly uses nothing of its entries but fields that they have.
pub(crate) fn uses_fields_only(system: &System<'_>) -> bool {
    unused_components(system).is_some()
}

/// What the closure of `each` certainly does not use; `None` if that is unknown.
pub(crate) fn unused(system: &System<'_>) -> Option<Unused> {
    if let Some(resources) = system.item.expire.as_ref().map(|_| resources_of(system)) {
        // What is over is removed or despawned by the library, so the rights to anything else are not used.
        let components = unused_components(system)?;
        return Some(Unused { components, resources, effects: true });
    }
    let components = unused_components(system)?;
    let code = &system.item.code[0];
    // The resources and the effects are parameters without a type beside typed ones, or those after the first.
    let alone = match code.typed() {
        Some(parameters) => parameters.iter().all(|parameter| parameter.typed.is_some()),
        None => code.parameters() == Some(1),
    };
    let resources = if alone { resources_of(system) } else { Vec::new() };
    Some(Unused { components, resources, effects: alone })
}

/// The resources that the system reads or writes.
fn resources_of(system: &System<'_>) -> Vec<usize> {
    let lists = [List::ReadResources, List::WriteResources];
    lists.into_iter().flat_map(|list| system.listed(list)).collect()
}

/// The components that the closure of `each` certainly does not use; `None` if that is unknown.
fn unused_components(system: &System<'_>) -> Option<Vec<usize>> {
    if system.item.expire.is_some() {
        let expired = system.expired();
        let fields = system.fields.iter().map(|field| field.component);
        return Some(fields.filter(|component| Some(*component) != expired).collect());
    }
    if let [code @ Code { call: Call::Each, .. }] = &system.item.code[..]
        && code.typed().is_some()
    {
        let of_parameters = system
            .uses
            .iter()
            .filter(|used| used.by != By::List && used.list.kind() == Kind::Component);
        let used: Vec<_> = of_parameters.map(|used| used.target.index()).collect();
        let unused = system.fields.iter().map(|field| field.component);
        return Some(unused.filter(|component| !used.contains(&Some(*component))).collect());
    }
    let (parameter, body) = closure(system)?;
    let mut accesses = Accesses { parameter, exact: true, found: Vec::new() };
    accesses.visit(body, false);
    let is_used = |field: &Ident| accesses.found.iter().any(|access| access.field == *field);
    let declared = &system.fields;
    // A field of another name is an error of `rustc`, and may be one that is mistyped.
    let is_known =
        |field: &Ident| field == "entity" || declared.iter().any(|one| one.ident == *field);
    let exact = accesses.exact && accesses.found.iter().all(|access| is_known(&access.field));
    let unused = declared.iter().filter(|field| !is_used(&field.ident));
    exact.then(|| unused.map(|field| field.component).collect())
}

/// The name of the entity in the closure of `each`, and the closure's body. With typed parameters, no entity has a name.
pub(crate) fn closure(system: &System<'_>) -> Option<(Ident, TokenStream)> {
    let [code @ Code { call: Call::Each, .. }] = &system.item.code[..] else { return None };
    let closure = code.closure().filter(|_| code.typed().is_none())?;
    let parameter = name_of_pattern(closure.inputs.first()?)?;
    Some((parameter, closure.body.to_token_stream()))
}

/// The variable that a closure's parameter is: `_` if it has no name, `None` if it is more than a name.
pub(crate) fn name_of_pattern(mut parameter: &Pat) -> Option<Ident> {
    if let Pat::Type(typed) = parameter {
        parameter = &typed.pat;
    }
    match parameter {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        Pat::Wild(_) => Some(Ident::new("_", here())),
        _ => None,
    }
}

/// A field of the entity, where it is used.
struct Access {
    field: Ident,
    assigned: bool,
    /// Whether it is among the tokens of another macro, which may mean anything.
    in_macro: bool,
}

/// The fields of `parameter` that tokens use.
struct Accesses {
    parameter: Ident,
    /// Whether nothing but fields of the parameter is used.
    exact: bool,
    found: Vec<Access>,
}

impl Accesses {
    fn visit(&mut self, tokens: TokenStream, in_macro: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let of_macro = at >= 2
                        && is_punct(&tokens[at - 1], '!')
                        && matches!(tokens[at - 2], TokenTree::Ident(_));
                    self.visit(group.stream(), in_macro || of_macro);
                }
                TokenTree::Ident(ident) if *ident == self.parameter => {
                    let before = at.checked_sub(1).map(|at| &tokens[at]);
                    self.visit_use(before, &tokens[at + 1..], in_macro);
                }
                // A name in a format string.
                TokenTree::Literal(literal) => {
                    self.exact &= !literal.to_string().contains(&format!("{{{}", self.parameter));
                }
                _ => {}
            }
        }
    }

    /// One use of the parameter's name, with the token before it and the tokens after it.
    fn visit_use(&mut self, before: Option<&TokenTree>, after: &[TokenTree], in_macro: bool) {
        // A field or a path of something else, or a range.
        if before.is_some_and(|token| is_punct(token, '.') || is_punct(token, ':')) {
            self.exact = false;
            return;
        }
        let field = match after {
            [dot, TokenTree::Ident(field), rest @ ..]
                if is_punct(dot, '.') && !is_call(rest) && field != "await" =>
            {
                field.clone()
            }
            _ => {
                self.exact = false;
                return;
            }
        };
        let mut rest = &after[2..];
        let mut projections = 0;
        loop {
            match rest {
                [dot, TokenTree::Ident(_) | TokenTree::Literal(_), next @ ..]
                    if is_punct(dot, '.') && !is_call(next) =>
                {
                    rest = next;
                }
                [TokenTree::Group(group), next @ ..] if group.delimiter() == Delimiter::Bracket => {
                    rest = next;
                }
                _ => break,
            }
            projections += 1;
        }
        let dereferenced = before.is_some_and(|token| is_punct(token, '*'));
        let assigned = is_assigned(rest) && (projections > 0) != dereferenced;
        self.found.push(Access { field, assigned, in_macro });
    }
}

pub(crate) fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

/// Whether the tokens after a name make it that of a method.
pub(crate) fn is_call(after: &[TokenTree]) -> bool {
    match after {
        [TokenTree::Group(group), ..] => group.delimiter() == Delimiter::Parenthesis,
        [first, second, ..] => is_punct(first, ':') && is_punct(second, ':'),
        _ => false,
    }
}

/// Whether the tokens begin with `=`, or with an operator that assigns.
fn is_assigned(tokens: &[TokenTree]) -> bool {
    let mut operator = String::new();
    for token in tokens {
        let TokenTree::Punct(punct) = token else { break };
        operator.push(punct.as_char());
        if punct.spacing() == Spacing::Alone {
            break;
        }
    }
    ["=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>="].contains(&&*operator)
}
