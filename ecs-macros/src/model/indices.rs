//! Where indices are made: before the systems that use them, and after those that write what they are made from, if
//! these run before one of the users.

use ecs_rules::conflict;

use super::names::Target;
use super::system::{By, System, Use, edges};
use super::{Graph, rules};
use crate::syntax::List;

/// Adds the orders of indices, until nothing is missing, and returns the order of all systems. An order that would
/// contradict another one is left out; the checks report the writer.
pub(super) fn place(systems: &mut [System<'_>]) -> Graph {
    loop {
        let order = Graph::new(systems.len(), edges(systems, |_| true));
        let mut queries = (0..systems.len()).filter(|query| systems[*query].is_indexed());
        // One query at a time, as the orders of one could contradict those of another.
        let late = queries.find_map(|query| {
            let late = late(systems, &order, query);
            (!late.is_empty()).then_some((query, late))
        });
        let Some((query, late)) = late else { return order };
        for writer in late {
            let (path, target) = (&systems[writer].item.name.path, Target::Known(writer));
            let used = Use {
                list: List::Dependencies,
                path,
                target,
                by: By::Index,
                allowed: &[],
                effect: None,
                event: None,
            };
            systems[query].uses.push(used);
        }
        systems[query].indices = rules::indices(&systems[query].uses);
    }
}

/// The writers that the index of the query has to be made after, and is not.
fn late(systems: &[System<'_>], order: &Graph, query: usize) -> Vec<usize> {
    let index = systems[query].rules();
    let users: Vec<usize> = users(systems, query).collect();
    let late = (0..systems.len()).filter(|writer| {
        let precedes = |user: &usize| order.reaches(*writer, *user);
        *writer != query
            && !order.ordered(*writer, query)
            && (users.is_empty() || users.iter().any(precedes))
            && conflict::over_index(&systems[*writer].rules(), &index).is_some()
    });
    late.collect()
}

/// The systems that use the query.
pub(crate) fn users<'s>(
    systems: &'s [System<'_>],
    query: usize,
) -> impl Iterator<Item = usize> + 's {
    let uses = move |user: &usize| systems[*user].listed(List::Queries).contains(&query);
    (0..systems.len()).filter(uses)
}
