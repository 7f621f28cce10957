//! Bundles that the declaration names.

use std::collections::VecDeque;

use syn::{Expr, Ident, Path};

use super::names::Names;
use crate::syntax;
use ecs_rules::Kind;

/// A bundle that the declaration names. Of unknown components it has none, of repeated ones the first.
pub(crate) struct Bundle<'t> {
    pub(crate) item: &'t syntax::Bundle,
    /// The components by index, and the path of each in the bundle.
    pub(crate) components: Vec<(usize, &'t Path)>,
    /// Of a template: the value of each of these components, unless it belongs to a name that is not known.
    pub(crate) values: Option<Vec<Option<&'t Expr>>>,
    /// Of a template: its children, but for those that the checks report, as they could not be spawned.
    pub(crate) children: Vec<Child>,
    /// Whether the template is one of its own descendants. In the code it has no children then.
    pub(crate) is_cyclic: bool,
}

/// Children of a template that follow one another, in one relation and of one template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Child {
    /// The relation, as an index among the resources.
    pub(crate) relation: usize,
    /// The index of the template among the bundles.
    pub(crate) template: usize,
    pub(crate) count: usize,
}

impl<'t> Bundle<'t> {
    pub(super) fn resolve(item: &'t syntax::Bundle, names: &Names) -> Self {
        let mut components: Vec<(usize, &Path)> = Vec::new();
        let mut values = Vec::new();
        for (number, path) in item.components.iter().enumerate() {
            let target = names.find(Kind::Component, path);
            if let Some(index) = target.index()
                && components.iter().all(|(other, _)| *other != index)
            {
                components.push((index, path));
                let value = item.values.as_ref().and_then(|values| values.get(number));
                values.push(value.filter(|_| target.known().is_some()));
            }
        }
        let values = item.values.is_some().then_some(values);
        Self { item, components, values, children: Vec::new(), is_cyclic: false }
    }

    /// The bundle's name.
    pub(crate) fn name(&self) -> &'t Ident {
        self.item.name.name()
    }
}

/// Finds the children of all templates.
pub(super) fn resolve_children(
    bundles: &mut [Bundle<'_>],
    resources: &[&syntax::Resource],
    names: &Names,
) {
    for this in 0..bundles.len() {
        let mut found: Vec<Child> = Vec::new();
        for children in &bundles[this].item.children {
            let relation = names.find(Kind::Resource, &children.relation).known();
            let has_parents = |index: &usize| {
                resources[*index].relation.as_ref().is_some_and(|relation| !relation.many_to_many)
            };
            let Some(relation) = relation.filter(has_parents) else { continue };
            for path in &children.templates {
                let Some(template) = template(bundles, path) else { continue };
                match found.last_mut() {
                    Some(last) if (last.relation, last.template) == (relation, template) => {
                        last.count += 1;
                    }
                    _ => found.push(Child { relation, template, count: 1 }),
                }
            }
        }
        bundles[this].children = found;
    }
    for this in 0..bundles.len() {
        bundles[this].is_cyclic = descent(bundles, this, this).is_some();
    }
}

/// The index of the template with this name.
pub(crate) fn template(bundles: &[Bundle<'_>], path: &Path) -> Option<usize> {
    let name = syntax::name_of(path);
    bundles.iter().position(|bundle| bundle.values.is_some() && bundle.name() == name)
}

/// The shortest way from a template down to a descendant, both included, if there is one.
pub(crate) fn descent(bundles: &[Bundle<'_>], from: usize, to: usize) -> Option<Vec<usize>> {
    let (mut reached_from, mut wait) = (vec![None; bundles.len()], VecDeque::from([from]));
    while let Some(at) = wait.pop_front() {
        for child in &bundles[at].children {
            if reached_from[child.template].is_none() {
                reached_from[child.template] = Some(at);
                wait.push_back(child.template);
            }
        }
    }
    let mut way = vec![to, reached_from[to]?];
    while way.last() != Some(&from) {
        way.push(reached_from[*way.last()?]?);
    }
    way.reverse();
    Some(way)
}
