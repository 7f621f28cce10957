//! Relations: in the keys that are for them; and systems that go along one.

use ecs_rules::alone::{BesideParents, beside_parents};

use crate::error::{Errors, Fault};
use crate::model::{Model, System};
use crate::syntax::{Flag, List};

/// The keys of relations.
const KEYS: [List; 3] = [List::Link, List::Relations, List::AfterParent];

/// Reports relations in keys for resources and events, and those in keys for relations.
pub(crate) fn are_relations(model: &Model<'_>, errors: &mut Errors) {
    let others = [List::Emit, List::On, List::Add, List::ReadResources, List::WriteResources];
    for system in &model.systems {
        for used in &system.uses {
            let Some(index) = used.target.known() else { continue };
            let is_key = KEYS.contains(&used.list);
            if !is_key && !others.contains(&used.list) {
                continue;
            }
            let is_relation = model.resources[index].relation.is_some();
            if is_key == is_relation {
                continue;
            }
            let name = used.name().to_string();
            let label =
                (model.resources[index].name.name().span(), format!("`{name}` is declared here"));
            let system = system.name().to_string();
            let fault = Fault::NotARelation { name, system, key: used.key(), is_relation };
            errors.report_with(used.name().span(), fault, label);
        }
    }
}

/// Reports systems that would go along a relation of many to many.
pub(crate) fn have_parents(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for used in system.uses.iter().filter(|used| used.list == List::AfterParent) {
            let Some(index) = used.target.known() else { continue };
            let resource = &model.resources[index];
            let Some(relation) = &resource.relation else { continue };
            if !relation.many_to_many {
                continue;
            }
            let name = used.name().to_string();
            let label = (resource.name.name().span(), format!("`{name}` is declared here"));
            let fault = Fault::NoParents { system: system.name().to_string(), relation: name };
            errors.report_with(used.name().span(), fault, label);
        }
    }
}

/// Reports what a system cannot have that goes to parents before their children.
pub(crate) fn beside(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        let Some(beside) = beside_parents(&system.rules()) else { continue };
        let mut uses = system.uses.iter().filter(|used| used.list == List::AfterParent);
        let (Some(used), second) = (uses.next(), uses.next()) else { continue };
        let name = system.name().to_string();
        let (at, key, why) = match beside {
            BesideParents::Relation => {
                let at = second.unwrap_or(used).name().span();
                (Some(at), "a second `after_parent`", "make two systems of it")
            }
            BesideParents::Reach => {
                let (key, at) = match crate::check::systems::access::reaching(system) {
                    Some(("sequential", at)) => ("`sequential`", at),
                    Some((_, at)) => ("`exclusive`", at),
                    None => continue,
                };
                (
                    Some(at),
                    key,
                    "remove one of the two: it has its entities and their parents at hand",
                )
            }
            BesideParents::Slices => {
                let at = system.item.flag(Flag::SliceDependent);
                (at, "`slice_dependent`", "remove it: its entities are split level by level")
            }
            BesideParents::Stream => (
                of_list(system, &[List::Streams]),
                "a stream",
                "receive it in another system, which keeps what it needs in a component",
            ),
            BesideParents::Tracking => (
                of_list(system, &[List::Changed, List::Added, List::Removed]),
                "`changed`, `added` or `removed`",
                "ask in another system: those entities come in the order of iteration",
            ),
            BesideParents::Query => (
                Some(used.name().span()),
                "what makes it a query",
                "put `after_parent` into a system",
            ),
        };
        let Some(at) = at else { continue };
        let label = (used.name().span(), format!("`{name}` goes along `{}` here", used.name()));
        let fault = Fault::BesideParents { system: name, key, why };
        errors.report_with(at, fault, label);
    }
}

/// Where the system names something in one of the lists.
fn of_list(system: &System<'_>, lists: &[List]) -> Option<proc_macro2::Span> {
    let used = system.uses.iter().find(|used| lists.contains(&used.list))?;
    Some(used.name().span())
}
