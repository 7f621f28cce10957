//! Snapshots for rollback of 100 000 entities with three components of twelve bytes each, in a ring of nine frames, through
//! `ecs-core` and `bevy_ggrs`: `cargo run --release -p rollback`.
//!
//! Each frame changes the values of some entities, is hashed, and saved over the oldest one. In `ecs-core` that is `state_hash` and
//! `snapshot_into`, on one thread and on two; in `bevy_ggrs` the schedule `SaveWorld`, once with components that have checksums and once without. A load goes back by four
//! frames: `restore`, and the schedule `LoadWorld`. Each figure is the best of many.

use std::time::{Duration, Instant};

use ecs_core::Threads;

mod bevy_ggrs_app;
mod library;

const ENTITIES: usize = 100_000;
/// The frames that one can go back to.
const RING: usize = 9;
/// How far a load goes back.
const BACK: usize = 4;

/// Which entities change in a frame.
#[derive(Clone, Copy)]
enum Change {
    /// All.
    All,
    /// One in a hundred.
    Scattered,
    /// One in a hundred, in rows side by side.
    Contiguous,
    /// None.
    None,
}

impl Change {
    /// Whether the `n`-th entity changes.
    fn has(self, n: usize) -> bool {
        match self {
            Self::All => true,
            Self::Scattered => n.is_multiple_of(100),
            Self::Contiguous => (ENTITIES / 2..ENTITIES / 2 + ENTITIES / 100).contains(&n),
            Self::None => false,
        }
    }
}

/// Runs the function, and keeps the best time.
fn time(best: &mut Duration, f: impl FnOnce()) {
    let start = Instant::now();
    f();
    *best = start.elapsed().min(*best);
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    pool.build_global().expect("threads to make a pool of");
    println!("| changed | library | save with checksum, ms | save, ms | load, ms |");
    println!("| --- | --- | ---: | ---: | ---: |");
    let print = |changed: &str, library: &str, times: [Duration; 3]| {
        let [with, without, load] = times.map(|time| time.as_secs_f64() * 1e3);
        println!("| {changed} | {library} | {with:.3} | {without:.3} | {load:.3} |");
    };
    for (change, name) in [
        (Change::All, "all"),
        (Change::Scattered, "1 %, scattered"),
        (Change::Contiguous, "1 %, side by side"),
        (Change::None, "nothing"),
    ] {
        print(name, "ecs-core, one thread", library::times(Threads::Inline, change));
        print(name, "ecs-core, two threads", library::times(Threads::Global, change));
        print(name, "bevy_ggrs", bevy_ggrs_app::times(change));
    }
}
