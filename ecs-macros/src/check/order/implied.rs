//! Orders that follow from others. They are warnings: such an order is misleading, since the order stays when the
//! entries that imply it are removed.
//!
//! Entries of `inputs`, `queries` and `sees` are never redundant, as they also give a right or a refresh. Orders of stages are not
//! reported either, since a system has its stage whatever it depends on.

use std::collections::VecDeque;

use crate::error::{Errors, Fault};
use crate::model::{By, Model, Use};
use crate::syntax::{Lint, List};

/// An order of two systems by one entry.
struct Edge<'m> {
    earlier: usize,
    later: usize,
    /// The system that has the entry.
    system: usize,
    used: &'m Use<'m>,
}

/// Warns of each entry of `dependencies` or `before` without which the order is the same.
pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    // If the order is faulty or incomplete, it does not show which entries are redundant.
    if !errors.is_empty() {
        return;
    }
    let mut edges = edges(model);
    // A redundant entry is removed immediately, so that one of two entries that imply each other stays. The
    // loop runs backwards: entries with the same order as another one come first, and then later entries.
    let mut at = edges.len();
    while at > 0 {
        at -= 1;
        let Edge { earlier, later, system, used } = &edges[at];
        if matches!(used.list, List::Inputs | List::Queries | List::Sees) || used.by == By::Event {
            continue;
        }
        let Some(path) = path(&edges, at, *earlier, *later, model.systems.len()) else { continue };
        let name = |system: &usize| model.systems[*system].name().to_string();
        let fault = Fault::ImpliedOrder {
            list: used.key(),
            listed: used.name().to_string(),
            system: name(system),
            path: path.iter().map(name).collect(),
        };
        let is_allowed = |allowed: &[Lint]| allowed.contains(&Lint::RedundantOrder);
        if !is_allowed(used.allowed) && !is_allowed(&model.tree.allowed) {
            errors.report(used.name().span(), fault);
        }
        edges.remove(at);
    }
}

fn edges<'m>(model: &'m Model<'m>) -> Vec<Edge<'m>> {
    let mut edges = Vec::new();
    for (system, item) in model.systems.iter().enumerate() {
        for used in &item.uses {
            let Some(other) = used.target.known() else { continue };
            if matches!(used.by, By::Stage | By::Index)
                || (model.is_stage(system) && model.is_stage(other))
            {
                continue;
            }
            match used.list {
                List::Dependencies | List::Inputs | List::Queries | List::Sees => {
                    edges.push(Edge { earlier: other, later: system, system, used });
                }
                List::Before => edges.push(Edge { earlier: system, later: other, system, used }),
                _ => {}
            }
        }
    }
    edges
}

/// The shortest path from `earlier` to `later` without the edge at `without`.
fn path(
    edges: &[Edge<'_>],
    without: usize,
    earlier: usize,
    later: usize,
    systems: usize,
) -> Option<Vec<usize>> {
    let mut came_from = vec![None; systems];
    let mut queue = VecDeque::from([earlier]);
    while let Some(node) = queue.pop_front() {
        for (_, edge) in
            edges.iter().enumerate().filter(|(at, edge)| *at != without && edge.earlier == node)
        {
            if came_from[edge.later].is_none() {
                came_from[edge.later] = Some(node);
                queue.push_back(edge.later);
            }
        }
    }
    let mut path = vec![later];
    let mut node = came_from[later]?;
    while node != earlier {
        path.push(node);
        node = came_from[node]?;
    }
    path.push(earlier);
    path.reverse();
    Some(path)
}
