//! The categories through the library.

use crate::rows::{Contender, POOL, Pos, Row, Summary, Vel};
use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Settings};
use ecs_core::{Data, Entity, Place, System, Threads, World, world};

/// With inner parallelism.
type Concurrent = Config<Dynamic<1>, Allow, AtomicCounter>;

/// Without inner parallelism.
type OneByOne = Config<Dynamic<1>, Disallow, AtomicCounter>;

/// A world with one system, whose body uses its own entities and effects.
macro_rules! category {
    ($module:ident, { $($signature:tt)* }, |$own:ident, $effects:ident| $body:expr) => {
        mod $module {
            use super::*;

            world! {
                pub(crate) world Space {
                    entity_limit: dynamic(1),
                }
                component Pos: contiguous_buffer;
                component Vel: contiguous_buffer;
                system Act {
                    parallelism: split_evenly(cores),
                    $($signature)*
                }
            }

            #[derive(Default)]
            pub(crate) struct Act;

            impl System<Space> for Act {
                fn process(&self, data: &mut Data<'_, Space, Self>) {
                    let ($own, $effects) = (&mut data.own, &mut data.effects);
                    let _ = &$effects;
                    $body;
                }
            }

            pub(crate) struct Filled<S: Settings> {
                row: Row,
                world: World<Space, S>,
                entities: usize,
            }

            impl<S: Settings> Filled<S> {
                pub(crate) fn new(row: Row, entities: usize, threads: Threads) -> Self {
                    let mut world = World::on(threads);
                    let (pos, vel) = row.before();
                    world
                        .step(|step| {
                            for i in 0..entities {
                                let entity = step.spawn(());
                                if pos {
                                    step.insert(entity, Pos::first(i)).expect("it lives");
                                }
                                if vel {
                                    step.insert(entity, Vel::first(i)).expect("it lives");
                                }
                            }
                        })
                        .expect("nothing is staged");
                    Self { row, world, entities }
                }
            }

            impl<S: Settings> Contender for Filled<S> {
                fn run(&mut self) {
                    self.world.tick().expect("there is room");
                }

                fn reset(&mut self) {
                    let mut of = Vec::with_capacity(2 * self.entities);
                    for (entity, pos, vel) in self.world.iter::<(Entity, Option<&Pos>, Option<&Vel>)>() { of.push((entity, pos.copied(), vel.copied())); }
                    let row = self.row;
                    self.world
                        .step(|step| {
                            for (entity, pos, vel) in of {
                                match row {
                                    Row::OwnedInsert => {
 step.remove::<Pos>(entity);
 },
                                    Row::DeferredInsert => {
                                        step.remove::<Vel>(entity);
                                    }
                                    Row::OwnedDelete => {
                                        step.insert(entity, vel.map(Pos::of).expect("it stayed")).expect("it lives");
                                    }
                                    Row::DeferredDelete => {
                                        step.insert(entity, pos.map(Vel::of).expect("it stayed")).expect("it lives");
                                    }
                                    Row::OwnedInitialize if vel.is_none() => {
                                        step.despawn(entity);
                                    }
                                    Row::DeferredInitialize if pos.is_none() => {
                                        step.despawn(entity);
                                    }
                                    Row::OwnedUpdate
                                    | Row::DeferredUpdate
                                    | Row::OwnedInitialize
                                    | Row::DeferredInitialize => {}
                                }
                            }
                        })
                        .expect("nothing is staged");
                    assert_eq!(self.world.entity_count(), self.entities);
                }

                fn summary(&mut self) -> Summary {
                    let mut summary =
                        Summary { entities: self.world.entity_count(), ..Summary::default() };
                    for pos in self.world.iter::<&Pos>() { summary.add_pos(*pos); }
                    for vel in self.world.iter::<&Vel>() { summary.add_vel(*vel); }
                    summary
                }
            }
        }
    };
}

category!(owned_update, { write: [Pos] }, |own, effects| {
    own.for_runs::<&mut Pos>(|places| places.iter_mut().for_each(Pos::update));
});

category!(owned_insert, { read: [Vel], without: [Pos], insert: [Pos] }, |own, effects| {
    own.query::<(Place, &Vel)>().for_each(|(place, vel)| effects.insert(place, Pos::of(*vel)));
});

category!(owned_initialize, { read: [Pos], spawn: [Pos] }, |own, effects| {
    own.query::<&Pos>().for_each(|pos| effects.spawn((*pos,)));
});

category!(owned_delete, { with: [Pos], remove: [Pos] }, |own, effects| {
    own.query::<Place>().for_each(|place| effects.remove::<Pos>(place));
});

category!(deferred_update, { read: [Pos], with: [Vel], insert: [Vel] }, |own, effects| {
    own.query::<(Place, &Pos)>().for_each(|(place, pos)| effects.insert(place, Vel::of(*pos)));
});

category!(deferred_insert, { read: [Pos], insert: [Vel] }, |own, effects| {
    own.query::<(Place, &Pos)>().for_each(|(place, pos)| effects.insert(place, Vel::of(*pos)));
});

category!(deferred_initialize, { read: [Pos], spawn: [Vel] }, |own, effects| {
    own.query::<&Pos>().for_each(|pos| effects.spawn((Vel::of(*pos),)));
});

category!(deferred_delete, { with: [Pos], remove: [Vel] }, |own, effects| {
    own.query::<Place>().for_each(|place| effects.remove::<Vel>(place));
});

/// A row with the given threads, and inner parallelism if there is more than one.
fn filled<S: Settings>(row: Row, entities: usize, threads: Threads) -> Box<dyn Contender> {
    match row {
        Row::OwnedUpdate => Box::new(owned_update::Filled::<S>::new(row, entities, threads)),
        Row::OwnedInsert => Box::new(owned_insert::Filled::<S>::new(row, entities, threads)),
        Row::OwnedInitialize => {
            Box::new(owned_initialize::Filled::<S>::new(row, entities, threads))
        }
        Row::OwnedDelete => Box::new(owned_delete::Filled::<S>::new(row, entities, threads)),
        Row::DeferredUpdate => Box::new(deferred_update::Filled::<S>::new(row, entities, threads)),
        Row::DeferredInsert => Box::new(deferred_insert::Filled::<S>::new(row, entities, threads)),
        Row::DeferredInitialize => {
            Box::new(deferred_initialize::Filled::<S>::new(row, entities, threads))
        }
        Row::DeferredDelete => Box::new(deferred_delete::Filled::<S>::new(row, entities, threads)),
    }
}

/// Every system is split over two threads.
pub(crate) fn concurrent(row: Row, entities: usize) -> Box<dyn Contender> {
    filled::<Concurrent>(row, entities, Threads::Pool(POOL.clone()))
}

/// The same program without inner parallelism, on the calling thread.
pub(crate) fn one_by_one(row: Row, entities: usize) -> Box<dyn Contender> {
    filled::<OneByOne>(row, entities, Threads::Inline)
}
