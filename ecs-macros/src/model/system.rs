//! A system with its names resolved.

use syn::{Ident, Path};

use super::{Access, Names};
use crate::syntax::{self, Flag, List, name_of};

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
}

impl<'t> System<'t> {
    pub(super) fn resolve(item: &'t syntax::System, names: &Names) -> Self {
        let uses = item.lists.iter().flat_map(|entry| {
            let list = entry.list;
            entry.names.iter().map(move |path| {
                let target = names.find(list.kind(), name_of(path));
                Use { list, path, target, by: By::List }
            })
        });
        Self { item, uses: uses.collect() }
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
        self.uses.iter().any(|used| used.target == Target::Unknown && lists.contains(&used.list))
    }

    /// Whether the system is a query that is never executed. The systems that use it read its components instead.
    pub(crate) fn is_idle(&self) -> bool {
        self.item.query.as_ref().is_some_and(|query| query.keyed.is_none())
    }

    /// The accesses of the system, by itself and through its queries, which are among `systems`.
    pub(crate) fn access(&self, systems: &[System<'_>]) -> Access {
        let queries = self.uses.iter().filter(|used| used.list == List::Queries);
        let through = queries.filter_map(|used| Some(systems[used.target.known()?].own_access()));
        let mut access = if self.is_idle() { Access::default() } else { self.own_access() };
        access.through = through.collect();
        access
    }

    /// The accesses of the system by itself. Presumed names count only where they make the access smaller.
    pub(crate) fn own_access(&self) -> Access {
        let reaches = [Flag::Exclusive, Flag::Sequential];
        let exclusive = reaches.into_iter().any(|flag| self.item.flag(flag).is_some());
        let mut access = Access { exclusive, ..Access::default() };
        for used in &self.uses {
            if let Some(index) = used.target.known() {
                match used.list {
                    List::Read | List::ReadOptional => access.reads.insert(index),
                    List::Update => access.updates.insert(index),
                    List::Write | List::WriteOptional => access.writes.insert(index),
                    List::ReadAny => access.reads_any.insert(index),
                    List::ReadResources => access.reads_resources.insert(index),
                    List::WriteResources => access.writes_resources.insert(index),
                    _ => false,
                };
            }
            if let Some(index) = used.target.index() {
                match used.list {
                    List::Read | List::Write | List::With | List::Update => {
                        access.required.insert(index)
                    }
                    List::Without => access.excluded.insert(index),
                    _ => false,
                };
            }
        }
        access
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
