//! Sequential systems: they run alone, and their changes are immediate.

use ecs_rules::System as Rules;
use ecs_rules::alone::{Beside, beside_sequential};
use ecs_rules::effect::{Effect, seen_now};
use ecs_rules::timing::never_together;
use proc_macro2::Span;

use crate::check::order::conflicts;
use crate::check::order::residual::entities;
use crate::error::{Errors, Fault};
use crate::model::{Model, System};
use crate::syntax::{Flag, List};

fn is_sequential(system: &System<'_>) -> bool {
    system.item.flag(Flag::Sequential).is_some()
}

/// Reports keys that a sequential system cannot have.
pub(crate) fn beside(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        let name = system.name().to_string();
        if let Some(sequential) = system.item.flag(Flag::Sequential) {
            let label = || (sequential, format!("`{name}` is sequential here"));
            for (flag, why) in [
                (Flag::Exclusive, "which says that already\nhelp: remove `exclusive`"),
                (
                    Flag::Defer,
                    "but what it does happens at once, and nothing is put off\nhelp: remove `defer`, or \
                     defer functions in another system",
                ),
            ] {
                if let Some(span) = system.item.flag(flag) {
                    let system = name.clone();
                    let fault = Fault::BesideSequential { system, key: flag.key(), why };
                    errors.report_with(span, fault, label());
                }
            }
            for (list, beside, why) in [
                (
                    List::Update,
                    Beside::Update,
                    "but what it does happens at once\nhelp: list in `write` what it updates",
                ),
                (
                    List::Accumulate,
                    Beside::Accumulate,
                    "but what it does happens at once\nhelp: list in `write` what it merges values into",
                ),
            ] {
                let declares = |rules: &Rules<'_>| {
                    let rules = Rules { defer: false, ..*rules };
                    beside_sequential(&rules) == Some(beside)
                };
                if let Some(used) = system.because(declares) {
                    let system = name.clone();
                    let fault = Fault::BesideSequential { system, key: list.key(), why };
                    errors.report_with(used.name().span(), fault, label());
                }
            }
            let asks = |used: &&crate::model::Use<'_>| {
                matches!(used.list, List::Changed | List::Added | List::Removed)
            };
            for used in system.uses.iter().filter(asks) {
                let why = "but its entities change while it runs\nhelp: ask in another system, which runs before it";
                let system = name.clone();
                let fault = Fault::BesideSequential { system, key: used.list.key(), why };
                errors.report_with(used.name().span(), fault, label());
            }
        }
        for used in system.uses.iter().filter(|used| used.list == List::Streams) {
            let Some(producer) = used.target.known() else { continue };
            let ends = [&model.systems[producer], system];
            let Some(end) = ends.into_iter().find(|end| is_sequential(end)) else { continue };
            let label = (end.name().span(), format!("`{}` is sequential", end.name()));
            let fault = Fault::SequentialStream {
                end: end.name().to_string(),
                producer: used.name().to_string(),
                consumer: name.clone(),
            };
            errors.report_with(used.name().span(), fault, label);
        }
    }
}

/// Reports sequential systems that are not ordered with a system that sees their immediate changes.
pub(crate) fn unordered(model: &Model<'_>, errors: &mut Errors) {
    let open = conflicts::open_order(model);
    let rules = model.rules();
    for (this, system) in model.systems.iter().enumerate().filter(|(_, one)| is_sequential(one)) {
        for (that, other) in model.systems.iter().enumerate() {
            if this == that || model.order.ordered(this, that) || open[this] || open[that] {
                continue;
            }
            // The systems that use an idle query are checked instead.
            if rules[that].is_idle() || never_together(&rules[this], &rules[that]) {
                continue;
            }
            // Two systems that see each other are one fault, and a conflict is reported elsewhere.
            let reported = is_sequential(other) && that < this && sight(other, system).is_some();
            let conflicts = || conflicts::over_components(&rules, &rules[this], &rules[that]);
            if reported || !conflicts().is_empty() {
                continue;
            }
            // The other system sees by itself, or through its queries.
            let queries =
                other.listed(List::Queries).into_iter().map(|query| &model.systems[query]);
            let mut seers = core::iter::once(other).chain(queries);
            let Some(Sight { effect, done, seen }) = seers.find_map(|seer| sight(system, seer))
            else {
                continue;
            };
            let [first, second] = [system, other].map(|system| system.name().to_string());
            let label = (done, format!("`{first}` has {effect} here, which happens at once"));
            let remote = conflicts::is_remote(model, [this, that]);
            errors.report_with(seen, Fault::AtOnce { first, second, effect, remote }, label);
        }
    }
}

/// An immediate change of a system, where it is declared, and where another system declares the access that sees
/// it.
struct Sight {
    effect: String,
    done: Span,
    seen: Span,
}

/// An immediate change of the sequential system that `other` sees only if it runs later.
fn sight(system: &System<'_>, other: &System<'_>) -> Option<Sight> {
    let sees = |effect| move |rules: &Rules<'_>| seen_now(effect, rules);
    let change = system.uses.iter().find_map(|change| {
        let component = change.target.known()?;
        let effect = match change.list {
            List::Insert => Effect::Insert(component),
            List::Remove => Effect::Remove(component),
            _ => return None,
        };
        let seen = other.because(sees(effect))?.name().span();
        let effect = format!("`{}: [{}]`", change.list.key(), change.name());
        Some(Sight { effect, done: change.name().span(), seen })
    });
    change.or_else(|| {
        let done = system.item.flag(Flag::Despawn)?;
        seen_now(Effect::Despawn, &other.rules()).then(|| Sight {
            effect: "`despawn`".into(),
            done,
            seen: entities(other),
        })
    })
}
