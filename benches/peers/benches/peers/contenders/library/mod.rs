//! The library. Idiomatic forms have the default settings and `World::new`, which runs on rayon's global pool; their code
//! is in the declaration. What is timed is always whole steps, or accesses from outside of a step.

mod empty;
mod parallel;
mod random;
mod simple;
mod structural;

use crate::rows::{Form, Row, Work, idiomatic, other, pool};
use ecs_core::settings::Settings;
use ecs_core::{Declaration, Threads, World};
use random::{change, change_together, get, get_mut, positions, read, read_together, sum};
use std::sync::Arc;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![
            idiomatic("Step::spawn", move || simple::spawn_in_step::<simple::Moving>(n)),
            other("Step::spawn, with room", move || simple::spawn_in_step::<simple::Roomy>(n)),
            other("World::spawn", move || simple::spawn(n)),
        ],
        Work::InsertBatch => vec![
            idiomatic("World::spawn_batch", move || simple::spawn_batch(n)),
            other("Step::spawn_batch, with room", move || simple::spawn_batch_in_step(n)),
            other("a system's spawns", move || simple::spawn_by_system(n)),
        ],
        Work::SimpleIter => vec![
            idiomatic("each", move || simple::iter::<simple::Moving>(n, Threads::Global)),
            other("each, 1 thread", move || simple::iter::<simple::Moving>(n, Threads::Inline)),
            other("for_runs, 1 thread", move || simple::iter::<simple::Flat>(n, Threads::Inline)),
        ],
        Work::FragmentedIter => vec![
            idiomatic("each", move || simple::fragmented::<simple::Fragments>(n, Threads::Global)),
            other("each, 1 thread", move || {
                simple::fragmented::<simple::Fragments>(n, Threads::Inline)
            }),
            other("for_runs, 1 thread", move || {
                simple::fragmented::<simple::FlatFragments>(n, Threads::Inline)
            }),
        ],
        Work::SystemScheduling => vec![
            idiomatic("each", move || parallel::scheduling::<parallel::Swaps>(n, Threads::Global)),
            other("for_runs, 1 thread", move || {
                parallel::scheduling::<parallel::FlatSwaps>(n, Threads::Inline)
            }),
            other("for_runs, 2 threads", move || {
                parallel::scheduling::<parallel::FlatSwaps>(n, two_threads())
            }),
        ],
        Work::HeavyCompute => vec![
            idiomatic("each", move || {
                parallel::heavy::<parallel::evenly::Turning>(n, Threads::Global)
            }),
            other("each, by blocks, the caller's pool", move || {
                parallel::heavy::<parallel::by_blocks::Turning>(n, two_threads())
            }),
        ],
        Work::AddRemoveOneByOne => vec![
            idiomatic("Step", move || structural::add_remove_in_step(n)),
            other("World", move || structural::add_remove(n)),
        ],
        Work::AddRemoveBatch => vec![
            idiomatic("insert_batch", move || structural::add_remove_batch(n)),
            other("systems, 1 thread", move || {
                structural::add_remove_by_systems(n, Threads::Inline)
            }),
            other("systems, 2 threads", move || {
                structural::add_remove_by_systems(n, two_threads())
            }),
        ],
        Work::Churn(1) => vec![
            idiomatic("each", move || structural::churn::<structural::Living>(n, Threads::Inline)),
            other("for_runs", move || {
                structural::churn::<structural::FlatLiving>(n, Threads::Inline)
            }),
        ],
        Work::Churn(_) => vec![
            idiomatic("each", move || structural::churn::<structural::Living>(n, Threads::Global)),
            other("for_runs, the caller's pool", move || {
                structural::churn::<structural::FlatLiving>(n, two_threads())
            }),
        ],
        Work::Get => vec![
            idiomatic("World::get", move || random::from_world(n, get, sum)),
            other("World::for_each_of", move || random::from_world(n, random::get_together, sum)),
            other("read_any", move || random::by_system::<read::Known>(n, sum)),
            other("read_any, together", move || random::by_system::<read_together::Known>(n, sum)),
        ],
        Work::GetMut => vec![
            idiomatic("World::get_mut", move || random::from_world(n, get_mut, positions)),
            other("Step::get_mut", move || {
                random::from_world(n, random::get_mut_in_step, positions)
            }),
            other("exclusive", move || random::by_system::<change::Known>(n, positions)),
            other("exclusive, together", move || {
                random::by_system::<change_together::Known>(n, positions)
            }),
        ],
        Work::Independent => empty::independent(n),
        Work::Chained => empty::chained(n),
    }
}

/// The calling thread, and another one.
fn two_threads() -> Threads {
    Threads::Pool(Arc::clone(pool()))
}

/// A step that executes all systems, as a program does once per frame.
fn frame<D: Declaration, S: Settings>(world: &mut World<D, S>) {
    world.tick().expect("there is room");
}
