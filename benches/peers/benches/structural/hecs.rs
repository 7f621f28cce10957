//! The categories through `hecs`: two command buffers, filled on two threads and run one after the other.

use crate::rows::{Contender, POOL, Pos, Row, Summary, Vel};
use hecs::{CommandBuffer, Entity, Query, Without, World};

struct Hecs {
    row: Row,
    /// Whether the row is an owned update, which is a query without buffers.
    in_place: bool,
    world: World,
    buffers: [CommandBuffer; 2],
    entities: usize,
}

/// Two command buffers, filled in parallel and then run.
pub(crate) fn buffers(row: Row, entities: usize) -> Box<dyn Contender> {
    Box::new(filled(row, entities, false))
}

/// If the row changes own values only: a query in two batches, in parallel.
pub(crate) fn in_place(row: Row, entities: usize) -> Option<Box<dyn Contender>> {
    (row == Row::OwnedUpdate).then(|| Box::new(filled(row, entities, true)) as _)
}

fn filled(row: Row, entities: usize, in_place: bool) -> Hecs {
    let mut world = World::new();
    let (pos, vel) = row.before();
    for i in 0..entities {
        match (pos, vel) {
            (true, true) => world.spawn((Pos::first(i), Vel::first(i))),
            (true, false) => world.spawn((Pos::first(i),)),
            _ => world.spawn((Vel::first(i),)),
        };
    }
    Hecs { row, in_place, world, buffers: Default::default(), entities }
}

impl Hecs {
    /// Calls `f` with each match and a buffer, on two threads, and runs the buffers.
    fn record<Q: Query>(&mut self, f: impl Fn(&mut CommandBuffer, Q::Item<'_>) + Sync)
    where
        for<'q> Q::Item<'q>: Send,
    {
        let half = (self.entities as u32).div_ceil(2);
        let f = &f;
        let mut query = self.world.query::<Q>();
        POOL.scope(|scope| {
            for (batch, buffer) in query.iter_batched(half).zip(&mut self.buffers) {
                scope.spawn(move |_| batch.for_each(|item| f(buffer, item)));
            }
        });
        drop(query);
        for buffer in &mut self.buffers {
            buffer.run_on(&mut self.world);
        }
    }
}

impl Contender for Hecs {
    fn run(&mut self) {
        match self.row {
            Row::OwnedUpdate if self.in_place => self.record::<&mut Pos>(|_, pos| pos.update()),
            Row::OwnedUpdate => self.record::<(Entity, &Pos)>(|buffer, (entity, pos)| {
                let mut pos = *pos;
                pos.update();
                buffer.insert_one(entity, pos);
            }),
            Row::OwnedInsert => {
                self.record::<Without<(Entity, &Vel), &Pos>>(|buffer, (entity, vel)| {
                    buffer.insert_one(entity, Pos::of(*vel));
                });
            }
            Row::OwnedInitialize => self.record::<&Pos>(|buffer, pos| buffer.spawn((*pos,))),
            Row::OwnedDelete => self.record::<hecs::With<Entity, &Pos>>(|buffer, entity| {
                buffer.remove_one::<Pos>(entity);
            }),
            Row::DeferredUpdate | Row::DeferredInsert => {
                self.record::<(Entity, &Pos)>(|buffer, (entity, pos)| {
                    buffer.insert_one(entity, Vel::of(*pos));
                });
            }
            Row::DeferredInitialize => {
                self.record::<&Pos>(|buffer, pos| buffer.spawn((Vel::of(*pos),)));
            }
            Row::DeferredDelete => self.record::<hecs::With<Entity, &Pos>>(|buffer, entity| {
                buffer.remove_one::<Vel>(entity);
            }),
        }
    }

    fn reset(&mut self) {
        let world = &mut self.world;
        let of: Vec<_> = world
            .query::<(Entity, Option<&Pos>, Option<&Vel>)>()
            .iter()
            .map(|(entity, pos, vel)| (entity, pos.copied(), vel.copied()))
            .collect();
        for (entity, pos, vel) in of {
            let done = match self.row {
                Row::OwnedInsert => world.remove_one::<Pos>(entity).is_ok(),
                Row::DeferredInsert => world.remove_one::<Vel>(entity).is_ok(),
                Row::OwnedDelete => {
                    world.insert_one(entity, vel.map(Pos::of).expect("it stayed")).is_ok()
                }
                Row::DeferredDelete => {
                    world.insert_one(entity, pos.map(Vel::of).expect("it stayed")).is_ok()
                }
                Row::OwnedInitialize if vel.is_none() => world.despawn(entity).is_ok(),
                Row::DeferredInitialize if pos.is_none() => world.despawn(entity).is_ok(),
                _ => true,
            };
            assert!(done);
        }
    }

    fn summary(&mut self) -> Summary {
        let mut summary = Summary { entities: self.world.len() as usize, ..Summary::default() };
        self.world.query::<&Pos>().iter().for_each(|pos| summary.add_pos(*pos));
        self.world.query::<&Vel>().iter().for_each(|vel| summary.add_vel(*vel));
        summary
    }
}
