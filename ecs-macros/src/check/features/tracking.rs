//! Tracked components: who asks about them, who writes them, and by what references.

use ecs_rules::tracking;

use crate::check::order::conflicts::{is_remote, open_order, producer};
use crate::error::{Errors, Fault, TrackingFault};
use crate::model::{Model, System, Use};
use crate::syntax::{Call, List, Takes, name_of};
use ecs_rules::Kind;

/// The uses by which a system asks.
fn questions<'s>(system: &'s System<'_>) -> impl Iterator<Item = &'s Use<'s>> {
    system.uses.iter().filter(|used| matches!(used.list, List::Changed | List::Added))
}

/// A system that asks about the component.
fn asking(model: &Model<'_>, component: usize) -> Option<String> {
    let asks =
        |system: &&System<'_>| questions(system).any(|used| used.target.known() == Some(component));
    model.systems.iter().find(asks).map(|system| system.name().to_string())
}

/// Reports parameters that write a tracked component without a mark, or another one with a mark.
pub(crate) fn references(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        let parameters = system.item.code.first().and_then(|code| code.typed()).unwrap_or_default();
        for (_, takes) in parameters.iter().filter_map(|parameter| parameter.typed.as_ref()) {
            let Takes::Reference { path, mutable: true, marks, .. } = takes else { continue };
            let used = system.parameter(path).filter(|used| used.list.kind() == Kind::Component);
            let Some(component) = used.and_then(|used| used.target.known()) else { continue };
            if *marks != model.components[component].tracked {
                let fault = TrackingFault::Reference {
                    system: system.name().to_string(),
                    component: model.components[component].name().to_string(),
                    asking: asking(model, component),
                };
                errors.report(name_of(path).span(), Fault::OfTracking(fault));
            }
        }
    }
}

/// Reports questions about components that the system does not access.
pub(crate) fn accessed(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        let own = [List::Read, List::Write, List::Update];
        if system.lacks_in(&own) {
            continue;
        }
        for used in questions(system) {
            let Some(component) = used.target.known() else { continue };
            let rules = system.rules();
            if !ecs_rules::contains_any(&[rules.read, rules.write, rules.update], component) {
                let fault = TrackingFault::NotAccessed {
                    system: system.name().to_string(),
                    component: used.name().to_string(),
                    list: used.list.key(),
                };
                errors.report(used.name().span(), Fault::OfTracking(fault));
            }
        }
    }
}

/// Reports unordered systems that meet at marks.
pub(crate) fn marks(model: &Model<'_>, errors: &mut Errors) {
    let rules = model.rules();
    let mut tracked = tracking::tracked(&rules);
    if tracked.is_empty() {
        return;
    }
    let open = open_order(model);
    while let Some(component) = tracked.pop() {
        for second in 0..rules.len() {
            for first in 0..second {
                if open[first]
                    || open[second]
                    || model.order.ordered(first, second)
                    || !tracking::over_marks(&rules[first], &rules[second], component)
                {
                    continue;
                }
                let [a, b] = [first, second].map(|at| &model.systems[at]);
                let (Some(asking), Some(one), Some(other)) =
                    (asking(model, component), place(a, component), place(b, component))
                else {
                    continue;
                };
                let fault = TrackingFault::OverMarks {
                    first: a.name().to_string(),
                    second: b.name().to_string(),
                    component: model.components[component].name().to_string(),
                    asking,
                    remote: is_remote(model, [first, second]),
                    producer: producer(model, [first, second])
                        .map(|system| model.systems[system].name().to_string()),
                };
                let label = format!("`{}` {} `{}` here", a.name(), verb(one), one.name());
                let label = (one.name().span(), label);
                errors.report_with(other.name().span(), Fault::OfTracking(fault), label);
            }
        }
    }
}

/// The use of a system that meets others at the marks of the component.
fn place<'s>(system: &'s System<'_>, component: usize) -> Option<&'s Use<'s>> {
    let lists = [List::Write, List::WriteOptional, List::Changed, List::Added];
    lists.into_iter().find_map(|list| {
        let of = |used: &&Use<'_>| used.list == list && used.target.known() == Some(component);
        system.uses.iter().find(of)
    })
}

fn verb(used: &Use<'_>) -> &'static str {
    if matches!(used.list, List::Write | List::WriteOptional) { "writes" } else { "asks about" }
}

/// Reports questions of systems whose code is called for every entity.
pub(crate) fn beside_each(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        if system.item.code.first().is_none_or(|code| code.call != Call::Each) {
            continue;
        }
        let removed = system.uses.iter().filter(|used| used.list == List::Removed);
        for used in questions(system).chain(removed) {
            let fault = TrackingFault::BesideEach {
                system: system.name().to_string(),
                component: used.name().to_string(),
                list: used.list.key(),
            };
            errors.report(used.name().span(), Fault::OfTracking(fault));
        }
    }
}
