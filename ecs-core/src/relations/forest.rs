//! The links of a one-to-many relation, by row: parents, children and levels.
//!
//! A row without a parent is a *root*, on level 0. Every other row is one level below its parent. So a system that goes
//! level by level comes to a parent before its children, and rows of one level are not each other's ancestors.
//!
//! Changes come in batches. Only rows whose level may change are visited: those that got a parent on an unexpected level,
//! and what is below them. Such rows are marked first. Then levels are counted down from the rows whose parent is not
//! marked. A marked row that this does not reach is on a cycle, or below one: a path down from an unmarked parent would
//! reach it.

use super::row_set::RowSet;
use crate::rows::{BLOCK_ROWS, bits, rows_of};

/// The parent of a root, and what is no row.
pub(crate) const NONE: u32 = u32::MAX;

/// The parents of a block of roots.
static ROOTS: [u32; BLOCK_ROWS] = [NONE; BLOCK_ROWS];

/// The parent of each row, and what follows from that.
///
/// Invariants: a row is among the children of its parent, and of no other row. The level of a row with a parent is one more
/// than that of its parent, and the row is in the set of that level, and in no other one. All others are on level 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    /// By row, for whole blocks; [`NONE`] for a root. Beyond the end there are roots.
    parents: Vec<u32>,
    /// By row.
    level_of: Vec<u32>,
    /// By row.
    children: Vec<RowSet>,
    /// The rows of level 1, then of level 2, and so on. The last ones may be empty.
    levels: Vec<RowSet>,
    /// A mask of the rows with a parent, for each block.
    linked: Vec<u64>,
    /// A mask of the rows with children, for each block.
    above: Vec<u64>,
    scratch: Scratch,
}

/// What a batch of changes needs meanwhile; its memory is reused.
#[derive(Debug, Default)]
struct Scratch {
    /// For each row its number among `changed`, or [`NONE`].
    number: Vec<u32>,
    changed: Vec<Changed>,
    /// A mask of the rows whose level may change, for each block.
    marked: Vec<u64>,
    stack: Vec<u32>,
    /// The rows that are marked.
    affected: Vec<u32>,
    /// The new levels, from the top down.
    assigned: Vec<(u32, u32)>,
    /// For each row the walk that has come to it.
    walks: Vec<u32>,
    /// For each row whether it has a new level.
    reached: Vec<u64>,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A row that gets another parent.
#[derive(Clone, Copy, Debug)]
struct Changed {
    row: u32,
    /// Its parent before the batch.
    before: u32,
    /// Which change of the batch was the last one of this row.
    order: usize,
}

fn has(masks: &[u64], row: usize) -> bool {
    masks.get(row / BLOCK_ROWS).is_some_and(|rows| rows >> (row % BLOCK_ROWS) & 1 == 1)
}

fn set(masks: &mut Vec<u64>, row: usize, member: bool) {
    let (block, bit) = (row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
    if masks.len() <= block {
        if !member {
            return;
        }
        masks.resize(block + 1, 0);
    }
    if member {
        masks[block] |= bit;
    } else {
        masks[block] &= !bit;
    }
}

impl Forest {
    /// The parent of a row, if it has one. O(1).
    #[inline]
    pub(crate) fn parent(&self, row: usize) -> Option<usize> {
        self.parents.get(row).filter(|parent| **parent != NONE).map(|parent| *parent as usize)
    }

    /// The children of a row, ascending. O(1).
    #[inline]
    pub(crate) fn children(&self, row: usize) -> Option<&RowSet> {
        self.children.get(row)
    }

    /// The rows of level 1, then those of level 2, and so on. The last levels may be empty.
    #[inline]
    pub(crate) fn levels(&self) -> &[RowSet] {
        &self.levels
    }

    /// Those rows of a block that have a parent.
    #[inline]
    pub(crate) fn linked(&self, block: usize) -> u64 {
        self.linked.get(block).copied().unwrap_or(0)
    }

    /// The parents of the rows of a block; [`NONE`] for a root.
    #[inline]
    pub(crate) fn parents_in(&self, block: usize) -> &[u32; BLOCK_ROWS] {
        self.parents.as_chunks().0.get(block).unwrap_or(&ROOTS)
    }

    /// Whether the set, whose blocks `members` gives, has each row that is a parent. O(blocks).
    pub(crate) fn has_all_parents_in(&self, members: impl Fn(usize) -> u64) -> bool {
        self.above.iter().enumerate().all(|(block, above)| above & !members(block) == 0)
    }

    /// The rows with a parent, ascending, and their parents.
    pub(crate) fn links(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let linked = self.linked.iter().enumerate();
        linked
            .flat_map(|(block, &rows)| rows_of(block, rows))
            .filter_map(|row| Some((row, self.parent(row)?)))
    }

    /// Makes room for rows before `end`.
    fn grow(&mut self, end: usize) {
        if self.parents.len() < end {
            let end = end.next_multiple_of(BLOCK_ROWS);
            self.parents.resize(end, NONE);
            self.level_of.resize(end, 0);
            self.children.resize_with(end, RowSet::default);
        }
    }

    /// The parent of a row in the batch so far. Until [`finish`](Self::finish), [`children`](Self::children) and
    /// [`level`](Self::level) are those before the batch.
    pub(crate) fn current(&self, row: usize) -> Option<usize> {
        self.parent(row)
    }

    /// Adds a change to the batch: gives `row` another parent, or none. Amortized O(1).
    pub(crate) fn change(&mut self, row: usize, parent: Option<usize>, order: usize) {
        self.grow(row.max(parent.unwrap_or(0)) + 1);
        let Scratch { number, changed, .. } = &mut self.scratch;
        if number.len() <= row {
            number.resize(row + 1, NONE);
        }
        if number[row] == NONE {
            number[row] = changed.len() as u32;
            changed.push(Changed { row: row as u32, before: self.parents[row], order });
        } else {
            changed[number[row] as usize].order = order;
        }
        self.parents[row] = parent.map_or(NONE, |parent| parent as u32);
    }

    /// Ends the batch. Of each cycle the last change is taken back: the row gets the parent that it had before the batch, and
    /// `refused` is called with the number of that change, the row, and the parent that it does not get.
    ///
    /// O(changes + rows whose level changes). What a row's set of children costs is [`RowSet::insert`]'s matter.
    pub(crate) fn finish(&mut self, refused: &mut dyn FnMut(usize, usize, usize)) {
        for index in 0..self.scratch.changed.len() {
            let Changed { row, before, .. } = self.scratch.changed[index];
            self.scratch.number[row as usize] = NONE;
            self.adopt(row, before);
        }
        while !self.count_levels() {
            self.break_cycles(refused);
        }
        self.scratch.changed.clear();
        self.commit();
    }

    /// Moves a row from the children of one parent to those of its present one.
    fn adopt(&mut self, row: u32, before: u32) {
        let now = self.parents[row as usize];
        if before == now {
            return;
        }
        if before != NONE {
            self.remove_child(before as usize, row as usize);
        }
        if now != NONE {
            self.children[now as usize].insert(row as usize);
            set(&mut self.above, now as usize, true);
        }
    }

    /// Removes a row from the children of another one.
    fn remove_child(&mut self, parent: usize, row: usize) {
        let children = &mut self.children[parent];
        children.remove(row);
        if children.is_empty() {
            set(&mut self.above, parent, false);
        }
    }

    /// The level that a row has by its parent's.
    fn expected(&self, row: u32) -> u32 {
        match self.parents[row as usize] {
            NONE => 0,
            parent => self.level_of[parent as usize] + 1,
        }
    }

    /// Computes the levels of the rows for which they may change. Returns whether there is no cycle.
    fn count_levels(&mut self) -> bool {
        let mut scratch = core::mem::take(&mut self.scratch);
        let Scratch { changed, marked, stack, affected, assigned, reached, .. } = &mut scratch;
        for row in affected.drain(..) {
            set(marked, row as usize, false);
            set(reached, row as usize, false);
        }
        assigned.clear();
        // A cycle has a row whose parent is not one level higher; and levels below other rows stay.
        let unexpected = |row: u32| self.expected(row) != self.level_of[row as usize];
        for &Changed { row, .. } in &*changed {
            if unexpected(row) && !has(marked, row as usize) {
                set(marked, row as usize, true);
                stack.push(row);
            }
            while let Some(row) = stack.pop() {
                affected.push(row);
                for child in self.children[row as usize].iter() {
                    if !has(marked, child) {
                        set(marked, child, true);
                        stack.push(child as u32);
                    }
                }
            }
        }
        for &Changed { row, .. } in &*changed {
            let parent = self.parents[row as usize];
            let is_top = parent == NONE || !has(marked, parent as usize);
            if is_top && has(marked, row as usize) && !has(reached, row as usize) {
                set(reached, row as usize, true);
                assigned.push((row, self.expected(row)));
            }
        }
        let mut at = 0;
        while let Some(&(row, level)) = assigned.get(at) {
            at += 1;
            for child in self.children[row as usize].iter() {
                set(reached, child, true);
                assigned.push((child as u32, level + 1));
            }
        }
        let complete = assigned.len() == affected.len();
        self.scratch = scratch;
        complete
    }

    /// Takes back the last change on each cycle.
    fn break_cycles(&mut self, refused: &mut dyn FnMut(usize, usize, usize)) {
        let mut scratch = core::mem::take(&mut self.scratch);
        let Scratch { changed, marked, walks, reached, .. } = &mut scratch;
        walks.clear();
        walks.resize(self.parents.len(), NONE);
        let mut last = Vec::new();
        for walk in 0..changed.len() {
            let mut row = changed[walk].row as usize;
            let is_behind = |row: usize| has(marked, row) && !has(reached, row);
            if !is_behind(row) {
                continue;
            }
            while walks[row] == NONE {
                walks[row] = walk as u32;
                // What is not reached has a parent, which is not reached either.
                row = self.parents[row] as usize;
            }
            if walks[row] == walk as u32 {
                last.push(self.last_on_cycle(row, changed));
            }
        }
        for index in last {
            let Changed { row, before, order } = changed[index];
            let tried = core::mem::replace(&mut self.parents[row as usize], before);
            self.adopt(row, tried);
            refused(order, row as usize, tried as usize);
        }
        self.scratch = scratch;
    }

    /// The number of the last change on the cycle of a row.
    fn last_on_cycle(&self, row: usize, changed: &[Changed]) -> usize {
        let mut on_cycle = Vec::new();
        let mut at = row;
        loop {
            on_cycle.push(at as u32);
            at = self.parents[at] as usize;
            if at == row {
                break;
            }
        }
        on_cycle.sort_unstable();
        let is_new = |one: &Changed| {
            one.before != self.parents[one.row as usize] && on_cycle.binary_search(&one.row).is_ok()
        };
        let new = changed.iter().enumerate().filter(|(_, one)| is_new(one));
        let last = new.max_by_key(|(_, one)| one.order).map(|(index, _)| index);
        last.expect("there was no cycle before the batch")
    }

    /// Enters the new levels.
    fn commit(&mut self) {
        let Self { parents, level_of, levels, linked, scratch, .. } = self;
        // Ascending within a level, so that sets grow at their ends.
        scratch.assigned.sort_unstable_by_key(|&(row, level)| (level, row));
        for &(row, _) in scratch.assigned.iter().rev() {
            let before = level_of[row as usize];
            if before > 0 {
                levels[before as usize - 1].remove(row as usize);
            }
        }
        for (row, level) in scratch.assigned.drain(..) {
            level_of[row as usize] = level;
            set(linked, row as usize, parents[row as usize] != NONE);
            if level > 0 {
                if levels.len() < level as usize {
                    levels.resize_with(level as usize, RowSet::default);
                }
                levels[level as usize - 1].insert(row as usize);
            }
        }
        while levels.last().is_some_and(RowSet::is_empty) {
            levels.pop();
        }
    }

    /// Adds all descendants of the marked rows to the masks, and their blocks to `blocks` when they get their first row.
    /// O(descendants): as many rows at a time as share a block and a parent. Rows that wait lie on the heap.
    pub(crate) fn add_descendants(&self, masks: &mut [u64], blocks: &mut Vec<u32>) {
        let mut wait: Vec<(u32, u64)> =
            blocks.iter().map(|&block| (block, masks[block as usize])).collect();
        while let Some((block, rows)) = wait.pop() {
            for row in rows_of(block as usize, rows) {
                let children = self.children.get(row).map_or(&[][..], RowSet::blocks);
                for &(block, rows) in children {
                    let Some(mask) = masks.get_mut(block as usize) else { continue };
                    let more = rows & !*mask;
                    if more != 0 {
                        if *mask == 0 {
                            blocks.push(block);
                        }
                        *mask |= more;
                        wait.push((block, more));
                    }
                }
            }
        }
    }

    /// Removes the marked rows, which are despawned. Their children that are not become roots.
    ///
    /// O(rows + children + rows whose level changes), and O(blocks) of a level that loses many.
    pub(crate) fn remove_all(&mut self, masks: &[u64], blocks: &[u32]) {
        self.remove_from_levels(masks, blocks);
        for &block in blocks {
            let dead = masks[block as usize];
            for row in rows_of(block as usize, dead & self.linked(block as usize)) {
                let parent = self.parents[row] as usize;
                if !has(masks, parent) {
                    self.remove_child(parent, row);
                }
            }
            let above = self.above.get(block as usize).copied().unwrap_or(0);
            for row in rows_of(block as usize, dead & above) {
                let mut children = core::mem::take(&mut self.children[row]);
                for &(block, rows) in children.blocks() {
                    let dead = masks.get(block as usize).copied().unwrap_or(0);
                    for child in rows_of(block as usize, rows & !dead) {
                        self.change(child, None, 0);
                    }
                }
                children.clear();
                self.children[row] = children;
            }
        }
        for &block in blocks {
            let dead = masks[block as usize];
            for row in rows_of(block as usize, dead & self.linked(block as usize)) {
                self.parents[row] = NONE;
                self.level_of[row] = 0;
            }
            for of in [&mut self.linked, &mut self.above] {
                if let Some(rows) = of.get_mut(block as usize) {
                    *rows &= !dead;
                }
            }
        }
        for index in 0..self.scratch.changed.len() {
            // Their parent has no children any more.
            let row = self.scratch.changed[index].row;
            self.scratch.changed[index].before = NONE;
            self.scratch.number[row as usize] = NONE;
        }
        let complete = self.count_levels();
        debug_assert!(complete, "rows without a parent are on no cycle");
        self.scratch.changed.clear();
        self.commit();
    }

    /// Removes the marked rows from the sets of their levels.
    fn remove_from_levels(&mut self, masks: &[u64], blocks: &[u32]) {
        let dead = |block: u32| masks[block as usize] & self.linked(block as usize);
        let count: usize = blocks.iter().map(|block| dead(*block).count_ones() as usize).sum();
        // Removing rows one by one from a large set moves the rest of it each time.
        let is_worth = |blocks: usize| count * 8 > blocks;
        if is_worth(self.levels.len())
            && is_worth(self.levels.iter().map(|level| level.blocks().len()).sum())
        {
            self.levels.iter_mut().for_each(|level| level.subtract(masks));
            return;
        }
        let rows = blocks.iter().flat_map(|&block| rows_of(block as usize, dead(block)));
        let mut lost: Vec<_> = rows.map(|row| (self.level_of[row], row)).collect();
        lost.sort_unstable();
        for level in lost.chunk_by(|one, other| one.0 == other.0) {
            let set = &mut self.levels[level[0].0 as usize - 1];
            if level.len() * 8 > set.blocks().len() {
                set.subtract(masks);
            } else {
                for &(_, row) in level {
                    set.remove(row);
                }
            }
        }
    }

    /// An entity has moved to a row without one. O(children of the row).
    pub(crate) fn move_row(&mut self, from: usize, to: usize) {
        if self.has_links(to) {
            self.remove_row(to);
        }
        if from >= self.parents.len() {
            return;
        }
        let (parent, level) = (self.parents[from], self.level_of[from]);
        if !self.has_links(from) {
            return;
        }
        self.grow(to + 1);
        if parent != NONE {
            let siblings = &mut self.children[parent as usize];
            siblings.remove(from);
            siblings.insert(to);
            let set = &mut self.levels[level as usize - 1];
            set.remove(from);
            set.insert(to);
            self::set(&mut self.linked, from, false);
            self::set(&mut self.linked, to, true);
        }
        self.parents[from] = NONE;
        self.level_of[from] = 0;
        self.parents[to] = parent;
        self.level_of[to] = level;
        self.children.swap(from, to);
        self::set(&mut self.above, from, false);
        self::set(&mut self.above, to, !self.children[to].is_empty());
        for &(block, rows) in self.children[to].blocks() {
            for bit in bits(rows) {
                self.parents[block as usize * BLOCK_ROWS + bit] = to as u32;
            }
        }
    }
}

impl Forest {
    /// Whether the row has a parent or children.
    fn has_links(&self, row: usize) -> bool {
        row < self.parents.len() && (self.parents[row] != NONE || !self.children[row].is_empty())
    }

    /// Ends the links of a row without an entity. It has some if a program has put in links of another world, or of another
    /// time.
    #[cold]
    fn remove_row(&mut self, row: usize) {
        let mut masks = vec![0; row / BLOCK_ROWS + 1];
        masks[row / BLOCK_ROWS] = 1 << (row % BLOCK_ROWS);
        self.remove_all(&masks, &[(row / BLOCK_ROWS) as u32]);
    }
}

#[cfg(test)]
impl Forest {
    /// How many ancestors a row has. O(1).
    pub(super) fn level(&self, row: usize) -> usize {
        self.level_of.get(row).map_or(0, |level| *level as usize)
    }

    /// Whether there is no link.
    pub(super) fn is_empty(&self) -> bool {
        self.linked.iter().all(|rows| *rows == 0)
    }

    /// Checks the invariants.
    pub(super) fn check(&self) {
        for row in 0..self.parents.len() {
            let level = self.parent(row).map_or(0, |parent| self.level(parent) + 1);
            assert_eq!(self.level(row), level, "level of {row}");
            assert_eq!(has(&self.linked, row), level > 0);
            assert_eq!(has(&self.above, row), !self.children[row].is_empty());
            for (number, set) in self.levels.iter().enumerate() {
                assert_eq!(set.iter().any(|other| other == row), number + 1 == level);
            }
            for (parent, children) in self.children.iter().enumerate() {
                let is_child = children.iter().any(|child| child == row);
                assert_eq!(is_child, self.parent(row) == Some(parent), "{row} below {parent}");
            }
        }
        assert!(self.scratch.changed.is_empty() && self.scratch.assigned.is_empty());
        assert!(self.scratch.number.iter().all(|number| *number == NONE));
        assert!(self.levels.last().is_none_or(|last| !last.is_empty()));
    }
}
