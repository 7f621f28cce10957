//! Orders that follow from others. They are no fault, but they mislead: who removes the order that
//! they repeat believes it gone.
//!
//! What `inputs` and `queries` need is never superfluous, as they give a right, too. Stages say nothing twice either: a
//! system has its stage, whatever it depends on, so what follows from them is left alone.

use std::collections::VecDeque;

use crate::error::{Errors, Fault};
use crate::model::{By, Model, Use};
use crate::syntax::{List, name_of};

/// An order of two systems, as one entry demands it.
struct Edge<'m> {
    earlier: usize,
    later: usize,
    /// The system that says so.
    system: usize,
    used: &'m Use<'m>,
}

/// Warns of each entry of `dependencies` or `before` without which the order is the same.
pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    // In a faulty order, or one that isn't wholly known, nothing can be told.
    if !errors.is_empty() {
        return;
    }
    let mut edges = edges(model);
    // What follows is taken away at once, so that of two that imply each other one stays. Entries
    // that say the same as another one first, and the later ones first, as those were added.
    let mut at = edges.len();
    while at > 0 {
        at -= 1;
        let Edge { earlier, later, system, used } = &edges[at];
        if matches!(used.list, List::Inputs | List::Queries) {
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
        errors.report(used.name().span(), fault);
        edges.remove(at);
    }
}

fn edges<'m>(model: &'m Model<'m>) -> Vec<Edge<'m>> {
    let mut edges = Vec::new();
    for (system, item) in model.systems.iter().enumerate() {
        for used in &item.uses {
            let Some(other) = used.target.known() else { continue };
            if used.by == By::Stage || (is_stage(model, system) && is_stage(model, other)) {
                continue;
            }
            match used.list {
                List::Dependencies | List::Inputs | List::Queries => {
                    edges.push(Edge { earlier: other, later: system, system, used });
                }
                List::Before => edges.push(Edge { earlier: system, later: other, system, used }),
                _ => {}
            }
        }
    }
    edges
}

/// Whether the system is the end of a stage.
fn is_stage(model: &Model<'_>, system: usize) -> bool {
    let name = model.systems[system].name();
    model.tree.stages.iter().any(|stage| name_of(&stage.path) == name)
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
