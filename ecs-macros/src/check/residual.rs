//! Residual conflicts, in a world that denies them: a system must not run before the staged changes of an earlier
//! one that it sees are applied.

use ecs_rules::System as Rules;
use ecs_rules::effect::{Effect, is_late, matches};
use proc_macro2::Span;
use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::{Model, System};
use crate::syntax::{Flag, List, StagedChanges, World};

/// Reports each pair of systems once.
pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    let Some(world) = &model.tree.world else { return };
    // Checks that need the whole declaration are skipped if it has a fault.
    if world.settings.staged_changes != Some(StagedChanges::Deny) || !errors.is_empty() {
        return;
    }
    for later in 0..model.systems.len() {
        for earlier in 0..model.systems.len() {
            if model.order.reaches(earlier, later) {
                let reversible = is_reversible(model, earlier, later);
                Pair { model, earlier: &model.systems[earlier], later: &model.systems[later] }
                    .check(world, reversible, errors);
            }
        }
    }
}

/// Two systems in order.
pub(super) struct Pair<'m> {
    pub(super) model: &'m Model<'m>,
    pub(super) earlier: &'m System<'m>,
    pub(super) later: &'m System<'m>,
}

/// A staged change, where it is declared, and where the other system declares the access that sees it.
pub(super) struct Residue {
    pub(super) effect: String,
    pub(super) staged: Span,
    seen: Span,
}

impl Pair<'_> {
    fn check(&self, world: &World, reversible: bool, errors: &mut Errors) {
        let Some(Residue { effect, staged, seen }) = self.residue() else { return };
        let names = [self.earlier.name().to_string(), self.later.name().to_string()];
        let at_once = self.earlier.item.flag(Flag::Sequential).is_some();
        let verb = if at_once { "has" } else { "stages" };
        let label = format!("`{}` {verb} {effect} here, too late for `{}`", names[0], names[1]);
        let [earlier, later] = names;
        let fault = Fault::Residual {
            world: world.name.to_string(),
            earlier,
            later,
            effect,
            reversible,
            at_once,
        };
        errors.report_with(seen, fault, [(staged, label)]);
    }

    /// A staged change of the earlier system that the later one sees, by itself or through its queries, if
    /// there is one.
    pub(super) fn residue(&self) -> Option<Residue> {
        let mut queries = self.later.uses.iter().filter(|used| used.list == List::Queries);
        let through = queries.find_map(|used| {
            let query = &self.model.systems[used.target.known()?];
            let residue = Pair { later: query, ..*self }.own_residue()?;
            Some(Residue { seen: used.name().span(), ..residue })
        });
        self.own_residue().or(through)
    }

    /// The same for accesses of the later system by itself.
    fn own_residue(&self) -> Option<Residue> {
        self.change(List::Insert, Effect::Insert)
            .or_else(|| self.change(List::Remove, Effect::Remove))
            .or_else(|| self.change(List::Update, Effect::Update))
            .or_else(|| self.despawn())
            .or_else(|| self.spawn())
            .or_else(|| {
                let staged = self.earlier.item.flag(Flag::Defer)?;
                Some(Residue { effect: "`defer`".into(), staged, seen: self.later.name().span() })
            })
    }

    /// Whether the effect comes too late for the later system, or would if that were `later`.
    fn late(&self, effect: Effect) -> impl Fn(&Rules<'_>) -> bool {
        let earlier = Rules {
            sequential: self.earlier.item.flag(Flag::Sequential).is_some(),
            ..Rules::BLANK
        };
        move |later: &Rules<'_>| is_late(&earlier, effect, later)
    }

    fn change(&self, list: List, effect: fn(usize) -> Effect) -> Option<Residue> {
        let changes = self.earlier.uses.iter().filter(|used| used.list == list);
        changes.into_iter().find_map(|change| {
            let late = self.late(effect(change.target.known()?));
            Some(Residue {
                effect: format!("`{}: [{}]`", list.key(), change.name()),
                staged: change.name().span(),
                seen: self.later.because(late)?.name().span(),
            })
        })
    }

    fn despawn(&self) -> Option<Residue> {
        let staged = self.earlier.item.flag(Flag::Despawn)?;
        let is_late = self.late(Effect::Despawn)(&self.later.rules());
        let seen = entities(self.later);
        is_late.then(|| Residue { effect: "`despawn`".into(), staged, seen })
    }

    fn spawn(&self) -> Option<Residue> {
        let later = self.later.rules();
        let bundle = self.earlier.item.spawn.iter().find(|bundle| {
            let components = self.model.components_of(bundle);
            components.map_or(later.has_entities(), |components| matches(&later, &components))
        })?;
        let text = quote::quote!(#bundle).to_string();
        let text =
            text.replace(" ,", ",").replace("( ", "(").replace(" )", ")").replace(" :: ", "::");
        let (effect, seen) = (format!("`spawn: [{text}]`"), subscribing(self.later));
        Some(Residue { effect, staged: bundle.span(), seen })
    }
}

/// Whether `later` could run first: only a `dependencies` or a `before` between the two orders them.
fn is_reversible(model: &Model<'_>, earlier: usize, later: usize) -> bool {
    let reaches = |from, to| model.order.reaches(from, to);
    let needs = |list| model.systems[later].listed(list).contains(&earlier);
    !needs(List::Inputs)
        && !needs(List::Queries)
        && !(0..model.systems.len()).any(|way| reaches(earlier, way) && reaches(way, later))
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
