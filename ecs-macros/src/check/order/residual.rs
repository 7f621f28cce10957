//! Effects, and the systems that see them: where a system says so in `sees`, and in a world that denies residual
//! conflicts, which systems would see an effect too late.

use proc_macro2::Span;

use super::conflicts;
use super::phases::{effects, phase, placed};
use crate::error::{Errors, Fault, Residual, UnknownEffect};
use crate::model::{Model, System, users};
use crate::similar::meant;
use crate::syntax::{Flag, List, StagedChanges};

/// The words for effects in `sees`.
const WORDS: [&str; 7] = ["despawn", "spawn", "insert", "remove", "update", "accumulate", "defer"];

/// Reports effects in `sees` that the system named there does not have.
pub(crate) fn known_effects(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for used in &system.uses {
            let (Some(effect), Some(earlier)) = (used.effect, used.target.known()) else {
                continue;
            };
            let declared = words(model, earlier);
            if declared.iter().any(|word| effect == word) {
                continue;
            }
            let written = effect.to_string();
            let similar = meant(&written, &WORDS);
            let similar = similar.filter(|_| !WORDS.contains(&&written[..]));
            let fault = UnknownEffect {
                system: system.name().to_string(),
                earlier: used.name().to_string(),
                similar: similar.map(str::to_owned),
                is_effect: WORDS.contains(&&written[..]),
                effect: written,
                declared,
            };
            errors.report(effect.span(), Fault::UnknownEffect(fault));
        }
    }
}

/// The words for the effects that the system declares, each once.
fn words(model: &Model<'_>, system: usize) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    for staged in effects(model, system) {
        if !words.contains(&staged.word) {
            words.push(staged.word);
        }
    }
    words
}

/// In a world that denies residual conflicts, reports each effect that systems would see, but run before the refresh
/// that applies it.
pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    let Some(world) = &model.tree.world else { return };
    // Checks that need the whole declaration are skipped if it has a fault.
    if world.settings.staged_changes != Some(StagedChanges::Deny) || !errors.is_empty() {
        return;
    }
    let mut phases = vec![None; model.systems.len()];
    for earlier in 0..model.systems.len() {
        for staged in effects(model, earlier) {
            let mut late: Vec<usize> = (0..model.systems.len()).collect();
            late.retain(|later| {
                // An index is made for its users, which see through it what comes too late for it.
                let for_others = model.systems[*later].is_indexed()
                    && users(&model.systems, *later).next().is_some();
                !for_others
                    && model.order.reaches(earlier, *later)
                    && staged.is_late_for(model, earlier, *later)
                    && phase(model, earlier, &mut phases) == placed(model, *later, &mut phases)
            });
            if late.is_empty() {
                continue;
            }
            // The others run after one of these.
            let first = late
                .iter()
                .copied()
                .filter(|system| !late.iter().any(|before| model.order.reaches(*before, *system)));
            let first: Vec<usize> = first.collect();
            let name = |system: &usize| model.systems[*system].name().to_string();
            let item = |system: &usize| {
                let kind =
                    if model.systems[*system].item.query.is_some() { "query" } else { "system" };
                format!("`{kind} {}`", name(system))
            };
            let waits = |system: &&usize| {
                model.systems[**system].listed(List::Dependencies).contains(&earlier)
            };
            let fault = Residual {
                world: world.name.to_string(),
                earlier: name(&earlier),
                late: late.iter().map(name).collect(),
                remote: first.iter().any(|system| conflicts::is_remote(model, [*system; 2])),
                waiting: first.iter().filter(waits).map(item).collect(),
                first: first.iter().map(item).collect(),
                effect: staged.text,
                word: staged.word,
                at_once: model.systems[earlier].item.flag(Flag::Sequential).is_some(),
            };
            errors.report(staged.span, Fault::Residual(fault));
        }
    }
}

/// Where the system declares that it sees which entities exist.
pub(crate) fn entities(system: &System<'_>) -> Span {
    let any = system.uses.iter().find(|used| used.list == List::ReadAny);
    any.map_or_else(|| subscribing(system), |used| used.name().span())
}

/// Where the system declares what subscribes it to entities.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is one of a system with one lifetime"
)]
fn subscribing(system: &System<'_>) -> Span {
    let because = system.because(|rules| rules.has_entities());
    because.map_or_else(|| system.name().span(), |used| used.name().span())
}
