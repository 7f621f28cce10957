//! Names: each declared once, each use declared, and not too many of them.

use std::collections::HashSet;

use syn::{Ident, Type};

use crate::error::{Errors, Fault, Kind};
use crate::model::{Component, Model, System, Target};
use crate::syntax::name_of;

/// The most components, resources and systems of one declaration: `ecs-core` has the same limit.
const MOST: usize = 1024;

pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    let tree = model.tree;
    let components = tree.buffers.iter().flat_map(|buffer| &buffer.components);
    declared(Kind::Component, components.map(name_of), errors);
    declared(Kind::Resource, tree.resources.iter().map(|item| name_of(&item.path)), errors);
    declared(Kind::System, tree.systems.iter().map(|item| name_of(&item.name)), errors);
    too_many(Kind::Component, model.components.get(MOST).map(Component::name), errors);
    too_many(Kind::Resource, model.resources.get(MOST).map(|item| name_of(&item.path)), errors);
    too_many(Kind::System, model.systems.get(MOST).map(System::name), errors);
    for system in &model.systems {
        for used in &system.uses {
            let list = used.list;
            known(model, system.name(), list.kind(), list.key(), used.name(), errors);
        }
        for bundle in &system.item.spawn {
            bundle_names(model, system.name(), bundle, errors);
        }
    }
}

/// Reports names that are declared more than once.
fn declared<'a>(kind: Kind, names: impl Iterator<Item = &'a Ident>, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for ident in names {
        let name = ident.to_string();
        if seen.contains(&name) {
            errors.report(ident.span(), Fault::SecondName { kind, name });
        } else {
            seen.insert(name);
        }
    }
}

/// Reports the first one that is too many.
fn too_many(kind: Kind, excess: Option<&Ident>, errors: &mut Errors) {
    if let Some(name) = excess {
        errors.report(name.span(), Fault::TooMany { kind, most: MOST });
    }
}

/// Reports a name that stands for nothing of its kind.
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

/// The elements of a tuple are components. What is no tuple may be any type that is a bundle.
fn bundle_names(model: &Model<'_>, system: &Ident, bundle: &Type, errors: &mut Errors) {
    let Type::Tuple(tuple) = bundle else { return };
    for element in &tuple.elems {
        if let Type::Path(path) = element {
            known(model, system, Kind::Component, "spawn", name_of(&path.path), errors);
        }
    }
}
