//! The library: a system that emits from eight subtasks, and one that reads.

use ecs_core::{Threads, World, world};

use crate::{Contender, fold, number};

struct Number(u32);
struct Sent(u32);
#[derive(Default)]
struct Step(u32);
#[derive(Default)]
struct Sum(u64);

world! {
    world Mail;
    component Number;
    resource Step, Sum;
    event Sent;
    system Send {
        parallelism: split_evenly(8),
        emit: [Sent],
        each: |entity: &Number, effects, step: &Step| effects.emit(Sent(number(entity.0, step.0))),
    }
    system Receive {
        on: [Sent],
        run: |effects, sum: &mut Sum| {
            sum.0 = effects.events::<Sent>().fold(0, |sum, sent| fold(sum, sent.0));
        },
    }
}

struct Library(World<Mail>);

pub(super) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
    let threads = if threads == 1 { Threads::Inline } else { Threads::Global };
    let mut world = World::on(threads);
    world.spawn_batch((0..entities).map(|entity| (Number(entity),)));
    Box::new(Library(world))
}

impl Contender for Library {
    fn step(&mut self) {
        self.0.resource_mut::<Step>().0 += 1;
        self.0.tick().expect("nothing is staged");
    }

    fn sum(&self) -> u64 {
        self.0.resource::<Sum>().0
    }
}
