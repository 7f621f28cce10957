//! Hashes the values of a component, by page of rows, independent of how they are stored.
//!
//! A page is hashed by itself, so that pages are hashed side by side, and that two worlds can be compared by page. What is
//! left of a component, marks and removed values, is one more part.

use core::slice;

use crate::rows::{PageHash, PageWords, rows_of};
use crate::storage::stored::Stored;
use crate::storage::{BLOCK_ROWS, HasColumn, Storage, layout_of};
use crate::types::{StateHash, StateHasher};

impl Storage {
    /// The hash of a page of the component at `index`, which `hash` makes, unless it is known.
    pub(crate) fn hash_of_page(
        &self,
        index: usize,
        page: usize,
        hash: fn(&Self, usize) -> u64,
    ) -> u64 {
        let column = &self.columns[index];
        let known = column.versions.hash(page).zip(column.version(page));
        kept(known, || hash(self, page))
    }

    /// Whether [`hash_of_page`](Self::hash_of_page) is known, or that of no values.
    pub(crate) fn knows_hash(&self, index: usize, page: usize) -> bool {
        let column = &self.columns[index];
        if column.presence.page(page).is_none() {
            return true;
        }
        let known = column.versions.hash(page).zip(column.version(page));
        known.is_some_and(|(hash, version)| hash.get(version).is_some())
    }

    /// The hash of the entities in a page, unless it is known.
    pub(crate) fn hash_of_entities(&self, page: usize) -> u64 {
        let version = || self.entities.version();
        let known = self.entity_hashes.of(page).map(|hash| (hash, version()));
        kept(known, || self.entities.hash_page(page))
    }

    /// The hash of the rows of this page that have a `C`, and of their values. 0 if there are none.
    pub(crate) fn hash_page<D: HasColumn<C>, C: StateHash + 'static>(&self, page: usize) -> u64 {
        let Some((mut hasher, words)) = self.page_hasher::<D, C>(page) else { return 0 };
        let Some(cursor) = D::Strategy::page(D::Strategy::table::<D>(self), page) else { return 0 };
        let at = |offset: usize| {
            // SAFETY: this is called for rows in the presence set, which have a `C`.
            let place = unsafe { D::Strategy::at::<D>(cursor, offset) };
            // SAFETY: `at` points to the row's live `C`. Only subtasks write components
            // through `&Storage`, and between steps there are none.
            unsafe { &*place }
        };
        // The first block of those that are hashed as a slice, with the ones between it and the current one.
        let mut full = None;
        for (block, &word) in words.iter().chain([&0]).enumerate() {
            if word == u64::MAX && const { are_side_by_side::<D, C>() } {
                full.get_or_insert(block);
                continue;
            }
            if let Some(first) = full.take() {
                let rows = first * BLOCK_ROWS..block * BLOCK_ROWS;
                // SAFETY: the row has a `C`.
                let start = unsafe { D::Strategy::at::<D>(cursor, rows.start) };
                // SAFETY: each of these rows has a live `C`, and they lie side by side in one buffer, at a stride of the size
                // of a `C`. Nothing writes to them, as above.
                let values = unsafe { slice::from_raw_parts(start, rows.len()) };
                hasher.write_slice(values);
            }
            if word == u64::MAX {
                let rows = block * BLOCK_ROWS..(block + 1) * BLOCK_ROWS;
                hasher.write_each(BLOCK_ROWS, rows.map(at));
            } else if word != 0 {
                hasher.write_each(word.count_ones() as usize, rows_of(block, word).map(at));
            }
        }
        hasher.finish()
    }

    /// The hash of the rows of this page that have a `C`. 0 if there are none.
    pub(crate) fn hash_presence<D: HasColumn<C>, C: 'static>(&self, page: usize) -> u64 {
        self.page_hasher::<D, C>(page).map_or(0, |(hasher, _)| hasher.finish())
    }

    /// What else belongs to the state of `C`: marks, and removed values. 0 if there is nothing.
    pub(crate) fn hash_changes<D: HasColumn<C>, C: StateHash + 'static>(&self) -> u64 {
        self.hash_changes_with::<D, C>(C::state_hash)
    }

    /// [`hash_changes`](Self::hash_changes) without the values that were removed.
    pub(crate) fn hash_changes_of_presence<D: HasColumn<C>, C: 'static>(&self) -> u64 {
        self.hash_changes_with::<D, C>(|_, _| {})
    }

    fn hash_changes_with<D: HasColumn<C>, C: 'static>(
        &self,
        value: impl Fn(&C, &mut StateHasher),
    ) -> u64 {
        if const { !D::LANES.is_tracked() && !D::KEEPS_REMOVED } {
            return 0;
        }
        let mut hasher = StateHasher::new();
        if const { D::LANES.is_tracked() } {
            self.hash_lanes::<D, C>(&mut hasher);
        }
        if const { D::KEEPS_REMOVED } {
            self.hash_removals::<D, C>(&mut hasher, &value);
        }
        hasher.finish()
    }

    /// A hasher with the rows of this page that have a `C`, and these rows; `None` if there are none.
    fn page_hasher<D: HasColumn<C>, C: 'static>(
        &self,
        page: usize,
    ) -> Option<(StateHasher, &PageWords)> {
        let words = self.column::<D, C>().presence.page(page)?;
        words.iter().any(|&word| word != 0).then(|| {
            let mut hasher = StateHasher::new();
            words.state_hash(&mut hasher);
            (hasher, words)
        })
    }
}

/// The hash of the content of this version, which `make` makes, unless it is known.
fn kept(known: Option<(&PageHash, u64)>, make: impl Fn() -> u64) -> u64 {
    let Some((place, version)) = known else { return make() };
    if let Some(hash) = place.get(version) {
        debug_assert_eq!(hash, make(), "a value was written, and its page has kept its version");
        return hash;
    }
    let hash = make();
    place.note(version, hash);
    hash
}

/// Whether values of `C` in rows side by side lie side by side.
const fn are_side_by_side<D: HasColumn<C>, C: 'static>() -> bool {
    <D::Strategy as Stored<C>>::EXTERNAL.is_none()
        && layout_of::<D>(<D as HasColumn<C>>::INDEX).stride == size_of::<C>()
}
