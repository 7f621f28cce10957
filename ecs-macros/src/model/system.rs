//! A system with its names resolved.

use quote::format_ident;
use syn::{Ident, Path};

use super::fields::Field;
use super::names::{Names, Target};
use super::states::Timing;
use crate::syntax::{self, Call, Condition, Flag, Index, Lint, List, Parameter, Takes, name_of};
use ecs_rules::Kind;

/// The part of a declaration that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A list of the system.
    List,
    /// The type of a parameter of the system's code or condition, which this key holds, or what the key names.
    Parameter(&'static str),
    /// An `order` of the declaration.
    Order,
    /// The `stage` of the system.
    Stage,
    /// The index of the query, which is made after what writes its components.
    Index,
    /// An event that the system reads, after what emits it.
    Event,
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
    /// The effect that is seen, in `sees`.
    pub(crate) effect: Option<&'t Ident>,
    /// The event that orders the systems.
    pub(crate) event: Option<&'t Ident>,
}

impl<'t> Use<'t> {
    /// A name in the type of a parameter, or in a key of its own.
    fn of_type(list: List, path: &'t Path, by: By, allowed: &'t [Lint], names: &Names) -> Self {
        let target = names.find(list.kind(), path);
        Self { list, path, target, by, allowed, effect: None, event: None }
    }

    /// A typed parameter of code: a reference to a resource if its name is that of one, otherwise to a component.
    fn of_parameter(
        parameter: &Parameter<'t>,
        by: By,
        allowed: &'t [Lint],
        names: &Names,
    ) -> Option<Self> {
        let Some((_, Takes::Reference { path, mutable, optional, marks })) = parameter.typed else {
            return None;
        };
        let known = |kind| names.find(kind, path).known().is_some();
        let of_resource = Takes::list(mutable, optional, Kind::Resource).filter(|_| !marks);
        let of_resource = of_resource.filter(|_| !known(Kind::Component) && known(Kind::Resource));
        let list = of_resource.or_else(|| Takes::list(mutable, optional, Kind::Component))?;
        Some(Self::of_type(list, path, by, allowed, names))
    }

    /// A parameter of a condition, which reads a resource.
    fn of_condition(parameter: &Parameter<'t>, allowed: &'t [Lint], names: &Names) -> Option<Self> {
        let Some((_, Takes::Reference { path, mutable: false, optional: false, marks: false })) =
            parameter.typed
        else {
            return None;
        };
        let (list, by) = (List::RunIf, By::Parameter(List::RunIf.key()));
        Some(Self::of_type(list, path, by, allowed, names))
    }

    /// The name as it is written.
    pub(crate) fn name(&self) -> &Ident {
        name_of(self.path)
    }

    /// Whether it is an event for each of which the system's code is called.
    pub(crate) fn is_each_event(&self) -> bool {
        self.list == List::On && self.by == By::Parameter(Call::Each.key())
    }

    /// Whether it is written in the system.
    pub(crate) fn is_of_the_system(&self) -> bool {
        matches!(self.by, By::List | By::Parameter(_))
    }

    /// The whole entry: `Walk`, or in `sees`, `Walk.despawn`.
    pub(crate) fn text(&self) -> String {
        match self.effect {
            Some(effect) => format!("{}.{effect}", self.name()),
            None => self.name().to_string(),
        }
    }

    /// The key of the part that it is written in: the list's key, that of the code, `index`, `order` or `stage`.
    pub(crate) fn key(&self) -> &'static str {
        match self.by {
            By::List => self.list.key(),
            By::Parameter(key) => key,
            By::Order => "order",
            By::Stage => "stage",
            By::Index => "index",
            By::Event => "on",
        }
    }
}

/// A system with its names resolved, in the order of the source.
pub(crate) struct System<'t> {
    pub(crate) item: &'t syntax::System,
    pub(crate) uses: Vec<Use<'t>>,
    /// The name of the struct for its entities.
    pub(crate) entry: Ident,
    /// The fields of that struct, the strongest access first. Each component has one field.
    pub(crate) fields: Vec<Field>,
    /// Whether its name, which is to be that of a unit struct, is the name of another type of the declaration.
    pub(crate) is_taken: bool,
    /// What the uses name, by list, for the rules.
    pub(super) indices: Vec<Vec<usize>>,
    /// The components that the index is made from, if not from all that the query reads.
    pub(crate) index: Option<Vec<usize>>,
    /// What the system reads through its queries, where it names that.
    pub(crate) members: Vec<Member<'t>>,
    /// The pairs of a query and a component of these.
    pub(crate) through: Vec<(usize, usize)>,
    /// Those of the events that it emits that are delayed.
    pub(crate) delayed: Vec<usize>,
    /// What it says of states, and of the number of the execution.
    pub(crate) timing: Timing,
}

/// A component that a system reads of the members of a query.
pub(crate) struct Member<'t> {
    pub(crate) query: Target,
    pub(crate) path: &'t Path,
    pub(crate) component: Target,
}

impl<'t> System<'t> {
    pub(super) fn resolve(item: &'t syntax::System, names: &Names) -> Self {
        let uses = item.lists.iter().flat_map(|entry| {
            let list = entry.list;
            entry.names.iter().enumerate().map(move |(at, path)| {
                let target = names.find(list.kind(), path);
                let effect = entry.effects.get(at);
                Use {
                    list,
                    path,
                    target,
                    by: By::List,
                    allowed: &item.allowed,
                    effect,
                    event: None,
                }
            })
        });
        let mut uses: Vec<Use<'t>> = uses.collect();
        if let Some(code) = item.code.first() {
            let by = By::Parameter(code.call.key());
            let parameters = code.typed().unwrap_or_default();
            uses.extend(
                parameters
                    .iter()
                    .filter_map(|one| Use::of_parameter(one, by, &item.allowed, names)),
            );
        }
        if let Some(path) = &item.expire {
            let of = |list| {
                let by = By::Parameter(Call::Expire.key());
                Use::of_type(list, path, by, &item.allowed, names)
            };
            let written = of(List::Write);
            // What is over is despawned if the system declares that, and otherwise removed. What is unknown is reported once.
            let removes = item.flag(Flag::Despawn).is_none() && written.target.known().is_some();
            uses.push(written);
            uses.extend(removes.then(|| of(List::Remove)));
        }
        let of_condition = item.condition.as_ref().and_then(Condition::parameters);
        uses.extend(
            of_condition
                .iter()
                .flatten()
                .filter_map(|one| Use::of_condition(one, &item.allowed, names)),
        );
        let members = item.through.iter().flat_map(|(query, components)| {
            let query = names.find(Kind::System, query);
            components.iter().map(move |path| {
                let component = names.find(Kind::Component, path);
                Member { query, path, component }
            })
        });
        let members: Vec<Member<'_>> = members.collect();
        let pairs = members.iter();
        let pairs =
            pairs.filter_map(|member| Some((member.query.index()?, member.component.index()?)));
        let mut through: Vec<(usize, usize)> = pairs.collect();
        through.dedup();
        let index = match item.query.as_ref().and_then(|query| query.index.as_ref()) {
            Some(Index::Form(form)) if form.within.is_none() => {
                let component = names.find(Kind::Component, &form.component);
                Some(component.index().into_iter().collect())
            }
            _ => None,
        };
        let entry = format_ident!("{}Entry", item.name.name());
        let (fields, indices, delayed) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            item,
            uses,
            entry,
            fields,
            is_taken: false,
            indices,
            index,
            members,
            through,
            delayed,
            timing: Timing::default(),
        }
    }

    /// The component that the system counts down.
    pub(crate) fn expired(&self) -> Option<usize> {
        let path = self.item.expire.as_ref()?;
        self.uses.iter().find(|used| std::ptr::eq(used.path, path))?.target.index()
    }

    /// The use that a typed parameter of the system's code is.
    pub(crate) fn parameter(&self, path: &Path) -> Option<&Use<'t>> {
        self.uses.iter().find(|used| std::ptr::eq(used.path, path))
    }

    /// Whether the system is a query with an index.
    pub(crate) fn is_indexed(&self) -> bool {
        self.item.query.as_ref().is_some_and(|query| query.index.is_some())
    }

    /// The components that the system reads of the members of the query `at`, all of which have them if `list` is
    /// `Read`.
    pub(crate) fn shown(&self, at: usize, query: &System<'_>, list: List) -> Vec<usize> {
        let named = |c: &usize| {
            let mut pairs = self.through.iter().filter(|(query, _)| *query == at).peekable();
            pairs.peek().is_none() || pairs.any(|(_, component)| component == c)
        };
        query.listed(list).into_iter().filter(named).collect()
    }

    /// The name of the system.
    pub(crate) fn name(&self) -> &Ident {
        self.item.name.name()
    }

    /// The field of a component.
    pub(crate) fn field(&self, component: usize) -> Option<&Ident> {
        let field = self.fields.iter().find(|field| field.component == component)?;
        Some(&field.ident)
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
                (List::Dependencies | List::Inputs | List::Queries | List::Sees, Some(other)) => {
                    edges.push((other, this));
                }
                (List::Before, Some(other)) => edges.push((this, other)),
                _ => {}
            }
        }
    }
    edges
}
