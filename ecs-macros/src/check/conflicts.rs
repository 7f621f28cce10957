//! Unordered systems must not conflict.
//!
//! A pair is skipped if an unresolved name may have ordered the two systems or separated their entities, so that
//! one mistake causes one message.

use crate::error::{Conflict, Error, Errors, Fault, Kind, Label};
use crate::model::{Access, Model, System};
use crate::syntax::List;

pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    let accesses: Vec<Access> =
        model.systems.iter().map(|system| system.access(&model.systems)).collect();
    let open_order = open_order(model);
    let lacks = |s: &System<'_>| {
        s.lacks_in(&[List::Read, List::Write, List::Update, List::With, List::Without])
    };
    let open_filters: Vec<bool> = model
        .systems
        .iter()
        .map(|s| lacks(s) || s.listed(List::Queries).iter().any(|q| lacks(&model.systems[*q])))
        .collect();
    for second in 0..accesses.len() {
        for first in 0..second {
            if model.order.ordered(first, second) || open_order[first] || open_order[second] {
                continue;
            }
            let (a, b) = (&accesses[first], &accesses[second]);
            let mut components = a.component_conflicts(b);
            if open_filters[first] || open_filters[second] {
                components.retain(|c| a.reaches_others(*c) || b.reaches_others(*c));
            }
            let resources = a.resource_conflicts(b);
            if !components.is_empty() || !resources.is_empty() {
                let pair = Pair { model, first, second, a, b };
                pair.report(&components, &resources, errors);
            }
        }
    }
}

/// For each system, whether its order is incomplete: systems with an unresolved dependency and those that run
/// after them, and systems with an unresolved `before` and those that run before them.
pub(super) fn open_order(model: &Model<'_>) -> Vec<bool> {
    let mut open = vec![false; model.systems.len()];
    for (this, system) in model.systems.iter().enumerate() {
        let after = system.lacks_in(&[List::Dependencies, List::Inputs, List::Queries]);
        let before = system.lacks_in(&[List::Before]);
        for (other, open) in open.iter_mut().enumerate() {
            *open |= (after && (other == this || model.order.reaches(this, other)))
                || (before && (other == this || model.order.reaches(other, this)));
        }
    }
    open
}

/// Whether one of the two systems is part of a set.
pub(super) fn is_remote(model: &Model<'_>, pair: [usize; 2]) -> bool {
    pair.iter().any(|system| model.systems[*system].item.from.is_some())
}

/// The system of the two that sends the other one a stream, if any.
pub(super) fn producer(model: &Model<'_>, [first, second]: [usize; 2]) -> Option<usize> {
    let takes = |consumer: usize, producer| {
        model.systems[consumer].listed(List::Streams).contains(&producer)
    };
    if takes(second, first) { Some(first) } else { takes(first, second).then_some(second) }
}

/// Two systems in conflict.
struct Pair<'m> {
    model: &'m Model<'m>,
    first: usize,
    second: usize,
    a: &'m Access,
    b: &'m Access,
}

impl Pair<'_> {
    fn report(&self, components: &[usize], resources: &[usize], errors: &mut Errors) {
        let conflict = |kind, index, first, second| Conflict {
            kind,
            name: self.model.name(kind, index).to_string(),
            first,
            second,
        };
        let over_components = components.iter().filter_map(|index| {
            Some(conflict(Kind::Component, *index, self.a.verb(*index)?, self.b.verb(*index)?))
        });
        let over_resources = resources.iter().filter_map(|index| {
            let verbs = (self.a.resource_verb(*index)?, self.b.resource_verb(*index)?);
            Some(conflict(Kind::Resource, *index, verbs.0, verbs.1))
        });
        let fault = Fault::Conflict {
            first: self.name(self.first),
            second: self.name(self.second),
            over: over_components.chain(over_resources).collect(),
            filters: self.filters(components, resources),
            remote: is_remote(self.model, [self.first, self.second]),
            producer: producer(self.model, [self.first, self.second])
                .map(|system| self.name(system)),
        };
        let over_components = components.iter().map(|index| (Kind::Component, *index));
        let over_resources = resources.iter().map(|index| (Kind::Resource, *index));
        let mut span = None;
        let mut labels = Vec::new();
        for (kind, index) in over_components.chain(over_resources) {
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
        let verbs = match kind {
            Kind::Resource => (self.a.resource_verb(index), self.b.resource_verb(index)),
            _ => (self.a.verb(index), self.b.verb(index)),
        };
        let verbs = (verbs.0.unwrap_or_default(), verbs.1.unwrap_or_default());
        let (first, second, name) =
            (self.name(self.first), self.name(self.second), self.model.name(kind, index));
        (
            format!("`{first}` {} the {kind} `{name}` here, which `{second}` {}", verbs.0, verbs.1),
            format!("`{second}` {} the {kind} `{name}` here, which `{first}` {}", verbs.1, verbs.0),
        )
    }

    fn name(&self, system: usize) -> String {
        self.model.systems[system].name().to_string()
    }

    /// Where the system declares that it accesses the component or the resource.
    fn token(&self, system: usize, kind: Kind, index: usize) -> proc_macro2::Span {
        let system = &self.model.systems[system];
        let accesses = [
            List::Write,
            List::WriteOptional,
            List::Update,
            List::Read,
            List::ReadOptional,
            List::ReadAny,
            List::WriteResources,
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
                    && self.model.systems[query].own_access().reads.contains(&index)
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
        for (system, access) in [(self.first, self.a), (self.second, self.b)] {
            let name = self.name(system);
            if let Some((flag, _)) = super::access::reaching(&self.model.systems[system]) {
                return Err(format!(
                    "filters do not help, because `{name}` is {flag} and reaches every entity"
                ));
            }
            if let Some(index) = components.iter().find(|index| access.reaches_others(**index)) {
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
