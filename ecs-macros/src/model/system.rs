//! A system with its names resolved.

use quote::format_ident;
use syn::{Ident, Path};

use super::names::{Names, Target};
use crate::syntax::{self, Lint, List, name_of};

/// The part of a declaration that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A list of the system.
    List,
    /// An `order` of the declaration.
    Order,
    /// The `stage` of the system.
    Stage,
}

/// One name in one list of a system.
pub(crate) struct Use<'t> {
    pub(crate) list: List,
    pub(crate) path: &'t Path,
    pub(crate) target: Target,
    /// Where the name is written.
    pub(crate) by: By,
    /// The lints that are allowed there.
    pub(crate) allowed: &'t [Lint],
}

impl Use<'_> {
    /// The name as it is written.
    pub(crate) fn name(&self) -> &Ident {
        name_of(self.path)
    }

    /// The key of the part that it is written in: the list's key, `order` or `stage`.
    pub(crate) fn key(&self) -> &'static str {
        match self.by {
            By::List => self.list.key(),
            By::Order => "order",
            By::Stage => "stage",
        }
    }
}

/// A system with its names resolved, in the order of the source.
pub(crate) struct System<'t> {
    pub(crate) item: &'t syntax::System,
    pub(crate) uses: Vec<Use<'t>>,
    /// The name of the struct for its entities.
    pub(crate) entry: Ident,
    /// Whether its name, which is to be that of a unit struct, is the name of another type of the declaration.
    pub(crate) is_taken: bool,
    /// What the uses name, by list, for the rules.
    pub(super) indices: Vec<Vec<usize>>,
}

impl<'t> System<'t> {
    pub(super) fn resolve(item: &'t syntax::System, names: &Names) -> Self {
        let uses = item.lists.iter().flat_map(|entry| {
            let list = entry.list;
            entry.names.iter().map(move |path| {
                let target = names.find(list.kind(), path);
                Use { list, path, target, by: By::List, allowed: &item.allowed }
            })
        });
        let entry = format_ident!("{}Entry", item.name.name());
        Self { item, uses: uses.collect(), entry, is_taken: false, indices: Vec::new() }
    }

    /// The name of the system.
    pub(crate) fn name(&self) -> &Ident {
        self.item.name.name()
    }

    /// The indices that a list names, each once.
    pub(crate) fn listed(&self, list: List) -> Vec<usize> {
        let mut indices = Vec::new();
        for index in
            self.uses.iter().filter(|used| used.list == list).filter_map(|used| used.target.index())
        {
            if !indices.contains(&index) {
                indices.push(index);
            }
        }
        indices
    }

    /// Whether one of the lists names something unknown, so that it may lack a thing that the user meant.
    pub(crate) fn lacks_in(&self, lists: &[List]) -> bool {
        self.item.incomplete
            || self
                .uses
                .iter()
                .any(|used| used.target == Target::Unknown && lists.contains(&used.list))
    }
}

/// The pairs (earlier, later) of the orders in the uses that `counts` accepts.
pub(crate) fn edges(
    systems: &[System<'_>],
    counts: impl Fn(&Use<'_>) -> bool,
) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for (this, system) in systems.iter().enumerate() {
        for used in system.uses.iter().filter(|used| counts(used)) {
            match (used.list, used.target.index()) {
                (_, Some(other)) if other == this => {}
                (List::Dependencies | List::Inputs | List::Queries, Some(other)) => {
                    edges.push((other, this));
                }
                (List::Before, Some(other)) => edges.push((this, other)),
                _ => {}
            }
        }
    }
    edges
}
