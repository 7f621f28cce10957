//! Unordered systems must not conflict.
//!
//! A pair is skipped if an unresolved name may have ordered the two systems or separated their entities, so that
//! one mistake causes one message.

use ecs_rules::{System as Rules, conflict, contains};

use crate::error::{Conflict, Error, Errors, Fault, Label};
use crate::model::{Model, System};
use crate::syntax::List;
use ecs_rules::Kind;

pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    let rules = model.rules();
    let open_order = open_order(model);
    let lacks = |s: &System<'_>| {
        s.lacks_in(&[List::Read, List::Write, List::Update, List::With, List::Without])
    };
    let open_filters: Vec<bool> = model
        .systems
        .iter()
        .map(|s| lacks(s) || s.listed(List::Queries).iter().any(|q| lacks(&model.systems[*q])))
        .collect();
    for second in 0..rules.len() {
        for first in 0..second {
            if model.order.ordered(first, second) || open_order[first] || open_order[second] {
                continue;
            }
            // Reported for the index, with an order for both.
            if over_indices(model, &rules, first, second) {
                continue;
            }
            let (a, b) = (&rules[first], &rules[second]);
            let mut components = over_components(&rules, a, b);
            if open_filters[first] || open_filters[second] {
                let reached = |system, c: &usize| conflict::reaches_others(system, *c);
                components.retain(|c| reached(a, c) || reached(b, c));
            }
            let mut resources = over_resources(a, b);
            // Events order their systems, and links wait; one of these in a key for resources is reported.
            resources.retain(|resource| {
                let resource = model.resources[*resource];
                resource.event.is_none() && resource.relation.is_none()
            });
            if !components.is_empty() || !resources.is_empty() {
                let pair = Pair { model, rules: &rules, first, second };
                pair.report(&components, &resources, errors);
            }
        }
    }
}

/// The components over which the systems conflict if they are unordered, ascending.
pub(crate) fn over_components(rules: &[Rules<'_>], a: &Rules<'_>, b: &Rules<'_>) -> Vec<usize> {
    let through = |reader: &Rules<'_>, writer: &Rules<'_>, component| {
        let mut queries = reader.queries.iter();
        queries.any(|query| {
            conflict::over_members(writer, reader, (&rules[*query], *query), component)
        })
    };
    let conflicts =
        |c: &usize| conflict::over_component(a, b, *c) || through(a, b, *c) || through(b, a, *c);
    let mut components = [a.write, a.write_optional, b.write, b.write_optional].concat();
    components.sort_unstable();
    components.dedup();
    components.retain(conflicts);
    components
}

/// Whether one of the two unordered systems writes what the other one is made from, as an index, or uses an index of.
fn over_indices(model: &Model<'_>, rules: &[Rules<'_>], first: usize, second: usize) -> bool {
    let one_way = |writer: usize, other: usize| {
        let queries = model.systems[other].listed(List::Queries);
        let mut indices = queries.into_iter().chain([other]);
        indices.any(|query| {
            !model.order.ordered(writer, query)
                && conflict::over_index(&rules[writer], &rules[query]).is_some()
        })
    };
    one_way(first, second) || one_way(second, first)
}

/// The resources over which the systems conflict if they are unordered, ascending.
fn over_resources(a: &Rules<'_>, b: &Rules<'_>) -> Vec<usize> {
    let mut resources = [a.write_resources, b.write_resources, a.add, b.add].concat();
    resources.sort_unstable();
    resources.dedup();
    resources.retain(|resource| conflict::over_resource(a, b, *resource));
    resources
}

/// For each system, whether its order is incomplete: systems with an unresolved dependency and those that run
/// after them, and systems with an unresolved `before` and those that run before them.
pub(crate) fn open_order(model: &Model<'_>) -> Vec<bool> {
    let mut open = vec![model.tree.order_is_lost; model.systems.len()];
    for (this, system) in model.systems.iter().enumerate() {
        let after = system.lacks_in(&[List::Dependencies, List::Inputs, List::Queries, List::Sees]);
        let before = system.lacks_in(&[List::Before]);
        if !after && !before {
            continue;
        }
        for (other, open) in open.iter_mut().enumerate() {
            *open |= (after && (other == this || model.order.reaches(this, other)))
                || (before && (other == this || model.order.reaches(other, this)));
        }
    }
    open
}

/// Whether one of the two systems is part of a set.
pub(crate) fn is_remote(model: &Model<'_>, pair: [usize; 2]) -> bool {
    pair.iter().any(|system| model.systems[*system].item.from.is_some())
}

/// The system of the two that sends the other one a stream, if any.
pub(crate) fn producer(model: &Model<'_>, [first, second]: [usize; 2]) -> Option<usize> {
    let takes = |consumer: usize, producer| {
        model.systems[consumer].listed(List::Streams).contains(&producer)
    };
    if takes(second, first) { Some(first) } else { takes(first, second).then_some(second) }
}

/// Two systems in conflict.
struct Pair<'m> {
    model: &'m Model<'m>,
    rules: &'m [Rules<'m>],
    first: usize,
    second: usize,
}

impl Pair<'_> {
    fn report(&self, components: &[usize], resources: &[usize], errors: &mut Errors) {
        let conflict = |kind, index, first, second| Conflict {
            kind,
            name: self.model.name(kind, index).to_string(),
            first,
            second,
        };
        let over = |kind, index| {
            conflict(
                kind,
                index,
                self.verb(self.first, kind, index),
                self.verb(self.second, kind, index),
            )
        };
        let mut things: Vec<(Kind, usize)> = Vec::new();
        things.extend(components.iter().map(|index| (Kind::Component, *index)));
        things.extend(resources.iter().map(|index| (Kind::Resource, *index)));
        let fault = Fault::Conflict {
            first: self.name(self.first),
            second: self.name(self.second),
            over: things.iter().map(|(kind, index)| over(*kind, *index)).collect(),
            filters: self.filters(components, resources),
            remote: is_remote(self.model, [self.first, self.second]),
            producer: producer(self.model, [self.first, self.second])
                .map(|system| self.name(system)),
        };
        let mut span = None;
        let mut labels = Vec::new();
        for (kind, index) in things {
            let tokens =
                (self.token(self.first, kind, index), self.token(self.second, kind, index));
            let texts = self.labels(kind, index);
            labels.push(Label { span: tokens.0, text: texts.0 });
            // The message is at the second system's first token.
            if span.is_some() {
                labels.push(Label { span: tokens.1, text: texts.1 });
            }
            span = span.or(Some(tokens.1));
        }
        if let Some(span) = span {
            errors.push(Error { span, fault, labels });
        }
    }

    /// The labels at the first and at the second system's token.
    fn labels(&self, kind: Kind, index: usize) -> (String, String) {
        let verbs = (self.verb(self.first, kind, index), self.verb(self.second, kind, index));
        let (first, second, name) =
            (self.name(self.first), self.name(self.second), self.model.name(kind, index));
        (
            format!("`{first}` {} the {kind} `{name}` here, which `{second}` {}", verbs.0, verbs.1),
            format!("`{second}` {} the {kind} `{name}` here, which `{first}` {}", verbs.1, verbs.0),
        )
    }

    /// How the system accesses the component or the resource.
    fn verb(&self, system: usize, kind: Kind, index: usize) -> &'static str {
        let system = &self.rules[system];
        let writes = match kind {
            Kind::Resource => contains(system.write_resources, index),
            _ => !system.is_idle() && system.writes(index),
        };
        if writes {
            "writes"
        } else if kind == Kind::Resource && contains(system.add, index) {
            "adds to"
        } else if kind == Kind::Component && !system.is_idle() && contains(system.update, index) {
            "updates"
        } else {
            "reads"
        }
    }

    fn name(&self, system: usize) -> String {
        self.model.systems[system].name().to_string()
    }

    /// Where the system declares that it accesses the component or the resource.
    fn token(&self, system: usize, kind: Kind, index: usize) -> proc_macro2::Span {
        let (at, system) = (system, &self.model.systems[system]);
        let accesses = [
            List::Write,
            List::WriteOptional,
            List::Update,
            List::Read,
            List::ReadOptional,
            List::ReadAny,
            List::WriteResources,
            List::Add,
            List::ReadResources,
        ];
        let find = |list: &List| {
            system.uses.iter().find(|used| {
                used.list == *list && list.kind() == kind && used.target.known() == Some(index)
            })
        };
        let through = || {
            let shows = |query: usize| {
                kind == Kind::Component
                    && self.rules[at].reads_through(&self.rules[query], query, index)
            };
            let mut uses = system.uses.iter();
            uses.find(|used| used.list == List::Queries && used.target.known().is_some_and(shows))
        };
        accesses
            .iter()
            .find_map(find)
            .or_else(through)
            .map_or_else(|| system.name().span(), |used| used.name().span())
    }

    /// How filters could resolve the conflict, or why they cannot.
    fn filters(&self, components: &[usize], resources: &[usize]) -> Result<String, String> {
        if !resources.is_empty() {
            return Err("`with` and `without` tell entities apart, not resources".to_owned());
        }
        for system in [self.first, self.second] {
            let name = self.name(system);
            if let Some((flag, _)) =
                crate::check::systems::access::reaching(&self.model.systems[system])
            {
                return Err(format!(
                    "filters do not help, because `{name}` is {flag} and reaches every entity"
                ));
            }
            let reached = |index: &&usize| conflict::reaches_others(&self.rules[system], **index);
            if let Some(index) = components.iter().find(reached) {
                let component = self.model.name(Kind::Component, *index);
                return Err(format!(
                    "filters do not help, because `{name}` reads `{component}` of any entity"
                ));
            }
        }
        Ok("or tell their entities apart: require a component in `with: [..]` of the one, and \
            exclude it in `without: [..]` of the other"
            .to_owned())
    }
}
