//! The members of a query by key.

use core::fmt;
use core::slice;

use super::groups::Groups;
use super::index::{HasIndex, Index};
use super::members::Members;
use crate::query::{Item, QueryTerms};
use crate::sealed::Sealed;
use crate::signature::{Declaration, SystemName};
use crate::world::Core;

/// The members of a query with the index `I` by key, with what `T` asks for of each, to read.
///
/// It is `Copy`, like [`Members`].
pub struct Lookup<'w, D: Declaration, I: Index, T: QueryTerms<D>> {
    members: Members<'w, D, T>,
    groups: &'w Groups<I::Key>,
}

impl<D: Declaration, I: Index, T: QueryTerms<D>> Clone for Lookup<'_, D, I, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration, I: Index, T: QueryTerms<D>> Copy for Lookup<'_, D, I, T> {}

impl<D: Declaration, I: Index, T: QueryTerms<D>> fmt::Debug for Lookup<'_, D, I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup").field("members", &self.members).finish_non_exhaustive()
    }
}

impl<'w, D: Declaration, I: Index, T: QueryTerms<D>> Lookup<'w, D, I, T> {
    /// The members of the query `Q`, by key.
    ///
    /// # Safety
    /// As for [`Members::of`].
    ///
    /// # Panics
    /// If the index was not built in this execution, since its last refresh; then the code of the query was overridden.
    /// (That the query is executed, and in the same phase, was validated when the program was built.)
    pub(crate) unsafe fn of<Q>(core: &'w Core<D>) -> Self
    where
        Q: SystemName<D, System: HasIndex<Index = I>>,
    {
        // A system that has the query in its table reads the instance, so it runs after the query.
        let groups = core.instance::<Q>().system.groups(Sealed(()));
        assert!(
            groups.made() == Some(core.executions),
            "the index of the query `{}` was not made in this execution: its code was overridden",
            D::SYSTEMS[Q::INDEX].name,
        );
        // SAFETY: the caller upholds the contract of `Members::of`.
        Self { members: unsafe { Members::of::<Q>(core) }, groups }
    }

    /// The members with this key, in ascending order of rows. O(1), and O(1) for each of them.
    #[inline]
    #[must_use]
    pub fn at(&self, key: I::Key) -> Matches<'w, D, T> {
        Matches { members: self.members, rows: self.groups.rows(&key).iter() }
    }

    /// All members.
    #[must_use]
    pub fn members(&self) -> Members<'w, D, T> {
        self.members
    }
}

/// The members of a query that have one key.
pub struct Matches<'w, D: Declaration, T: QueryTerms<D>> {
    members: Members<'w, D, T>,
    rows: slice::Iter<'w, u32>,
}

impl<D: Declaration, T: QueryTerms<D>> Clone for Matches<'_, D, T> {
    fn clone(&self) -> Self {
        Self { members: self.members, rows: self.rows.clone() }
    }
}

impl<D: Declaration, T: QueryTerms<D>> fmt::Debug for Matches<'_, D, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matches").field("len", &self.rows.len()).finish_non_exhaustive()
    }
}

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
