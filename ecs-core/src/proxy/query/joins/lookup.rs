//! The members of a query by key.

use core::slice;

use super::index::{HasIndex, TableOf, table};
use super::key::{Hashed, Key};
use super::members::Members;
use crate::signature::{Declaration, Item, QueryTerms, SystemName};
use crate::state::{Core, opaque_debug};

/// The members of a query by its key, of the type `K`, with what `T` asks for of each, to read.
///
/// It is `Copy`, like [`Members`].
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Clone, Copy, PartialEq, Eq, Hash)]
/// # struct Team(u8);
/// # struct Strength(u32);
/// world! {
///     world Cup;
///     component Team, Strength;
///     query Teams { index: by_key(Team), read: [Strength] }
///     system Muster {
///         queries: [Teams],
///         run: |data| {
///             let teams = data.effects.lookup::<Teams, &Strength>();
///             let strength: u32 = teams.at(Team(1)).map(|strength| strength.0).sum();
///             assert_eq!((strength, teams.members().len()), (6, 3));
///         },
///     }
/// }
/// # let mut world = World::<Cup>::new();
/// # world.spawn_batch([(1, 2), (0, 3), (1, 4)].map(|(team, n)| (Team(team), Strength(n))));
/// # world.tick().unwrap();
/// ```
pub struct Lookup<'w, D: Declaration, K: Key, T: QueryTerms<D>> {
    members: Members<'w, D, T>,
    groups: &'w TableOf<K>,
}

impl<D: Declaration, K: Key, T: QueryTerms<D>> Clone for Lookup<'_, D, K, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration, K: Key, T: QueryTerms<D>> Copy for Lookup<'_, D, K, T> {}

opaque_debug! {
    [D: Declaration, K: Key, T: QueryTerms<D>] Lookup<'_, D, K, T>: |this| members = this.members
}

impl<'w, D: Declaration, K: Hashed, T: QueryTerms<D>> Lookup<'w, D, K, T> {
    /// The members of the query `Q`, by key.
    ///
    /// # Safety
    /// As for [`Members::of`].
    ///
    /// # Panics
    /// As [`table`].
    pub(crate) unsafe fn of<Q>(core: &'w Core<D>) -> Self
    where
        Q: SystemName<D, System: HasIndex<Key = K>>,
    {
        // SAFETY: the caller upholds the contract of `Members::of`.
        Self { members: unsafe { Members::of::<Q>(core) }, groups: table::<D, Q>(core).1 }
    }

    /// The members with this key, in ascending order of rows. O(1), and O(1) for each of them.
    #[inline]
    #[must_use]
    pub fn at(&self, key: K) -> Matches<'w, D, T> {
        Matches { members: self.members, rows: self.groups.of(&key).iter() }
    }

    /// All members.
    #[must_use]
    pub fn members(&self) -> Members<'w, D, T> {
        self.members
    }
}

/// The members of a query that have one key.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Clone, Copy, PartialEq, Eq, Hash)]
/// # struct Team(u8);
/// # struct Strength(u32);
/// # world! {
/// #     world Cup;
/// #     component Team, Strength;
/// #     query Teams { index: by_key(Team), read: [Strength] }
/// #     system Muster { queries: [Teams], run: muster }
/// # }
/// fn muster(data: &mut ecs_core::Data<'_, Cup, Muster>) {
///     let teams = data.effects.lookup::<Teams, &Strength>();
///     let matches = teams.at(Team(1));
///     assert_eq!(matches.clone().count(), 2);
///     assert!(matches.map(|strength| strength.0).eq([2, 4]));
/// }
/// # let mut world = World::<Cup>::new();
/// # world.spawn_batch([(1, 2), (0, 3), (1, 4)].map(|(team, n)| (Team(team), Strength(n))));
/// # world.tick().unwrap();
/// ```
pub struct Matches<'w, D: Declaration, T: QueryTerms<D>> {
    members: Members<'w, D, T>,
    rows: slice::Iter<'w, u32>,
}

impl<D: Declaration, T: QueryTerms<D>> Clone for Matches<'_, D, T> {
    fn clone(&self) -> Self {
        Self { members: self.members, rows: self.rows.clone() }
    }
}

opaque_debug! { [D: Declaration, T: QueryTerms<D>] Matches<'_, D, T>: |this| len = this.rows.len() }

impl<'w, D: Declaration, T: QueryTerms<D>> Iterator for Matches<'w, D, T> {
    type Item = Item<'w, T, D>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // The user may replace the state of a query, for example by that of another world. So each row is
        // checked for membership.
        self.rows.by_ref().find_map(|&row| self.members.row(row as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.rows.len()))
    }
}
