//! The categories through `bevy_ecs`: by `ParallelCommands` in a parallel iteration, and, where they exist, by commands
//! for many entities at once.

#![expect(clippy::needless_pass_by_value, reason = "the form that bevy asks of a system")]

use crate::rows::{Contender, Pos, Row, Summary, Vel};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::Schedule;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

struct Bevy {
    row: Row,
    world: World,
    schedule: Schedule,
}

fn update(mut query: Query<'_, '_, &mut Pos>) {
    query.par_iter_mut().for_each(|mut pos| pos.update());
}

fn insert_pos_each(
    query: Query<'_, '_, (Entity, &Vel), Without<Pos>>,
    commands: ParallelCommands<'_, '_>,
) {
    query.par_iter().for_each(|(entity, vel)| {
        commands.command_scope(|mut commands| {
            commands.entity(entity).insert(Pos::of(*vel));
        });
    });
}

fn insert_pos_batch(
    query: Query<'_, '_, (Entity, &Vel), Without<Pos>>,
    mut commands: Commands<'_, '_>,
) {
    let batch: Vec<_> = query.iter().map(|(entity, vel)| (entity, Pos::of(*vel))).collect();
    commands.insert_batch(batch);
}

fn spawn_pos_each(query: Query<'_, '_, &Pos>, commands: ParallelCommands<'_, '_>) {
    query.par_iter().for_each(|pos| {
        commands.command_scope(|mut commands| {
            commands.spawn(*pos);
        });
    });
}

fn spawn_pos_batch(query: Query<'_, '_, &Pos>, mut commands: Commands<'_, '_>) {
    let batch: Vec<_> = query.iter().copied().collect();
    commands.spawn_batch(batch);
}

fn insert_vel_each(query: Query<'_, '_, (Entity, &Pos)>, commands: ParallelCommands<'_, '_>) {
    query.par_iter().for_each(|(entity, pos)| {
        commands.command_scope(|mut commands| {
            commands.entity(entity).insert(Vel::of(*pos));
        });
    });
}

fn insert_vel_batch(query: Query<'_, '_, (Entity, &Pos)>, mut commands: Commands<'_, '_>) {
    let batch: Vec<_> = query.iter().map(|(entity, pos)| (entity, Vel::of(*pos))).collect();
    commands.insert_batch(batch);
}

fn spawn_vel_each(query: Query<'_, '_, &Pos>, commands: ParallelCommands<'_, '_>) {
    query.par_iter().for_each(|pos| {
        commands.command_scope(|mut commands| {
            commands.spawn(Vel::of(*pos));
        });
    });
}

fn spawn_vel_batch(query: Query<'_, '_, &Pos>, mut commands: Commands<'_, '_>) {
    let batch: Vec<_> = query.iter().map(|pos| Vel::of(*pos)).collect();
    commands.spawn_batch(batch);
}

fn remove_each<C: Component>(
    query: Query<'_, '_, Entity, With<Pos>>,
    commands: ParallelCommands<'_, '_>,
) {
    query.par_iter().for_each(|entity| {
        commands.command_scope(|mut commands| {
            commands.entity(entity).remove::<C>();
        });
    });
}

fn remove_in_turn<C: Component>(
    query: Query<'_, '_, Entity, With<Pos>>,
    mut commands: Commands<'_, '_>,
) {
    for entity in &query {
        commands.entity(entity).remove::<C>();
    }
}

impl Bevy {
    fn new(row: Row, entities: usize) -> Self {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
        let mut world = World::new();
        let (pos, vel) = row.before();
        for i in 0..entities {
            let mut entity = world.spawn_empty();
            match (pos, vel) {
                (true, true) => entity.insert((Pos::first(i), Vel::first(i))),
                (true, false) => entity.insert(Pos::first(i)),
                _ => entity.insert(Vel::first(i)),
            };
        }
        Self { row, world, schedule: Schedule::default() }
    }
}

/// A command for each entity, from several threads.
pub(crate) fn each(row: Row, entities: usize) -> Box<dyn Contender> {
    let mut this = Bevy::new(row, entities);
    match row {
        Row::OwnedUpdate => this.schedule.add_systems(update),
        Row::OwnedInsert => this.schedule.add_systems(insert_pos_each),
        Row::OwnedInitialize => this.schedule.add_systems(spawn_pos_each),
        Row::OwnedDelete => this.schedule.add_systems(remove_each::<Pos>),
        Row::DeferredUpdate | Row::DeferredInsert => this.schedule.add_systems(insert_vel_each),
        Row::DeferredInitialize => this.schedule.add_systems(spawn_vel_each),
        Row::DeferredDelete => this.schedule.add_systems(remove_each::<Vel>),
    };
    Box::new(this)
}

/// One command for all entities, or, as no command removes from many entities, commands from one thread.
pub(crate) fn batch(row: Row, entities: usize) -> Box<dyn Contender> {
    let mut this = Bevy::new(row, entities);
    match row {
        Row::OwnedUpdate => this.schedule.add_systems(update),
        Row::OwnedInsert => this.schedule.add_systems(insert_pos_batch),
        Row::OwnedInitialize => this.schedule.add_systems(spawn_pos_batch),
        Row::OwnedDelete => this.schedule.add_systems(remove_in_turn::<Pos>),
        Row::DeferredUpdate | Row::DeferredInsert => this.schedule.add_systems(insert_vel_batch),
        Row::DeferredInitialize => this.schedule.add_systems(spawn_vel_batch),
        Row::DeferredDelete => this.schedule.add_systems(remove_in_turn::<Vel>),
    };
    Box::new(this)
}

impl Contender for Bevy {
    fn run(&mut self) {
        self.schedule.run(&mut self.world);
    }

    fn reset(&mut self) {
        let world = &mut self.world;
        let mut query = world.query::<(Entity, AnyOf<(&Pos, &Vel)>)>();
        let of: Vec<_> = query
            .iter(world)
            .map(|(entity, (pos, vel))| (entity, pos.copied(), vel.copied()))
            .collect();
        for (entity, pos, vel) in of {
            match self.row {
                Row::OwnedInsert => drop(world.entity_mut(entity).remove::<Pos>()),
                Row::DeferredInsert => drop(world.entity_mut(entity).remove::<Vel>()),
                Row::OwnedDelete => {
                    world.entity_mut(entity).insert(vel.map(Pos::of).expect("it stayed"));
                }
                Row::DeferredDelete => {
                    world.entity_mut(entity).insert(pos.map(Vel::of).expect("it stayed"));
                }
                Row::OwnedInitialize if vel.is_none() => assert!(world.despawn(entity)),
                Row::DeferredInitialize if pos.is_none() => assert!(world.despawn(entity)),
                Row::OwnedUpdate
                | Row::DeferredUpdate
                | Row::OwnedInitialize
                | Row::DeferredInitialize => {}
            }
        }
        // Programs do this once per frame.
        world.clear_trackers();
    }

    fn summary(&mut self) -> Summary {
        let mut summary = Summary {
            entities: self.world.query::<(Entity, AnyOf<(&Pos, &Vel)>)>().iter(&self.world).count(),
            ..Summary::default()
        };
        self.world.query::<&Pos>().iter(&self.world).for_each(|pos| summary.add_pos(*pos));
        self.world.query::<&Vel>().iter(&self.world).for_each(|vel| summary.add_vel(*vel));
        summary
    }
}
