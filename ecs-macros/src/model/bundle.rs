//! Bundles that the declaration names.

use syn::{Ident, Path};

use super::names::Names;
use crate::syntax;
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
            if let Some(index) = names.find(Kind::Component, path).index()
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
