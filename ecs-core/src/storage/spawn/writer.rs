//! Rows of spawned entities, to write.

use core::marker::PhantomData;

use crate::entity::RowRanges;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE};
use crate::storage::Chunk;
use crate::types::Brand;

/// Rows that receive the components of spawned entities.
///
/// Only tuples write. A bundle that a declaration names passes it on to its tuple.
#[doc(hidden)]
pub struct SpawnWriter<'a, 's, I, F, D> {
    /// What bundles are made of. An item becomes a bundle when its row is known. The compiler keeps an `Option` of a bundle in
    /// memory and copies it by words, with loads that overlap two components: for these the processor waits.
    items: I,
    to_bundle: F,
    chunk: &'a mut Chunk<'s>,
    ranges: RowRanges<'a>,
    declaration: Brand<D>,
}

impl<'a, 's, I: Iterator, B, F: FnMut(I::Item) -> B, D> SpawnWriter<'a, 's, I, F, D> {
    /// The rows are allocated. There may be fewer items than rows; the last rows then have no bundle.
    pub(crate) fn new(
        items: I,
        to_bundle: F,
        chunk: &'a mut Chunk<'s>,
        ranges: RowRanges<'a>,
    ) -> Self {
        Self { items, to_bundle, chunk, ranges, declaration: PhantomData }
    }

    /// The same rows for converted bundles.
    #[inline(always)]
    pub fn map<C>(
        self,
        mut f: impl FnMut(B) -> C,
    ) -> SpawnWriter<'a, 's, I, impl FnMut(I::Item) -> C, D> {
        let Self { items, mut to_bundle, chunk, ranges, declaration } = self;
        SpawnWriter { items, to_bundle: move |item| f(to_bundle(item)), chunk, ranges, declaration }
    }

    /// For each page calls `open`, and the function that it returns with each row, as an offset in
    /// the page, and its bundle, until rows or bundles run out. After each page, `publish` is
    /// called with the rows that had a bundle. If the iterator or `to_bundle` panics, `publish` is called
    /// nevertheless.
    #[inline(always)]
    pub(crate) fn write<W: FnMut(usize, B)>(
        self,
        mut open: impl FnMut(&mut Chunk<'s>, usize) -> W,
        mut publish: impl FnMut(&mut Chunk<'s>, RowRanges<'_>),
    ) {
        let Self { mut items, mut to_bundle, chunk, ranges, .. } = self;
        for ranges in ranges.by_page() {
            let mut write = open(chunk, ranges.page());
            let publish = &mut publish;
            let mut publishing = PublishOnDrop { chunk, ranges, at: 0, left: 0, publish };
            while publishing.at < ranges.len() {
                let (block, rows) = ranges.get(publishing.at);
                let first = block % BLOCKS_PER_PAGE * BLOCK_ROWS;
                publishing.left = rows;
                while publishing.left != 0 {
                    let Some(item) = items.next() else { return };
                    write(first + publishing.left.trailing_zeros() as usize, to_bundle(item));
                    publishing.left &= publishing.left - 1;
                }
                publishing.at += 1;
            }
        }
    }
}

/// The rows of one page, some of which have their components; dropping it publishes these.
struct PublishOnDrop<'a, 's, P: FnMut(&mut Chunk<'s>, RowRanges<'_>)> {
    chunk: &'a mut Chunk<'s>,
    ranges: RowRanges<'a>,
    /// The position of the block that is being written.
    at: usize,
    /// Rows of this block without components.
    left: u64,
    publish: &'a mut P,
}

impl<'s, P: FnMut(&mut Chunk<'s>, RowRanges<'_>)> Drop for PublishOnDrop<'_, 's, P> {
    #[inline(always)]
    fn drop(&mut self) {
        let Self { ranges, at, left, .. } = *self;
        let written = if at == ranges.len() { ranges } else { ranges.up_to(at, !left) };
        (self.publish)(self.chunk, written);
    }
}
