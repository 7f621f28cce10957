//! Queries: `queries` names queries only, and of their components those that they show; a system does not write what it
//! reads through them; and an index is made once for all systems that use it, so nothing comes between them that makes
//! it stale.
//!
//! [`conflicts`](crate::check::order::conflicts) checks for unordered systems that write what else is read through a query.

use ecs_rules::{Kind, conflict};
use proc_macro2::Span;

use crate::check::declaration::names::known;
use crate::check::order::conflicts::{is_remote, open_order};
use crate::check::order::phases::{first_after, parting, phase, refreshes, says, source};
use crate::error::{Error, Errors, Fault, Label};
use crate::model::{Model, System, Use, users};
use crate::syntax::{List, name_of};

/// The queries that a system uses: the use, and the index of the query.
fn queries<'m>(system: &'m System<'m>) -> impl Iterator<Item = (&'m Use<'m>, usize)> {
    let uses = system.uses.iter().filter(|used| used.list == List::Queries);
    uses.filter_map(|used| Some((used, used.target.known()?)))
}

/// Reports systems in `queries` that are not queries.
pub(crate) fn are_queries(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for (used, query) in queries(system) {
            if model.systems[query].item.query.is_none() {
                let (name, system) = (used.name().to_string(), system.name().to_string());
                errors.report(used.name().span(), Fault::NotAQuery { name, system });
            }
        }
    }
}

/// Reports systems that write what they read through a query, unless filters separate the entities, or the
/// system is sequential and therefore holds one pair at a time.
pub(crate) fn tell_apart(model: &Model<'_>, errors: &mut Errors) {
    let filters = [List::Read, List::Write, List::With, List::Without];
    for system in &model.systems {
        let own = system.rules();
        for (used, at) in queries(system) {
            let query = &model.systems[at];
            let members = query.rules();
            if system.lacks_in(&filters) || query.lacks_in(&filters) {
                continue;
            }
            let written = system.uses.iter().find(|write| {
                let meets = |component| conflict::with_own_members(&own, (&members, at), component);
                matches!(write.list, List::Write | List::WriteOptional)
                    && write.target.known().is_some_and(meets)
            });
            let Some(written) = written else { continue };
            let (component, query) = (written.name().to_string(), used.name().to_string());
            let label = format!("`{}` writes `{component}` here", system.name());
            let fault = Fault::MeetsItself { system: system.name().to_string(), component, query };
            errors.report_with(used.name().span(), fault, (written.name().span(), label));
        }
    }
}

/// Reports what is read through a query and is no component.
pub(crate) fn known_members(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for member in &system.members {
            known(model, system.name(), Kind::Component, List::Queries.key(), member.path, errors);
        }
    }
}

/// Reports what is read through a query that does not show it.
pub(crate) fn are_shown(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for member in &system.members {
            let (Some(query), Some(component)) = (member.query.known(), member.component.known())
            else {
                continue;
            };
            let query = &model.systems[query];
            let shows = query.rules().shows(component) || query.lacks_in(&[List::Read]);
            if !shows && query.item.query.is_some() {
                let fault = Fault::NotShown {
                    system: system.name().to_string(),
                    query: query.name().to_string(),
                    component: name_of(member.path).to_string(),
                };
                errors.report(name_of(member.path).span(), fault);
            }
        }
    }
}

/// The queries with an index, and the systems that write what it is made from, with one such component.
fn writers(model: &Model<'_>) -> Vec<(usize, usize, usize)> {
    let rules = model.rules();
    let mut writers = Vec::new();
    for query in (0..rules.len()).filter(|query| model.systems[*query].is_indexed()) {
        for writer in (0..rules.len()).filter(|writer| *writer != query) {
            if let Some(component) = conflict::over_index(&rules[writer], &rules[query]) {
                writers.push((query, writer, component));
            }
        }
    }
    writers
}

/// The names of the component and of both systems, and the span where the writer declares it.
fn names(
    model: &Model<'_>,
    (query, writer, component): (usize, usize, usize),
) -> ([String; 3], Option<Span>) {
    let mut uses = model.systems[writer].uses.iter();
    let write = uses.find(|used| {
        matches!(used.list, List::Write | List::WriteOptional)
            && used.target.known() == Some(component)
    });
    let names = [
        model.name(Kind::Component, component).to_string(),
        model.systems[query].name().to_string(),
        model.systems[writer].name().to_string(),
    ];
    (names, write.map(|used| used.name().span()))
}

/// Where a system names a query.
fn use_of(model: &Model<'_>, user: usize, query: usize) -> Span {
    let used = queries(&model.systems[user]).find(|(_, used)| *used == query);
    used.map_or_else(|| model.systems[user].name().span(), |(used, _)| used.name().span())
}

/// Reports systems that write what an index is made from, and are not ordered with it.
pub(crate) fn unordered_writers(model: &Model<'_>, errors: &mut Errors) {
    let open = open_order(model);
    for found @ (query, writer, _) in writers(model) {
        let users: Vec<usize> = users(&model.systems, query).collect();
        if model.order.ordered(query, writer) || open[query] || open[writer] || users.is_empty() {
            continue;
        }
        if users.iter().any(|user| open[*user])
            || model.systems[query].lacks_in(&[List::With, List::Without])
        {
            continue;
        }
        let ([component, query_name, name], span) = names(model, found);
        let label = format!("`{name}` writes the component `{component}` here");
        let fault = Fault::WritesIndexed {
            writer: name,
            component,
            query: query_name,
            users: users.iter().map(|user| model.systems[*user].name().to_string()).collect(),
            remote: users.iter().any(|user| is_remote(model, [writer, *user])),
        };
        let labels = span.map(|span| Label { span, text: label }).into_iter().collect();
        errors.push(Error { span: use_of(model, users[0], query), fault, labels });
    }
}

/// Reports systems that write what an index is made from between two systems that use it.
pub(crate) fn between_users(model: &Model<'_>, errors: &mut Errors) {
    for found @ (query, writer, _) in writers(model) {
        let users: Vec<usize> = users(&model.systems, query).collect();
        let later = users.iter().find(|user| model.order.reaches(writer, **user));
        let Some(later) = later
            .filter(|_| model.order.reaches(query, writer) && !model.order.reaches(writer, query))
        else {
            continue;
        };
        let earlier = users.iter().find(|user| model.order.reaches(**user, writer));
        let ([component, query_name, name], span) = names(model, found);
        let label = format!("`{name}` writes the component `{component}` here");
        let fault = Fault::BetweenUsers {
            writer: name,
            component,
            query: query_name,
            earlier: earlier.map(|user| model.systems[*user].name().to_string()),
            later: model.systems[*later].name().to_string(),
        };
        let labels = span.map(|span| Label { span, text: label }).into_iter().collect();
        errors.push(Error { span: use_of(model, *later, query), fault, labels });
    }
}

/// Reports indices with a refresh between two systems that use them.
pub(crate) fn in_one_phase(model: &Model<'_>, errors: &mut Errors) {
    if !refreshes(model) || !errors.is_empty() {
        return;
    }
    let mut phases = vec![None; model.systems.len()];
    for (user, system) in model.systems.iter().enumerate() {
        for (used, query) in queries(system) {
            // The index is made in the phase of the first system that runs after it.
            let first = first_after(model, query, &mut phases);
            let Some(first) = first.filter(|_| model.systems[query].is_indexed()) else { continue };
            if phase(model, first, &mut phases) == phase(model, user, &mut phases) {
                continue;
            }
            let Some((staging, seeing)) = source(model, user, &mut phases) else { continue };
            let [staging_name, seeing_name, first] =
                [staging, seeing, first].map(|system| model.systems[system].name().to_string());
            let label = parting(model, staging, seeing).map(|staged| Label {
                span: staged.span,
                text: format!("`{staging_name}` stages {} here", staged.text),
            });
            let fault = Fault::RefreshBeforeUse {
                user: first,
                system: system.name().to_string(),
                query: used.name().to_string(),
                staging: staging_name,
                seeing: seeing_name,
                said: says(model, staging, seeing),
            };
            let labels = label.into_iter().collect();
            errors.push(Error { span: used.name().span(), fault, labels });
        }
    }
}
