//! Indices: the trait that a query's index implements.

use super::key::{FromKeys, Key, Record};
use crate::parallel::ForkJoin;
use crate::signature::{Declaration, Own, SystemName};
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

/// The index of a query: an [`Index`] in a [`Custom`], or one of the library's, [`ByKey`](super::ByKey),
/// [`ByCell`](super::ByCell) or [`InBounds`](super::InBounds).
pub trait Form: ThreadSafe {
    /// The key that members are found by.
    type Key: Key;
}

/// The index can find the keys of the members of the query `N`.
pub trait KeysOf<D: Declaration, N: SystemName<D>>: Form {
    /// Adds the key and the row of each member of the subtask.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: only this crate implements it")]
    fn collect(&self, own: &mut Own<'_, D, N>, records: &mut Records<Self::Key>, _: Sealed);

    /// Builds the table from the records of all members, whose rows ascend.
    ///
    /// # Safety
    /// It must be called in an execution of `N`. Each row must be in the subscription of `N` in this `core`, as it is if this
    /// index has collected the records in this execution.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: only this crate implements it")]
    unsafe fn make<'a>(
        &self,
        table: &mut TableOf<Self::Key>,
        core: &Core<D>,
        executor: &impl ForkJoin,
        records: &(impl Iterator<Item = &'a [Record<Self::Key>]> + Clone + Sync),
    );
}

/// The [`KeysOf::make`] of an index whose table is made from keys alone.
macro_rules! from_keys {
    () => {
        #[expect(private_interfaces, reason = "sealed")]
        unsafe fn make<'a>(
            &self,
            table: &mut $crate::proxy::query::joins::index::TableOf<Self::Key>,
            _: &$crate::state::Core<D>,
            executor: &impl $crate::parallel::ForkJoin,
            records: &(
                 impl Iterator<Item = &'a [$crate::proxy::query::joins::key::Record<Self::Key>]>
                 + Clone
                 + Sync
             ),
        ) {
            table.make(executor, records);
        }
    };
}
pub(super) use from_keys;

/// The keys of the members of one subtask, and their rows, ascending.
pub(crate) type Records<K> = Vec<Record<K>>;

/// An index of the user's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Custom<I>(
    /// The index.
    pub I,
);

impl<I: Index> Form for Custom<I> {
    type Key = I::Key;
}

/// The query has an index of the user's, which takes its entries.
pub trait TakesEntries<D: Declaration>: SystemName<D, System: HasIndex> {
    /// The key of a member.
    #[doc(hidden)]
    fn key(index: &<Self::System as HasIndex>::Index, member: Self::Entry<'_>) -> KeyOf<Self, D>;
}

impl<D, N, I> KeysOf<D, N> for Custom<I>
where
    D: Declaration,
    I: Index<Key: Key<Table: FromKeys<I::Key>>>,
    N: TakesEntries<D> + SystemName<D, System: HasIndex<Index = Self, Key = I::Key>>,
{
    #[expect(private_interfaces, reason = "sealed")]
    fn collect(&self, own: &mut Own<'_, D, N>, records: &mut Records<I::Key>, _: Sealed) {
        own.append_to(records, |place, entry| (N::key(self, entry), place.row()));
    }

    from_keys!();
}

/// The state of a query that has an index.
///
/// ```
/// # use ecs_core::{Data, Declaration, Entity, MemberFor, SystemName};
/// use ecs_core::access::Queries;
/// use ecs_core::joins::{HasIndex, Hashed, KeyOf};
///
/// /// How many members have the key, for each query with an index by key.
/// fn count<D: Declaration, N, Q>(data: &Data<'_, D, N>, key: KeyOf<Q, D>) -> usize
/// where
///     Q: SystemName<D, System: HasIndex<Key: Hashed>>,
///     N: SystemName<D> + Queries<Q, D>,
///     Entity: MemberFor<D, N, Q>,
/// {
///     data.effects.lookup::<Q, Entity>().at(key).count()
/// }
/// # #[derive(Clone, Copy, PartialEq, Eq, Hash)]
/// # struct Team(u8);
/// # ecs_core::world! {
/// #     world Cup;
/// #     component Team;
/// #     query Teams { index: by_key(Team) }
/// #     system Count {
/// #         queries: [Teams],
/// #         run: |data| assert_eq!(count::<_, _, Teams>(data, Team(1)), 2),
/// #     }
/// # }
/// # let mut world = ecs_core::World::<Cup>::new();
/// # world.spawn_batch([1, 2, 1].map(|team| (Team(team),)));
/// # world.tick().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0087] a query without an index cannot be looked up by key",
    label = "no index",
    note = "add `index: by_key(Component)` to the query, or all that `ecs_core::joins` lists; or go over all `members`"
)]
pub trait HasIndex: ThreadSafe {
    /// The key that members are found by.
    type Key: Key;

    /// The index.
    type Index: Form<Key = Self::Key>;

    /// The index, the members by key, and the execution for which that was built; `None` if it never was.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for `Indexed`")]
    fn made(&self, _: Sealed) -> (&Self::Index, &TableOf<Self::Key>, Option<u64>);
}

/// The table of members with keys of the type `K`.
pub(crate) type TableOf<K> = <K as Key>::Table;

/// The index of the query `Q`, and its members by key.
///
/// # Panics
/// If the index was not built in this execution, since its last refresh; then the code of the query was overridden.
/// (That the query is executed, and in the same phase, was validated when the program was built.)
pub(crate) fn table<D, Q>(
    core: &Core<D>,
) -> (&<Q::System as HasIndex>::Index, &TableOf<KeyOf<Q, D>>)
where
    D: Declaration,
    Q: SystemName<D, System: HasIndex>,
{
    // A system that has the query in its table reads the instance, so it runs after the query.
    let (index, table, made) = core.system::<Q>().made(Sealed(()));
    assert!(
        made == Some(core.executions()),
        "the index of the query `{}` was not made in this execution: its code was overridden",
        const { D::SYSTEMS[Q::INDEX].name },
    );
    (index, table)
}

/// The key that the members of the query `Q` are found by.
///
/// ```
/// use ecs_core::joins::KeyOf;
///
/// # struct Team(u8);
/// ecs_core::world! {
///     world Cup;
///     component Team;
///     query Teams { index: by_key(|team: &Team| -> u8 { team.0 }) }
///     system Count { queries: [Teams], run: |_| {} }
/// }
/// let key: KeyOf<Teams, Cup> = 1_u8;
/// # let _ = key;
/// ```
pub type KeyOf<Q, D> = <<Q as SystemName<D>>::System as HasIndex>::Key;
