//! `bevy_ecs`: a schedule with the same order between systems as in the library, which bevy checks, too; events are
//! messages, other passed-on data resources. Commands are applied at the end of the schedule.
//!
//! Systems that go through many entities use `iter_mut`, or, in a second form, `par_iter_mut` where the library splits a
//! system over its threads.

mod picture;
mod schedule;
mod start;
mod systems;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::Schedule;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

use crate::frame::components::{
    Animation, Armor, Boss, Bounds, Brain, Burning, Camera, Color, Cooldown, Culling, Damage,
    Damping, Emitter, Health, Heat, Id, Lifetime, Lod, Pickup, Player, Pose, Position,
    Regeneration, Rotation, Scale, Score, Shield, Sound, Speed, Spin, Static, Steering, Sway, Team,
    Transform, Velocity, Waypoint, Weapon, with_components,
};
use crate::frame::events::{Batches, Cue, Death, Draw, Frame, Hit, Mixer, Shot, Spot, Taken, View};
use crate::frame::summary::Summary;
use crate::measure::Game;

/// What a unit shoots at, or a projectile follows.
#[derive(Component, Clone, Copy)]
struct Target(Entity);

/// Who has shot a projectile.
#[derive(Component, Clone, Copy)]
struct Owner(Entity);

/// Entities that are never despawned.
#[derive(Resource, Default)]
struct Beacons(Vec<Entity>);

/// Where the bosses are.
#[derive(Resource, Default)]
struct Bosses(Vec<Position>);

/// What is drawn.
#[derive(Resource, Default)]
struct Draws(Vec<Draw>);

/// Whether systems split their entities over the threads.
#[derive(Resource, Clone, Copy)]
struct Split(bool);

impl Message for Shot<Entity> {}
impl Message for Hit<Entity> {}
impl Message for Death<Entity> {}
impl Message for Taken {}
impl Message for Cue {}

/// The game, with the schedule that ends the life of messages, and the one of all systems.
struct Bevy {
    world: World,
    first: Schedule,
    all: Schedule,
}

impl Game for Bevy {
    fn frame(&mut self) {
        self.first.run(&mut self.world);
        self.all.run(&mut self.world);
        self.world.clear_trackers();
    }

    fn summary(&mut self) -> Summary {
        let world = &mut self.world;
        let mut summary = Summary::default();
        macro_rules! add {
            ($($component:ident)*) => {$(
                for (id, component) in world.query::<(&Id, &$component)>().iter(world) {
                    summary.add(*id, stringify!($component), component);
                }
            )*};
        }
        with_components!(add);
        let mut targets = world.query::<(&Id, &Target)>();
        for (id, target) in targets.iter(world) {
            summary.add(*id, "Target", &world.get::<Id>(target.0));
        }
        let mut owners = world.query::<(&Id, &Owner)>();
        for (id, owner) in owners.iter(world) {
            summary.add(*id, "Owner", &world.get::<Id>(owner.0));
        }
        summary.add_resource(world.resource::<Frame>());
        summary.add_resource(world.resource::<Spot>());
        summary.add_resource(world.resource::<View>());
        summary.add_resource(world.resource::<Mixer>());
        summary.add_resource(world.resource::<Batches>());
        summary
    }
}

fn new(entities: u32, threads: usize, split: bool) -> Box<dyn Game> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads).build());
    let (first, all) = schedule::schedules(threads);
    let mut world = start::world(entities);
    world.insert_resource(Split(split));
    Box::new(Bevy { world, first, all })
}

/// Each system is run by one thread.
pub(crate) fn whole(entities: u32, threads: usize) -> Box<dyn Game> {
    new(entities, threads, false)
}

/// Some systems are split over the threads.
pub(crate) fn split(entities: u32, threads: usize) -> Box<dyn Game> {
    new(entities, threads, true)
}
