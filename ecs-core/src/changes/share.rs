//! Runs a stage of a refresh on the calling thread or on all threads.

use crate::parallel::{Threads, Workers};
use crate::scheduling::scheduler::Policies;

/// Calls `f`, which processes `entities` entities, with all threads or with the calling thread alone, as the policy for these
/// threads says.
pub(crate) fn share<R: Send>(
    policies: &mut Policies,
    threads: &Threads,
    entities: usize,
    f: impl FnOnce(&Workers) -> R + Send,
) -> R {
    if policies.of(threads.available()).shares(entities) {
        threads.run(f)
    } else {
        f(&Workers::inline())
    }
}

/// The threads for one piece of work: all, or, without inner parallelism, the calling one.
pub(crate) fn sharers(threads: &Threads, inner_parallelism: bool) -> &Threads {
    const ALONE: &Threads = &Threads::Inline;
    if inner_parallelism { threads } else { ALONE }
}
