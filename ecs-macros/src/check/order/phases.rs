//! Phases: the effects of systems, and where a refresh comes between two systems because of one.

use ecs_rules::System as Rules;
use ecs_rules::effect::{Effect, is_late, matches};
use proc_macro2::Span;
use syn::spanned::Spanned;

use crate::model::{Model, Use};
use crate::syntax::{Flag, List, StagedChanges};

/// Whether refreshes may come between the systems of an execution.
pub(crate) fn refreshes(model: &Model<'_>) -> bool {
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

/// The entry by which the later system sees the earlier one.
fn seen<'m>(model: &'m Model<'_>, earlier: usize, later: usize) -> Option<&'m Use<'m>> {
    let mut uses = model.systems[later].uses.iter();
    uses.find(|used| used.list == List::Sees && used.target.index() == Some(earlier))
}

/// Whether the later system says so itself that it sees an effect of the earlier one.
pub(crate) fn says(model: &Model<'_>, earlier: usize, later: usize) -> bool {
    seen(model, earlier, later).is_some()
}

/// Because of which effect of the earlier system a refresh comes between the two, if one does.
pub(crate) fn parting(model: &Model<'_>, earlier: usize, later: usize) -> Option<Staged> {
    if let Some(used) = seen(model, earlier, later) {
        let mut declared = effects(model, earlier).into_iter();
        return declared.find(|staged| used.effect.is_some_and(|effect| effect == staged.word));
    }
    let mut effects = if before_dependents(model) { effects(model, earlier) } else { Vec::new() };
    effects.retain(|staged| staged.is_late_for(model, earlier, later));
    effects.into_iter().next()
}

/// An effect of a system, and where it is declared.
pub(crate) struct Staged {
    /// As it is declared: `` `insert: [Burning]` ``.
    pub(crate) text: String,
    /// As `sees` names it.
    pub(crate) word: &'static str,
    pub(crate) span: Span,
    what: What,
}

/// What it is for the rules.
enum What {
    Effect(Effect),
    /// A spawn with these components, if they are known.
    Spawn(Option<Vec<usize>>),
}

/// The effects that the system declares, in the order of the rules.
pub(crate) fn effects(model: &Model<'_>, system: usize) -> Vec<Staged> {
    let system = &model.systems[system];
    let mut effects = Vec::new();
    for list in [List::Insert, List::Remove, List::Update, List::Accumulate] {
        for used in system.uses.iter().filter(|used| used.list == list) {
            let Some(component) = used.target.known() else { continue };
            let effect = match list {
                List::Insert => Effect::Insert(component),
                List::Remove => Effect::Remove(component),
                List::Update => Effect::Update(component),
                _ => Effect::Accumulate(component),
            };
            effects.push(Staged {
                text: format!("`{}: [{}]`", list.key(), used.name()),
                word: list.key(),
                span: used.name().span(),
                what: What::Effect(effect),
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
    pub(crate) fn is_late_for(&self, model: &Model<'_>, earlier: usize, later: usize) -> bool {
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

/// The phase of a system. It is after the phases of all systems from which a refresh parts it, and not before the
/// phase of any other system that runs before it. The order must have no cycle. A query with an index may run later:
/// [`placed`].
pub(crate) fn phase(model: &Model<'_>, system: usize, phases: &mut Vec<Option<usize>>) -> usize {
    if let Some(phase) = phases[system] {
        return phase;
    }
    let mut own = 0;
    for earlier in 0..model.systems.len() {
        if model.order.reaches(earlier, system) {
            let pushed = parting(model, earlier, system).is_some();
            own = own.max(phase(model, earlier, phases) + usize::from(pushed));
        }
    }
    phases[system] = Some(own);
    own
}

/// The system that decides when the index of the query is made: the first of those that run after it, if there is one.
pub(crate) fn first_after(
    model: &Model<'_>,
    query: usize,
    phases: &mut Vec<Option<usize>>,
) -> Option<usize> {
    let after = (0..model.systems.len()).filter(|after| model.order.reaches(query, *after));
    after.min_by_key(|after| phase(model, *after, phases))
}

/// The phase in which a system runs. That of a query with an index is the one of the first system after it, for which
/// the index is made.
pub(crate) fn placed(model: &Model<'_>, system: usize, phases: &mut Vec<Option<usize>>) -> usize {
    let indexed = model.systems[system].is_indexed();
    let first = indexed.then(|| first_after(model, system, phases)).flatten();
    phase(model, first.unwrap_or(system), phases)
}

/// Why a system is not in an earlier phase: a system that stages a change, and the system that sees it, which is
/// `late` or runs before it.
pub(crate) fn source(
    model: &Model<'_>,
    late: usize,
    phases: &mut Vec<Option<usize>>,
) -> Option<(usize, usize)> {
    let all = 0..model.systems.len();
    let own = phase(model, late, phases);
    let before = all.clone().filter(|system| model.order.reaches(*system, late));
    for seeing in [late].into_iter().chain(before) {
        if phase(model, seeing, phases) != own {
            continue;
        }
        for staging in all.clone().filter(|system| model.order.reaches(*system, seeing)) {
            let pushes = phase(model, staging, phases) + 1 == own;
            if pushes && parting(model, staging, seeing).is_some() {
                return Some((staging, seeing));
            }
        }
    }
    None
}
