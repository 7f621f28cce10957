//! The order of systems: no system depends on itself, directly or in a cycle.

use std::collections::{BTreeSet, HashSet};

use proc_macro2::Span;
use syn::Ident;

use crate::error::{Error, Errors, Fault, Label};
use crate::model::{self, By, Graph, Model, Use};
use crate::syntax::{List, Stage, name_of};

/// Reports systems that name themselves.
pub(crate) fn not_before_itself(model: &Model<'_>, errors: &mut Errors) {
    for (this, system) in model.systems.iter().enumerate() {
        for used in system.uses.iter().filter(|used| is_order(used) || used.list == List::Streams) {
            if used.target.known() == Some(this) {
                let (system, list) = (system.name().to_string(), used.key());
                errors.report(used.name().span(), Fault::SelfDependency { system, list });
            }
        }
    }
}

/// An entry by which one system runs before another.
pub(crate) struct Entry<'m> {
    system: usize,
    used: &'m Use<'m>,
}

impl Entry<'_> {
    pub(crate) fn span(&self) -> Span {
        self.event().unwrap_or_else(|| self.used.name()).span()
    }

    /// The event that is the reason of the order, if it is one.
    fn event(&self) -> Option<&Ident> {
        self.used.event
    }

    /// As it is written: `before: [Draw]` of `system Move`.
    fn text(&self, model: &Model<'_>) -> String {
        let system = model.systems[self.system].name();
        if self.used.by == By::Stage {
            let stage = model.systems[self.system].item.stage.as_ref();
            let stage = stage.map_or_else(|| self.used.name(), name_of);
            return format!("system {system} {{ stage: {stage} }}");
        }
        if self.used.by == By::Order {
            let mut stages = model.tree.stages.iter();
            let follows = |stage: &Stage| {
                name_of(&stage.path) == system
                    && stage.previous.as_ref().map(name_of) == Some(self.used.name())
            };
            let item = if stages.any(follows) { "stages" } else { "order" };
            return format!("{item} {} -> {system}", self.used.name());
        }
        if let Some(event) = self.event() {
            return format!("system {system} {{ on: [{event}] }}");
        }
        format!("system {system} {{ {}: [{}] }}", self.used.list.key(), self.used.name())
    }
}

/// The entry by which `earlier` runs before `later`, if there is one.
pub(crate) fn entry<'m>(model: &'m Model<'m>, earlier: usize, later: usize) -> Option<Entry<'m>> {
    let find = |system: usize, names: usize, before: bool| {
        let used = model.systems[system].uses.iter().find(|used| {
            is_order(used)
                && (used.list == List::Before) == before
                && used.target.known() == Some(names)
        })?;
        Some(Entry { system, used })
    };
    find(later, earlier, false).or_else(|| find(earlier, later, true))
}

/// The entries by which each of two systems runs before the other, if one of the two entries is a
/// `before` or an `order`: then two lines contradict each other, which is reported instead of a cycle.
fn contradiction<'m>(
    model: &'m Model<'m>,
    first: usize,
    second: usize,
) -> Option<(Entry<'m>, Entry<'m>)> {
    let (one, other) = (entry(model, first, second)?, entry(model, second, first)?);
    let explicit = |entry: &Entry<'_>| {
        entry.used.list == List::Before || !matches!(entry.used.by, By::List | By::Event)
    };
    (explicit(&one) || explicit(&other)).then_some((one, other))
}

/// Reports pairs of entries with opposite orders.
pub(crate) fn contradictions(model: &Model<'_>, errors: &mut Errors) {
    let edges: HashSet<(usize, usize)> = known_edges(model).into_iter().collect();
    let both = edges.iter().filter(|(earlier, later)| edges.contains(&(*later, *earlier)));
    // Each pair once, in order of the second system.
    let pairs: BTreeSet<(usize, usize)> = both
        .filter(|(first, second)| first < second)
        .map(|(first, second)| (*second, *first))
        .collect();
    for (second, first) in pairs {
        let Some((one, other)) = contradiction(model, first, second) else { continue };
        let name = |system: usize| model.systems[system].name().to_string();
        let fault = Fault::OrderContradiction {
            first: name(first),
            second: name(second),
            one: one.text(model),
            other: other.text(model),
        };
        let label = format!("this says that `{}` runs before `{}`", name(first), name(second));
        errors.report_with(other.span(), fault, (one.span(), label));
    }
}

/// The pairs (earlier, later) of all entries, without those with presumed names.
pub(crate) fn known_edges(model: &Model<'_>) -> Vec<(usize, usize)> {
    model::edges(&model.systems, |used| used.target.known().is_some())
}

/// Reports cycles of systems.
pub(crate) fn cycles(model: &Model<'_>, errors: &mut Errors) {
    for cycle in Graph::new(model.systems.len(), known_edges(model)).cycles() {
        if let [first, second] = cycle[..]
            && contradiction(model, first, second).is_some()
        {
            continue;
        }
        let name = |system: usize| model.systems[system].name().to_string();
        let pairs = cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1));
        let mut places: Vec<Label> = pairs
            .filter_map(|(earlier, later)| {
                let text = format!("`{}` waits for `{}` here", name(later), name(earlier));
                entry(model, earlier, later).map(|entry| Label { span: entry.span(), text })
            })
            .collect();
        // The last one closes the cycle.
        let span =
            places.pop().map_or_else(|| model.systems[cycle[0]].name().span(), |last| last.span);
        let pairs = cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1));
        let entries = pairs.filter_map(|(earlier, later)| entry(model, earlier, later));
        let mut by: Vec<String> = entries.map(|entry| entry.text(model)).collect();
        by.dedup();
        let pairs = cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1));
        let mut events: Vec<String> = pairs
            .filter_map(|(earlier, later)| Some(entry(model, earlier, later)?.event()?.to_string()))
            .collect();
        events.dedup();
        let is_stage =
            |system: &&usize| model.tree.stages.iter().any(|s| *name_of(&s.path) == name(**system));
        let fault = Fault::Cycle {
            systems: cycle.iter().map(|system| name(*system)).collect(),
            stages: cycle.iter().filter(is_stage).map(|system| name(*system)).collect(),
            by,
            events,
        };
        errors.push(Error { span, fault, labels: places });
    }
}

fn is_order(used: &Use<'_>) -> bool {
    matches!(
        used.list,
        List::Dependencies | List::Before | List::Inputs | List::Queries | List::Sees
    )
}
