//! Where the work of a refresh is done: on the calling thread, or on all.

use crate::scheduler::{AdaptiveParallelism, Threads, Workers};

/// A stage that sees to fewer entities, or changed blocks, stays with the calling thread.
const MUCH: usize = 1024;

/// The stages of a refresh that have much to do.
#[derive(Debug, Default)]
pub(crate) struct LargeStages {
    /// How many entities, or blocks, they have seen to, and how many such stages there were.
    entities: usize,
    stages: u32,
    /// How many there were in the last refresh.
    stages_before: u32,
}

impl LargeStages {
    /// Begins a refresh. Whether the last one had several.
    pub(super) fn begin(&mut self) -> bool {
        (self.entities, self.stages) = (0, 0);
        self.stages_before > 1
    }

    /// Ends it; how many entities there were, if there were some.
    pub(super) fn end(&mut self) -> Option<usize> {
        self.stages_before = self.stages;
        (self.stages > 0).then_some(self.entities)
    }

    /// Calls `f`, which sees to so many entities, with all threads, or with the calling thread alone.
    pub(super) fn share<R: Send>(
        &mut self,
        adaptive: &mut AdaptiveParallelism,
        threads: &Threads,
        entities: usize,
        f: impl FnOnce(&Workers) -> R + Send,
    ) -> R {
        let is_eager = threads.is_eager();
        if threads.threads() == 1 || (entities < MUCH && !is_eager) {
            return f(&Workers::inline());
        }
        self.entities += entities;
        self.stages += 1;
        if is_eager || adaptive.shares(entities) { threads.run(f) } else { f(&Workers::inline()) }
    }
}

/// The threads that share one piece of work: all, or, without inner parallelism, the calling one.
pub(super) fn sharers(threads: &Threads, inner_parallelism: bool) -> &Threads {
    const ALONE: &Threads = &Threads::Inline;
    if inner_parallelism { threads } else { ALONE }
}
