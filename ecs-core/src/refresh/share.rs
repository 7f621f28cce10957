//! Where the work of a refresh is done: on the calling thread, or on all.

use crate::scheduler::{Threads, Workers};

/// A stage that sees to fewer entities, or changed blocks, stays with the calling thread.
const MUCH: usize = 1024;

/// The stages of a refresh that have much to do. Between refreshes, what was found for the last one holds.
#[derive(Debug, Default)]
pub(crate) struct Crowds {
    /// Of how many entities, or blocks, on a stage is shared among threads.
    shared_from: usize,
    /// How many of them the stages have seen to that might be shared, and how many such stages there were.
    entities: usize,
    stages: u32,
    /// How many there were in the last refresh.
    stages_before: u32,
}

impl Crowds {
    /// Begins a refresh, in which stages that see to fewer entities stay with the calling thread. Whether several are likely
    /// to be shared: then the pool is better entered once.
    pub(super) fn begin(&mut self, alone: usize) -> bool {
        *self = Self {
            shared_from: alone.max(MUCH),
            stages_before: self.stages_before,
            ..Self::default()
        };
        alone <= MUCH && self.stages_before > 1
    }

    /// Ends it; how many entities there were that might be shared, if there were some.
    pub(super) fn end(&mut self) -> Option<usize> {
        self.stages_before = self.stages;
        (self.stages > 0).then_some(self.entities)
    }

    /// Calls `f`, which sees to so many entities, with all threads, or with the calling thread alone.
    pub(super) fn share<R: Send>(
        &mut self,
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
        if entities < self.shared_from && !is_eager {
            f(&Workers::inline())
        } else {
            threads.run(f)
        }
    }
}

/// The threads that share one piece of work: all, or, without inner parallelism, the calling one.
pub(super) fn sharers(threads: &Threads, inner_parallelism: bool) -> &Threads {
    const ALONE: &Threads = &Threads::Inline;
    if inner_parallelism { threads } else { ALONE }
}
