//! Unordered systems must not stage changes whose order is observable (Core ECS, corollary 4.8).
//!
//! Like [`conflicts`](super::conflicts), this skips pairs that an unresolved name may have ordered.

use ecs_rules::{System as Rules, conflict, influence};
use proc_macro2::Span;

use super::{conflicts, phases};
use crate::error::{Error, Errors, Fault, Label};
use crate::model::{Model, System};
use crate::syntax::{Flag, List};
use ecs_rules::Kind;

pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    let open = conflicts::open_order(model);
    let refreshes = phases::refreshes(model);
    let rules = model.rules();
    let of = |(system, rules)| Influence::of(system, rules, refreshes);
    let influences: Vec<Influence<'_>> = model.systems.iter().zip(&rules).map(of).collect();
    for second in 0..influences.len() {
        for first in 0..second {
            if model.order.ordered(first, second) || open[first] || open[second] {
                continue;
            }
            let conflicts = influences[first].conflicts(&influences[second], model);
            if !conflicts.is_empty() {
                report(model, [first, second], conflicts, errors);
            }
        }
    }
}

/// Reports unordered systems that update the same component, but with a refresh between them.
pub(crate) fn parted_updates(model: &Model<'_>, errors: &mut Errors) {
    // In a faulty declaration, phases are not meaningful.
    if !phases::refreshes(model) || !errors.is_empty() {
        return;
    }
    let mut known = vec![None; model.systems.len()];
    let systems: Vec<&System<'_>> = model.systems.iter().collect();
    let rules = model.rules();
    for (second, two) in systems.iter().enumerate() {
        for (first, one) in systems[..second].iter().enumerate() {
            let Some(component) = conflict::over_updates(&rules[first], &rules[second]) else {
                continue;
            };
            if model.order.ordered(first, second)
                || phases::phase(model, first, &mut known)
                    == phases::phase(model, second, &mut known)
            {
                continue;
            }
            let token = |system: &System<'_>| {
                let named = |used: &&crate::model::Use<'_>| {
                    used.list == List::Update && used.target.known() == Some(component)
                };
                let used = system.uses.iter().find(named);
                used.map_or_else(|| system.name().span(), |used| used.name().span())
            };
            let [first_name, second_name] = [one, two].map(|system| system.name().to_string());
            let component = model.name(Kind::Component, component).to_string();
            let text = format!(
                "here `{first_name}` updates the component `{component}`, and `{second_name}` in \
                 another phase"
            );
            let fault = Fault::PartedUpdates {
                component,
                remote: conflicts::is_remote(model, [first, second]),
                first: first_name,
                second: second_name,
            };
            errors.report_with(token(two), fault, (token(one), text));
        }
    }
}

/// How a system changes a component, and where it is declared.
#[derive(Clone, Copy)]
struct Change {
    component: usize,
    verb: &'static str,
    span: Span,
}

/// The changes of a system at the refresh, and its immediate changes if a refresh may come between two systems.
struct Influence<'m> {
    rules: &'m Rules<'m>,
    refreshes: bool,
    /// At most one for each component: insertions come first.
    changes: Vec<Change>,
    defers: Option<Span>,
}

/// A conflict of the changes of two systems: the clauses of the message, and where each change is declared.
struct Conflict {
    text: [String; 3],
    spans: [Span; 2],
}

impl<'m> Influence<'m> {
    fn of(system: &System<'_>, rules: &'m Rules<'m>, refreshes: bool) -> Self {
        let verbs = [
            (List::Update, "updates"),
            (List::Accumulate, "accumulates into"),
            (List::Insert, "inserts"),
            (List::Remove, "removes"),
            (List::Write, "writes"),
            (List::WriteOptional, "writes"),
        ];
        let mut changes: Vec<Change> = Vec::new();
        for ((list, verb), counted) in verbs.into_iter().zip(influence::changes(rules, refreshes)) {
            for used in system.uses.iter().filter(|used| used.list == list) {
                let counts = |component: &usize| counted.contains(component);
                let Some(component) = used.target.known().filter(counts) else { continue };
                if changes.iter().all(|change| change.component != component) {
                    changes.push(Change { component, verb, span: used.name().span() });
                }
            }
        }
        Self { rules, refreshes, changes, defers: system.item.flag(Flag::Defer) }
    }

    fn conflicts(&self, other: &Influence<'_>, model: &Model<'_>) -> Vec<Conflict> {
        let named = |verb: &str, component| {
            format!("{verb} the component `{}`", model.name(Kind::Component, component))
        };
        let mut conflicts = Vec::new();
        for one in &self.changes {
            let same = |change: &&Change| change.component == one.component;
            let Some(two) = other.changes.iter().find(same) else { continue };
            let (a, b) = (self.rules, other.rules);
            if influence::over_component(a, b, one.component, self.refreshes) {
                let [first, second] = [one, two].map(|change| named(change.verb, one.component));
                let both = named("insert", one.component);
                conflicts
                    .push(Conflict { text: [first, second, both], spans: [one.span, two.span] });
            }
        }
        if !influence::over_functions(self.rules, other.rules, self.refreshes) {
            return conflicts;
        }
        // A function may change anything. One conflict for all components is enough.
        let function = || "defers functions that may change any component".to_owned();
        let changes = |influence: &Influence<'_>| influence.changes.first().copied();
        let (text, spans) = match (self.defers, other.defers, changes(self), changes(other)) {
            (Some(one), Some(two), ..) => ([function(), function()], [one, two]),
            (Some(one), None, _, Some(two)) => {
                ([function(), named(two.verb, two.component)], [one, two.span])
            }
            (None, Some(two), Some(one), _) => {
                ([named(one.verb, one.component), function()], [one.span, two])
            }
            _ => return conflicts,
        };
        let both = "defer functions that may change any component".to_owned();
        let [first, second] = text;
        conflicts.push(Conflict { text: [first, second, both], spans });
        conflicts
    }
}

fn report(model: &Model<'_>, pair: [usize; 2], conflicts: Vec<Conflict>, errors: &mut Errors) {
    let [first, second] = pair.map(|system| model.systems[system].name().to_string());
    let mut over = Vec::new();
    let mut labels = Vec::new();
    let mut span = None;
    for Conflict { text: [one, two, both], spans } in conflicts {
        let text = format!("here `{first}` {one}, and `{second}` {two}");
        labels.push(Label { span: spans[0], text });
        if span.is_none() {
            // The message is at the second system's first token.
            span = Some(spans[1]);
        } else {
            let text = format!("here `{second}` {two}, and `{first}` {one}");
            labels.push(Label { span: spans[1], text });
        }
        over.push(if one == two {
            format!("both {both}")
        } else {
            format!("`{first}` {one} and `{second}` {two}")
        });
    }
    let Some(span) = span else { return };
    let defers =
        pair.into_iter().find(|system| model.systems[*system].item.flag(Flag::Defer).is_some());
    let fault = Fault::Influence {
        defers: defers.map(|system| model.systems[system].name().to_string()),
        remote: conflicts::is_remote(model, pair),
        producer: conflicts::producer(model, pair)
            .map(|system| model.systems[system].name().to_string()),
        first,
        second,
        over,
    };
    errors.push(Error { span, fault, labels });
}
