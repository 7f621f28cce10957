//! State hashes: equal for equal worlds, whatever stores them and runs them, and told apart part by part.

mod changed;
mod desync;
mod parts;
mod storages;

use std::sync::Arc;

use ecs_core::Threads;

/// Threads on which everything is on one thread, on which large worlds are shared, and on which everything is.
fn threads() -> [Threads; 3] {
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Arc::new(pool.expect("threads"))
    };
    [Threads::Inline, Threads::Pool(pool(2)), Threads::Eager(pool(3))]
}
