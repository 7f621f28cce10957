//! Which systems must run before which, directly or indirectly, in `const` evaluation.

use ecs_rules::order::{self, Before};

use crate::signature::check::message::Message;
use crate::signature::tables::streams;
use crate::signature::{MAX_SYSTEMS, SystemSignature};
use crate::types::IndexSet;

/// For each system the systems that must run before it.
pub(crate) type Ancestors = [IndexSet; MAX_SYSTEMS];

/// The ancestors of each system.
pub(crate) const fn ancestors(systems: &[SystemSignature]) -> Ancestors {
    match in_declared_order(systems) {
        Some(ancestors) => ancestors,
        None => ordered(systems, &[streams::NONE; MAX_SYSTEMS]),
    }
}

/// The ancestors, if each system comes after those in the table that it depends on. It takes one round, and few calls.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn in_declared_order(systems: &[SystemSignature]) -> Option<Ancestors> {
    let mut ancestors = [IndexSet::EMPTY; MAX_SYSTEMS];
    for_each!(s < systems.len(), {
        let mut lists = order::declared(&systems[s].declared);
        let mut own = IndexSet::EMPTY;
        for_each!(list < lists.len(), {
            while let [before, rest @ ..] = lists[list] {
                if *before >= s {
                    return None;
                }
                own.unite(&ancestors[*before]);
                own.add(*before);
                lists[list] = rest;
            }
        });
        ancestors[s] = own;
    });
    Some(ancestors)
}

/// As [`ancestors`], but for the nodes of the schedule, where a producer waits for what its consumer
/// depends on, and a consumer for its producer.
pub(crate) const fn ancestors_with_streams(systems: &[SystemSignature]) -> Ancestors {
    ordered(systems, &streams::consumers(systems))
}

/// The ancestors; producers inherit from the given consumers.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn ordered(systems: &[SystemSignature], consumers: &[u16; MAX_SYSTEMS]) -> Ancestors {
    const NOTHING: Before<'_> = [&[]; 9];
    let mut before = [NOTHING; MAX_SYSTEMS];
    for_each!(s < systems.len(), {
        let system = &systems[s].declared;
        let consumer = match consumers[s] {
            streams::NONE => None,
            consumer => Some(&systems[consumer as usize].declared),
        };
        // The producer, if `s` is one of the given consumers.
        let producer: &[usize] = match system.streams {
            [p] if consumers[*p] as usize == s => system.streams,
            _ => &[],
        };
        before[s] = order::of_node(system, consumer, producer);
    });
    let mut ancestors = [IndexSet::EMPTY; MAX_SYSTEMS];
    if let Some(s) = order::close(before.split_at(systems.len()).0, &mut ancestors) {
        if consumers[s] != streams::NONE || !systems[s].declared.streams.is_empty() {
            Message::new()
                .text("[ECS0047] the system `")
                .text(systems[s].name)
                .text("` cannot run at the same time as the other end of its stream: what comes between waits for one of them and is waited for by the other")
                .raise();
        }
        Message::new()
            .text("[ECS0031] the dependencies of the system `")
            .text(systems[s].name)
            .text("` form a cycle")
            .raise();
    }
    ancestors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::check::residual::tests::for_declarations;

    #[test]
    fn one_round_is_enough_where_systems_are_declared_in_order() {
        use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        static FOUND: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        for_declarations(400, |systems| {
            let mut lists = systems.iter().map(|system| order::declared(&system.declared));
            let in_order = lists.by_ref().enumerate().all(|(s, lists)| {
                lists.iter().flat_map(|list| list.iter()).all(|before| *before < s)
            });
            let found = in_declared_order(systems);
            assert_eq!(found.is_some(), in_order);
            if let Some(found) = found {
                let expected = ordered(systems, &[streams::NONE; MAX_SYSTEMS]);
                assert_eq!(found[..systems.len()], expected[..systems.len()]);
            }
            FOUND[usize::from(in_order)].fetch_add(1, Relaxed);
        });
        for count in &FOUND {
            assert!(count.load(Relaxed) > 20);
        }
    }
}
