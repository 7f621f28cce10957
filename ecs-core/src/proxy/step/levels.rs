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
use crate::relations::Forest;
use crate::rows::{BLOCK_ROWS, Slice, SparseSet};
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
        let threads = self.workers.threads();
        let is_whole = self.signature().is_single_subtask() || !self.core.inner_parallelism;
        let mut first = 0;
        if !is_whole {
            let linked: usize = forest.levels().iter().map(crate::relations::RowSet::len).sum();
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
                    self.run_along(vec![Along { levels: first..level, blocks: None }], run);
                }
                let part = |number: usize| blocks * number / count;
                let parts = (0..count).map(|number| Along {
                    levels: level..level + 1,
                    blocks: Some(part(number)..part(number + 1)),
                });
                self.run_along(parts.collect(), run);
                first = level + 1;
            }
        }
        if first < end {
            self.run_along(vec![Along { levels: first..end, blocks: None }], run);
        }
    }

    /// Runs a subtask for each of these parts, which have no common entities, and of which none has a parent of another's.
    fn run_along(&mut self, parts: Vec<Along>, run: RunSubtask<'_, D>) {
        let (core, workers, system) = (self.core, self.workers, self.system);
        let (set, signature) = (self.set(), self.signature());
        let (states, _) = self.states.take(parts.len());
        for (state, along) in states.iter_mut().zip(parts) {
            state.work.along = along;
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

/// Calls `f` with each block of the entities that `along` has of a system, and a mask of these, level by level.
#[inline]
pub(crate) fn for_blocks(
    forest: &Forest,
    set: &SparseSet,
    along: &Along,
    mut f: impl FnMut(usize, u64),
) {
    for level in along.levels.clone() {
        let Some(at) = level.checked_sub(1) else {
            let all = 0..set.block_count();
            for block in along.blocks.clone().unwrap_or(all) {
                let rows = set.block(block) & !forest.linked(block);
                if rows != 0 {
                    f(block, rows);
                }
            }
            continue;
        };
        let Some(level) = forest.levels().get(at) else { return };
        let all: Range<usize> = 0..level.blocks().len();
        let blocks = along.blocks.clone().unwrap_or(all);
        for &(block, rows) in level.blocks().get(blocks).unwrap_or(&[]) {
            let rows = rows & set.block(block as usize);
            if rows != 0 {
                f(block as usize, rows);
            }
        }
    }
}
