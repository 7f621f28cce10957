//! Names, and what they stand for.

use std::collections::HashMap;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Ident, Path};

use crate::similar::closest;
use crate::syntax::{Named, name_of};
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

/// What is declared of one kind. If something is declared twice, the first declaration counts.
#[derive(Default)]
pub(super) struct Known {
    /// By index: the name, and the generic arguments of the declared path.
    declared: Vec<(String, String)>,
    /// The index of the first one, by name.
    names: HashMap<String, usize>,
    /// The index, by path as it is written.
    paths: HashMap<String, usize>,
}

impl Known {
    /// Adds something, unless it is declared already. Two paths with one name are two things.
    pub(super) fn add(&mut self, named: &Named) -> bool {
        let (name, path) = (plain(named.name()), text(&named.path));
        let new = !self.paths.contains_key(&path) || !self.names.contains_key(&name);
        if new {
            let index = self.declared.len();
            self.paths.entry(path).or_insert(index);
            self.names.entry(name.clone()).or_insert(index);
            self.declared.push((name, arguments(&named.path)));
        }
        new
    }

    /// Adds something, unless its name is taken.
    pub(super) fn add_name(&mut self, named: &Named) -> bool {
        !self.names.contains_key(&plain(named.name())) && self.add(named)
    }

    /// The index of what the path names: by its name, or by the same path.
    fn index(&self, path: &Path) -> Option<usize> {
        let named = || {
            let index = *self.names.get(&plain(name_of(path)))?;
            let (declared, used) = (&self.declared[index].1, arguments(path));
            (declared.is_empty() || used.is_empty() || *declared == used).then_some(index)
        };
        let same = || self.paths.get(&text(path)).copied();
        if path.get_ident().is_some() { named().or_else(same) } else { same().or_else(named) }
    }
}

/// The path as it is written, without spaces and marks of raw names.
fn text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "").replace("r#", "")
}

/// The generic arguments of the last segment, as they are written.
fn arguments(path: &Path) -> String {
    let last = path.segments.last().map(|segment| segment.arguments.to_token_stream());
    last.unwrap_or_default().to_string().trim_start_matches("::").replace(' ', "")
}

/// What is declared, by kind.
#[derive(Default)]
pub(crate) struct Names {
    pub(super) components: Known,
    pub(super) resources: Known,
    pub(super) systems: Known,
}

impl Names {
    fn of(&self, kind: Kind) -> &Known {
        match kind {
            Kind::Component => &self.components,
            Kind::Resource => &self.resources,
            Kind::System => &self.systems,
        }
    }

    /// Looks a name up. A mistyped name is presumed to be the closest known one.
    pub(crate) fn find(&self, kind: Kind, path: &Path) -> Target {
        let known = self.of(kind);
        if let Some(index) = known.index(path) {
            return Target::Known(index);
        }
        let name = plain(name_of(path));
        if known.names.contains_key(&name) {
            // The same name with other generic arguments.
            return Target::Unknown;
        }
        // In order of declaration, so that the result does not depend on the map's iteration order.
        closest(&name, known.declared.iter().map(|(name, _)| name.as_str()))
            .map_or(Target::Unknown, |similar| Target::Presumed(known.names[similar]))
    }

    /// What the name stands for, if it stands for something other than `kind`.
    pub(super) fn other_kind(&self, kind: Kind, name: &str) -> Option<Kind> {
        [Kind::Component, Kind::Resource, Kind::System]
            .into_iter()
            .find(|other| *other != kind && self.of(*other).names.contains_key(name))
    }
}

/// The text of a name: `r#Name` and `Name` are one.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}
