//! Tuples of query terms are query terms.

use core::ops::Range;

use super::{HandsOutOnce, MemberFor, QueryFor};
use crate::proxy::for_tuples;
use crate::signature::{Declaration, QueryTerms, SystemName};
use crate::storage::Storage;
use crate::types::IndexSet;

/// What the first terms of a tuple hand out.
struct Accesses {
    reads: IndexSet,
    writes: IndexSet,
    alias_free: bool,
}

impl Accesses {
    const NONE: Self = Self { reads: IndexSet::EMPTY, writes: IndexSet::EMPTY, alias_free: true };

    /// With a further term.
    const fn beside<D: Declaration, T: QueryTerms<D>>(self) -> Self {
        let (reads, writes) = (T::READS, T::WRITES);
        let alias_free = self.alias_free
            && T::ALIAS_FREE
            && writes.is_disjoint(&self.reads.union(self.writes))
            && reads.is_disjoint(&self.writes);
        Self { reads: self.reads.union(reads), writes: self.writes.union(writes), alias_free }
    }
}

macro_rules! tuple_terms {
    ($($T:ident $cursor:ident $slice:ident),+) => {
        // SAFETY: each term keeps its own contract, and `REQUIRED`, `READS` and `WRITES` are the
        // unions of the terms' sets.
        unsafe impl<D: Declaration, $($T: QueryTerms<D>),+> QueryTerms<D> for ($($T,)+) {
            type Item<'a> = ($($T::Item<'a>,)+);
            type Table<'a> = ($($T::Table<'a>,)+);
            type Cursor<'a> = ($($T::Cursor<'a>,)+);
            type Slice<'a> = ($($T::Slice<'a>,)+);
            const REQUIRED: IndexSet = IndexSet::EMPTY$(.union($T::REQUIRED))+;
            const READS: IndexSet = IndexSet::EMPTY$(.union($T::READS))+;
            const WRITES: IndexSet = IndexSet::EMPTY$(.union($T::WRITES))+;
            const UNMARKED: IndexSet = IndexSet::EMPTY$(.union($T::UNMARKED))+;
            const OPTIONAL: IndexSet = IndexSet::EMPTY$(.union($T::OPTIONAL))+;
            const ALIAS_FREE: bool = Accesses::NONE$(.beside::<D, $T>())+.alias_free;

            #[inline(always)]
            fn table(storage: &Storage, rows: Range<usize>) -> Self::Table<'_> {
                ($($T::table(storage, rows.clone()),)+)
            }

            #[inline(always)]
            fn shorten<'long: 'short, 'short>(
                ($($cursor,)+): Self::Table<'long>,
            ) -> Self::Table<'short> {
                ($($T::shorten($cursor),)+)
            }

            #[inline(always)]
            #[expect(clippy::question_mark, reason = "not optimised, it is two calls for each term")]
            fn page<'a>(($($cursor,)+): Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
                $(let Some($cursor) = $T::page($cursor, page) else { return None };)+
                Some(($($cursor,)+))
            }

            #[inline(always)]
            unsafe fn page_of_some<'a>(
                ($($cursor,)+): Self::Table<'a>,
                page: usize,
            ) -> Self::Cursor<'a> {
                // SAFETY: an entity that has all required components has those that each term requires.
                ($(unsafe { $T::page_of_some($cursor, page) },)+)
            }

            #[inline(always)]
            unsafe fn fetch<'a>(
                ($($cursor,)+): &Self::Cursor<'a>,
                offset: usize,
            ) -> Self::Item<'a> {
                // SAFETY: the caller guarantees it for the row and for every term's components.
                ($(unsafe { $T::fetch($cursor, offset) },)+)
            }

            #[inline(always)]
            unsafe fn fetch_row<'a>(
                ($($cursor,)+): Self::Table<'a>,
                row: usize,
            ) -> Self::Item<'a> {
                // SAFETY: the caller guarantees it for the row and for every term's components.
                ($(unsafe { $T::fetch_row($cursor, row) },)+)
            }

            #[inline(always)]
            fn hand<'a, Body: FnMut(Self::Item<'a>)>(($($cursor,)+): Self::Item<'a>, f: &mut Body) {
                // Called by pointer: otherwise the compiler would inline the body before the optimiser has seen
                // that these are references from parameters, which it knows most about.
                let spread: fn($($T::Item<'a>,)+ &mut Body) = |$($cursor,)+ f| f(($($cursor,)+));
                spread($($cursor,)+ f);
            }

            #[inline(always)]
            unsafe fn slice<'a>(
                ($($cursor,)+): Self::Cursor<'a>,
                rows: Range<usize>,
            ) -> Self::Slice<'a> {
                // SAFETY: the caller guarantees it for the rows and for every term's components.
                ($(unsafe { $T::slice($cursor, rows.start..rows.end) },)+)
            }

            #[inline(always)]
            fn rejoin<'a>(
                ($($cursor,)+): Self::Cursor<'a>,
                ($($slice,)+): Self::Slice<'a>,
                first: usize,
            ) -> Self::Cursor<'a> {
                ($($T::rejoin($cursor, $slice, first),)+)
            }

            #[inline(always)]
            unsafe fn apart<'a, Body: FnOnce(Self::Cursor<'a>)>(
                ($($cursor,)+): Self::Cursor<'a>,
                rows: Range<usize>,
                f: Body,
            ) {
                let first = rows.start;
                // SAFETY: the caller guarantees it for the rows and for every term's components.
                $(let $slice = unsafe { $T::slice($cursor, rows.start..rows.end) };)+
                // By pointer, as in `hand`.
                let pass: fn($($T::Cursor<'a>, $T::Slice<'a>,)+ usize, Body) =
                    |$($cursor, $slice,)+ first, f| f(($($T::rejoin($cursor, $slice, first),)+));
                pass($($cursor, $slice,)+ first, f);
            }

            #[inline(always)]
            fn prefetch(($($cursor,)+): Self::Cursor<'_>, offset: usize) {
                $($T::prefetch($cursor, offset);)+
            }
        }

        impl<D, N, $($T),+> QueryFor<D, N> for ($($T,)+)
        where
            D: Declaration,
            N: SystemName<D>,
            $($T: QueryFor<D, N>,)+
            Self: HandsOutOnce<D>,
        {
        }

        impl<D, Mine, Theirs, $($T),+> MemberFor<D, Mine, Theirs> for ($($T,)+)
        where
            D: Declaration,
            Mine: SystemName<D>,
            Theirs: SystemName<D>,
            $($T: MemberFor<D, Mine, Theirs>,)+
            Self: HandsOutOnce<D>,
        {
        }
    };
}

for_tuples! {
    tuple_terms: A a s, B b t, C c u, E e v, F f w, G g x, H h y, I i z, J j o, K k p, L l q, M m r
}
