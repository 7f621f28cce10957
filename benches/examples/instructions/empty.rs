//! Steps of systems that do almost nothing: the cost of the scheduler.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ecs_core::SystemName;
use ecs_core::{Data, System, Threads, World, world};

use super::steadily;

/// Counts its executions, so that the compiler cannot remove them.
#[derive(Default)]
pub(super) struct Tick(AtomicU64);

impl Tick {
    fn tick(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// The executions before counting. After them, adaptive parallelism has found that ten systems are small, whatever
/// disturbed its first measurements, and its next measurement is far off.
const WARM_UP: u32 = 64;

/// Worlds of the given systems, unordered and in a chain, and functions that run them.
macro_rules! ticking {
    ($independent:ident, $chained:ident: $first:ident $($rest:ident)*) => {
        ticking!(@ $independent [] $first $($rest)*);
        ticking!(@ $chained [order $first $(-> $rest)*;] $first $($rest)*);
    };
    (@ $name:ident [$($order:tt)*] $first:ident $($rest:ident)*) => {
        mod $name {
            use super::*;

            world! {
                pub(super) world Clock;
                $($order)*
                system $first: Tick;
                $(system $rest: Tick;)*
            }

            impl<N: SystemName<Clock>> System<Clock, N> for Tick {
                fn process(&self, _: &mut Data<'_, Clock, N>) {
                    self.tick();
                }
            }

            pub(super) fn run(threads: Threads) {
                let mut world = World::<Clock>::on(threads);
                let mut tick =
                    || world.tick().expect("nothing is staged");
                (0..WARM_UP).for_each(|_| tick());
                steadily(tick);
                assert!(world.system::<$first>().0.load(Relaxed) > 0);
            }
        }

        pub(super) fn $name() {
            $name::run(Threads::Inline);
        }
    };
}

/// In a world with two threads that does not need the second one. The systems are a chain: for unordered ones the
/// measured time decides, and here that is the time of a simulated processor.
pub(super) fn ten_on_two_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).use_current_thread().build();
    ten_chained::run(Threads::Pool(pool.expect("two threads").into()));
}

ticking!(ten_independent, ten_chained: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9);

ticking!(
    fifty_independent, fifty_chained:
    S00 S01 S02 S03 S04 S05 S06 S07 S08 S09
    S10 S11 S12 S13 S14 S15 S16 S17 S18 S19
    S20 S21 S22 S23 S24 S25 S26 S27 S28 S29
    S30 S31 S32 S33 S34 S35 S36 S37 S38 S39
    S40 S41 S42 S43 S44 S45 S46 S47 S48 S49
);
