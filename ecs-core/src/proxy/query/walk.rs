//! Iteration over the entities of a query.

use core::ops::Range;

use crate::rows::{Offsets, Pages};
use crate::signature::{
    Declaration, Item, Message, QueryTerms, SystemName, SystemSignature, assert_not_sequential,
    undeclared,
};

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
    let (reads, writes, required) = (Q::READS, Q::WRITES, Q::REQUIRED);
    if let Some(c) = writes.first_outside(&signature.writable()) {
        undeclared::<D, N>("write", D::COMPONENTS[c].name());
    }
    if let Some(c) = reads.first_outside(&signature.touched()) {
        undeclared::<D, N>("read", D::COMPONENTS[c].name());
    }
    if let Some(c) = required.first_outside(&signature.required()) {
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

/// Calls `f` with the components of each entity in these pages of a set, in ascending order of rows. `ranges`, which
/// should be a constant, says whether to iterate by ranges (`PageSlice::parts`).
///
/// # Safety
/// `table` must be that of the storage to which the set belongs, and every entity in the set must have the components
/// in `Q::REQUIRED`. Until `'a` ends there must be no other write to what the items read, and no other access to what
/// they write.
#[inline(always)]
pub(crate) unsafe fn for_each<'a, D: Declaration, Q: QueryTerms<D>>(
    table: Q::Table<'a>,
    pages: Pages<'_>,
    ranges: bool,
    mut f: impl FnMut(Item<'a, Q, D>),
) {
    for page in pages {
        // SAFETY: the page contains an entity of the set, which has the required components.
        let cursor = unsafe { Q::page_of_some(table, page.index) };
        let mut parts = page.parts(ranges);
        while let Some(part) = parts.next() {
            match part {
                Offsets::Range(rows) => {
                    // Not a `for` loop: in a build that is not optimised, a range's `next` takes longer than the rest.
                    let walk = |cursor| {
                        let Range { start: mut offset, end } = rows;
                        while offset < end {
                            // SAFETY: the row is in the set, so it holds an entity with the required components; each
                            // row comes once; the caller guarantees the rest.
                            Q::hand(unsafe { Q::fetch(&cursor, offset) }, &mut f);
                            offset += 1;
                        }
                    };
                    // SAFETY: as for each of the rows; the range is not empty.
                    unsafe { Q::apart(cursor, rows.start..rows.end, walk) };
                }
                Offsets::Listed(rows) => {
                    let (mut at, count) = (0, rows.len());
                    while at < count {
                        let offset = rows[at] as usize;
                        // SAFETY: as above.
                        Q::hand(unsafe { Q::fetch(&cursor, offset) }, &mut f);
                        at += 1;
                    }
                }
            }
        }
    }
}
