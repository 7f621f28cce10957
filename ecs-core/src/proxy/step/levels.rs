//! How the subtasks of a system run that goes along a relation: level by level, each level split like the entities of other
//! systems.
//!
//! A level that is too small for two subtasks is not worth a fork. Such levels, one after the other, are one subtask, which
//! goes through them in order. So a chain is one subtask, and a bush is one fork for each of its levels. Subtasks take states
//! in the order of levels, and within a level in that of rows; so staged work and outputs merge in that order, however levels are
//! split.

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

/// The entities that `along` has of a system, level by level.
#[inline]
pub(crate) fn levels<'a>(
    forest: &'a Forest,
    set: &'a SparseSet,
    along: &Along,
) -> impl Iterator<Item = LevelBlocks<'a>> + use<'a> {
    let part = along.blocks.clone();
    along.levels.clone().map_while(move |level| {
        let Some(at) = level.checked_sub(1) else {
            let rest = part.clone().unwrap_or(0..set.block_count());
            return Some(LevelBlocks { forest, set, level: None, rest });
        };
        let level = forest.levels().get(at)?.blocks();
        let rest = part.clone().unwrap_or(0..level.len());
        Some(LevelBlocks { forest, set, level: Some(level), rest })
    })
}

/// The blocks with entities that a subtask has of a level, ascending, each with a mask of these.
pub(crate) struct LevelBlocks<'a> {
    forest: &'a Forest,
    set: &'a SparseSet,
    /// The level's blocks; `None` for the roots, which may be in all.
    level: Option<&'a [(u32, u64)]>,
    /// What is left: blocks of the roots, or positions in `level`.
    rest: Range<usize>,
}

impl LevelBlocks<'_> {
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

    /// Takes blocks from this one on as long as all of their rows are there and have this parent, up to the end of the page.
    /// Returns the block after them. O(log blocks with children of the parent + blocks).
    #[inline]
    pub(crate) fn take_siblings(&mut self, mut block: usize, parent: u32) -> usize {
        let is_next = |this: &Self, block| {
            block % BLOCKS_PER_PAGE != 0 && this.first() == Some((block, u64::MAX))
        };
        if !is_next(self, block) {
            return block;
        }
        // Whose masks tell what the parents of 64 rows would. Roots have no parent.
        let children = self.forest.children(parent as usize).map_or(&[][..], RowSet::blocks);
        let mut rest =
            children[children.partition_point(|(at, _)| (*at as usize) < block)..].iter();
        while is_next(self, block)
            && (parent == NONE || rest.next() == Some(&(block as u32, u64::MAX)))
        {
            self.rest.start += 1;
            block += 1;
        }
        block
    }
}

impl Iterator for LevelBlocks<'_> {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
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

/// The next run of siblings side by side among these rows of a block.
#[inline]
pub(crate) fn next_siblings(rows: u64, parents: &[u32; BLOCK_ROWS]) -> Option<Range<usize>> {
    // The rows with which `RUN` begin.
    let mut starts = rows;
    let mut length = 1;
    while length < RUN {
        starts &= starts >> length;
        length *= 2;
    }
    while starts != 0 {
        let start = starts.trailing_zeros() as usize;
        let end = start + (rows >> start).trailing_ones() as usize;
        if have_parent(&parents[start..end], parents[start]) {
            return Some(start..end);
        }
        starts &= u64::MAX.checked_shl(end as u32).unwrap_or(0);
    }
    None
}

/// Whether this is the parent of all.
#[inline]
fn have_parent(parents: &[u32], parent: u32) -> bool {
    // Without an early end, so that it is vectorised.
    parents.iter().fold(0, |others, one| others | (one ^ parent)) == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn siblings_are_the_first_long_run_of_rows_with_one_parent(
            lengths in proptest::collection::vec((1_usize..40, any::<bool>(), 0_u32..2), 1..12)
        ) {
            let (mut rows, mut parents, mut at) = (0_u64, [7_u32; BLOCK_ROWS], 0);
            for (length, are_there, parent) in lengths {
                for row in at..(at + length).min(BLOCK_ROWS) {
                    rows |= u64::from(are_there) << row;
                    parents[row] = parent;
                }
                at += length;
            }
            let mut expected = None;
            let mut start = 0;
            while start < BLOCK_ROWS && expected.is_none() {
                let run = (start..BLOCK_ROWS).take_while(|row| rows >> row & 1 == 1);
                let end = start + run.count();
                let is_one = parents[start..end].iter().all(|parent| *parent == parents[start]);
                expected = (end - start >= RUN && is_one).then_some(start..end);
                start = end + 1;
            }
            prop_assert_eq!(next_siblings(rows, &parents), expected);
        }
    }
}
