//! The tables of a declaration, as one value, and when systems see what other systems have staged.

pub(crate) mod by_name;
pub(crate) mod condition;
pub(crate) mod declaration;
pub(crate) mod events;
pub(crate) mod initial;
pub(crate) mod relations;
pub(crate) mod removed;
pub(crate) mod resource;
pub(crate) mod states;
pub(crate) mod streams;
pub(crate) mod system;
pub(crate) mod tracking;

use crate::signature::{
    ComponentSignature, Declaration, ResourceSignature, SystemSignature, check,
};

/// The tables of a [`Declaration`], which [`check`](crate::signature::check()) validates.
///
/// A tool that makes tables at run time can validate them by [`check`](Self::check); tests of the validation
/// do. A world uses a declaration's own tables only, which are validated when the program is built.
///
/// ```
/// # use ecs_core::{signature::Tables, world};
/// # struct Heat(u32);
/// # world! { world Room; component Heat; }
/// let tables = Tables::of::<Room>();
/// tables.check();
/// assert_eq!((tables.name, tables.components.len(), tables.systems.len()), ("Room", 1, 0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// [`Declaration::NAME`].
    pub name: &'a str,
    /// [`Declaration::COMPONENTS`].
    pub components: &'a [ComponentSignature],
    /// [`Declaration::RESOURCES`].
    pub resources: &'a [ResourceSignature],
    /// [`Declaration::SYSTEMS`].
    pub systems: &'a [SystemSignature],
    /// [`Declaration::STAGED_CHANGES`].
    pub staged_changes: StagedChanges,
}

impl Tables<'_> {
    /// The tables of the declaration `D`.
    #[must_use]
    pub const fn of<D: Declaration>() -> Self {
        Self {
            name: D::NAME,
            components: D::COMPONENTS,
            resources: D::RESOURCES,
            systems: D::SYSTEMS,
            staged_changes: D::STAGED_CHANGES,
        }
    }

    /// Validates the tables, as [`check`](crate::signature::check()) does for a declaration.
    ///
    /// It takes some hundred kilobytes of stack.
    ///
    /// # Panics
    /// If they are unsound or contradict themselves.
    pub const fn check(self) {
        check::check_tables(self);
    }
}

/// The systems of `D`, for code of a step that has no world at hand.
///
/// Other code of a step takes them from the world. A function that names [`Declaration::SYSTEMS`] outside of a constant
/// has a copy of the table in its codegen unit, and is compiled again after every change of a signature. Descriptions
/// and `signature_of` do that, as no system calls them.
pub(crate) fn systems_of<D: Declaration>() -> &'static [SystemSignature] {
    D::SYSTEMS
}

/// When a system sees what an earlier system has staged (`despawn`, `spawn`, `insert`, `remove`, `defer`) in the
/// same execution: `staged_changes` in a declaration.
///
/// A *residual conflict* is a system that runs before the staged changes of an earlier one, which concern it, have been
/// applied (*The Essence of Entity Component System*, 4.4).
///
/// It is a part of the declaration and not one of the [`settings`](crate::settings), because the results of a step
/// depend on it, and whether a declaration compiles.
///
/// ```
/// # use ecs_core::{signature::StagedChanges, Declaration, world};
/// # struct Heat(u32);
/// world! {
///     world Room { staged_changes: deny }
///     component Heat;
/// }
/// assert_eq!(Room::STAGED_CHANGES, StagedChanges::Deny);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StagedChanges {
    /// After the step, as in ECST: within a step, a system sees the set of entities of the
    /// last refresh. A system that names an effect in `sees: [..]` runs after a refresh that applies it.
    #[default]
    AfterStep,
    /// Before the first system that depends on the staging one and that the change can affect: the systems fall into
    /// [`Phases`](crate::signature::Phases), with a refresh before each.
    RefreshBeforeDependents,
    /// Such a system does not compile, unless a refresh comes between by `sees: [..]`.
    Deny,
}
