//! In steady state a frame of the particle simulation allocates nothing, on any number of threads.

#![forbid(unsafe_code)]

use std::sync::Arc;

use dhat::{Alloc, HeapStats, Profiler};
use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Settings};
use ecs_examples::particles::{DiscWorld, random_discs};
use ecs_examples::simulation::Simulation;
use rayon::ThreadPoolBuilder;

#[global_allocator]
static ALLOCATOR: Alloc = Alloc;

const DISCS: usize = 3_000;

/// Asserts that frames allocate nothing after the first ones.
fn assert_frugal<S: Settings>(threads: usize) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(pool.expect("threads can be started"));
    let discs = random_discs(DISCS, 1);
    let mut world = DiscWorld::<S>::new(&pool, discs).expect("there is room");
    // Inside the pool, a step need not be sent to it.
    let mut frames = |count: usize| {
        pool.install(|| {
            let before = HeapStats::get().total_blocks;
            for _ in 0..count {
                world.frame().expect("there is room");
            }
            HeapStats::get().total_blocks - before
        })
    };
    frames(60);
    // A worker's thread allocates something of its own the first time that it steals, which may be late.
    let allocations = [(); 6].map(|()| frames(10));
    let without_allocation = allocations.iter().filter(|count| **count == 0).count();
    assert!(
        without_allocation >= 4,
        "{threads} threads, {}: {allocations:?}",
        std::any::type_name::<S>()
    );
    if threads == 1 {
        assert_eq!(without_allocation, 6, "{}: {allocations:?}", std::any::type_name::<S>());
    }
    assert!(world.alive() > DISCS / 10, "{} discs are left", world.alive());
}

#[test]
fn a_frame_in_steady_state_allocates_nothing() {
    let _profiler = Profiler::builder().testing().build();
    for threads in [1, 2, 4] {
        assert_frugal::<Config<Dynamic<50_000>, Allow, AtomicCounter>>(threads);
        assert_frugal::<Config<Fixed<50_000>, Allow, AtomicCounter>>(threads);
        assert_frugal::<Config<Dynamic<50_000>, Disallow, AtomicCounter>>(threads);
    }
}
