//! The tables of a declaration, as one value.

use super::{
    ComponentSignature, Declaration, ResourceSignature, StagedChanges, SystemSignature, check,
};

/// The tables of a [`Declaration`], which [`check`](super::check()) validates.
///
/// A tool that makes tables at run time can validate them by [`check`](Self::check); tests of the validation
/// do. A world uses a declaration's own tables only, which are validated when the program is built.
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

    /// Validates the tables, as [`check`](super::check()) does for a declaration.
    ///
    /// It takes some hundred kilobytes of stack.
    ///
    /// # Panics
    /// If they are unsound or contradict themselves.
    pub const fn check(self) {
        check::check_tables(self);
    }
}
