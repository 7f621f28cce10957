//! Decides whether a stage of a refresh runs on the calling thread or on all threads.

use crate::parallel::{Threads, Workers};
use crate::scheduling::scheduler::AdaptiveParallelism;

/// A stage with fewer entities, or changed blocks, runs on the calling thread.
const MUCH: usize = 512;

/// The stages of a refresh that are large enough for several threads.
#[derive(Debug, Default)]
pub(crate) struct LargeStages {
    /// The number of entities, or blocks, in these stages, and the number of stages.
    entities: usize,
    stages: u32,
    /// The number of such stages in the last refresh.
    stages_before: u32,
}

impl LargeStages {
    /// Begins a refresh. Returns whether the last one had several large stages.
    pub(crate) fn begin(&mut self) -> bool {
        (self.entities, self.stages) = (0, 0);
        self.stages_before > 1
    }

    /// Ends a refresh. Returns the number of entities, if there were large stages.
    pub(crate) fn end(&mut self) -> Option<usize> {
        self.stages_before = self.stages;
        (self.stages > 0).then_some(self.entities)
    }

    /// Calls `f`, which processes `entities` entities, with all threads or with the calling thread
    /// alone.
    pub(crate) fn share<R: Send>(
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

/// The threads for one piece of work: all, or, without inner parallelism, the calling one.
pub(crate) fn sharers(threads: &Threads, inner_parallelism: bool) -> &Threads {
    const ALONE: &Threads = &Threads::Inline;
    if inner_parallelism { threads } else { ALONE }
}
