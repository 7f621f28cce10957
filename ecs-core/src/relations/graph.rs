//! The links of a many-to-many relation, by row, without their values.
//!
//! A link has a number, at which its value lies. It is in two lists: that of its source, by target, and that of its target,
//! by source. Changes come in batches: those of one list are made together, so that it is gone through once.

use super::lists::{Entry, Lists};
use crate::rows::{BLOCK_ROWS, rows_of};

/// The two ends of a link, by row.
type Ends = [u32; 2];

/// Which link leads from which row to which.
///
/// Invariants: a link whose ends are known is in the list of either end, under the row of the other one and with its number; and
/// no other link is.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// For each row the links from it.
    targets: Lists,
    /// For each row the links to it.
    sources: Lists,
    /// By number. Those of numbers that are free mean nothing.
    ends: Vec<Ends>,
    /// Numbers of links that are no more.
    free: Vec<u32>,
    scratch: Scratch,
}

/// What a batch of changes needs meanwhile; its memory is reused.
#[derive(Debug)]
struct Scratch {
    /// Pairs of a list's row and a row in it: to be removed from `targets`, and from `sources`.
    removed: [Vec<(u32, u32)>; 2],
    /// Entries to be added to the lists of rows.
    added: [Vec<(u32, Entry)>; 2],
    /// Links of entities that move: the number, in which order they were found, and the ends until then.
    moved: Vec<(u32, usize, Ends)>,
    wait: Vec<u32>,
}

impl Scratch {
    const fn new() -> Self {
        Self {
            removed: [const { Vec::new() }; 2],
            added: [const { Vec::new() }; 2],
            moved: Vec::new(),
            wait: Vec::new(),
        }
    }
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::new()
    }
}

fn has(masks: &[u64], row: u32) -> bool {
    let row = row as usize;
    masks.get(row / BLOCK_ROWS).is_some_and(|rows| rows >> (row % BLOCK_ROWS) & 1 == 1)
}

impl Graph {
    /// No links.
    pub(super) const fn new() -> Self {
        Self {
            targets: Lists::new(),
            sources: Lists::new(),
            ends: Vec::new(),
            free: Vec::new(),
            scratch: Scratch::new(),
        }
    }

    /// The links from the row, ascending by target. O(1).
    #[inline]
    pub(super) fn targets(&self, row: usize) -> &[Entry] {
        self.targets.list(row)
    }

    /// The links to the row, ascending by source. O(1).
    #[inline]
    pub(super) fn sources(&self, row: usize) -> &[Entry] {
        self.sources.list(row)
    }

    /// The number of the link from one row to another. O(log links of the first one).
    #[inline]
    pub(super) fn find(&self, source: usize, target: u32) -> Option<u32> {
        self.targets.find(source, target)
    }

    /// Prefetches the list in which [`find`](Self::find) searches for the links of this source.
    #[inline]
    pub(super) fn prefetch(&self, source: Option<u32>) {
        self.targets.prefetch(source);
    }

    /// The number of links. O(1).
    pub(super) fn len(&self) -> usize {
        self.ends.len() - self.free.len()
    }

    /// All links: the source, the target and the number, ascending by source, then by target.
    pub(super) fn links(&self) -> impl Iterator<Item = (usize, Entry)> + '_ {
        (0..self.targets.rows())
            .flat_map(|row| self.targets.list(row).iter().map(move |entry| (row, *entry)))
    }

    /// Adds a link to the batch, which there is not, and gives its number. Amortized O(1).
    ///
    /// # Panics
    /// If there are 2³² links.
    pub(super) fn add(&mut self, [source, target]: Ends) -> u32 {
        let link = if let Some(link) = self.free.pop() {
            self.ends[link as usize] = [source, target];
            link
        } else {
            let link = u32::try_from(self.ends.len()).expect("a relation has fewer than 2³² links");
            self.ends.push([source, target]);
            link
        };
        let [targets, sources] = &mut self.scratch.added;
        targets.push((source, Entry { row: target, link }));
        sources.push((target, Entry { row: source, link }));
        link
    }

    /// Adds the end of a link to the batch. Its number is free at once. Amortized O(1).
    pub(super) fn remove(&mut self, [source, target]: Ends, link: u32) {
        let [targets, sources] = &mut self.scratch.removed;
        targets.push((source, target));
        sources.push((target, source));
        self.free.push(link);
    }

    /// Makes the changes of the batch.
    ///
    /// O(changes · log): see [`Lists::remove`] and [`Lists::insert`].
    pub(super) fn finish(&mut self) {
        let Self { targets, sources, scratch: Scratch { removed, added, .. }, .. } = self;
        for (lists, removed) in [&mut *targets, &mut *sources].into_iter().zip(removed) {
            lists.remove(removed);
            removed.clear();
        }
        for (lists, added) in [targets, sources].into_iter().zip(added) {
            lists.insert(added);
            added.clear();
        }
    }

    /// Adds to the masks the rows from which links lead to the marked ones, and from which links lead to those; and their blocks to
    /// `blocks` when they get their first row. O(their links).
    pub(super) fn add_sources(&mut self, masks: &mut [u64], blocks: &mut Vec<u32>) {
        let Self { sources, scratch: Scratch { wait, .. }, .. } = self;
        for &block in &*blocks {
            wait.extend(rows_of(block as usize, masks[block as usize]).map(|row| row as u32));
        }
        while let Some(row) = wait.pop() {
            for &Entry { row, .. } in sources.list(row as usize) {
                let block = row as usize / BLOCK_ROWS;
                let bit = 1 << (row as usize % BLOCK_ROWS);
                let Some(mask) = masks.get_mut(block).filter(|mask| **mask & bit == 0) else {
                    continue;
                };
                if *mask == 0 {
                    blocks.push(block as u32);
                }
                *mask |= bit;
                wait.push(row);
            }
        }
    }

    /// Ends the links of the marked rows, which are despawned, and calls `ended` with the number of each.
    ///
    /// O(links · log), and what lies behind them in the lists of other rows.
    pub(super) fn remove_all(&mut self, masks: &[u64], blocks: &[u32], ended: &mut dyn FnMut(u32)) {
        let Self { targets, sources, free, scratch, .. } = self;
        for &block in blocks {
            for row in rows_of(block as usize, masks[block as usize]) {
                for &Entry { row: target, link } in targets.list(row) {
                    if !has(masks, target) {
                        scratch.removed[1].push((target, row as u32));
                    }
                    free.push(link);
                    ended(link);
                }
                for &Entry { row: source, link } in sources.list(row) {
                    // Otherwise the link ends with its source.
                    if !has(masks, source) {
                        scratch.removed[0].push((source, row as u32));
                        free.push(link);
                        ended(link);
                    }
                }
                targets.clear(row);
                sources.clear(row);
            }
        }
        self.finish();
    }

    /// Entities have moved from rows to others that had none, one after the other. `ended` is called for links that such a row has
    /// nevertheless, since a program has put in links of another world, or of another time.
    ///
    /// O(links of these entities · log), and what lies behind them in the lists of other rows.
    pub(super) fn move_rows(&mut self, moves: &[(usize, usize)], ended: &mut dyn FnMut(u32)) {
        for &(from, to) in moves {
            if from == to {
                continue;
            }
            if !self.targets(to).is_empty() || !self.sources(to).is_empty() {
                self.finish_moves();
                self.end_links_of(to, ended);
            }
            let Self { targets, sources, ends, scratch: Scratch { moved, .. }, .. } = self;
            for (side, lists) in [&*targets, &*sources].into_iter().enumerate() {
                for &Entry { link, .. } in lists.list(from) {
                    let ends = &mut ends[link as usize];
                    moved.push((link, moved.len(), *ends));
                    ends[side] = to as u32;
                }
            }
            for lists in [targets, sources] {
                if !lists.list(from).is_empty() {
                    lists.swap(from, to);
                }
            }
        }
        self.finish_moves();
    }

    /// Enters the new rows at the other ends of links that have moved.
    fn finish_moves(&mut self) {
        let Self { ends, scratch, .. } = self;
        // Of each link, what it was before the first move. One of a row to itself has moved twice at once.
        scratch.moved.sort_unstable_by_key(|&(link, order, _)| (link, order));
        let moved = scratch.moved.chunk_by(|one, other| one.0 == other.0);
        for &(link, _, [source_before, target_before]) in moved.map(|of_link| &of_link[0]) {
            let [source, target] = ends[link as usize];
            if target != target_before {
                scratch.removed[0].push((source, target_before));
                scratch.added[0].push((source, Entry { row: target, link }));
            }
            if source != source_before {
                scratch.removed[1].push((target, source_before));
                scratch.added[1].push((target, Entry { row: source, link }));
            }
        }
        scratch.moved.clear();
        self.finish();
    }

    #[cold]
    fn end_links_of(&mut self, row: usize, ended: &mut dyn FnMut(u32)) {
        let mut masks = vec![0; row / BLOCK_ROWS + 1];
        masks[row / BLOCK_ROWS] = 1 << (row % BLOCK_ROWS);
        self.remove_all(&masks, &[(row / BLOCK_ROWS) as u32], ended);
    }
}

#[cfg(test)]
impl Graph {
    /// Checks the invariants.
    pub(super) fn check(&self) {
        self.targets.check();
        self.sources.check();
        let mut found: Vec<(u32, Ends)> =
            self.links().map(|(source, entry)| (entry.link, [source as u32, entry.row])).collect();
        let mut back: Vec<(u32, Ends)> = (0..self.sources.rows())
            .flat_map(|target| {
                let list = self.sources.list(target).iter();
                list.map(move |entry| (entry.link, [entry.row, target as u32]))
            })
            .collect();
        found.sort_unstable();
        back.sort_unstable();
        assert_eq!(found, back);
        assert_eq!(found.len(), self.len());
        let mut numbers: Vec<u32> = self.free.clone();
        for (link, ends) in found {
            assert_eq!(self.ends[link as usize], ends);
            numbers.push(link);
        }
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..self.ends.len() as u32), "each number is used or free");
        let Scratch { removed, added, moved, wait } = &self.scratch;
        assert!(removed.iter().all(Vec::is_empty) && added.iter().all(Vec::is_empty));
        assert!(moved.is_empty() && wait.is_empty());
    }

    /// How much memory both arenas have taken.
    pub(super) fn capacity(&self) -> usize {
        self.targets.capacity() + self.sources.capacity()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    const ROWS: usize = 150;

    #[derive(Clone, Debug)]
    enum Change {
        /// Links, and whether each is to be there.
        Batch(Vec<(u32, u32, bool)>),
        Remove {
            rows: BTreeSet<u32>,
            sources: bool,
        },
        Move(Vec<(usize, usize)>),
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        // Some rows have many links.
        let row = || prop_oneof![0..ROWS as u32, 0..4_u32];
        let link = (row(), row(), proptest::bool::weighted(0.7));
        let rows = || proptest::collection::btree_set(row(), 1..6);
        let change = prop_oneof![
            4 => proptest::collection::vec(link, 0..80).prop_map(Change::Batch),
            1 => (rows(), any::<bool>()).prop_map(|(rows, sources)| Change::Remove { rows, sources }),
            2 => proptest::collection::vec((0..ROWS, 0..ROWS), 1..8).prop_map(Change::Move),
        ];
        proptest::collection::vec(change, 1..30)
    }

    fn masks(rows: &BTreeSet<u32>) -> (Vec<u64>, Vec<u32>) {
        let mut masks = vec![0; ROWS.div_ceil(BLOCK_ROWS)];
        for &row in rows {
            masks[row as usize / BLOCK_ROWS] |= 1 << (row as usize % BLOCK_ROWS);
        }
        let blocks = (0..masks.len() as u32).filter(|block| masks[*block as usize] != 0).collect();
        (masks, blocks)
    }

    /// The number of each link.
    type Links = BTreeMap<Ends, u32>;

    /// Takes out the links that touch the rows, and returns their numbers.
    fn without(links: &mut Links, rows: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut ended = BTreeSet::new();
        links.retain(|ends, link| {
            let stays = ends.iter().all(|end| !rows.contains(end));
            if !stays {
                ended.insert(*link);
            }
            stays
        });
        ended
    }

    proptest! {
        #[test]
        fn a_graph_is_what_a_map_of_pairs_says(changes in changes()) {
            let (mut graph, mut links) = (Graph::new(), Links::new());
            for change in changes {
                let mut ended = BTreeSet::new();
                match change {
                    Change::Batch(changes) => {
                        let changes: BTreeMap<Ends, bool> =
                            changes.into_iter().map(|(source, target, is)| ([source, target], is)).collect();
                        for (ends, is) in changes {
                            match (graph.find(ends[0] as usize, ends[1]), is) {
                                (None, true) => {
                                    prop_assert_eq!(links.insert(ends, graph.add(ends)), None);
                                }
                                (Some(link), false) => {
                                    graph.remove(ends, link);
                                    prop_assert_eq!(links.remove(&ends), Some(link));
                                }
                                (there, _) => prop_assert_eq!(there, links.get(&ends).copied()),
                            }
                        }
                        graph.finish();
                    }
                    Change::Remove { mut rows, sources } => {
                        let (mut dead, mut blocks) = masks(&rows);
                        if sources {
                            graph.add_sources(&mut dead, &mut blocks);
                            loop {
                                let more = links.keys().filter(|[_, target]| rows.contains(target));
                                let more: Vec<u32> = more.map(|[source, _]| *source).collect();
                                let before = rows.len();
                                rows.extend(more);
                                if rows.len() == before {
                                    break;
                                }
                            }
                            blocks.sort_unstable();
                            prop_assert_eq!((&dead, &blocks), (&masks(&rows).0, &masks(&rows).1));
                        }
                        graph.remove_all(&dead, &blocks, &mut |link| assert!(ended.insert(link)));
                        prop_assert_eq!(ended, without(&mut links, &rows));
                    }
                    Change::Move(moves) => {
                        graph.move_rows(&moves, &mut |link| assert!(ended.insert(link)));
                        let mut expected = BTreeSet::new();
                        for (from, to) in moves.into_iter().filter(|(from, to)| from != to) {
                            // Links that the row has end: there is no entity.
                            expected.extend(without(&mut links, &BTreeSet::from([to as u32])));
                            let moved = |row| if row == from as u32 { to as u32 } else { row };
                            let all = core::mem::take(&mut links).into_iter();
                            links = all.map(|(ends, link)| (ends.map(moved), link)).collect();
                        }
                        prop_assert_eq!(ended, expected);
                    }
                }
                graph.check();
                let found = graph.links().map(|(source, entry)| ([source as u32, entry.row], entry.link));
                prop_assert!(found.eq(links.iter().map(|(ends, link)| (*ends, *link))));
            }
        }
    }

    #[test]
    fn memory_is_found_again() {
        let mut graph = Graph::new();
        let mut capacity = 0;
        for round in 0..50_u32 {
            // Stars of different sizes around other rows each time.
            for star in 0..20 {
                let middle = (star * 7 + round * 13) % 100;
                for end in 0..=star * star {
                    if graph.find(middle as usize, 100 + end).is_none() {
                        graph.add([middle, 100 + end]);
                        graph.finish();
                    }
                }
            }
            graph.check();
            if round == 3 {
                capacity = graph.capacity();
            }
            let middles: Vec<(usize, Entry)> = graph.links().collect();
            for (source, Entry { row, link }) in middles {
                graph.remove([source as u32, row], link);
            }
            graph.finish();
            graph.check();
            assert_eq!(graph.len(), 0);
        }
        assert_eq!(graph.capacity(), capacity);
    }
}
