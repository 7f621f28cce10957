//! Bundles that the declaration names.

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
        Self { item, components, values: item.values.is_some().then_some(values) }
    }

    /// The bundle's name.
    pub(crate) fn name(&self) -> &'t Ident {
        self.item.name.name()
    }
}
