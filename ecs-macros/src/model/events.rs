//! Events: a system that reads one runs after all that emit it, unless it is delayed.

use super::names::Target;
use super::system::{By, System, Use};
use crate::syntax::{Call, List, Resource, name_of};

/// Takes the parameters of `each` that are events for reads of these.
pub(super) fn parameters(systems: &mut [System<'_>], resources: &[&Resource]) {
    let by_each = By::Parameter(Call::Each.key());
    for used in systems.iter_mut().flat_map(|system| &mut system.uses) {
        if used.list == List::ReadResources
            && used.by == by_each
            && let Some(index) = used.target.known()
            && resources[index].event.is_some()
        {
            used.list = List::On;
        }
    }
}

/// Adds the orders that follow from events, and notes which events are delayed.
pub(super) fn order(systems: &mut [System<'_>], resources: &[&Resource]) {
    let is_delayed = |event: &usize| {
        resources[*event].event.as_ref().is_some_and(|event| event.delayed.is_some())
    };
    for system in &mut *systems {
        system.delayed = system.listed(List::Emit);
        system.delayed.retain(is_delayed);
    }
    for reader in 0..systems.len() {
        let uses = systems[reader].uses.iter().filter(|used| used.list == List::On);
        let read = uses.filter_map(|used| Some((used.path, used.target.known()?)));
        let mut orders = Vec::new();
        for (path, event) in read.filter(|(_, event)| !is_delayed(event)) {
            let emits = |other: &usize| {
                *other != reader && systems[*other].listed(List::Emit).contains(&event)
            };
            orders.extend((0..systems.len()).filter(emits).map(|emitter| Use {
                list: List::Dependencies,
                path: &systems[emitter].item.name.path,
                target: Target::Known(emitter),
                by: By::Event,
                allowed: &[],
                effect: None,
                event: Some(name_of(path)),
            }));
        }
        systems[reader].uses.extend(orders);
    }
}
