//! Effects, and the systems that see them: where a system says so in `sees`, and in a world that denies residual
//! conflicts, which systems would see an effect too late.

use ecs_rules::System as Rules;
use ecs_rules::effect::{Effect, is_late, matches};
use proc_macro2::Span;
use syn::spanned::Spanned;

use super::{conflicts, streams};
use crate::error::{Errors, Fault};
use crate::model::{Model, System};
use crate::similar::closest;
use crate::syntax::{Flag, List, StagedChanges};

/// The words for effects in `sees`.
const WORDS: [&str; 6] = ["despawn", "spawn", "insert", "remove", "update", "defer"];

/// Reports effects in `sees` that the system named there does not have.
pub(super) fn known_effects(model: &Model<'_>, errors: &mut Errors) {
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
            let similar = closest(&written, WORDS).filter(|_| !WORDS.contains(&&written[..]));
            let fault = Fault::UnknownEffect {
                system: system.name().to_string(),
                earlier: used.name().to_string(),
                similar: similar.map(str::to_owned),
                is_effect: WORDS.contains(&&written[..]),
                effect: written,
                declared,
            };
            errors.report(effect.span(), fault);
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
pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
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
                model.order.reaches(earlier, *later)
                    && staged.is_late_for(model, earlier, *later)
                    && streams::phase(model, earlier, &mut phases)
                        == streams::phase(model, *later, &mut phases)
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
            let fault = Fault::Residual {
                world: world.name.to_string(),
                earlier: name(&earlier),
                late: late.iter().map(name).collect(),
                remote: first.iter().any(|system| conflicts::is_remote(model, [*system; 2])),
                replacing: first.iter().filter(waits).map(item).collect(),
                seeing: first.iter().map(item).collect(),
                effect: staged.text,
                word: staged.word,
                at_once: model.systems[earlier].item.flag(Flag::Sequential).is_some(),
            };
            errors.report(staged.span, fault);
        }
    }
}

/// Whether refreshes may come between the systems of an execution.
pub(super) fn refreshes(model: &Model<'_>) -> bool {
    before_dependents(model)
        || model.systems.iter().any(|system| system.uses.iter().any(|used| used.list == List::Sees))
}

/// Whether the world refreshes before all systems that see an effect.
fn before_dependents(model: &Model<'_>) -> bool {
    let world = model.tree.world.as_ref();
    world.is_some_and(|world| {
        world.settings.staged_changes == Some(StagedChanges::RefreshBeforeDependents)
    })
}

/// Because of which effect of the earlier system a refresh comes between the two, if one does.
pub(super) fn parting(model: &Model<'_>, earlier: usize, later: usize) -> Option<Staged> {
    let seen = model.systems[later]
        .uses
        .iter()
        .find(|used| used.list == List::Sees && used.target.index() == Some(earlier));
    if let Some(used) = seen {
        let mut declared = effects(model, earlier).into_iter();
        return declared.find(|staged| used.effect.is_some_and(|effect| effect == staged.word));
    }
    let mut effects = if before_dependents(model) { effects(model, earlier) } else { Vec::new() };
    effects.retain(|staged| staged.is_late_for(model, earlier, later));
    effects.into_iter().next()
}

/// An effect of a system, and where it is declared.
pub(super) struct Staged {
    /// As it is declared: `` `insert: [Burning]` ``.
    pub(super) text: String,
    /// As `sees` names it.
    word: &'static str,
    pub(super) span: Span,
    what: What,
}

/// What it is for the rules.
enum What {
    Effect(Effect),
    /// A spawn with these components, if they are known.
    Spawn(Option<Vec<usize>>),
}

/// The effects that the system declares, in the order of the rules.
fn effects(model: &Model<'_>, system: usize) -> Vec<Staged> {
    let system = &model.systems[system];
    let mut effects = Vec::new();
    let lists: [(List, fn(usize) -> Effect); 3] = [
        (List::Insert, Effect::Insert),
        (List::Remove, Effect::Remove),
        (List::Update, Effect::Update),
    ];
    for (list, effect) in lists {
        for used in system.uses.iter().filter(|used| used.list == list) {
            let Some(component) = used.target.known() else { continue };
            effects.push(Staged {
                text: format!("`{}: [{}]`", list.key(), used.name()),
                word: list.key(),
                span: used.name().span(),
                what: What::Effect(effect(component)),
            });
        }
    }
    let flag = |flag: Flag, effect| {
        let span = system.item.flag(flag)?;
        let text = format!("`{}`", flag.key());
        Some(Staged { text, word: flag.key(), span, what: What::Effect(effect) })
    };
    effects.extend(flag(Flag::Despawn, Effect::Despawn));
    effects.extend(system.item.spawn.iter().map(|bundle| {
        let text = quote::quote!(#bundle).to_string();
        let text =
            text.replace(" ,", ",").replace("( ", "(").replace(" )", ")").replace(" :: ", "::");
        let what = What::Spawn(model.components_of(bundle));
        Staged { text: format!("`spawn: [{text}]`"), word: "spawn", span: bundle.span(), what }
    }));
    effects.extend(flag(Flag::Defer, Effect::Defer));
    effects
}

impl Staged {
    /// Whether the effect of the earlier system comes too late for the later one, which sees it by itself or through its
    /// queries.
    fn is_late_for(&self, model: &Model<'_>, earlier: usize, later: usize) -> bool {
        let sequential = model.systems[earlier].item.flag(Flag::Sequential).is_some();
        let earlier = Rules { sequential, ..Rules::BLANK };
        let is_late = |rules: &Rules<'_>| match &self.what {
            What::Effect(effect) => is_late(&earlier, *effect, rules),
            What::Spawn(Some(components)) => matches(rules, components),
            What::Spawn(None) => rules.has_entities(),
        };
        let mut queries = model.systems[later].listed(List::Queries).into_iter();
        // The end of a stage does nothing.
        !model.is_stage(later)
            && (is_late(&model.systems[later].rules())
                || queries.any(|query| is_late(&model.systems[query].rules())))
    }
}

/// Where the system declares that it sees which entities exist.
pub(super) fn entities(system: &System<'_>) -> Span {
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
