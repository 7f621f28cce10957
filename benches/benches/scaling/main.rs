//! What grows with what: the time of an entity with the number of entities, memory with what entities have rather
//! than with what they might have, and speed with threads.

mod archetypes;
mod components;
#[path = "../memory/mod.rs"]
mod memory;
mod simple;
mod threads;

use std::time::{Duration, Instant};

/// Whether everything is to be run just once, to see that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// How long `f` takes.
fn time(f: impl FnOnce()) -> Duration {
    let start = Instant::now();
    f();
    start.elapsed()
}

fn main() {
    simple::tables();
    archetypes::table();
    threads::table();
}
