//! Names: each is declared once, each use is declared, and their number is limited.

use std::collections::HashMap;

use ecs_rules::MOST;
use syn::{Ident, Type};

use crate::error::{Errors, Fault};
use crate::model::{By, Component, Model, System, Target, plain};
use crate::similar::closest;
use crate::syntax::{Named, name_of};
use ecs_rules::Kind;

/// Reports names that are declared more than once.
pub(super) fn declared_once(model: &Model<'_>, errors: &mut Errors) {
    let tree = model.tree;
    let components = tree.buffers.iter().flat_map(|buffer| &buffer.components);
    let second = |kind| move |name| Fault::SecondName { kind, name };
    declared(second(Kind::Component), components.map(Named::name), errors);
    let resources = tree.resources.iter().map(|item| item.name.name());
    declared(second(Kind::Resource), resources, errors);
    let of_systems = |name: String| {
        let stages = tree.stages.iter().filter(|stage| plain(name_of(&stage.path)) == name);
        if stages.count() > 1 {
            return Fault::SecondStage { name };
        }
        Fault::SecondName { kind: Kind::System, name }
    };
    declared(of_systems, tree.systems.iter().map(|item| item.name.name()), errors);
}

fn declared<'a>(
    fault: impl Fn(String) -> Fault,
    names: impl Iterator<Item = &'a Ident>,
    errors: &mut Errors,
) {
    let mut seen: HashMap<String, &Ident> = HashMap::new();
    for ident in names {
        let name = plain(ident);
        if let Some(first) = seen.get(&name) {
            let label = (first.span(), format!("`{name}` is declared here first"));
            errors.report_with(ident.span(), fault(name), [label]);
        } else {
            seen.insert(name, ident);
        }
    }
}

/// Reports more than [`MOST`] components, resources or systems.
pub(super) fn not_too_many(model: &Model<'_>, errors: &mut Errors) {
    too_many(Kind::Component, model.components.get(MOST).map(Component::name), errors);
    too_many(Kind::Resource, model.resources.get(MOST).map(|item| item.name.name()), errors);
    too_many(Kind::System, model.systems.get(MOST).map(System::name), errors);
}

/// Reports the first one beyond the limit.
fn too_many(kind: Kind, excess: Option<&Ident>, errors: &mut Errors) {
    if let Some(name) = excess {
        errors.report(name.span(), Fault::TooMany { kind, most: MOST });
    }
}

/// Reports lists of components that name something else.
pub(super) fn known_components(model: &Model<'_>, errors: &mut Errors) {
    known_in_lists(model, Kind::Component, errors);
}

/// Reports lists of systems that name something else.
pub(super) fn known_systems(model: &Model<'_>, errors: &mut Errors) {
    known_in_lists(model, Kind::System, errors);
}

/// Reports orders that name something other than a system.
pub(super) fn known_in_orders(model: &Model<'_>, errors: &mut Errors) {
    let mut seen = Vec::new();
    for path in model.tree.orders.iter().flat_map(|(earlier, later)| [earlier, later]) {
        let name = name_of(path);
        let similar = match model.find(Kind::System, name) {
            Target::Known(_) => continue,
            Target::Presumed(index) => Some(model.name(Kind::System, index).to_string()),
            Target::Unknown if model.tree.lost.iter().any(|lost| name == lost) => continue,
            Target::Unknown => None,
        };
        let name_text = name.to_string();
        if !seen.contains(&name_text) {
            let other = model.other_kind(Kind::System, name);
            seen.push(name_text.clone());
            errors.report(name.span(), Fault::UnknownInOrder { name: name_text, similar, other });
        }
    }
}

/// Reports stages that no `stages` names.
pub(super) fn known_stages(model: &Model<'_>, errors: &mut Errors) {
    let stages = || model.tree.stages.iter().map(|stage| name_of(&stage.path));
    for system in &model.systems {
        let Some(stage) = system.item.stage.as_ref().map(name_of) else { continue };
        if stages().any(|known| known == stage) {
            continue;
        }
        let names: Vec<String> = stages().map(ToString::to_string).collect();
        let similar = closest(&stage.to_string(), names.iter().map(String::as_str));
        let fault = Fault::UnknownStage {
            name: stage.to_string(),
            system: system.name().to_string(),
            similar: similar.map(str::to_owned),
            known: names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        };
        errors.report(stage.span(), fault);
    }
}

/// Reports lists of resources that name something else.
pub(super) fn known_resources(model: &Model<'_>, errors: &mut Errors) {
    known_in_lists(model, Kind::Resource, errors);
}

fn known_in_lists(model: &Model<'_>, kind: Kind, errors: &mut Errors) {
    for system in &model.systems {
        for used in
            system.uses.iter().filter(|used| used.list.kind() == kind && used.by == By::List)
        {
            known(model, system.name(), kind, used.list.key(), used.name(), errors);
        }
    }
}

/// Reports tuples in `spawn` with elements that are not components. Other types may implement `Bundle`.
pub(super) fn known_in_bundles(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for bundle in &system.item.spawn {
            let Type::Tuple(tuple) = bundle else { continue };
            for element in &tuple.elems {
                if let Type::Path(path) = element {
                    let name = name_of(&path.path);
                    known(model, system.name(), Kind::Component, "spawn", name, errors);
                }
            }
        }
    }
}

/// Reports a name that does not stand for a thing of its kind.
fn known(
    model: &Model<'_>,
    system: &Ident,
    kind: Kind,
    list: &'static str,
    name: &Ident,
    errors: &mut Errors,
) {
    let similar = match model.find(kind, name) {
        Target::Known(_) => return,
        Target::Presumed(index) => Some(model.name(kind, index).to_string()),
        Target::Unknown if model.tree.lost.iter().any(|lost| name == lost) => return,
        Target::Unknown => None,
    };
    let fault = Fault::UnknownName {
        kind,
        name: name.to_string(),
        system: system.to_string(),
        list,
        similar,
        other: model.other_kind(kind, name),
    };
    errors.report(name.span(), fault);
}
