//! What a closure of `run` uses of its data, as far as its tokens show that.
//!
//! A component counts as used where its field or its type is named, and all of them where the entities go somewhere
//! that the tokens do not show: to a function, to a macro, to a variable, or to an adapter of an iterator.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

use super::accesses::{self, Undeclared, Unused, is_call, is_punct, name_of_pattern};
use crate::model::{Model, System, plain};
use crate::site::here;
use crate::syntax::{Call, Code, List};
use ecs_rules::Kind;

/// The undeclared components that the system's closure uses, each once: of `each`, or in the loops of `run`.
pub(crate) fn undeclared(model: &Model<'_>, system: &System<'_>) -> Vec<Undeclared> {
    let loops = match accesses::closure(system) {
        Some(each) => vec![each],
        None => of_run(model, system).map(|(uses, _)| uses.loops).unwrap_or_default(),
    };
    accesses::undeclared(model, system, loops)
}

/// What is found in the system's closure of `run`, and its code.
fn of_run(model: &Model<'_>, system: &System<'_>) -> Option<(Uses, TokenStream)> {
    let [code @ Code { call: Call::Run, .. }] = &system.item.code[..] else { return None };
    let closure = code.closure().filter(|_| code.typed().is_none())?;
    // A closure without code stands for one that is not written yet.
    match &*closure.body {
        Expr::Block(body) if body.block.stmts.is_empty() => return None,
        Expr::Tuple(body) if body.elems.is_empty() => return None,
        _ => {}
    }
    let parameter = closure.inputs.first().filter(|_| closure.inputs.len() == 1)?;
    let body = closure.body.to_token_stream();
    let mut uses = Uses { data: name_of_pattern(parameter)?, ..Uses::new(model) };
    uses.visit(&body);
    Some((uses, body))
}

/// What the closure of `run` certainly does not use; `None` if that is unknown.
pub(crate) fn unused(model: &Model<'_>, system: &System<'_>) -> Option<Unused> {
    let (mut uses, body) = of_run(model, system)?;
    if uses.is_passed_on(&Part::Data) {
        return None;
    }
    let fields = &system.fields;
    let known: HashSet<String> = fields.iter().map(|field| plain(&field.ident)).collect();
    for (entry, _) in uses.loops.clone() {
        uses.visit_entry(&body, &entry, &known);
    }
    let is_unused = |kind, index| !uses.idents.contains(&plain(model.name(kind, index)));
    let (mut components, mut resources) = (Vec::new(), Vec::new());
    if !uses.is_passed_on(&Part::Own) {
        for field in fields {
            let used = uses.idents.contains(&plain(&field.ident));
            if !used && is_unused(Kind::Component, field.component) {
                components.push(field.component);
            }
        }
    }
    if !uses.is_passed_on(&Part::Resources) {
        resources.extend(system.listed(List::ReadResources));
        resources.extend(system.listed(List::WriteResources));
        resources.retain(|index| is_unused(Kind::Resource, *index));
    }
    Some(Unused { components, resources, effects: !uses.is_passed_on(&Part::Effects) })
}

/// The data, or one of its parts.
#[derive(PartialEq, Eq)]
enum Part {
    Data,
    Own,
    Resources,
    Effects,
}

/// What is found in the tokens of the closure.
struct Uses {
    /// The name of the closure's parameter.
    data: Ident,
    /// The names that types may have where their meaning is known.
    known: HashSet<String>,
    /// All identifiers.
    idents: HashSet<String>,
    /// The names of variables that are an entity, and the code that they are for.
    loops: Vec<(Ident, TokenStream)>,
    /// What goes where the tokens do not show what it is used for. The effects do wherever they are used.
    passed_on: Vec<Part>,
}

impl Uses {
    fn new(model: &Model<'_>) -> Self {
        let mut known = HashSet::from(["Entity", "Option", "Place", "mut"].map(str::to_owned));
        for component in &model.components {
            known.insert(plain(component.name()));
        }
        for resource in &model.resources {
            known.insert(plain(resource.name.name()));
        }
        Self {
            data: Ident::new("_", here()),
            known,
            idents: HashSet::new(),
            loops: Vec::new(),
            passed_on: Vec::new(),
        }
    }

    fn visit(&mut self, tokens: &TokenStream) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.visit(&group.stream()),
                TokenTree::Ident(ident) => {
                    self.idents.insert(plain(ident));
                    if *ident == self.data {
                        self.visit_data(&tokens[..at], &tokens[at + 1..]);
                    }
                }
                TokenTree::Literal(literal) => {
                    if is_in_format(&literal.to_string(), &self.data) {
                        self.passed_on.push(Part::Data);
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// One use of the data, with the tokens before and after it.
    fn visit_data(&mut self, before: &[TokenTree], after: &[TokenTree]) {
        let is_another =
            before.last().is_some_and(|token| is_punct(token, '.') || is_punct(token, ':'));
        let passed_on = match after {
            [dot, TokenTree::Ident(part), rest @ ..] if is_punct(dot, '.') && !is_another => {
                match part.to_string().as_str() {
                    "own" if self.is_clear_of_own(before, rest) => return,
                    "own" => Part::Own,
                    "resources" => match rest {
                        [dot, TokenTree::Ident(_), types @ ..]
                            if is_punct(dot, '.') && self.is_of_known_types(types) =>
                        {
                            return;
                        }
                        _ => Part::Resources,
                    },
                    "effects" => Part::Effects,
                    _ => Part::Data,
                }
            }
            _ => Part::Data,
        };
        self.passed_on.push(passed_on);
    }

    fn is_passed_on(&self, part: &Part) -> bool {
        self.passed_on.contains(part)
    }

    /// Whether the tokens after `data.own` show which components are used.
    fn is_clear_of_own(&mut self, before: &[TokenTree], after: &[TokenTree]) -> bool {
        let [dot, TokenTree::Ident(method), arguments @ ..] = after else { return false };
        if !is_punct(dot, '.') {
            return false;
        }
        match method.to_string().as_str() {
            "query" | "for_runs" => self.is_of_known_types(arguments),
            "for_entities" => {
                let [TokenTree::Group(arguments), ..] = arguments else { return false };
                let arguments: Vec<TokenTree> = arguments.stream().into_iter().collect();
                match &arguments[..] {
                    [bar, TokenTree::Ident(entry), end, body @ ..]
                        if is_punct(bar, '|') && is_punct(end, '|') =>
                    {
                        self.loops.push((entry.clone(), body.iter().cloned().collect()));
                        true
                    }
                    // A pattern names the fields.
                    [bar, TokenTree::Ident(_), TokenTree::Group(fields), end, ..] => {
                        is_punct(bar, '|')
                            && fields.delimiter() == Delimiter::Brace
                            && is_punct(end, '|')
                    }
                    _ => false,
                }
            }
            "iter" => match (before, arguments) {
                (
                    [.., TokenTree::Ident(begin), TokenTree::Ident(entry), TokenTree::Ident(of)],
                    [TokenTree::Group(none), TokenTree::Group(body), ..],
                ) if begin == "for" && of == "in" => {
                    self.loops.push((entry.clone(), body.stream()));
                    none.stream().is_empty() && body.delimiter() == Delimiter::Brace
                }
                _ => false,
            },
            "all_entity_count" | "for_all_entities" => true,
            _ => false,
        }
    }

    /// Whether the tokens begin with `::<`, and up to `>` name nothing but what the declaration knows.
    fn is_of_known_types(&self, tokens: &[TokenTree]) -> bool {
        let [first, second, open, rest @ ..] = tokens else { return false };
        if !is_punct(first, ':') || !is_punct(second, ':') || !is_punct(open, '<') {
            return false;
        }
        let mut depth = 1;
        for token in rest {
            depth += i32::from(is_punct(token, '<')) - i32::from(is_punct(token, '>'));
            if depth == 0 {
                return true;
            }
            if !self.is_known(token.to_token_stream()) {
                return false;
            }
        }
        false
    }

    fn is_known(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Ident(ident) => self.known.contains(&plain(&ident)),
            TokenTree::Group(group) => self.is_known(group.stream()),
            other => !is_punct(&other, ':'),
        })
    }

    /// Looks whether the entity is used by anything but its fields.
    fn visit_entry(&mut self, tokens: &TokenStream, entry: &Ident, fields: &HashSet<String>) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.visit_entry(&group.stream(), entry, fields),
                TokenTree::Ident(ident) if ident == entry => {
                    let before = at.checked_sub(1).map(|before| &tokens[before]);
                    let is_clear = match &tokens[at + 1..] {
                        [dot, TokenTree::Ident(field), rest @ ..] if is_punct(dot, '.') => {
                            let is_another = before.is_some_and(|token| is_punct(token, '.'));
                            let is_field = field == "entity" || fields.contains(&plain(field));
                            !is_another && is_field && !is_call(rest)
                        }
                        // Where it is declared.
                        [end, ..] if is_punct(end, '|') => {
                            before.is_some_and(|token| is_punct(token, '|'))
                        }
                        [TokenTree::Ident(of), ..] => of == "in",
                        _ => false,
                    };
                    if !is_clear {
                        self.passed_on.push(Part::Own);
                    }
                }
                TokenTree::Literal(text) if is_in_format(&text.to_string(), entry) => {
                    self.passed_on.push(Part::Own);
                }
                _ => {}
            }
        }
    }
}

/// Whether the text, if it is a format string, names the variable.
fn is_in_format(text: &str, name: &Ident) -> bool {
    text.contains(&format!("{{{name}"))
}
