//! Names: each is declared once, each use is declared, and their number is limited.

use std::collections::HashMap;

use ecs_rules::MOST;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Ident, Path, Type};

use crate::error::{Errors, Fault, StateFault};
use crate::model::{self, Component, Model, System, Target, plain};
use crate::similar::closest;
use crate::syntax::{Named, name_of};
use ecs_rules::Kind;

/// Reports names that are declared more than once.
pub(crate) fn declared_once(model: &Model<'_>, errors: &mut Errors) {
    let tree = model.tree;
    let mut components: Vec<&Named> = Vec::new();
    for buffer in &tree.buffers {
        components.extend(&buffer.components);
    }
    let resources: Vec<&Named> = tree.resources.iter().map(|item| &item.name).collect();
    let systems: Vec<&Named> = tree.systems.iter().map(|item| &item.name).collect();
    let second = |kind| {
        move |first: &Named, again: &Named| {
            let path = path_text(&again.path);
            let other = (path_text(&first.path) != path)
                .then(|| format!("{kind} {path} as {};", other_name(&again.path)));
            Fault::SecondName { kind, name: again.name().to_string(), other }
        }
    };
    declared(&second(Kind::Component), &components, errors);
    declared(&second(Kind::Resource), &resources, errors);
    let of_systems = |_: &Named, again: &Named| {
        let name = again.name().to_string();
        let stages = tree.stages.iter().filter(|stage| *name_of(&stage.path) == name).count();
        let all = tree.systems.iter().filter(|item| *item.name.name() == name).count();
        match stages {
            0 => Fault::SecondName { kind: Kind::System, name, other: None },
            _ => Fault::SecondStage { name, is_system: stages != all },
        }
    };
    declared(&of_systems, &systems, errors);
}

fn declared(fault: &dyn Fn(&Named, &Named) -> Fault, all: &[&Named], errors: &mut Errors) {
    // The numbers of the first ones, by name.
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (number, again) in all.iter().enumerate() {
        let name = plain(again.name());
        if let Some(first) = seen.get(&name) {
            let first = all[*first];
            let label = (first.name().span(), format!("`{name}` is declared here first"));
            errors.report_with(again.name().span(), fault(first, again), label);
        } else {
            seen.insert(name, number);
        }
    }
}

/// The path as it is written, without spaces.
fn path_text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// A name for the type, other than its last segment: `BPos` for `b::Pos`, `BufU8` for `Buf<u8>`.
fn other_name(path: &Path) -> String {
    let capital = |word: String| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    let mut words: Vec<String> = Vec::new();
    for segment in &path.segments {
        let parts = [segment.ident.to_token_stream(), segment.arguments.to_token_stream()];
        let text = parts.map(|part| part.to_string()).concat().replace("r#", "");
        let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.extend(parts.filter(|word| !word.is_empty()).map(|word| capital(word.to_owned())));
    }
    words.retain(|word| !["Crate", "Self", "Super"].contains(&word.as_str()));
    let name = words.concat();
    if path.segments.last().is_some_and(|last| last.ident == name) {
        format!("Other{name}")
    } else {
        name
    }
}

/// Reports names of types that the macro generates, if another type of the declaration has them.
pub(crate) fn not_taken(model: &Model<'_>, errors: &mut Errors) {
    let types = first_of_each(model::types(model.tree).into_iter());
    let of_systems = model.systems.iter().map(System::name);
    let systems = first_of_each(of_systems.map(|name| (name, "a system, which becomes a type")));
    let mut report = |at: &Ident, name: String, of: String, by: String, first: &Ident| {
        let label = (first.span(), format!("`{name}` is {by}"));
        errors.report_with(at.span(), Fault::TakenName { name, of, by }, label);
    };
    if let Some(world) = &model.tree.world
        && let Some((first, by)) =
            types.get(&world.name.to_string()).filter(|(_, by)| *by != "the world")
    {
        let by = (*by).to_owned();
        report(&world.name, world.name.to_string(), "the world".to_owned(), by, first);
    }
    for system in model.systems.iter().filter(|system| system.item.from.is_none()) {
        let name = system.name().to_string();
        if let Some((first, by)) = types.get(&name).filter(|_| system.is_taken) {
            let of = "a system, which becomes a type".to_owned();
            report(system.name(), name.clone(), of, (*by).to_owned(), first);
        }
        let entry = format!("{name}Entry");
        if let Some((first, by)) = types.get(&entry).or_else(|| systems.get(&entry)) {
            let of = format!("the struct for the entities of `{name}`");
            report(first, entry, (*by).to_owned(), of, system.name());
        }
    }
}

/// The names, each with the first thing that has it.
fn first_of_each<'m>(
    all: impl Iterator<Item = (&'m Ident, &'static str)>,
) -> HashMap<String, (&'m Ident, &'static str)> {
    let mut first = HashMap::new();
    for (name, what) in all {
        first.entry(name.to_string()).or_insert((name, what));
    }
    first
}

/// Reports more than [`MOST`] components, resources or systems.
pub(crate) fn not_too_many(model: &Model<'_>, errors: &mut Errors) {
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
pub(crate) fn known_components(model: &Model<'_>, errors: &mut Errors) {
    known_in_lists(model, Kind::Component, errors);
}

/// Reports lists of systems that name something else.
pub(crate) fn known_systems(model: &Model<'_>, errors: &mut Errors) {
    known_in_lists(model, Kind::System, errors);
}

/// Reports orders that name something other than a system.
pub(crate) fn known_in_orders(model: &Model<'_>, errors: &mut Errors) {
    let mut seen = Vec::new();
    for path in model.tree.orders.iter().flat_map(|order| [&order.earlier, &order.later]) {
        let name = name_of(path);
        let similar = match model.find(Kind::System, path) {
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
pub(crate) fn known_stages(model: &Model<'_>, errors: &mut Errors) {
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
pub(crate) fn known_resources(model: &Model<'_>, errors: &mut Errors) {
    known_in_lists(model, Kind::Resource, errors);
}

fn known_in_lists(model: &Model<'_>, kind: Kind, errors: &mut Errors) {
    for system in &model.systems {
        for used in
            system.uses.iter().filter(|used| used.list.kind() == kind && used.is_of_the_system())
        {
            known(model, system.name(), kind, used.key(), used.path, errors);
        }
    }
}

/// Reports references in `spawn`, and tuples with elements that are not components. Other types may implement `Bundle`.
pub(crate) fn known_in_bundles(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for bundle in &system.item.spawn {
            let parts: Vec<&Type> = match bundle {
                Type::Tuple(tuple) => tuple.elems.iter().collect(),
                Type::Reference(_) => vec![bundle],
                _ => Vec::new(),
            };
            for element in parts {
                if let Type::Path(path) = element {
                    known(model, system.name(), Kind::Component, "spawn", &path.path, errors);
                } else {
                    let fault = Fault::Unnamed {
                        part: super::bundles::text(element),
                        system: system.name().to_string(),
                        names: names_in(element),
                    };
                    errors.report(element.span(), fault);
                }
            }
        }
    }
}

/// The names that a reference or a tuple is made of; none if it is made of something else.
fn names_in(part: &Type) -> Vec<String> {
    match part {
        Type::Path(path) => vec![path_text(&path.path)],
        Type::Reference(reference) => names_in(&reference.elem),
        Type::Paren(inner) => names_in(&inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter().flat_map(names_in).collect(),
        _ => Vec::new(),
    }
}

/// Reports a name that does not stand for a thing of its kind.
pub(crate) fn known(
    model: &Model<'_>,
    system: &Ident,
    kind: Kind,
    list: &'static str,
    path: &Path,
    errors: &mut Errors,
) {
    let name = name_of(path);
    let similar = match model.find(kind, path) {
        Target::Known(_) => return,
        Target::Presumed(index) => Some(model.name(kind, index).to_string()),
        Target::Unknown if model.tree.lost.iter().any(|lost| name == lost) => return,
        Target::Unknown => None,
    };
    if kind != Kind::System
        && model.tree.states.iter().any(|state| plain(&state.name) == plain(name))
    {
        let (name, system, at) = (name.to_string(), system.to_string(), name.span());
        return errors.report(at, Fault::OfState(StateFault::AsValue { name, system, key: list }));
    }
    // The same name with other generic arguments needs another name.
    let taken = |named: &Named| *named.name() == *name;
    let alias = match kind {
        Kind::Component => model.components.iter().any(|item| taken(item.named)),
        Kind::Resource => model.resources.iter().any(|item| taken(&item.name)),
        Kind::System => false,
    };
    let fault = Fault::UnknownName {
        kind,
        name: if alias { path_text(path) } else { name.to_string() },
        alias: alias.then(|| other_name(path)),
        system: system.to_string(),
        list,
        similar,
        other: model.other_kind(kind, name),
    };
    errors.report(name.span(), fault);
}
