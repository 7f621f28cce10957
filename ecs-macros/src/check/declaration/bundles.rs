//! Bundles: those that the declaration names, and those that a system lists.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::error::{BundleFault, Errors, Fault};
use crate::model::{self, Model, System, Target};
use crate::similar::closest;
use crate::syntax::{Bundle, name_of};
use ecs_rules::Kind;

/// The most components of a bundle: the length of the longest tuple that is one.
const MOST: usize = 12;

fn report(bundle: &Bundle, fault: BundleFault, at: Span, first: Option<Span>, errors: &mut Errors) {
    let what = match &fault {
        BundleFault::Twice { name } => name.clone(),
        _ => bundle.name.name().to_string(),
    };
    let (noun, name) = (bundle.noun(), bundle.name.name().to_string());
    let fault = Fault::OfBundle { noun, bundle: name, fault };
    match first {
        Some(first) => errors.report_with(at, fault, (first, format!("`{what}` is here first"))),
        None => errors.report(at, fault),
    }
}

/// Reports bundles with the name of something else in the declaration.
pub(crate) fn names(model: &Model<'_>, errors: &mut Errors) {
    let tree = model.tree;
    for (number, bundle) in tree.bundles.iter().enumerate() {
        let name = bundle.name.name();
        let mut earlier =
            tree.bundles[..number].iter().map(|other| (other.noun(), other.name.name()));
        let named = |kind| match model.find(kind, &bundle.name.path) {
            Target::Known(index) => Some((noun(kind), model.name(kind, index))),
            Target::Presumed(_) | Target::Unknown => None,
        };
        let world = tree.world.as_ref().map(|world| ("world", &world.name));
        let set = tree.set.as_ref().map(|set| ("set", &set.name));
        let taken = earlier
            .find(|(_, other)| *other == name)
            .or_else(|| world.into_iter().chain(set).find(|(_, other)| *other == name))
            .or_else(|| {
                [Kind::Component, Kind::Resource, Kind::System].into_iter().find_map(named)
            });
        if let Some((other, first)) = taken {
            let fault = BundleFault::Taken { other };
            report(bundle, fault, name.span(), Some(first.span()), errors);
        }
    }
}

fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Component => "component",
        Kind::Resource => "resource",
        Kind::System => "system",
    }
}

/// Reports components of named bundles that are not declared.
pub(crate) fn known(model: &Model<'_>, errors: &mut Errors) {
    for bundle in &model.tree.bundles {
        for path in &bundle.components {
            let name = name_of(path);
            let similar = match model.find(Kind::Component, path) {
                Target::Known(_) => continue,
                Target::Presumed(index) => Some(model.name(Kind::Component, index).to_string()),
                Target::Unknown if model.tree.lost.iter().any(|lost| name == lost) => continue,
                Target::Unknown => None,
            };
            let other = model.other_kind(Kind::Component, name);
            let fault = BundleFault::Unknown { name: name.to_string(), similar, other };
            report(bundle, fault, name.span(), None, errors);
        }
    }
}

/// Reports named bundles with a component twice.
pub(crate) fn twice(model: &Model<'_>, errors: &mut Errors) {
    for bundle in &model.tree.bundles {
        for (name, first) in repeated(bundle.components.iter().map(name_of)) {
            let fault = BundleFault::Twice { name: name.to_string() };
            report(bundle, fault, name.span(), Some(first), errors);
        }
    }
}

/// Reports named bundles with more components than a bundle can have.
pub(crate) fn too_many(model: &Model<'_>, errors: &mut Errors) {
    for bundle in &model.bundles {
        if let Some((_, path)) = bundle.components.get(MOST) {
            let fault = BundleFault::TooMany { most: MOST };
            report(bundle.item, fault, name_of(path).span(), None, errors);
        }
    }
}

/// Reports relations of children that are not declared, or that are none.
pub(crate) fn known_relations(model: &Model<'_>, errors: &mut Errors) {
    for bundle in &model.tree.bundles {
        for children in &bundle.children {
            let at = name_of(&children.relation);
            let (name, mut similar) = (at.to_string(), None);
            match model.find(Kind::Resource, &children.relation) {
                Target::Known(index) if model.resources[index].relation.is_some() => continue,
                Target::Known(_) => {
                    let fault = BundleFault::NotARelation { name };
                    report(bundle, fault, at.span(), None, errors);
                    continue;
                }
                Target::Presumed(index) if model.resources[index].relation.is_some() => {
                    similar = Some(model.name(Kind::Resource, index).to_string());
                }
                Target::Presumed(_) | Target::Unknown => {}
            }
            if model.tree.lost.iter().all(|lost| at != lost) {
                let fault = BundleFault::UnknownRelation { name, similar };
                report(bundle, fault, at.span(), None, errors);
            }
        }
    }
}

/// Reports relations of children that give no entity a parent.
pub(crate) fn have_parents(model: &Model<'_>, errors: &mut Errors) {
    for bundle in &model.tree.bundles {
        for children in &bundle.children {
            let Some(index) = model.find(Kind::Resource, &children.relation).known() else {
                continue;
            };
            let relation = &model.resources[index].relation;
            if relation.as_ref().is_some_and(|relation| relation.many_to_many) {
                let at = name_of(&children.relation);
                let fault = BundleFault::NoParents { name: at.to_string() };
                report(bundle, fault, at.span(), None, errors);
            }
        }
    }
}

/// Reports children that are not templates of the declaration.
pub(crate) fn known_templates(model: &Model<'_>, errors: &mut Errors) {
    let templates = || model.bundles.iter().filter(|bundle| bundle.values.is_some());
    for bundle in &model.tree.bundles {
        let mut seen: Vec<&Ident> = Vec::new();
        for path in bundle.children.iter().flat_map(|children| &children.templates) {
            let name = name_of(path);
            if seen.contains(&name)
                || model::template(&model.bundles, path).is_some()
                || model.tree.lost.iter().any(|lost| name == lost)
            {
                continue;
            }
            seen.push(name);
            let name = name.to_string();
            let is_bundle = model.bundle(name_of(path)).is_some();
            let names: Vec<String> = templates().map(|known| known.name().to_string()).collect();
            let similar = closest(&name, names.iter().map(String::as_str));
            let similar = similar.filter(|_| !is_bundle).map(str::to_owned);
            let fault = BundleFault::UnknownTemplate { name, similar, is_bundle };
            report(bundle, fault, name_of(path).span(), None, errors);
        }
    }
}

/// Reports templates that are among their own descendants, each cycle once.
pub(crate) fn cycles(model: &Model<'_>, errors: &mut Errors) {
    let mut reported = vec![false; model.bundles.len()];
    for this in 0..model.bundles.len() {
        if reported[this] || !model.bundles[this].is_cyclic {
            continue;
        }
        let Some(way) = model::descent(&model.bundles, this, this) else { continue };
        for at in &way {
            reported[*at] = true;
        }
        let names: Vec<String> =
            way.iter().map(|at| model.bundles[*at].name().to_string()).collect();
        let item = model.bundles[this].item;
        let mut children = item.children.iter().flat_map(|children| &children.templates);
        let child = children.find(|path| name_of(path) == &names[1]);
        let at = child.map_or_else(|| item.name.name().span(), |path| name_of(path).span());
        report(item, BundleFault::Cycle { names }, at, None, errors);
    }
}

/// The names that were there before, and the span of the first one.
fn repeated<'n>(names: impl Iterator<Item = &'n Ident>) -> Vec<(&'n Ident, Span)> {
    let (mut seen, mut found) = (Vec::<&Ident>::new(), Vec::new());
    for name in names {
        match seen.iter().find(|seen| **seen == name) {
            Some(first) => found.push((name, first.span())),
            None => seen.push(name),
        }
    }
    found
}

/// Reports bundles that a system lists twice, in any order of components, and those that have a component twice.
pub(crate) fn listed(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        listed_by(model, system, errors);
    }
}

fn listed_by(model: &Model<'_>, system: &System<'_>, errors: &mut Errors) {
    let report = |name: String, span, label, errors: &mut Errors| {
        let system = system.name().to_string();
        errors.report_with(span, Fault::ListedTwice { name, system, list: "spawn" }, label);
    };
    let mut seen: Vec<(Result<Vec<usize>, String>, String, Span)> = Vec::new();
    for bundle in &system.item.spawn {
        let repeated = match bundle {
            Type::Tuple(tuple) => {
                repeated(tuple.elems.iter().filter_map(|element| match element {
                    Type::Path(path) => Some(name_of(&path.path)),
                    _ => None,
                }))
            }
            _ => Vec::new(),
        };
        for (name, first) in &repeated {
            let label = (*first, format!("`{name}` is listed here first"));
            report(name.to_string(), name.span(), label, errors);
        }
        let components = model.components_of(bundle).map(|mut components| {
            components.sort_unstable();
            components
        });
        let (written, known) = (text(bundle), components.ok_or_else(|| text(bundle)));
        if let Some((_, name, first)) = seen.iter().find(|(seen, ..)| *seen == known) {
            let same = if *name == written { "" } else { ": the same components" };
            let label = (*first, format!("`{name}` is listed here first{same}"));
            report(written, bundle.span(), label, errors);
        } else {
            seen.push((known, written, bundle.span()));
        }
    }
}

/// A type as users write it.
pub(crate) fn text(bundle: &Type) -> String {
    let text = bundle.to_token_stream().to_string();
    [(" ,", ","), (" <", "<"), ("< ", "<"), (" >", ">"), (" :: ", "::"), ("& ", "&"), (" ;", ";")]
        .into_iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}
