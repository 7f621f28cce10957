//! The order of systems: nobody waits for itself, alone or in a circle.

use crate::error::{Errors, Fault};
use crate::model::{self, Graph, Model, Use};
use crate::syntax::List;

pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    for (this, system) in model.systems.iter().enumerate() {
        for used in system.uses.iter().filter(|used| is_edge(used)) {
            if used.target.known() == Some(this) {
                let (system, list) = (system.name().to_string(), used.list.key());
                errors.report(used.name().span(), Fault::SelfDependency { system, list });
            }
        }
    }
    // Presumed names make no cycle.
    let edges = model::edges(&model.systems, |used| used.target.known().is_some());
    for cycle in Graph::new(model.systems.len(), edges).cycles() {
        let systems =
            cycle.iter().map(|system| model.systems[*system].name().to_string()).collect();
        let (first, last) = (cycle[0], cycle[cycle.len() - 1]);
        let closing =
            closing_token(model, last, first).unwrap_or_else(|| model.systems[first].name().span());
        errors.report(closing, Fault::Cycle { systems });
    }
}

fn is_edge(used: &Use<'_>) -> bool {
    matches!(used.list, List::Dependencies | List::Before | List::Inputs)
}

/// The token that says that `earlier` comes before `later`.
fn closing_token(model: &Model<'_>, earlier: usize, later: usize) -> Option<proc_macro2::Span> {
    let find = |system: usize, names: usize, before: bool| {
        model.systems[system].uses.iter().find(|used| {
            is_edge(used)
                && (used.list == List::Before) == before
                && used.target.known() == Some(names)
        })
    };
    find(later, earlier, false)
        .or_else(|| find(earlier, later, true))
        .map(|used| used.name().span())
}
