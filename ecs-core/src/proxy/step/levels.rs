//! How the subtasks of a system run that goes along a relation: level by level, each level split like the entities of other
//! systems.
//!
//! A level that is too small for two subtasks is not worth a fork. Such levels, one after the other, are one subtask, which
//! goes through them in order. So a chain is one subtask, and a bush is one fork for each of its levels. Subtasks take states
//! in the order of levels, and within a level in that of rows; so staged work and outputs merge in that order, however levels are
//! split.

use core::cmp::Ordering;
use core::ops::Range;

use crossbeam::utils::CachePadded;

use super::subtasks::{RunSubtask, Subtask, note_staged};
use crate::parallel::{ForkJoin as _, PanicSlot};
use crate::relations::{Forest, NONE, RowSet};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, Slice, SparseSet};
use crate::signature::proxies::AnyExecutor;
use crate::signature::{Declaration, RelationSignature};
use crate::state::{Along, Core, SubtaskState};

/// The fewest entities for which a level gets a further subtask.
const FEWEST: usize = 2 * BLOCK_ROWS;

impl<D: Declaration> Core<D> {
    /// The links of the relation that is this resource.
    ///
    /// # Panics
    /// If the declaration's tables do not have the relation, or it gives entities no parents, which cannot happen with `world!`.
    pub(crate) fn forest(&self, relation: usize) -> &Forest {
        let signature = RelationSignature::find(D::RELATIONS, relation);
        let parents = signature.and_then(|signature| signature.parents);
        let parents = parents.expect("[ECS0070] the declaration misses a relation with parents");
        // SAFETY: nothing writes the resource while systems run that declare to read the links: the table orders systems that
        // would, and staged links are written when the phase is over.
        let links = unsafe { parents(self.resources.value(relation)) };
        &links.forest
    }
}

impl<D: Declaration> AnyExecutor<'_, D> {
    /// Calls `run` for each subtask, level by level, and returns when all are done.
    pub(super) fn for_levels(
        &mut self,
        relation: usize,
        strategy: fn(usize, usize) -> usize,
        run: RunSubtask<'_, D>,
    ) {
        let forest = self.core.forest(relation);
        let (set, end) = (self.set(), forest.levels().len() + 1);
        let has_parents = forest.has_all_parents_in(|block| set.block(block));
        let threads = self.workers.threads();
        let is_whole = self.signature().is_single_subtask() || !self.core.inner_parallelism;
        let mut first = 0;
        if !is_whole {
            let linked: usize = forest.levels().iter().map(RowSet::len).sum();
            for level in 0..end {
                // Members of the level that are not the system's count, too: it is about the size only.
                let (entities, blocks) = match level.checked_sub(1) {
                    None => (set.len().saturating_sub(linked), set.block_count()),
                    Some(at) => (forest.levels()[at].len(), forest.levels()[at].blocks().len()),
                };
                if entities < 2 * FEWEST {
                    continue;
                }
                let wanted = strategy(entities, threads);
                let count = wanted.min(entities / FEWEST).min(blocks).max(1);
                if count == 1 {
                    continue;
                }
                if first < level {
                    let all = Along { levels: first..level, blocks: None, has_parents };
                    self.run_along(&all, 1, run);
                }
                let all = Along { levels: level..level + 1, blocks: Some(0..blocks), has_parents };
                self.run_along(&all, count, run);
                first = level + 1;
            }
        }
        if first < end {
            let all = Along { levels: first..end, blocks: None, has_parents };
            self.run_along(&all, 1, run);
        }
    }

    /// Runs `count` subtasks, each with a part of these entities. If there are several, the entities are of one level, with its
    /// number of blocks. So no entity has its parent in another part.
    fn run_along(&mut self, all: &Along, count: usize, run: RunSubtask<'_, D>) {
        let (core, workers, system) = (self.core, self.workers, self.system);
        let (set, signature) = (self.set(), self.signature());
        let (states, _) = self.states.take(count);
        for (number, state) in states.iter_mut().enumerate() {
            let blocks = all.blocks.as_ref().map(|Range { end: blocks, .. }| {
                blocks * number / count..blocks * (number + 1) / count
            });
            state.work.along = Along { blocks, ..all.clone() };
        }
        let panics = PanicSlot::new();
        workers.run_subtasks(system, states, &|number, state: &mut CachePadded<_>| {
            let state: &mut SubtaskState<D> = state;
            panics.catch(system, Some(number), || {
                let slice = Slice::EMPTY;
                let state = &mut *state;
                Subtask { core, set, state, number, slice, round: None, received: None }
                    .run(signature, run);
            });
            state.work.along = Along::default();
        });
        if let Some(failure) = panics.take() {
            for (subtask, state) in states.iter_mut().enumerate() {
                state.work.discard(&panics, system, subtask);
            }
            failure.resume();
        }
        note_staged(core, signature, states.iter().map(|state| &**state));
    }
}

/// The entities that a subtask has of a system along a relation: level by level, and in each level the blocks with entities,
/// ascending, each with a mask of these.
pub(crate) struct LevelBlocks<'a> {
    forest: &'a Forest,
    set: &'a SparseSet,
    /// The levels that are left.
    levels: Range<usize>,
    /// The part of the only level, if it is not all.
    part: Option<Range<usize>>,
    /// The level's blocks; `None` for the roots, which may be in all.
    level: Option<&'a [(u32, u64)]>,
    /// What is left of the level: blocks of the roots, or positions in `level`.
    rest: Range<usize>,
    /// What is left of the block before these.
    begun: (usize, u64),
    siblings: Siblings<'a>,
}

/// The children of the parent that was asked for last, from the block on that was asked for.
struct Siblings<'a> {
    parent: u32,
    blocks: &'a [(u32, u64)],
}

impl<'a> LevelBlocks<'a> {
    #[inline]
    pub(crate) fn new(forest: &'a Forest, set: &'a SparseSet, along: &Along) -> Self {
        let Along { levels, blocks: part, .. } = along.clone();
        let siblings = Siblings { parent: NONE, blocks: &[] };
        Self { forest, set, levels, part, level: None, rest: 0..0, begun: (0, 0), siblings }
    }

    /// Goes to the next level. Returns whether there is one.
    #[inline]
    pub(crate) fn next_level(&mut self) -> bool {
        let Some(level) = self.levels.next() else { return false };
        let level = match level.checked_sub(1) {
            None => None,
            Some(at) => match self.forest.levels().get(at) {
                Some(level) => Some(level.blocks()),
                None => return false,
            },
        };
        let all = level.map_or(self.set.block_count(), <[_]>::len);
        self.rest = self.part.clone().unwrap_or(0..all);
        self.level = level;
        // Blocks of the next level begin anew.
        self.siblings.parent = NONE;
        true
    }

    /// The block at the beginning of the rest.
    #[inline]
    fn first(&self) -> Option<(usize, u64)> {
        if self.rest.is_empty() {
            return None;
        }
        let (block, rows) = match self.level {
            None => (self.rest.start, !self.forest.linked(self.rest.start)),
            Some(blocks) => {
                let &(block, rows) = blocks.get(self.rest.start)?;
                (block as usize, rows)
            }
        };
        Some((block, rows & self.set.block(block)))
    }

    /// Those of a block's rows on this level that have this parent. Blocks that are asked for ascend.
    #[inline]
    fn siblings(&mut self, parent: u32, block: usize) -> u64 {
        if parent == NONE {
            return u64::MAX;
        }
        let Self { forest, siblings, .. } = self;
        if siblings.parent != parent {
            let all: &'a [_] = forest.children(parent as usize).map_or(&[], RowSet::blocks);
            let from = all.partition_point(|(at, _)| (*at as usize) < block);
            *siblings = Siblings { parent, blocks: &all[from..] };
        }
        while let Some((&(at, rows), rest)) = siblings.blocks.split_first() {
            match (at as usize).cmp(&block) {
                Ordering::Less => siblings.blocks = rest,
                Ordering::Equal => return rows,
                Ordering::Greater => break,
            }
        }
        0
    }

    /// The next run of siblings side by side among these rows of a block, if it is long enough.
    #[inline]
    pub(crate) fn next_run(
        &mut self,
        block: usize,
        rows: u64,
        parents: &[u32; BLOCK_ROWS],
    ) -> Option<Range<usize>> {
        // The rows with which `RUN` rows begin.
        let mut starts = rows;
        let mut length = 1;
        while length < RUN {
            starts &= starts >> length;
            length *= 2;
        }
        while starts != 0 {
            let start = starts.trailing_zeros() as usize;
            let mut next = (start + RUN - 1) % BLOCK_ROWS;
            let parent = parents[next];
            if parents[start % BLOCK_ROWS] == parent {
                let same = rows & self.siblings(parent, block);
                next = start + (same >> start).trailing_ones() as usize;
                if next - start >= RUN {
                    return Some(start..next);
                }
            } else {
                while parents[(next - 1) % BLOCK_ROWS] == parent {
                    next -= 1;
                }
            }
            starts &= u64::MAX.checked_shl(next as u32).unwrap_or(0);
        }
        None
    }

    /// Takes rows from this block on, as long as they are side by side, have this parent, and are in one page. Returns the row
    /// after them.
    #[inline]
    pub(crate) fn extend_run(&mut self, mut block: usize, parent: u32) -> usize {
        while !block.is_multiple_of(BLOCKS_PER_PAGE)
            && let Some((next, rows)) = self.first()
            && next == block
        {
            let same = rows & self.siblings(parent, block);
            if same & 1 == 0 {
                break;
            }
            self.rest.start += 1;
            if same != u64::MAX {
                let taken = same.trailing_ones();
                self.begun = (block, rows & (u64::MAX << taken));
                return block * BLOCK_ROWS + taken as usize;
            }
            block += 1;
        }
        block * BLOCK_ROWS
    }
}

impl Iterator for LevelBlocks<'_> {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        if self.begun.1 != 0 {
            return Some(core::mem::take(&mut self.begun));
        }
        loop {
            let (block, rows) = self.first()?;
            self.rest.start += 1;
            if rows != 0 {
                return Some((block, rows));
            }
        }
    }
}

/// The fewest siblings side by side that are worth a loop of their own.
const RUN: usize = 16;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rows::rows_of;

    proptest! {
        #[test]
        fn runs_are_long_without_gaps_and_of_one_parent(
            segments in proptest::collection::vec((1_usize..90, any::<bool>(), 0_u32..3), 1..40)
        ) {
            // Rows 0 to 2 are the parents.
            let mut forest = Forest::default();
            let mut set = SparseSet::default();
            let (mut row, mut words) = (BLOCK_ROWS, [0_u64; 64]);
            for (length, are_there, parent) in segments {
                for row in row..(row + length).min(64 * BLOCK_ROWS) {
                    forest.change(row, Some(parent as usize), row);
                    words[row / BLOCK_ROWS] |= u64::from(are_there) << (row % BLOCK_ROWS);
                }
                row += length;
            }
            forest.finish(&mut |_, _, _| panic!("no cycle"));
            for (block, rows) in words.into_iter().enumerate() {
                set.set_block(block, rows);
            }
            set.restore();
            let along = Along { levels: 1..2, blocks: None, has_parents: false };
            let (mut came, mut runs) = (Vec::new(), Vec::new());
            let mut blocks = LevelBlocks::new(&forest, &set, &along);
            while blocks.next_level() {
                while let Some((block, mut rows)) = blocks.next() {
                    let parents = forest.parents_in(block);
                    while let Some(run) = blocks.next_run(block, rows, parents) {
                        let first = block * BLOCK_ROWS;
                        came.extend(rows_of(block, rows & !(u64::MAX << run.start)));
                        let mut end = first + run.end;
                        if run.end == BLOCK_ROWS {
                            end = blocks.extend_run(block + 1, parents[run.start]);
                        }
                        came.extend(first + run.start..end);
                        runs.push((first + run.start..end, parents[run.start]));
                        rows &= u64::MAX.checked_shl(run.end as u32).unwrap_or(0);
                    }
                    came.extend(rows_of(block, rows));
                }
            }
            let expected: Vec<usize> =
                words.iter().enumerate().flat_map(|(block, &rows)| rows_of(block, rows)).collect();
            prop_assert_eq!(&came, &expected);
            for (run, parent) in &runs {
                prop_assert!(run.len() >= RUN);
                prop_assert!(run.clone().all(|row| forest.parent(row) == Some(*parent as usize)));
            }
            // Each block in which 32 siblings lie side by side has a run.
            for (block, rows) in words.into_iter().enumerate() {
                let parents = forest.parents_in(block);
                let is_run = |start: usize| {
                    let mask = 0xFFFF_FFFF << start;
                    rows & mask == mask && parents[start..start + 32].iter().all(|p| *p == parents[start])
                };
                let has_run = runs.iter().any(|(run, _)| {
                    run.start < (block + 1) * BLOCK_ROWS && run.end > block * BLOCK_ROWS
                });
                prop_assert!(has_run || !(0..=32).any(is_run), "block {}", block);
            }
        }
    }
}
