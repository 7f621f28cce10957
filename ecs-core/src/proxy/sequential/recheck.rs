//! The only check whether a row still matches, and the components of rows that do.

use core::marker::PhantomData;

use crate::rows::{BLOCK_ROWS, PAGE_ROWS};
use crate::signature::{Declaration, Item, QueryTerms};
use crate::state::{Demands, Subscription};
use crate::storage::Storage;

/// The rows that match the demands of a signature, validated again after each change, block by block.
pub(super) struct Recheck<'d> {
    demands: &'d Demands,
    /// The block that was validated, and the number of changes before that.
    validated: Option<(usize, u64)>,
    /// The rows of the block that matched.
    rows: u64,
}

impl<'d> Recheck<'d> {
    pub(super) fn new(demands: &'d Demands) -> Self {
        Self { demands, validated: None, rows: 0 }
    }

    /// Whether the row matches. `changes` is the number of changes until now: while it stays the same, one
    /// validation is enough for consecutive rows of a block.
    #[inline]
    pub(super) fn matches(&mut self, storage: &Storage, changes: u64, row: usize) -> bool {
        let block = row / BLOCK_ROWS;
        if self.validated != Some((block, changes)) {
            self.rows = self.demands.matching(storage, block);
            self.validated = Some((block, changes));
        }
        self.rows >> (row % BLOCK_ROWS) & 1 == 1
    }
}

/// The components of a row.
///
/// # Safety
/// The row must match a signature that requires what `Q` does. Until `'a` ends, there must be no other write to
/// what the item reads, and no other access to what it writes.
#[inline]
pub(super) unsafe fn fetch<'a, D: Declaration, Q: QueryTerms<D>>(
    storage: &'a Storage,
    row: usize,
) -> Item<'a, Q, D> {
    let table = Q::table(storage, row..row + 1);
    let cursor = Q::page(table, row / PAGE_ROWS).expect("a page for each match");
    // SAFETY: the row matches, so it holds an entity with the required components; the caller guarantees the
    // rest.
    unsafe { Q::fetch(&cursor, row % PAGE_ROWS) }
}

/// The entities of the subscription that match, with chosen components, in ascending order of rows.
///
/// # Safety
/// The subscription must be that of a signature that requires what `Q` does. The rest is as for [`fetch`], for
/// all of the rows.
pub(super) unsafe fn current<'a, D: Declaration, Q: QueryTerms<D>>(
    storage: &'a Storage,
    subscription: &'a Subscription,
) -> impl Iterator<Item = Item<'a, Q, D>> {
    let Subscription { set, demands, .. } = subscription;
    let blocks = (0..set.block_count()).filter(|&block| set.block(block) != 0);
    // The iterator stays in its thread if a table of the query does, as its items may mark rows that they share with those to come.
    let stays = PhantomData::<Q::Table<'a>>;
    blocks.flat_map(move |block| {
        #[expect(clippy::no_effect_underscore_binding, reason = "so the closure has it")]
        let _has = stays;
        let mut rows = set.block(block) & demands.matching(storage, block);
        core::iter::from_fn(move || {
            let row = block * BLOCK_ROWS + rows.trailing_zeros() as usize;
            (rows != 0).then(|| {
                rows &= rows - 1;
                // SAFETY: the row matches, and comes once; the caller guarantees the rest.
                unsafe { fetch::<D, Q>(storage, row) }
            })
        })
    })
}
