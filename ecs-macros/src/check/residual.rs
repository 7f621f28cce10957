//! Residual conflicts, in a world that denies them: a system must not run before the staged changes of an earlier
//! one that it sees are applied.
//!
//! The rule is that of `ecs-core`'s `signature::residual`, which explains which systems see which effects.

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

/// The lists by which a system sees a component.
pub(super) const SEEING: [List; 8] = [
    List::Read,
    List::Write,
    List::Update,
    List::ReadOptional,
    List::WriteOptional,
    List::ReadAny,
    List::With,
    List::Without,
];

/// The lists by which a system reads a component: the first 6 of [`SEEING`].
const READING: &[List] = SEEING.split_at(6).0;

/// The lists by which an entity is required to have a component.
const REQUIRING: [List; 4] = [List::Read, List::Write, List::With, List::Update];

/// The lists that decide whether an entity matches a system.
const MATCHING: [List; 5] = [List::Read, List::Write, List::Update, List::With, List::Without];

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
        self.change(List::Insert)
            .or_else(|| self.change(List::Remove))
            .or_else(|| self.change(List::Update))
            .or_else(|| self.death())
            .or_else(|| self.birth())
            .or_else(|| {
                let staged = self.earlier.item.flag(Flag::Defer)?;
                Some(Residue { effect: "`defer`".into(), staged, seen: self.later.name().span() })
            })
    }

    fn change(&self, list: List) -> Option<Residue> {
        let changes = self.earlier.uses.iter().filter(|used| used.list == list);
        changes.into_iter().find_map(|change| {
            let seeing = self.seeing(list);
            let sees = |used: &&crate::model::Use<'_>| {
                seeing.contains(&used.list) && used.target == change.target
            };
            let seen = self.later.uses.iter().find(sees)?;
            Some(Residue {
                effect: format!("`{}: [{}]`", list.key(), change.name()),
                staged: change.name().span(),
                seen: seen.name().span(),
            })
        })
    }

    /// The lists of the later system that see the change too late. An immediate change is seen too late only by
    /// lists that make entities match because of it.
    fn seeing(&self, change: List) -> &'static [List] {
        match (self.earlier.item.flag(Flag::Sequential), change) {
            (None, List::Update) => READING,
            (None, _) => &SEEING,
            (Some(_), List::Insert) => &MATCHING,
            (Some(_), _) => &[List::Without],
        }
    }

    fn death(&self) -> Option<Residue> {
        if self.earlier.item.flag(Flag::Sequential).is_some() {
            return None;
        }
        let staged = self.earlier.item.flag(Flag::Despawn)?;
        let residue = |seen| Some(Residue { effect: "`despawn`".into(), staged, seen });
        if let Some(used) = self.later.uses.iter().find(|used| used.list == List::ReadAny) {
            return residue(used.name().span());
        }
        residue(entities(self.later)?)
    }

    fn birth(&self) -> Option<Residue> {
        let seen = entities(self.later)?;
        let required: Vec<usize> =
            REQUIRING.iter().flat_map(|list| self.later.listed(*list)).collect();
        let excluded = self.later.listed(List::Without);
        let bundle = self.earlier.item.spawn.iter().find(|bundle| {
            self.model.components_of(bundle).is_none_or(|components| {
                required.iter().all(|index| components.contains(index))
                    && !excluded.iter().any(|index| components.contains(index))
            })
        })?;
        let text = quote::quote!(#bundle).to_string();
        let text =
            text.replace(" ,", ",").replace("( ", "(").replace(" )", ")").replace(" :: ", "::");
        Some(Residue { effect: format!("`spawn: [{text}]`"), staged: bundle.span(), seen })
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

/// Where the system declares an access that subscribes it to entities, if it does.
pub(super) fn entities(system: &System<'_>) -> Option<Span> {
    let own = |list| list != List::ReadAny && SEEING.contains(&list);
    system.uses.iter().find(|used| own(used.list)).map(|used| used.name().span())
}
