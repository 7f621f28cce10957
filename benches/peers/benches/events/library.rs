//! The library: a system that emits or sends from eight subtasks, and one that reads or receives.

use ecs_core::{Entity, Threads, World, world};

use crate::{Contender, fold, number, receiver};

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

/// The messages of 1 000 000 entities to others, whose totals a second system adds up.
macro_rules! battle {
    ($battle:ident, $world:ident, $(#[$attribute:meta])* struct Hit(u32);) => {
        pub(super) mod $battle {
            use super::*;

            struct Next(Entity);
            struct Total(u64);
            $(#[$attribute])*
            struct Hit(u32);

            world! {
                world $world;
                component Number, Next, Total;
                resource Step;
                event Hit: addressed;
                system Shoot {
                    parallelism: split_evenly(8),
                    emit: [Hit],
                    each: |entity: &Number, next: &Next, effects, step: &Step| {
                        effects.send(next.0, Hit(number(entity.0, step.0)));
                    },
                }
                system Hurt {
                    parallelism: split_evenly(8),
                    on: [Hit],
                    write: [Total],
                    run: |data| data.for_messages::<Hit>(|one, hits, _| {
                        one.total.0 = hits.fold(one.total.0, |total, hit| fold(total, hit.0));
                    }),
                }
            }

            struct Receivers(World<$world>);

            pub(crate) fn messages(entities: u32, threads: usize) -> Box<dyn Contender> {
                let threads = if threads == 1 { Threads::Inline } else { Threads::Global };
                let mut world = World::on(threads);
                let receivers: Vec<Entity> =
                    world.spawn_batch((0..entities / 10).map(|_| (Total(0),)));
                world.spawn_batch((0..entities).map(|entity| {
                    (Number(entity), Next(receivers[receiver(entity, entities / 10) as usize]))
                }));
                Box::new(Receivers(world))
            }

            impl Contender for Receivers {
                fn step(&mut self) {
                    self.0.resource_mut::<Step>().0 += 1;
                    self.0.tick().expect("nothing is staged");
                }

                fn sum(&self) -> u64 {
                    let mut sum = 0;
                    for total in self.0.iter::<&Total>() {
                        sum = fold(sum, total.0 as u32);
                    }
                    sum
                }
            }
        }
    };
}

battle! {
    copied,
    Copied,
    #[derive(Clone, Copy)]
    struct Hit(u32);
}

battle! {
    by_place,
    ByPlace,
    struct Hit(u32);
}
