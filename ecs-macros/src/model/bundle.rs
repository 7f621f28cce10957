//! Bundles: the names that a declaration gives to some, and the components of those that systems spawn.

use syn::{Ident, Path, Type};

use super::Model;
use super::names::{Names, Target};
use crate::syntax::{self, name_of};
use ecs_rules::Kind;

/// A bundle that the declaration names. Of unknown components it has none, of repeated ones the first.
pub(crate) struct Bundle<'t> {
    pub(crate) item: &'t syntax::Bundle,
    /// The components by index, and the path of each in the bundle.
    pub(crate) components: Vec<(usize, &'t Path)>,
}

impl<'t> Bundle<'t> {
    pub(super) fn resolve(item: &'t syntax::Bundle, names: &Names) -> Self {
        let mut components: Vec<(usize, &Path)> = Vec::new();
        for path in &item.components {
            if let Some(index) = names.find(Kind::Component, name_of(path)).index()
                && components.iter().all(|(other, _)| *other != index)
            {
                components.push((index, path));
            }
        }
        Self { item, components }
    }

    /// The bundle's name.
    pub(crate) fn name(&self) -> &'t Ident {
        self.item.name.name()
    }
}

impl<'t> Model<'t> {
    /// The bundle that the declaration calls by this name.
    pub(crate) fn bundle(&self, name: &Ident) -> Option<&Bundle<'t>> {
        self.bundles.iter().find(|bundle| bundle.name() == name)
    }

    /// The components of a bundle: a tuple of components, a single component, or a named bundle. `None` if the
    /// bundle is another type, or if an element is not a component.
    pub(crate) fn components_of(&self, bundle: &Type) -> Option<Vec<usize>> {
        let component = |part: &Type| match part {
            Type::Path(path) => self.find(Kind::Component, name_of(&path.path)).known(),
            _ => None,
        };
        match bundle {
            Type::Tuple(tuple) => tuple.elems.iter().map(component).collect(),
            Type::Path(path) if let Some(named) = self.bundle(name_of(&path.path)) => {
                Some(named.components.iter().map(|(index, _)| *index).collect())
            }
            other => component(other).map(|index| vec![index]),
        }
    }

    /// Whether the system spawns the bundle by what the table says of its components, not by its type.
    pub(crate) fn is_judged_by_components(&self, bundle: &Type) -> bool {
        match bundle {
            Type::Tuple(_) => true,
            Type::Path(path) => {
                let name = name_of(&path.path);
                self.bundle(name).is_some()
                    || !matches!(
                        self.find(Kind::Component, name),
                        Target::Unknown | Target::Presumed(_)
                    )
            }
            _ => false,
        }
    }
}
