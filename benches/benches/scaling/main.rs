//! How costs grow: the time per entity with the number of entities, memory with the components that entities have
//! rather than with all declared ones, and speed with threads.

mod archetypes;
mod components;
#[path = "../memory/mod.rs"]
mod memory;
mod simple;
mod threads;

use std::time::{Duration, Instant};

/// Whether each table is computed once only, to show that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// The time that `f` takes.
fn time(f: impl FnOnce()) -> Duration {
    let start = Instant::now();
    f();
    start.elapsed()
}

fn main() {
    benches::host::beside(|| {
        simple::tables();
        archetypes::table();
        threads::table();
    });
}
