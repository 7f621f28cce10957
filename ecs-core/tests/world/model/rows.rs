//! The rows of the naive model: which row an entity gets, and which rows become free.

use std::collections::{BTreeMap, BTreeSet};

use ecs_core::storage::{BLOCK_ROWS, PAGE_ROWS};

/// An archetype: the mask of the components that an entity is spawned with.
pub(super) type Archetype = u16;

/// The archetype of each page of rows, and how many entities of it were spawned in this step before the
/// refresh frees the rows of despawned ones.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    by_archetype: bool,
    pages: Vec<Option<Archetype>>,
    spawned: BTreeMap<Archetype, usize>,
    /// The rows of the entities spawned since the last refresh, by block. They are not yet moved to the pages of
    /// their archetype. Blocks are in the order of their first spawn.
    unsorted: Vec<(usize, Vec<usize>)>,
}

impl Rows {
    pub(super) fn new(by_archetype: bool) -> Self {
        Self { by_archetype, pages: Vec::new(), spawned: BTreeMap::new(), unsorted: Vec::new() }
    }

    fn archetype(&self, archetype: Archetype) -> Archetype {
        if self.by_archetype { archetype } else { 0 }
    }

    /// The pages of an archetype, ascending.
    fn of(&self, archetype: Archetype) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        (0..self.pages.len()).filter(move |&page| self.pages[page] == Some(archetype))
    }

    /// The lowest free row of an archetype. Gives the archetype another page if all of its pages are full.
    pub(super) fn free<B>(&mut self, archetype: Archetype, beings: &BTreeMap<usize, B>) -> usize {
        let archetype = self.archetype(archetype);
        let mut rows = self.of(archetype).flat_map(|page| page * PAGE_ROWS..(page + 1) * PAGE_ROWS);
        if let Some(row) = rows.find(|row| !beings.contains_key(row)) {
            return row;
        }
        drop(rows);
        let behind = self.of(archetype).next_back().map_or(0, |last| last + 1);
        let free = (behind..self.pages.len()).find(|&page| self.pages[page].is_none());
        let page = free.unwrap_or(self.pages.len());
        self.pages.resize(self.pages.len().max(page + 1), None);
        self.pages[page] = Some(archetype);
        page * PAGE_ROWS
    }

    /// Counts a spawn before the refresh frees the rows of despawned entities.
    pub(super) fn count_spawn(&mut self, archetype: Archetype, row: usize) {
        *self.spawned.entry(self.archetype(archetype)).or_default() += 1;
        match self.unsorted.iter_mut().find(|(block, _)| *block == row / BLOCK_ROWS) {
            Some((_, rows)) => rows.push(row),
            None => self.unsorted.push((row / BLOCK_ROWS, vec![row])),
        }
    }

    /// Begins a step, of which spawns are counted anew.
    pub(super) fn begin_step(&mut self) {
        self.spawned.clear();
    }

    /// Moves spawned entities to rows of their actual archetype.
    pub(super) fn sort_out<B>(
        &mut self,
        beings: &mut BTreeMap<usize, B>,
        archetype: impl Fn(&B) -> Archetype,
    ) {
        for (_, mut rows) in std::mem::take(&mut self.unsorted) {
            rows.sort_unstable();
            for row in rows {
                let Some(right) = beings.get(&row).map(&archetype).filter(|_| self.by_archetype)
                else {
                    continue;
                };
                if self.pages[row / PAGE_ROWS] != Some(right) {
                    let to = self.free(right, beings);
                    let being = beings.remove(&row).unwrap();
                    beings.insert(to, being);
                }
            }
        }
    }

    /// For each archetype, moves the last entities into the lowest gaps, until at most twice as many gaps are
    /// left as entities were spawned. Frees the empty pages if there are many.
    pub(super) fn refill<B>(&mut self, beings: &mut BTreeMap<usize, B>) {
        let mut empty: Vec<usize> = Vec::new();
        let archetypes: BTreeSet<Archetype> = self.pages.iter().flatten().copied().collect();
        for archetype in archetypes {
            let pages: Vec<usize> = self.of(archetype).collect();
            let rows = pages.iter().flat_map(|page| page * PAGE_ROWS..(page + 1) * PAGE_ROWS);
            let rows: Vec<usize> = rows.collect();
            let gaps = 2 * self.spawned.get(&archetype).copied().unwrap_or(0);
            loop {
                let of = |page: &usize| beings.range(page * PAGE_ROWS..(page + 1) * PAGE_ROWS);
                let count = pages.iter().map(|page| of(page).count()).sum::<usize>();
                let last = |(at, page)| Some((at, of(page).next_back()?.0 % PAGE_ROWS));
                let last = pages.iter().enumerate().rev().find_map(last);
                let end = last.map_or(0, |(at, offset)| at * PAGE_ROWS + offset + 1);
                if end <= count + gaps {
                    empty.extend(&pages[end.div_ceil(PAGE_ROWS)..]);
                    break;
                }
                let being = beings.remove(&rows[end - 1]).unwrap();
                let gap = rows.iter().find(|row| !beings.contains_key(row)).unwrap();
                beings.insert(*gap, being);
            }
        }
        if self.by_archetype {
            self.free_empty(&empty);
            while self.pages.last() == Some(&None) {
                self.pages.pop();
            }
            self.move_down(beings);
        }
        while self.pages.last() == Some(&None) {
            self.pages.pop();
        }
    }

    /// If many pages are free, the last ones move to them. The lowest that moves gets the lowest free one, and the entities of an
    /// archetype keep their order.
    fn move_down<B>(&mut self, beings: &mut BTreeMap<usize, B>) {
        let (owned, free): (Vec<usize>, Vec<usize>) =
            (0..self.pages.len()).partition(|&page| self.pages[page].is_some());
        if free.len() <= owned.len() / 8 + 2 {
            return;
        }
        let count = owned.iter().rev().zip(&free).take_while(|(last, free)| last > free).count();
        let old = self.pages.clone();
        let archetypes: BTreeSet<Archetype> = old.iter().flatten().copied().collect();
        let before: Vec<Vec<usize>> =
            archetypes.iter().map(|&all| self.of(all).collect()).collect();
        for (&from, &to) in owned[owned.len() - count..].iter().zip(&free) {
            self.pages[to] = self.pages[from].take();
        }
        let mut moved = BTreeMap::new();
        for (&archetype, before) in archetypes.iter().zip(&before) {
            let after: Vec<usize> = self.of(archetype).collect();
            for (&from, to) in before.iter().zip(after) {
                for row in 0..PAGE_ROWS {
                    if let Some(being) = beings.remove(&(from * PAGE_ROWS + row)) {
                        moved.insert(to * PAGE_ROWS + row, being);
                    }
                }
            }
        }
        beings.append(&mut moved);
    }

    /// Frees the empty pages of the first archetype if there are several, and the empty pages of all others
    /// if there are many.
    fn free_empty(&mut self, empty: &[usize]) {
        let (first, others): (Vec<usize>, Vec<usize>) =
            empty.iter().partition(|&&page| self.pages[page] == Some(0));
        let used = self.pages.iter().flatten().count() - empty.len();
        let (mut freed, kept) =
            if first.len() > 1 { (first, 0) } else { (Vec::new(), first.len()) };
        if others.len() + kept > used / 8 + 2 {
            freed.extend(others);
        }
        for page in freed {
            self.pages[page] = None;
        }
    }
}
