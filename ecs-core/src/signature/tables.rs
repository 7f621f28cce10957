//! The tables of a declaration, as one value; resource signatures, and how a declaration provides the initial values;
//! when systems see what other systems have staged.

use core::marker::PhantomData;

use super::{ComponentSignature, Declaration, HasResource, SystemSignature, check};
use crate::types::{Brand, Erased, ThreadSafe, TypeInfo};

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

/// When a system sees what an earlier system has staged (`despawn`, `spawn`, `insert`, `remove`, `defer`) in the
/// same execution: `staged_changes` in a declaration.
///
/// A *residual conflict* is a system that runs before the staged changes of an earlier one, which concern it, have been
/// applied (*The Essence of Entity Component System*, 4.4).
///
/// It is a part of the declaration and not one of the [`settings`](crate::settings), because the results of a step
/// depend on it, and whether a declaration compiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StagedChanges {
    /// After the step, as in ECST: within a step, a system sees the set of entities of the
    /// last refresh.
    #[default]
    AfterStep,
    /// Before the first system that depends on the staging one and that the change can affect: the systems fall into
    /// [`Phases`](super::Phases), with a refresh before each.
    RefreshBeforeDependents,
    /// Such a system does not compile.
    Deny,
}

/// Names a resource: one value of a type, owned by the world.
#[derive(Clone, Copy, Debug)]
pub struct ResourceSignature {
    name: &'static str,
    info: TypeInfo,
}

impl ResourceSignature {
    /// A resource of type `R`.
    #[must_use]
    pub const fn new<R: 'static>(name: &'static str) -> Self {
        Self { name, info: TypeInfo::of::<R>() }
    }

    /// The resource's name in the declaration.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What storage knows of the resource's type.
    #[must_use]
    pub const fn info(&self) -> &TypeInfo {
        &self.info
    }
}

/// Takes the initial value of each resource when a world is made.
#[derive(Debug)]
pub struct ResourceSink<'a, D> {
    values: &'a mut [Option<Erased>],
    declaration: Brand<D>,
}

impl<'a, D: Declaration> ResourceSink<'a, D> {
    /// `values` has a place for each resource, by index.
    pub(crate) fn new(values: &'a mut [Option<Erased>]) -> Self {
        Self { values, declaration: PhantomData }
    }

    /// Gives the resource `R` its initial value. A second value replaces the first.
    ///
    /// # Panics
    /// If the declaration's tables disagree about `R`, which cannot happen with `world!`.
    pub fn put<R: ThreadSafe>(&mut self, value: R)
    where
        D: HasResource<R>,
    {
        self.values[<D as HasResource<R>>::INDEX] = Some(Erased::new(value));
    }
}
