//! Names, and what they stand for.

use std::collections::HashMap;

use syn::Ident;
use syn::ext::IdentExt;

use crate::similar::closest;
use ecs_rules::Kind;

/// What a name in a list stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The thing with this index.
    Known(usize),
    /// Nothing, but the name is similar to that of the thing with this index. Code is generated as if
    /// it were that name, and checks do not report faults that follow from it.
    Presumed(usize),
    /// Nothing.
    Unknown,
}

impl Target {
    /// The index, if the name is known.
    pub(crate) fn known(self) -> Option<usize> {
        match self {
            Self::Known(index) => Some(index),
            Self::Presumed(_) | Self::Unknown => None,
        }
    }

    /// The index, known or presumed.
    pub(crate) fn index(self) -> Option<usize> {
        match self {
            Self::Known(index) | Self::Presumed(index) => Some(index),
            Self::Unknown => None,
        }
    }
}

/// The index of each declared name. If a name is declared twice, the first declaration counts.
#[derive(Default)]
pub(crate) struct Names {
    pub(super) components: HashMap<String, usize>,
    pub(super) resources: HashMap<String, usize>,
    pub(super) systems: HashMap<String, usize>,
}

impl Names {
    fn of(&self, kind: Kind) -> &HashMap<String, usize> {
        match kind {
            Kind::Component => &self.components,
            Kind::Resource => &self.resources,
            Kind::System => &self.systems,
        }
    }

    /// Looks a name up. A mistyped name is presumed to be the closest known one.
    pub(crate) fn find(&self, kind: Kind, name: &Ident) -> Target {
        let name = plain(name);
        let known = self.of(kind);
        if let Some(index) = known.get(&name) {
            return Target::Known(*index);
        }
        // In order of declaration, so that the result does not depend on the map's iteration order.
        let mut candidates: Vec<_> = known.iter().map(|(name, index)| (*index, name)).collect();
        candidates.sort_unstable();
        closest(&name, candidates.iter().map(|(_, name)| name.as_str()))
            .map_or(Target::Unknown, |similar| Target::Presumed(known[similar]))
    }

    /// What the name stands for, if it stands for something other than `kind`.
    pub(super) fn other_kind(&self, kind: Kind, name: &str) -> Option<Kind> {
        [Kind::Component, Kind::Resource, Kind::System]
            .into_iter()
            .find(|other| *other != kind && self.of(*other).contains_key(name))
    }
}

/// The text of a name: `r#Name` and `Name` are one.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Adds a name, unless it is taken.
pub(super) fn add(names: &mut HashMap<String, usize>, name: &Ident, index: usize) -> bool {
    let name = plain(name);
    let new = !names.contains_key(&name);
    if new {
        names.insert(name, index);
    }
    new
}
