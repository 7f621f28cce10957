//! When systems see what other systems have staged.

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
