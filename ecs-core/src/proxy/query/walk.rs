//! Iteration over the entities of a query.

use core::ops::Range;

use super::term::assert_marks;
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
    assert_not_after_parent::<D, N>();
    assert_rights::<D, N, Q>();
}

/// Fails to compile if the system `N` goes along a relation, so that its entities have another order.
const fn assert_not_after_parent<D: Declaration, N: SystemName<D>>() {
    let system = &D::SYSTEMS[N::INDEX];
    if !system.declared.after_parent.is_empty() {
        Message::new()
            .text("[ECS0167] the system `")
            .text(system.name)
            .text("` goes to parents before their children, so it has its entities in no other order\nhelp: write `run: |data| data.for_after_parent::<..>(|one, parent, effects| ..)`")
            .raise();
    }
}

/// Fails to compile if the query `Q` accesses more than the table allows the system `N`.
pub(crate) const fn assert_rights<D, N, Q>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: QueryTerms<D>,
{
    assert_marks::<D, Q>(Some(N::INDEX));
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

/// What a loop calls with the components of each entity that the query `Q` asks for. It may borrow from them for `'a`.
///
/// A function that the user has written is one. What this crate puts in front of that is no closure, which `rustc` would
/// compile in the module in which it is written, but a type with an `inline(always)` method.
pub(crate) trait Visit<'a, D: Declaration, Q: QueryTerms<D>> {
    /// Takes the components of an entity.
    fn visit(&mut self, item: Item<'a, Q, D>);
}

impl<'a, D, Q, F> Visit<'a, D, Q> for F
where
    D: Declaration,
    Q: QueryTerms<D>,
    F: FnMut(Item<'a, Q, D>),
{
    #[inline(always)]
    fn visit(&mut self, item: Item<'a, Q, D>) {
        self(item);
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
    mut f: impl Visit<'a, D, Q>,
) {
    for page in pages {
        // SAFETY: the page contains an entity of the set, which has the required components.
        let cursor = unsafe { Q::page_of_some(table, page.index) };
        let mut parts = page.parts(ranges);
        while let Some(part) = parts.next() {
            match part {
                // SAFETY: the rows are in the set, so each holds an entity with the required components; each row
                // comes once; the range is not empty; the caller guarantees the rest.
                Offsets::Range(rows) => unsafe { for_range(cursor, rows, &mut f) },
                Offsets::Listed(rows) => {
                    let (mut at, count) = (0, rows.len());
                    while at < count {
                        // SAFETY: as above.
                        unsafe { visit(&cursor, rows[at] as usize, &mut f) };
                        at += 1;
                    }
                }
            }
        }
    }
}

/// Appends to a list what `f` returns for each entity in these pages of a set, in ascending order of rows: as
/// [`for_each`], with one check of the list's room for each run of rows.
///
/// # Safety
/// As for [`for_each`].
#[inline(always)]
pub(crate) unsafe fn append_each<'a, D: Declaration, Q: QueryTerms<D>, T>(
    table: Q::Table<'a>,
    pages: Pages<'_>,
    ranges: bool,
    list: &mut Vec<T>,
    mut f: impl FnMut(Item<'a, Q, D>) -> T,
) {
    for page in pages {
        // SAFETY: the page contains an entity of the set, which has the required components.
        let cursor = unsafe { Q::page_of_some(table, page.index) };
        let mut parts = page.parts(ranges);
        while let Some(part) = parts.next() {
            let mut value = |offset: usize| {
                // SAFETY: the rows are in the set, so each holds an entity with the required components; each row
                // comes once; the caller guarantees the rest.
                f(unsafe { Q::fetch(&cursor, offset) })
            };
            match part {
                Offsets::Range(rows) => list.extend(rows.map(value)),
                Offsets::Listed(rows) => {
                    list.extend(rows.iter().map(|row| value(usize::from(*row))));
                }
            }
        }
    }
}

/// Calls `f` with the components of each of these rows of the cursor's page. The loop can be vectorised.
///
/// # Safety
/// As for [`QueryTerms::slice`].
#[inline(always)]
pub(crate) unsafe fn for_range<'a, D: Declaration, Q: QueryTerms<D>>(
    cursor: Q::Cursor<'a>,
    rows: Range<usize>,
    f: &mut impl Visit<'a, D, Q>,
) {
    if IS_DEV {
        // SAFETY: by the contract.
        return unsafe { range(&cursor, rows, f) };
    }
    let (start, end) = (rows.start, rows.end);
    let walk = |cursor| {
        // SAFETY: by the contract.
        unsafe { range(&cursor, rows, f) };
    };
    // SAFETY: by the contract.
    unsafe { Q::apart(cursor, start..end, walk) };
}

/// Calls `f` with the components of each of these rows of the cursor's page.
///
/// # Safety
/// As for [`QueryTerms::fetch`], for each row.
#[inline(always)]
unsafe fn range<'a, D: Declaration, Q: QueryTerms<D>>(
    cursor: &Q::Cursor<'a>,
    Range { start: mut offset, end }: Range<usize>,
    f: &mut impl Visit<'a, D, Q>,
) {
    // Not a `for` loop: in a build that is not optimised, a range's `next` takes longer than the rest.
    while offset < end {
        // SAFETY: by the contract.
        unsafe { visit(cursor, offset, f) };
        offset += 1;
    }
}

/// Calls `f` with the components of this row of the cursor's page.
///
/// # Safety
/// As for [`QueryTerms::fetch`].
#[inline(always)]
unsafe fn visit<'a, D: Declaration, Q: QueryTerms<D>>(
    cursor: &Q::Cursor<'a>,
    offset: usize,
    f: &mut impl Visit<'a, D, Q>,
) {
    // SAFETY: by the contract.
    let item = unsafe { Q::fetch(cursor, offset) };
    if IS_DEV {
        f.visit(item);
    } else {
        Q::hand(item, &mut |item| f.visit(item));
    }
}

/// Whether loops leave out what only helps the optimiser: that references which are parameters do not alias (`apart`,
/// `hand`). Without optimisation each is a call, and its closure lies in a codegen unit of this crate. Under Miri the code
/// of release builds runs.
const IS_DEV: bool = cfg!(all(debug_assertions, not(miri)));
