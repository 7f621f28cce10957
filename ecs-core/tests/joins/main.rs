//! Query vectors and joins, compared with naive loops.

mod beside_rolls;
mod composed;
mod grids;
mod hostile;
mod indices;
mod near;
mod products;
mod records;
mod rolled;
mod seen;
mod slices;
mod sorted;
mod storages;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ecs_core::Threads;
use rayon::ThreadPoolBuilder;

/// The calling thread alone, and pools of 1, 2 and 4 threads.
fn every_kind() -> Vec<Threads> {
    let pool = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Threads::Eager(Arc::new(pool.expect("threads to make a pool of")))
    };
    [Threads::Inline].into_iter().chain([1, 2, 4].map(pool)).collect()
}

/// The message that `f` panics with.
fn caught<R>(f: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { return "no panic".to_owned() };
    payload.downcast::<String>().map_or_else(|_| "no text".to_owned(), |text| *text)
}

/// Mixes a number thoroughly.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
