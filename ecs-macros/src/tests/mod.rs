//! The whole pipeline over token streams, without a compiler.

mod errors;
mod expansion;
mod incomplete;
mod layers;
mod programs;
mod recovery;
mod sets;
mod size;
mod spans;

use proc_macro2::TokenStream;
use syn::{Expr, File, Item, ItemConst, Stmt};

use crate::error::Errors;

/// A fault as the user sees it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    code: &'static str,
    /// The text of the token that the error points at.
    at: String,
    /// The message, help included.
    message: String,
}

/// The faults and the expansion of a declaration.
struct Outcome {
    found: Vec<Found>,
    code: File,
}

impl Outcome {
    /// Codes and tokens, for comparison.
    fn faults(&self) -> Vec<(&str, &str)> {
        self.found.iter().map(|found| (found.code, found.at.as_str())).collect()
    }

    /// The expansion as text, without the version in the name of `ecs-core`.
    fn text(&self) -> String {
        prettyplease::unparse(&self.code).replace(crate::site::LIBRARY, "__ecs_core")
    }

    /// The impls, as `Reads<Position, W> for Move`.
    fn impls(&self) -> Vec<String> {
        let in_constants = self.code.items.iter().flat_map(|item| match item {
            Item::Const(ItemConst { expr, .. }) => statements(expr),
            _ => &[],
        });
        let in_constants = in_constants.filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        let mut impls = Vec::new();
        for item in self.code.items.iter().chain(in_constants) {
            if let Item::Impl(item) = item
                && let Some((path, _)) = &item.trait_
            {
                let (ty, last) = (&item.self_ty, path.segments.last());
                let text = quote::quote!(#last for #ty).to_string();
                impls.push(without_parentheses(&text.replace(' ', "")));
            }
        }
        impls.into_iter().map(|text| text.replacen(">for", "> for ", 1)).collect()
    }

    /// Whether there is such an impl.
    fn has(&self, wanted: &str) -> bool {
        self.impls().iter().any(|found| found == wanted)
    }
}

/// The statements of a block.
fn statements(expression: &Expr) -> &[Stmt] {
    match expression {
        Expr::Block(block) => &block.block.stmts,
        _ => &[],
    }
}

/// The text without the parentheses that a single name has as a generic argument.
fn without_parentheses(text: &str) -> String {
    let mut parts = text.split('(');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if is_name && !name.is_empty() && plain.ends_with(['<', ',']) {
            plain.push_str(name);
            plain.push_str(rest);
        } else {
            plain.push('(');
            plain.push_str(part);
        }
    }
    plain
}

/// Runs a declaration, given as text, through the pipeline. The output must be items.
fn declare(text: &str) -> Outcome {
    let input: TokenStream = format!("(::ecs_core) {text}").parse().expect("the text has tokens");
    let (errors, items) = crate::declare(input);
    Outcome {
        found: found(&errors),
        code: syn::parse2(items).expect("the expansion consists of items"),
    }
}

fn found(errors: &Errors) -> Vec<Found> {
    errors
        .iter()
        .map(|error| Found {
            code: error.fault.code(),
            at: error.span.source_text().unwrap_or_default(),
            message: error.fault.to_string(),
        })
        .collect()
}
