//! Events whose reader is split, too: it adds up what it makes of each, in any order.

use crate::Contender;

/// What a reader makes of an event.
pub(super) fn mixed(event: u32) -> u64 {
    let mut mixed = u64::from(event);
    for _ in 0..2 {
        mixed ^= mixed >> 33;
        mixed = mixed.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    }
    mixed ^ (mixed >> 33)
}

pub(super) mod by_hand {
    //! Eight vectors, each of which is filled and then read by one thread.

    use rayon::prelude::*;

    use super::{Contender, mixed};
    use crate::number;

    struct ByHand {
        entities: Vec<u32>,
        parts: [(Vec<u32>, u64); 8],
        threads: usize,
        step: u32,
    }

    pub(crate) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
        let parts = [const { (Vec::new(), 0) }; 8];
        Box::new(ByHand { entities: (0..entities).collect(), parts, threads, step: 0 })
    }

    impl Contender for ByHand {
        fn step(&mut self) {
            self.step += 1;
            let Self { entities, parts, threads, step } = self;
            let share = entities.len().div_ceil(8);
            let emit = |(entities, (part, _)): (&[u32], &mut (Vec<u32>, u64))| {
                part.clear();
                for &entity in entities {
                    part.push(number(entity, *step));
                }
            };
            let read = |(part, sum): &mut (Vec<u32>, u64)| {
                *sum = part.iter().fold(0, |sum: u64, event| sum.wrapping_add(mixed(*event)));
            };
            if *threads == 1 {
                entities.chunks(share).zip(parts.iter_mut()).for_each(emit);
                parts.iter_mut().for_each(read);
            } else {
                entities.par_chunks(share).zip(parts.par_iter_mut()).for_each(emit);
                parts.par_iter_mut().for_each(read);
            }
        }

        fn sum(&self) -> u64 {
            self.parts.iter().fold(0, |sum, part| sum.wrapping_add(part.1))
        }
    }
}

pub(super) mod library {
    //! Both systems are eight subtasks.

    use std::sync::Arc;

    use ecs_core::{Combine, Threads, World, world};

    use super::{Contender, mixed};
    use crate::number;

    struct Number(u32);
    struct Sent(u32);
    #[derive(Default)]
    struct Step(u32);
    #[derive(Default)]
    struct Sum(u64);

    impl Combine for Sum {
        fn combine(&mut self, other: Self) {
            self.0 = self.0.wrapping_add(other.0);
        }
    }

    world! {
        world Mail;
        component Number;
        resource Step;
        resource Sum: combine;
        event Sent;
        system Send {
            parallelism: split_evenly(8),
            emit: [Sent],
            each: |entity: &Number, effects, step: &Step| effects.emit(Sent(number(entity.0, step.0))),
        }
        system Read {
            parallelism: split_evenly(8),
            on: [Sent],
            add: [Sum],
            run: |data| {
                let sent = data.effects.events::<Sent>();
                let sum = sent.fold(0, |sum: u64, sent| sum.wrapping_add(mixed(sent.0)));
                data.effects.add(Sum(sum));
            },
        }
    }

    struct Library(World<Mail>);

    pub(crate) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
        on(entities, if threads == 1 { Threads::Inline } else { Threads::Global })
    }

    /// On a pool of its own, which takes each step.
    pub(crate) fn eager(entities: u32, threads: usize) -> Box<dyn Contender> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        on(entities, Threads::Eager(Arc::new(pool.expect("threads to make a pool of"))))
    }

    fn on(entities: u32, threads: Threads) -> Box<dyn Contender> {
        let mut world = World::on(threads);
        world.spawn_batch((0..entities).map(|entity| (Number(entity),)));
        Box::new(Library(world))
    }

    impl Contender for Library {
        fn step(&mut self) {
            self.0.resource_mut::<Step>().0 += 1;
            self.0.resource_mut::<Sum>().0 = 0;
            self.0.tick().expect("nothing is staged");
        }

        fn sum(&self) -> u64 {
            self.0.resource::<Sum>().0
        }
    }
}
