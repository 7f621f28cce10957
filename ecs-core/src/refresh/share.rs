//! Where the work of a refresh is done: on the calling thread, or on all.

use crate::scheduler::{Threads, Workers};

/// How many stages of a refresh had so much to do that they ran on all threads.
#[derive(Debug, Default)]
pub(crate) struct Crowds(u32);

impl Crowds {
    /// Calls `f` with all threads if it `has_much` to do, or with the calling thread alone: entering the pool would
    /// cost more.
    pub(super) fn share<R: Send>(
        &mut self,
        threads: &Threads,
        has_much: bool,
        f: impl FnOnce(&Workers) -> R + Send,
    ) -> R {
        if !has_much && !threads.is_eager() {
            return f(&Workers::inline());
        }
        self.0 += u32::from(threads.threads() > 1);
        threads.run(f)
    }

    /// How many there were since the last call.
    pub(super) fn take(&mut self) -> u32 {
        core::mem::take(&mut self.0)
    }
}

/// The threads that share one piece of work: all, or, without inner parallelism, the calling one.
pub(super) fn sharing(threads: &Threads, inner_parallelism: bool) -> &Threads {
    const ALONE: &Threads = &Threads::Inline;
    if inner_parallelism { threads } else { ALONE }
}
