//! Indices: the trait that a query's index implements.

use super::key::Key;
use crate::signature::{Declaration, SystemName};
use crate::state::Core;
use crate::types::{Sealed, ThreadSafe};

/// A function from an entity to the key that it is found by: `index: ByOwner` in a query.
///
/// The key of an entity should depend on the entity alone. It is computed once for each member whenever the index is
/// built, on any thread.
///
/// Keys are compared by `Eq` and hashed, so a float is not a key: use a cell of a
/// [`Grid`](super::Grid), or the bits of the float.
///
/// ```
/// use ecs_core::joins::Index;
/// use ecs_core::{World, world};
///
/// struct Team(u8);
/// struct Strength(u32);
///
/// world! {
///     world Match;
///     component Team, Strength;
///     query Teams { read: [Team, Strength], index: ByTeam }
///     system Muster {
///         read: [Team],
///         queries: [Teams],
///         output: Vec<u32>,
///         run: |data| {
///             let (own, effects) = (&mut data.own, &mut data.effects);
///             let teams = effects.lookup::<Teams, &Strength>();
///             own.for_entities(|e| {
///                 let strength = teams.at(e.team.0).map(|strength| strength.0).sum();
///                 effects.output().push(strength);
///             });
///         },
///     }
/// }
///
/// #[derive(Default)]
/// struct ByTeam;
///
/// impl Index for ByTeam {
///     type Entry<'a> = TeamsEntry<'a>;
///     type Key = u8;
///
///     fn key(&self, member: TeamsEntry<'_>) -> u8 {
///         member.team.0
///     }
/// }
/// # let mut world = World::<Match>::new();
/// # world.spawn_batch((0..6).map(|n| (Team(n % 2), Strength(n.into()))));
/// # world.step(|step| {
/// #     step.execute_systems();
/// #     let sums: Vec<u32> = step.outputs_of::<Muster>().flatten().copied().collect();
/// #     assert_eq!(sums, [6, 9, 6, 9, 6, 9]);
/// # }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not an index",
    label = "not a function from entities to keys",
    note = "implement `ecs_core::joins::Index` for `{Self}`"
)]
pub trait Index: ThreadSafe {
    /// A member of the query, with a field for each component that the query reads. For the query `Cells` it is
    /// `CellsEntry<'a>`.
    type Entry<'a>;

    /// The key that members are found by: a value that is hashed, or a [`Numbered`](super::Numbered).
    type Key: Key;

    /// The key of a member.
    fn key(&self, member: Self::Entry<'_>) -> Self::Key;
}

/// The state of a query that has an index.
#[diagnostic::on_unimplemented(
    message = "[ECS0087] a query without an index cannot be looked up by key",
    label = "no index",
    note = "add `index: Type` to the query, with a `Type` that implements `ecs_core::joins::Index`; or go over all `members`"
)]
pub trait HasIndex: ThreadSafe {
    /// The index.
    type Index: Index;

    /// The members by key, and the execution for which that was built; `None` if it never was.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for `Indexed`")]
    fn made(&self, _: Sealed) -> (&TableOf<Self::Index>, Option<u64>);
}

/// The table of the index `I`.
pub(crate) type TableOf<I> = <<I as Index>::Key as Key>::Table;

/// The members of the query `Q` by key.
///
/// # Panics
/// If the index was not built in this execution, since its last refresh; then the code of the query was overridden.
/// (That the query is executed, and in the same phase, was validated when the program was built.)
pub(crate) fn table<D, Q, I>(core: &Core<D>) -> &TableOf<I>
where
    D: Declaration,
    Q: SystemName<D, System: HasIndex<Index = I>>,
    I: Index,
{
    // A system that has the query in its table reads the instance, so it runs after the query.
    let (table, made) = core.instance::<Q>().system.made(Sealed(()));
    assert!(
        made == Some(core.executions),
        "the index of the query `{}` was not made in this execution: its code was overridden",
        D::SYSTEMS[Q::INDEX].name,
    );
    table
}

/// The key that the members of the query `Q` are found by.
pub type KeyOf<Q, D> = <<<Q as SystemName<D>>::System as HasIndex>::Index as Index>::Key;
