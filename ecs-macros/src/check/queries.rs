//! Queries: `queries` names queries only, a system does not write what it reads through them, and it is in the
//! same phase as an index that it uses.
//!
//! [`conflicts`](super::conflicts) checks for unordered systems that write what is read through a query.

use ecs_rules::conflict;

use super::phases::{parting, phase, refreshes, says, source};
use crate::error::{Error, Errors, Fault, Label};
use crate::model::{Model, System, Use};
use crate::syntax::List;

/// The queries that a system uses: the use, and the index of the query.
fn queries<'m>(system: &'m System<'m>) -> impl Iterator<Item = (&'m Use<'m>, usize)> {
    let uses = system.uses.iter().filter(|used| used.list == List::Queries);
    uses.filter_map(|used| Some((used, used.target.known()?)))
}

/// Reports systems in `queries` that are not queries.
pub(super) fn are_queries(model: &Model<'_>, errors: &mut Errors) {
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
pub(super) fn tell_apart(model: &Model<'_>, errors: &mut Errors) {
    let filters = [List::Read, List::Write, List::With, List::Without];
    for system in &model.systems {
        let own = system.rules();
        for (used, query) in queries(system) {
            let query = &model.systems[query];
            let members = query.rules();
            if system.lacks_in(&filters) || query.lacks_in(&filters) {
                continue;
            }
            let written = system.uses.iter().find(|write| {
                let meets = |component| conflict::with_own_members(&own, &members, component);
                matches!(write.list, List::Write | List::WriteOptional)
                    && write.target.known().is_some_and(meets)
            });
            let Some(written) = written else { continue };
            let (component, query) = (written.name().to_string(), used.name().to_string());
            let label = format!("`{}` writes `{component}` here", system.name());
            let fault = Fault::MeetsItself { system: system.name().to_string(), component, query };
            errors.report_with(used.name().span(), fault, [(written.name().span(), label)]);
        }
    }
}

/// Reports indices with a refresh between them and a system that uses them.
pub(super) fn in_one_phase(model: &Model<'_>, errors: &mut Errors) {
    if !refreshes(model) || !errors.is_empty() {
        return;
    }
    let mut phases = vec![None; model.systems.len()];
    for (user, system) in model.systems.iter().enumerate() {
        for (used, query) in queries(system) {
            if model.systems[query].rules().is_idle()
                || phase(model, query, &mut phases) == phase(model, user, &mut phases)
            {
                continue;
            }
            let Some((staging, seeing)) = source(model, user, &mut phases) else { continue };
            let [staging_name, seeing_name] =
                [staging, seeing].map(|system| model.systems[system].name().to_string());
            let label = parting(model, staging, seeing).map(|staged| Label {
                span: staged.span,
                text: format!("`{staging_name}` stages {} here", staged.text),
            });
            let fault = Fault::RefreshBeforeUse {
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
