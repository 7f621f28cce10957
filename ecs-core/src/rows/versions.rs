//! *Versions*: they tell whether a page of rows still has the content that a copy of it has. So snapshots copy and hash only
//! what has changed.
//!
//! A version is a number that stands for one content. A page gets one when a copy or a hash asks for it. The page forgets it, by one store, when a value
//! may be written. No number is given twice in a process, so two pages with the same version have the same content, also in different worlds and
//! snapshots. Versions only save work: they are no part of the state.

use core::ops::{Deref, DerefMut, Range};
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicU64};

use super::PAGE_ROWS;

/// The next number.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A version; 0 if the content may have changed since one was given.
#[derive(Debug, Default)]
struct Version(AtomicU64);

impl Version {
    #[inline]
    fn forget(&self) {
        // Relaxed: other synchronisation orders the writers of a content before its readers.
        self.0.store(0, Relaxed);
    }

    /// The version of the content, which must not be written during the call.
    fn get(&self) -> u64 {
        let version = self.0.load(Relaxed);
        if version != 0 {
            return version;
        }
        let new = NEXT.fetch_add(1, Relaxed);
        // Another thread may copy the same content.
        self.0.compare_exchange(0, new, Relaxed, Relaxed).err().unwrap_or(new)
    }

    fn set(&mut self, version: u64) {
        *self.0.get_mut() = version;
    }
}

/// The hash of a content, and the version of that content.
#[derive(Debug, Default)]
pub(crate) struct PageHash {
    version: AtomicU64,
    hash: AtomicU64,
}

impl PageHash {
    /// The hash of the content with this version, if it is known.
    pub(crate) fn get(&self, version: u64) -> Option<u64> {
        // Acquire: the hash was written before the version.
        (self.version.load(Acquire) == version).then(|| self.hash.load(Relaxed))
    }

    /// Notes the hash of a content, which must not be written during the call. So all threads that note at the same time note the same hash.
    pub(crate) fn note(&self, version: u64, hash: u64) {
        self.hash.store(hash, Relaxed);
        self.version.store(version, Release);
    }

    fn copy(&mut self, from: &Self) {
        *self.version.get_mut() = from.version.load(Acquire);
        *self.hash.get_mut() = from.hash.load(Relaxed);
    }
}

/// The hashes of pages that have one version for all of them.
#[derive(Debug, Default)]
pub(crate) struct PageHashes(Vec<PageHash>);

impl PageHashes {
    /// Makes room for this many pages.
    pub(crate) fn reserve(&mut self, pages: usize) {
        if self.0.len() < pages {
            self.0.resize_with(pages, PageHash::default);
        }
    }

    /// The hash of a page, if there is room for it.
    pub(crate) fn of(&self, page: usize) -> Option<&PageHash> {
        self.0.get(page)
    }

    pub(crate) fn copy(&mut self, from: &Self) {
        self.0.resize_with(from.0.len(), PageHash::default);
        self.0.iter_mut().zip(&from.0).for_each(|(to, from)| to.copy(from));
    }
}

/// The versions of the pages of a column. A page without room has no version.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    pages: Vec<Version>,
    hashes: PageHashes,
    /// Whether `reserve` makes room.
    are_some: bool,
    /// Whether a page may have a version: whether one was ever asked for. Until then, there is nothing to forget.
    are_asked_for: AtomicBool,
}

impl Versions {
    /// No pages. If `are_some` is false, there never are any.
    pub(crate) fn new(are_some: bool) -> Self {
        Self { are_some, ..Self::default() }
    }

    /// Makes room for this many pages.
    #[inline]
    pub(crate) fn reserve(&mut self, pages: usize) {
        if self.are_some && self.pages.len() < pages {
            self.pages.resize_with(pages, Version::default);
            self.hashes.reserve(pages);
        }
    }

    /// The content of the page may change.
    #[inline(always)]
    pub(crate) fn forget(&self, page: usize) {
        if self.are_asked_for.load(Relaxed)
            && let Some(version) = self.pages.get(page)
        {
            version.forget();
        }
    }

    /// The same, by who has the column alone: in a loop, the compiler asks once whether there is something to forget.
    #[inline(always)]
    pub(crate) fn forget_alone(&mut self, page: usize) {
        if *self.are_asked_for.get_mut()
            && let Some(version) = self.pages.get(page)
        {
            version.forget();
        }
    }

    /// The content of the pages with these rows may change.
    #[inline]
    pub(crate) fn forget_rows(&self, rows: Range<usize>) {
        if !self.are_asked_for.load(Relaxed) {
            return;
        }
        let end = rows.end.div_ceil(PAGE_ROWS).min(self.pages.len());
        self.pages.get(rows.start / PAGE_ROWS..end).unwrap_or(&[]).iter().for_each(Version::forget);
    }

    /// The version of the content of a page, which must not be written during the call.
    pub(crate) fn get(&self, page: usize) -> Option<u64> {
        // Relaxed, as the versions are.
        self.are_asked_for.store(true, Relaxed);
        self.pages.get(page).map(Version::get)
    }

    /// The hash of a page.
    pub(crate) fn hash(&self, page: usize) -> Option<&PageHash> {
        self.hashes.of(page)
    }

    /// Takes over the versions of a column that has the same content. Pages for which `is_changing` is true get no version.
    pub(crate) fn copy(&mut self, from: &Self, is_changing: impl Fn(usize) -> bool) {
        if !self.are_some {
            return;
        }
        *self.are_asked_for.get_mut() = true;
        self.pages.resize_with(from.pages.len(), Version::default);
        for (page, to) in self.pages.iter_mut().enumerate() {
            // By `get`, which notes that the page has a version to forget.
            to.set(from.get(page).filter(|_| !is_changing(page)).unwrap_or(0));
        }
        self.hashes.copy(&from.hashes);
    }
}

/// A value with a version. A mutable borrow forgets the version.
#[derive(Debug)]
pub(crate) struct Versioned<T> {
    value: T,
    version: Version,
}

impl<T> Versioned<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { value, version: Version(AtomicU64::new(0)) }
    }

    /// The value, without forgetting the version: for changes that are no part of the state, or before a mutable borrow.
    #[inline]
    pub(crate) fn as_same(&mut self) -> &mut T {
        &mut self.value
    }

    pub(crate) fn forget(&mut self) {
        self.version.set(0);
    }

    /// The version of the value.
    pub(crate) fn version(&self) -> u64 {
        self.version.get()
    }

    /// Sets the version. The value has to equal the value with this version.
    pub(crate) fn set_version(&mut self, version: u64) {
        self.version.set(version);
    }
}

impl<T> Deref for Versioned<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Versioned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.version.set(0);
        &mut self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_that_of_one_content() {
        let mut column = Versions::new(true);
        assert_eq!(column.get(0), None);
        column.reserve(3);
        let first = [0, 1, 2].map(|page| column.get(page).unwrap());
        assert_eq!([0, 1, 2].map(|page| column.get(page).unwrap()), first);
        let mut copy = Versions::new(true);
        copy.copy(&column, |page| page == 2);
        assert_eq!([0, 1].map(|page| copy.get(page).unwrap()), first[..2]);
        assert_ne!(copy.get(2).unwrap(), first[2]);
        // The last row of a page, and the first one of the next.
        column.forget_rows(PAGE_ROWS - 1..PAGE_ROWS + 1);
        assert_ne!(column.get(0).unwrap(), first[0]);
        assert_ne!(column.get(1).unwrap(), first[1]);
        assert_eq!(column.get(2).unwrap(), first[2]);
        column.forget_rows(0..usize::MAX);
        column.forget_rows(9 * PAGE_ROWS..usize::MAX);
        column.forget_rows(0..0);
        assert_ne!(column.get(2).unwrap(), first[2]);
    }

    #[test]
    fn a_hash_is_that_of_a_version() {
        let mut column = Versions::new(true);
        column.reserve(1);
        let version = column.get(0).unwrap();
        column.hash(0).unwrap().note(version, 7);
        let mut copy = Versions::new(true);
        copy.copy(&column, |_| false);
        assert_eq!(copy.hash(0).unwrap().get(copy.get(0).unwrap()), Some(7));
        copy.forget(0);
        assert_eq!(copy.hash(0).unwrap().get(copy.get(0).unwrap()), None);
    }

    #[test]
    fn a_mutable_borrow_ends_a_version() {
        let mut value = Versioned::new(1);
        let version = value.version();
        *value.as_same() = 2;
        assert_eq!(value.version(), version);
        *value = 3;
        assert_ne!(value.version(), version);
    }

    #[test]
    fn without_versions_there_is_no_memory() {
        let mut column = Versions::new(false);
        column.reserve(3);
        column.copy(&Versions::new(true), |_| false);
        assert!(column.get(0).is_none() && column.hash(0).is_none());
    }
}
