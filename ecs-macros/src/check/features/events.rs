//! Events: in the keys that are for them, used by a system, and not read for each batch of a stream.

use ecs_rules::alone;

use crate::error::{Errors, Fault};
use crate::model::{Model, System, Use};
use crate::syntax::{List, name_of};

/// The uses of resources and events, and whether each is of an event.
fn uses<'m>(
    model: &'m Model<'m>,
) -> impl Iterator<Item = (&'m System<'m>, &'m Use<'m>, usize, bool)> {
    model.systems.iter().flat_map(move |system| {
        system.uses.iter().filter_map(move |used| {
            let lists =
                [List::Emit, List::On, List::Add, List::ReadResources, List::WriteResources];
            let index = used.target.known().filter(|_| lists.contains(&used.list))?;
            if model.resources[index].relation.is_some() {
                return None;
            }
            Some((system, used, index, model.resources[index].event.is_some()))
        })
    })
}

/// Reports events in keys for resources, and resources in keys for events.
pub(crate) fn are_events(model: &Model<'_>, errors: &mut Errors) {
    for (system, used, index, is_event) in uses(model) {
        if matches!(used.list, List::Emit | List::On) == is_event {
            continue;
        }
        let name = used.name().to_string();
        let label =
            (model.resources[index].name.name().span(), format!("`{name}` is declared here"));
        let system = system.name().to_string();
        let fault = Fault::NotAnEvent { name, system, key: used.list.key(), is_event };
        errors.report_with(used.name().span(), fault, label);
    }
}

/// Reports events that no system emits or reads.
pub(crate) fn are_used(model: &Model<'_>, errors: &mut Errors) {
    // Part of a world only: another set may use the events of a set.
    if model.tree.world.is_none() {
        return;
    }
    for (index, resource) in model.resources.iter().enumerate() {
        let is_used = || {
            model.systems.iter().flat_map(|system| &system.uses).any(|used| {
                matches!(used.list, List::Emit | List::On) && used.target.index() == Some(index)
            })
        };
        if resource.event.is_some() && resource.from.is_none() && !is_used() {
            let event = resource.name.name();
            errors.report(event.span(), Fault::UnusedEvent { event: event.to_string() });
        }
    }
}

/// Reports indices that their events cannot have.
pub(crate) fn have_indices(model: &Model<'_>, errors: &mut Errors) {
    for resource in &model.resources {
        // That of a set is reported there.
        let event = resource.event.as_ref().filter(|_| resource.from.is_none());
        let Some((event, form)) = event.and_then(|event| Some((event, event.index.as_ref()?)))
        else {
            continue;
        };
        let name = resource.name.name().to_string();
        if event.addressed {
            errors.report(form.at, Fault::EventIndex { event: name, of: None });
        } else if name_of(&form.component) != resource.name.name() {
            let of = name_of(&form.component);
            let fault = Fault::EventIndex { event: name, of: Some(of.to_string()) };
            errors.report(of.span(), fault);
        }
    }
}

/// Reports events and changes that would be read for each batch of a stream.
pub(crate) fn not_in_batches(model: &Model<'_>, errors: &mut Errors) {
    for system in model.systems.iter().filter(|system| alone::reads_in_batches(&system.rules())) {
        let find = |lists: &[List]| system.uses.iter().find(|used| lists.contains(&used.list));
        let read = find(&[List::On, List::Changed, List::Added, List::Removed]);
        let (Some(read), Some(stream)) = (read, find(&[List::Streams])) else { continue };
        let name = system.name().to_string();
        let label = (stream.name().span(), format!("`{name}` receives the stream here"));
        let fault = Fault::ReadInBatches { system: name, list: read.key(), name: read.text() };
        errors.report_with(read.name().span(), fault, label);
    }
}
