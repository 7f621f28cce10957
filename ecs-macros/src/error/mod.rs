//! The accumulator of faults: every stage reports into it, and none of them stops at a report.

mod fault;

use proc_macro2::{Span, TokenStream};

pub(crate) use fault::{Clash, Fault, Kind};

/// A fault and the token that it is about.
pub(crate) struct Error {
    pub(crate) span: Span,
    pub(crate) fault: Fault,
    /// The other token, where it takes two to make the fault.
    pub(crate) other: Option<Span>,
}

/// All faults found so far.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<Error>,
}

impl Errors {
    /// Reports a fault at one token.
    pub(crate) fn report(&mut self, span: Span, fault: Fault) {
        self.errors.push(Error { span, fault, other: None });
    }

    /// Reports a fault between two tokens; `span` gets the full message.
    pub(crate) fn report_between(&mut self, span: Span, other: Span, fault: Fault) {
        self.errors.push(Error { span, fault, other: Some(other) });
    }

    /// Reports what the parser could not read.
    pub(crate) fn syntax(&mut self, error: &syn::Error) {
        self.report(error.span(), Fault::Syntax(error.to_string()));
    }

    /// Whether the declaration is without fault.
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The faults, in the order in which they were found.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Error> {
        self.errors.iter()
    }

    /// One `compile_error!` per fault, and a short one at its other token if it has one. (A
    /// `compile_error!` has one place only.)
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        let at = |span, message| syn::Error::new(span, message).into_compile_error();
        self.errors
            .into_iter()
            .flat_map(|Error { span, fault, other }| {
                let code = fault.code();
                let first = at(span, format!("[{code}] {fault}"));
                let second = other
                    .zip(fault.other_side())
                    .map(|(other, message)| at(other, format!("[{code}] {message}")));
                std::iter::once(first).chain(second)
            })
            .collect()
    }
}
