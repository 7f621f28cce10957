//! The accumulator of faults. Every stage reports into it, and no stage stops at a report.

mod bundle;
mod code;
mod effects;
mod events;
mod expires;
mod fault;
mod parts;
mod queries;
mod relations;
mod rights;
mod states;
mod tracking;
mod wording;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

pub(crate) use bundle::BundleFault;
pub(crate) use effects::{Residual, UnknownEffect};
pub(crate) use fault::{Conflict, Fault};
pub(crate) use states::StateFault;
pub(crate) use tracking::TrackingFault;

use crate::syntax::Lint;

/// A fault and the token that it is about.
pub(crate) struct Error {
    pub(crate) span: Span,
    pub(crate) fault: Fault,
    /// The other tokens that contribute to the fault, each with a message.
    pub(crate) labels: Vec<Label>,
}

/// A message at a token that contributes to a fault.
pub(crate) struct Label {
    pub(crate) span: Span,
    pub(crate) text: String,
}

impl Fault {
    /// Whether a part of the declaration could not be read.
    pub(crate) fn is_loss(&self) -> bool {
        matches!(self, Self::Syntax(_) | Self::UnknownKey { .. })
    }

    /// The lint that the fault is, if the declaration is sound despite it.
    pub(crate) fn lint(&self) -> Option<Lint> {
        match self {
            Self::ImpliedOrder { .. } => Some(Lint::RedundantOrder),
            Self::UnusedRight { .. } => Some(Lint::UnusedRight),
            _ => None,
        }
    }
}

/// All faults found so far.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<Error>,
}

impl Errors {
    /// Reports a fault at one token.
    pub(crate) fn report(&mut self, span: Span, fault: Fault) {
        self.push(Error { span, fault, labels: Vec::new() });
    }

    /// Reports a fault at two tokens; `span` gets the full message.
    pub(crate) fn report_with(&mut self, span: Span, fault: Fault, (at, text): (Span, String)) {
        let labels = vec![Label { span: at, text }];
        self.push(Error { span, fault, labels });
    }

    /// Reports a fault.
    pub(crate) fn push(&mut self, error: Error) {
        #[cfg(test)]
        if crate::disabled::is_disabled(error.fault.code()) {
            return;
        }
        self.errors.push(error);
    }

    /// The number of faults found so far.
    pub(crate) fn len(&self) -> usize {
        self.errors.len()
    }

    /// Whether one of the faults from the given number on is that something could not be read.
    pub(crate) fn lost_since(&self, first: usize) -> bool {
        self.errors[first..].iter().any(|error| error.fault.is_loss())
    }

    /// Reports what the parser could not read.
    pub(crate) fn syntax(&mut self, error: &syn::Error) {
        self.report(error.span(), Fault::Syntax(error.to_string()));
    }

    /// Drops the faults that `reported` contains, since they are reported elsewhere.
    pub(crate) fn forget(&mut self, reported: &Self) {
        let said = |error: &Error| (error.fault.code(), error.fault.to_string());
        let reported: Vec<_> = reported.errors.iter().map(said).collect();
        self.errors.retain(|error| !reported.contains(&said(error)));
    }

    /// Whether there is no fault other than warnings.
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.iter().all(|error| error.fault.lint().is_some())
    }

    /// The faults, in the order in which they were found.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Error> {
        self.errors.iter()
    }

    /// One `compile_error!` per fault, and a short one at each other token that contributes to it.
    /// (A `compile_error!` has only one span.)
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        let mut code = TokenStream::new();
        for Error { span, fault, labels } in self.errors {
            let number = fault.code();
            let message = format!("[{number}] {fault}");
            if let Some(lint) = fault.lint() {
                code.extend(warning(span, lint, &message));
                continue;
            }
            code.extend(syn::Error::new(span, message).into_compile_error());
            for Label { span, text } in labels {
                code.extend(
                    syn::Error::new(span, format!("[{number}] {text}")).into_compile_error(),
                );
            }
        }
        code
    }
}

/// A warning: a use of a deprecated constant, whose note is the message, and whose name is the lint's. The use is at the
/// user's own token, since `rustc` does not warn about code that a macro from another crate generates.
fn warning(span: Span, lint: Lint, message: &str) -> TokenStream {
    let (name, used) = (Ident::new(lint.name(), Span::call_site()), Ident::new(lint.name(), span));
    quote! {
        const _: () = {
            #[deprecated(note = #message)]
            #[allow(non_upper_case_globals, reason = "it is named like the lint")]
            const #name: () = ();
            #used
        };
    }
}
