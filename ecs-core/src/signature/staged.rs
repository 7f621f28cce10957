//! When what systems stage is seen by others.

/// When a system sees what another one has staged (`despawn`, `spawn`, `insert`, `remove`, `defer`) in the
/// same execution, if it runs after it: `staged_changes` in a declaration.
///
/// That a system runs before what an earlier one has staged for it has happened is a *residual
/// conflict* (*The Essence of Entity Component System*, 4.4).
///
/// It is a part of the declaration and not one of the [`settings`](crate::settings), because what a step
/// computes follows from it, and whether a declaration compiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StagedChanges {
    /// After the step, as in ECST: within a step, the set of entities that a system sees is that of the
    /// last refresh.
    #[default]
    AfterStep,
    /// Before the first system that depends on it and can tell the difference: the systems fall into
    /// [`Phases`](super::Phases), with a refresh before each.
    RefreshBeforeDependents,
    /// Such a system does not compile.
    Deny,
}
