//! Iteration over the entities of a query.

use crate::rows::{BLOCKS_PER_PAGE, Offsets, PAGE_ROWS, Pages, Slice, SparseSet};
use crate::signature::{
    Declaration, Item, Message, QueryTerms, SystemName, SystemSignature, assert_not_sequential,
    undeclared,
};
use crate::storage::Storage;

/// Fails to compile if the query `Q` accesses more than the table allows the system `N`, or iterates over a
/// subscription while the system changes component presence.
pub(crate) const fn assert_allowed<D, N, Q>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: QueryTerms<D>,
{
    assert_not_sequential::<D, N>("query");
    assert_rights::<D, N, Q>();
}

/// Fails to compile if the query `Q` accesses more than the table allows the system `N`.
pub(crate) const fn assert_rights<D, N, Q>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: QueryTerms<D>,
{
    assert_alias_free::<D, N, Q>();
    let signature: &SystemSignature = &D::SYSTEMS[N::INDEX];
    if let Some(c) = Q::WRITES.first_outside(&signature.writable()) {
        undeclared::<D, N>("write", D::COMPONENTS[c].name());
    }
    if let Some(c) = Q::READS.first_outside(&signature.touched()) {
        undeclared::<D, N>("read", D::COMPONENTS[c].name());
    }
    if let Some(c) = Q::REQUIRED.first_outside(&signature.required()) {
        undeclared::<D, N>("take for granted", D::COMPONENTS[c].name());
    }
}

/// Fails to compile if the query `Q` of the system `N` yields a component twice, once to write.
pub(crate) const fn assert_alias_free<D, N, Q>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: QueryTerms<D>,
{
    if !Q::ALIAS_FREE {
        Message::new()
            .text("[ECS0072] a query of the system `")
            .text(D::SYSTEMS[N::INDEX].name)
            .text("` hands out a component twice, once to write\nhelp: ask for `&mut` of it once")
            .raise();
    }
}

/// Calls `f` with the components of each entity in the slice, in ascending order of rows. `ranges`, which
/// should be a constant, says whether to iterate by ranges (`PageSlice::for_each_part`).
///
/// # Safety
/// Every entity in `set` must have the components in `Q::REQUIRED`. Until `'a` ends there must be no other
/// write to what the items read, and no other access to what they write.
#[inline(always)]
pub(crate) unsafe fn for_each<'a, D: Declaration, Q: QueryTerms<D>>(
    storage: &'a Storage,
    set: &SparseSet,
    slice: Slice,
    ranges: bool,
    mut f: impl FnMut(Item<'a, Q, D>),
) {
    let table = Q::table(storage);
    for page in set.pages(slice) {
        // SAFETY: the page contains an entity of `set`, which has the required components.
        let cursor = unsafe { Q::page_of_some(table, page.index) };
        page.for_each_part(ranges, |part| match part {
            Offsets::Range(rows) => {
                let walk = |cursor| {
                    for offset in rows.clone() {
                        // SAFETY: the row is in `set`, so it holds an entity with the required components; each
                        // row comes once; the caller guarantees the rest.
                        Q::hand(unsafe { Q::fetch(cursor, offset) }, &mut f);
                    }
                };
                // SAFETY: as for each of the rows; the range is not empty.
                unsafe { Q::apart(cursor, rows.clone(), walk) };
            }
            Offsets::Listed(rows) => {
                for &offset in rows {
                    // SAFETY: as above.
                    Q::hand(unsafe { Q::fetch(cursor, usize::from(offset)) }, &mut f);
                }
            }
        });
    }
}

/// Calls `f` with the components of every live entity that has the required ones, in ascending order of rows.
///
/// # Safety
/// Until `'a` ends there must be no other write to what the items read, and no other access to what they write.
pub(crate) unsafe fn for_each_living<'a, D: Declaration, Q: QueryTerms<D>>(
    storage: &'a Storage,
    mut f: impl FnMut(Item<'a, Q, D>),
) {
    const {
        assert!(
            Q::ALIAS_FREE,
            "[ECS0072] a query must not hand out a component twice if it can be written"
        );
    };
    let required: Vec<usize> =
        (0..D::COMPONENTS.len()).filter(|&index| Q::REQUIRED.contains(index)).collect();
    let table = Q::table(storage);
    for page in 0..storage.entities.rows().len().div_ceil(PAGE_ROWS) {
        let Some(cursor) = Q::page(table, page) else { continue };
        for block in 0..BLOCKS_PER_PAGE {
            let global = page * BLOCKS_PER_PAGE + block;
            let mut members =
                required.iter().fold(storage.entities.alive().word(global), |members, &index| {
                    members & storage.presence_at(index).word(global)
                });
            while members != 0 {
                let offset = block * 64 + members.trailing_zeros() as usize;
                members &= members - 1;
                // SAFETY: the presence words say that the row holds an entity with the required components;
                // each row comes once; the caller guarantees the rest.
                f(unsafe { Q::fetch(cursor, offset) });
            }
        }
    }
}

/// Iterates over the components of each entity in a slice, in ascending order of rows.
pub struct Iter<'a, D: Declaration, Q: QueryTerms<D>> {
    table: Q::Table<'a>,
    pages: Pages<'a>,
    /// The current page.
    page: Option<(Q::Cursor<'a>, core::slice::Iter<'a, u16>)>,
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Iter<'a, D, Q> {
    /// # Safety
    /// As for [`for_each`], over the storage that the table belongs to.
    pub(crate) unsafe fn over(table: Q::Table<'a>, set: &'a SparseSet, slice: Slice) -> Self {
        Self { table, pages: set.pages(slice), page: None }
    }
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Iterator for Iter<'a, D, Q> {
    type Item = Item<'a, Q, D>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((cursor, offsets)) = &mut self.page
                && let Some(&offset) = offsets.next()
            {
                // SAFETY: the row is in the set, so it holds an entity with the required components; each row
                // comes once; the creator of the iterator guarantees the rest.
                return Some(unsafe { Q::fetch(*cursor, usize::from(offset)) });
            }
            let page = self.pages.next()?;
            let cursor = Q::page(self.table, page.index);
            self.page = cursor.map(|cursor| (cursor, page.offsets.iter()));
        }
    }

    /// O(pages).
    fn count(self) -> usize {
        let rest = self.page.map_or(0, |(_, offsets)| offsets.len());
        rest + self.pages.map(|page| page.offsets.len()).sum::<usize>()
    }
}
