//! The library.

mod empty;
mod parallel;
mod random;
mod simple;
mod structural;

use crate::rows::{Contender, Form, Row, Summary, Work, pool};
use ecs_core::settings::Settings;
use ecs_core::Declaration;
use ecs_core::{Step, Threads, World};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let size = row.size;
    match row.work {
        Work::SimpleInsert => simple::insert(size),
        Work::SimpleIter => simple::iter(size),
        Work::FragmentedIter => simple::fragmented(size),
        Work::SystemScheduling => parallel::scheduling(size),
        Work::HeavyCompute => vec![parallel::heavy(size)],
        Work::AddRemove => structural::add_remove(size),
        Work::Churn => structural::churn(size),
        Work::Get => random::get(size),
        Work::GetMut => random::get_mut(size),
        Work::Independent => empty::independent(size),
        Work::Chained => empty::chained(size),
    }
}

/// The calling thread alone, or the threads that all contenders share, with the name of the form.
fn threads(is_single: bool) -> (&'static str, Threads) {
    if is_single {
        ("1 thread", Threads::Inline)
    } else {
        ("2 threads", Threads::Pool(Arc::clone(pool())))
    }
}

/// A step that executes all systems, as a program does once per frame.
fn frame<D: Declaration, S: Settings>(world: &mut World<D, S>) {
    world.tick().expect("there is room");
}

/// The work is done `times` times within one step.
struct Within<D: Declaration, R, S> {
    world: World<D>,
    run: R,
    summary: S,
}

impl<D, R, S> Contender for Within<D, R, S>
where
    D: Declaration,
    R: FnMut(&mut Step<'_, D, D::Settings>),
    S: FnMut(&World<D>) -> Summary,
{
    fn run(&mut self, times: u32) -> Duration {
        let run = &mut self.run;
        let timed = self.world.step(|step| {
            let start = Instant::now();
            for _ in 0..times {
                run(black_box(&mut *step));
            }
            start.elapsed()
        });
        timed.expect("nothing is spawned")
    }

    fn summary(&mut self) -> Summary {
        (self.summary)(&self.world)
    }
}
