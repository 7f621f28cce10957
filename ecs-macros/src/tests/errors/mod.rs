//! One case per code: the token that the error points at, and the message with its help. The
//! items around the faulty one must expand.

mod aliases;
mod bundles;
mod commutative;
mod conditions;
mod events;
mod expires;
mod influence;
mod mutations;
mod names;
mod order;
mod pages;
mod queries;
mod relations;
mod residual;
mod rights;
mod sequential;
mod sets;
mod states;
mod streams;
mod syntax;
mod system;
mod templates;
mod tracking;

use super::declare;

/// Puts the faulty text between sound items and checks the one fault of the whole.
#[track_caller]
fn fault(code: &str, text: &str, at: &str, message: &[&str]) {
    let outcome = declare(&format!(
        "world W; component Before: contiguous_buffer; component A: contiguous_buffer;
         component B: contiguous_buffer; resource R; {text}
         component After: contiguous_buffer; system Last {{ read: [Before, After] }}"
    ));
    assert_eq!(outcome.faults(), [(code, at)], "{text}");
    assert_eq!(outcome.found[0].message.lines().collect::<Vec<_>>(), message, "{text}");
    assert!(outcome.has("HasComponent<Before> for W"), "{text}");
    assert!(outcome.has("Reads<After,W> for Last"), "{text}");
}

/// The labels of a declaration's faults at other tokens: the token, and the text.
fn labels(text: &str) -> Vec<(String, String)> {
    let (errors, _) = crate::declare(text.parse().expect("the text has tokens"));
    let labels = errors.iter().flat_map(|error| &error.labels);
    let labels =
        labels.map(|label| (label.span.source_text().unwrap_or_default(), label.text.clone()));
    labels.collect()
}
