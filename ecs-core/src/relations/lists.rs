//! For each row a list of the links at one of their two ends, sorted by the row at the other end.
//!
//! All lists are segments of one arena. A segment has room for a power of two of entries, and grows and shrinks by moving to
//! another one. Segments that are given up are found again by their size. So memory is reused, whatever row it was for, and
//! a change costs what lies behind it in its own list.

use crate::types::prefetch;

/// One end of a link, as the other end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The row at the other end.
    pub(super) row: u32,
    /// The number of the link.
    pub(super) link: u32,
}

/// The room of the smallest segment.
const FEWEST: usize = 4;

/// Changes between the prefetch of a list and its use.
pub(super) const PREFETCH_DISTANCE: usize = 8;
/// Entries that are prefetched together.
const LINE: usize = 64 / size_of::<Entry>();

/// A list shrinks when it has fewer entries than this part of its room.
const SPARSE: usize = 4;

/// Where the list of a row lies.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    /// In the arena.
    start: usize,
    len: u32,
    /// How many times the smallest segment doubled, plus one; 0 without a segment.
    class: u32,
}

impl Span {
    fn room(self) -> usize {
        room(self.class)
    }
}

/// How many entries a segment of the class has room for.
const fn room(class: u32) -> usize {
    match class {
        0 => 0,
        class => FEWEST << (class - 1),
    }
}

/// The smallest class with room for the entries.
const fn class_for(len: usize) -> u32 {
    if len == 0 { 0 } else { len.div_ceil(FEWEST).next_power_of_two().trailing_zeros() + 1 }
}

/// A list for each row.
///
/// Invariants: segments of lists do not overlap, and each is the list's own. A list is sorted by row, and no row is in it twice.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// By row. Beyond the end, lists are empty.
    spans: Vec<Span>,
    arena: Vec<Entry>,
    /// For each class where segments begin that are not in use.
    free: Vec<Vec<usize>>,
}

impl Lists {
    /// Empty lists.
    pub(super) const fn new() -> Self {
        Self { spans: Vec::new(), arena: Vec::new(), free: Vec::new() }
    }

    /// The list of the row. O(1).
    #[inline]
    pub(super) fn list(&self, row: usize) -> &[Entry] {
        match self.spans.get(row) {
            Some(span) => &self.arena[span.start..][..span.len as usize],
            None => &[],
        }
    }

    /// The number of the link between two rows. O(log entries).
    pub(super) fn find(&self, of: usize, row: u32) -> Option<u32> {
        let list = self.list(of);
        list.binary_search_by_key(&row, |entry| entry.row).ok().map(|at| list[at].link)
    }

    /// Prefetches the beginning of a row's list.
    #[inline]
    pub(super) fn prefetch(&self, row: Option<u32>) {
        if let Some(span) = row.and_then(|row| self.spans.get(row as usize)) {
            let list = self.arena.as_ptr().wrapping_add(span.start);
            prefetch(list);
            prefetch(list.wrapping_add(LINE));
        }
    }

    /// How many rows may have a list that is not empty.
    pub(super) fn rows(&self) -> usize {
        self.spans.len()
    }

    /// Removes the pairs of a list's row and the row of an entry of it, and sorts them.
    ///
    /// O(log) for each, and what lies behind the first one in its list.
    pub(super) fn remove(&mut self, removed: &mut [(u32, u32)]) {
        removed.sort_unstable();
        let mut count = 0;
        for pairs in removed.chunk_by(|one, other| one.0 == other.0) {
            count += pairs.len();
            self.prefetch(removed.get(count + PREFETCH_DISTANCE).map(|pair| pair.0));
            self.remove_from(pairs[0].0 as usize, pairs);
        }
    }

    fn remove_from(&mut self, of: usize, pairs: &[(u32, u32)]) {
        let Some(span) = self.spans.get_mut(of) else { return };
        let list = &mut self.arena[span.start..][..span.len as usize];
        let (mut to, mut from) = (0, 0);
        for &(_, row) in pairs {
            let at = from + list[from..].partition_point(|entry| entry.row < row);
            if list.get(at).is_none_or(|entry| entry.row != row) {
                continue;
            }
            if to < from {
                list.copy_within(from..at, to);
            }
            to += at - from;
            from = at + 1;
        }
        if to < from {
            list.copy_within(from.., to);
        }
        let len = to + list.len() - from;
        span.len = len as u32;
        if len == 0 || len * SPARSE < span.room() {
            self.fit(of, len);
        }
    }

    /// Adds entries to the lists of rows, and sorts them. The lists do not have these rows.
    ///
    /// O(log) for each, and what lies behind the first one in its list; a list that outgrows its segment moves, in O(entries).
    pub(super) fn insert(&mut self, added: &mut [(u32, Entry)]) {
        added.sort_unstable_by_key(|(of, entry)| (*of, entry.row));
        let mut count = 0;
        for entries in added.chunk_by(|one, other| one.0 == other.0) {
            count += entries.len();
            self.prefetch(added.get(count + PREFETCH_DISTANCE).map(|entry| entry.0));
            self.insert_into(entries[0].0 as usize, entries);
        }
    }

    fn insert_into(&mut self, of: usize, entries: &[(u32, Entry)]) {
        if self.spans.len() <= of {
            self.spans.resize(of + 1, Span::default());
        }
        let (before, len) =
            (self.spans[of].len as usize, self.spans[of].len as usize + entries.len());
        if len > self.spans[of].room() {
            self.fit(of, len);
        }
        let span = &mut self.spans[of];
        span.len = len as u32;
        let list = &mut self.arena[span.start..][..len];
        let mut end = before;
        for (more, &(_, entry)) in entries.iter().enumerate().rev() {
            let at = list[..end].partition_point(|other| other.row < entry.row);
            list.copy_within(at..end, at + more + 1);
            list[at + more] = entry;
            end = at;
        }
    }

    /// Moves a list to a segment that suits the number of entries, of which it has at least as many as will be left.
    #[cold]
    fn fit(&mut self, of: usize, len: usize) {
        let Span { start, len: before, class } = self.spans[of];
        let new = class_for(len);
        if new == class {
            return;
        }
        let to = self.allocate(new);
        let kept = (before as usize).min(len);
        self.arena.copy_within(start..start + kept, to);
        self.release(start, class);
        self.spans[of] = Span { start: to, len: kept as u32, class: new };
    }

    fn allocate(&mut self, class: u32) -> usize {
        if class == 0 {
            return 0;
        }
        if let Some(start) = self.free.get_mut(class as usize).and_then(Vec::pop) {
            return start;
        }
        let start = self.arena.len();
        self.arena.resize(start + room(class), Entry { row: 0, link: 0 });
        start
    }

    fn release(&mut self, start: usize, class: u32) {
        if class == 0 {
            return;
        }
        let class = class as usize;
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        self.free[class].push(start);
    }

    /// Empties the list of the row.
    pub(super) fn clear(&mut self, of: usize) {
        if let Some(span) = self.spans.get_mut(of) {
            span.len = 0;
            self.fit(of, 0);
        }
    }

    /// Exchanges the lists of two rows. Other lists that name these rows stay.
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        let end = one.max(other) + 1;
        if self.spans.len() < end {
            self.spans.resize(end, Span::default());
        }
        self.spans.swap(one, other);
    }
}

#[cfg(test)]
impl Lists {
    /// Checks the invariants.
    pub(super) fn check(&self) {
        let mut segments: Vec<(usize, u32)> = Vec::new();
        for (row, span) in self.spans.iter().enumerate() {
            let list = self.list(row);
            assert!(list.is_sorted_by(|one, other| one.row < other.row), "{row}: {list:?}");
            assert!(list.len() <= span.room() && (span.class == 0) == list.is_empty());
            segments.push((span.start, span.class));
        }
        for (class, starts) in self.free.iter().enumerate() {
            segments.extend(starts.iter().map(|start| (*start, class as u32)));
        }
        segments.retain(|segment| segment.1 > 0);
        segments.sort_unstable();
        let mut end = 0;
        for (start, class) in segments {
            assert_eq!(start, end, "segments lie side by side");
            end = start + room(class);
        }
        assert_eq!(end, self.arena.len());
    }

    /// How much memory the arena has taken.
    pub(super) fn capacity(&self) -> usize {
        self.arena.capacity()
    }
}
