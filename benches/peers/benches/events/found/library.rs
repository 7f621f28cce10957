//! The library: events that are declared with an index.

use ecs_core::{Threads, World, world};

use super::{add, cell, digest, hears, number, place};
use crate::{Contender, fold};

struct Number(u32);
struct Heard(u64);
#[derive(Default)]
struct Step(u32);

/// The contender of a world of this file.
macro_rules! contender {
    ($name:ident, $world:ident) => {
        struct $name(World<$world>);

        impl Contender for $name {
            fn step(&mut self) {
                self.0.resource_mut::<Step>().0 += 1;
                self.0.tick().expect("nothing is staged");
            }

            fn sum(&self) -> u64 {
                digest(self.0.iter::<&Heard>().map(|heard| heard.0))
            }
        }
    };
}

fn threads(number: usize) -> Threads {
    if number == 1 { Threads::Inline } else { Threads::Global }
}

struct Cell(u32);
/// How many entities there are.
#[derive(Default)]
struct Entities(u32);

/// The events of 100 000 entities, which those hear who are in a cell.
macro_rules! teams {
    ($teams:ident, $world:ident, $(#[$derive:meta])?) => {
        pub(super) mod $teams {
            use super::*;

            $(#[$derive])?
            struct Call {
                cell: u32,
                number: u32,
            }

            world! {
                world $world;
                component Number, Cell, Heard;
                resource Step, Entities;
                event Call: by_key(|call: &Call| -> u32 { call.cell });
                system Speak {
                    parallelism: split_evenly(8),
                    emit: [Call],
                    each: |entity: &Number, effects, step: &Step, entities: &Entities| {
                        let cell = cell(entity.0, step.0, entities.0);
                        effects.emit(Call { cell, number: number(entity.0, step.0) });
                    },
                }
                system Hear {
                    parallelism: split_evenly(8),
                    on: [Call],
                    read: [Cell],
                    write: [Heard],
                    run: |data| data.for_events_by::<Call>(|one| one.cell.0, |one, calls, _| {
                        one.heard.0 = calls.fold(one.heard.0, |heard, call| fold(heard, call.number));
                    }),
                }
            }

            contender!(ByKey, $world);

            pub(in super::super) fn new(events: u32, number: usize) -> Box<dyn Contender> {
                let entities = events / 10;
                let mut world = World::on(threads(number));
                world.spawn_batch((0..entities).map(|entity| {
                    (Number(entity), Cell(cell(entity, 0, entities)), Heard(0))
                }));
                world.resource_mut::<Entities>().0 = entities;
                Box::new(ByKey(world))
            }
        }
    };
}

teams!(copied, Copied, #[derive(Clone, Copy)]);
teams!(by_place, ByPlace,);

struct At([f32; 2]);

/// The events of 100 000 entities, which those hear who are near.
macro_rules! crowd {
    ($crowd:ident, $world:ident, $($bounds:tt)*) => {
        pub(super) mod $crowd {
            use super::*;

            #[derive(Clone, Copy)]
            struct Rumor {
                at: [f32; 2],
                number: u32,
            }

            world! {
                world $world;
                component Number, At, Heard;
                resource Step;
                event Rumor: by_cell(|rumor: &Rumor| -> [f32; 2] { rumor.at }, 1.0)$($bounds)*;
                system Tell {
                    parallelism: split_evenly(8),
                    emit: [Rumor],
                    each: |entity: &Number, at: &At, effects, step: &Step| {
                        effects.emit(Rumor { at: at.0, number: number(entity.0, step.0) });
                    },
                }
                system Hear {
                    parallelism: split_evenly(8),
                    on: [Rumor],
                    read: [At],
                    write: [Heard],
                    run: |data| data.for_events_by::<Rumor>(|one| one.at.0, |one, rumors, _| {
                        let near = rumors.filter(|rumor| hears(one.at.0, rumor.at));
                        one.heard.0 = add(one.heard.0, near.map(|rumor| rumor.number));
                    }),
                }
            }

            contender!(ByCell, $world);

            pub(in super::super) fn new(events: u32, number: usize) -> Box<dyn Contender> {
                let entities = events / 10;
                let mut world = World::on(threads(number));
                world.spawn_batch(
                    (0..entities)
                        .map(|entity| (Number(entity), At(place(entity, entities)), Heard(0))),
                );
                Box::new(ByCell(world))
            }
        }
    };
}

crowd!(anywhere, Anywhere,);
crowd!(bounded, Bounded, .within([0.0, 0.0], [100.0, 100.0]));
