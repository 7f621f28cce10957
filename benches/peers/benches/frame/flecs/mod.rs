//! `flecs_ecs`: systems in the default pipeline, in an order that the library's declaration permits. On two threads those
//! that visit their own entities are split (`par_each`); those that collect events or change entities are not, as in
//! flecs' manual, and all threads meet between the two. Lists are singletons. Checks of aliasing are on, as by default.
//!
//! On two threads it has come to another state in some runs, with the same systems as on one thread, where it never has. The
//! cause is not known. The table says where that happens.

mod start;
mod systems;

use flecs_ecs::prelude::*;

use crate::frame::components::{
    Animation, Armor, Boss, Bounds, Brain, Burning, Camera, Color, Cooldown, Culling, Damage,
    Damping, Emitter, Health, Heat, Lifetime, Lod, Pickup, Player, Pose, Regeneration, Rotation,
    Scale, Score, Shield, Sound, Speed, Spin, Static, Steering, Sway, Team, Transform, Velocity,
    Waypoint, Weapon,
};
use crate::frame::components::{Id, Position, with_components};
use crate::frame::events::{Batches, Cue, Death, Draw, Frame, Hit, Mixer, Shot, Spot, Taken, View};
use crate::frame::summary::Summary;
use crate::measure::Game;

/// What a unit shoots at, or a projectile follows.
#[derive(Component, Clone, Copy)]
struct Target(Entity);

/// Who has shot a projectile.
#[derive(Component, Clone, Copy)]
struct Owner(Entity);

/// Declares lists of which a world has one each.
macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident($item:ty);)*) => {
        $(
            $(#[$doc])*
            #[derive(Component, Default)]
            struct $name(Vec<$item>);
        )*

        /// Makes the lists and the resources.
        fn singletons(world: &World) {
            $(
                world.component::<$name>().add_trait::<flecs::Singleton>();
                world.set($name::default());
            )*
            world.component::<Frame>().add_trait::<flecs::Singleton>();
            world.component::<Spot>().add_trait::<flecs::Singleton>();
            world.component::<View>().add_trait::<flecs::Singleton>();
            world.component::<Mixer>().add_trait::<flecs::Singleton>();
            world.component::<Batches>().add_trait::<flecs::Singleton>();
            world.set(Frame::default());
            world.set(Spot::default());
            world.set(View::default());
            world.set(Mixer::default());
            world.set(Batches::default());
        }
    };
}

lists! {
    /// Entities that are never despawned.
    Beacons(Entity);
    /// Where the bosses are.
    Bosses(Position);
    /// The shots of the frame.
    Shots(Shot<Entity>);
    /// The hits of the frame.
    Hits(Hit<Entity>);
    /// The deaths of the frame.
    Deaths(Death<Entity>);
    /// What was collected in the frame.
    Collected(Taken);
    /// What is heard in the frame.
    Cues(Cue);
    /// What is drawn in the frame.
    Draws(Draw);
}

struct Flecs(World);

impl Game for Flecs {
    fn frame(&mut self) {
        self.0.progress_time(1.0);
    }

    fn summary(&mut self) -> Summary {
        let world = &self.0;
        let mut summary = Summary::default();
        macro_rules! add {
            (@ Static) => {
                world.query::<&Id>().with(Static::id()).build().each(|id| {
                    summary.add(*id, "Static", &Static);
                });
            };
            (@ Id) => {
                world.new_query::<&Id>().each(|id| summary.add(*id, "Id", id));
            };
            (@ $component:ident) => {
                world.new_query::<(&Id, &$component)>().each(|(id, component)| {
                    summary.add(*id, stringify!($component), component);
                });
            };
            ($($component:ident)*) => {$(
                add!(@ $component);
            )*};
        }
        with_components!(add);
        let id_of = |entity: Entity| {
            alive(world, entity).and_then(|entity| entity.try_get::<&Id>(|id| *id))
        };
        let mut handles = Vec::new();
        world.new_query::<(&Id, &Target)>().each(|(id, target)| {
            handles.push((*id, "Target", target.0));
        });
        world.new_query::<(&Id, &Owner)>().each(|(id, owner)| {
            handles.push((*id, "Owner", owner.0));
        });
        for (id, name, entity) in handles {
            summary.add(id, name, &id_of(entity));
        }
        world.get::<&Frame>(|frame| summary.add_resource(frame));
        world.get::<&Spot>(|spot| summary.add_resource(spot));
        world.get::<&View>(|view| summary.add_resource(view));
        world.get::<&Mixer>(|mixer| summary.add_resource(mixer));
        world.get::<&Batches>(|batches| summary.add_resource(batches));
        summary
    }
}

/// The entity, if it is alive. `try_get_alive` would take one that has got the same index for it.
fn alive(world: &World, entity: Entity) -> Option<EntityView<'_>> {
    world.is_alive(entity).then(|| world.entity_from_id(entity))
}

pub(crate) fn new(entities: u32, threads: usize) -> Box<dyn Game> {
    let world = World::new();
    singletons(&world);
    start::fill(&world, entities);
    systems::declare(&world);
    if threads > 1 {
        world.set_threads(threads as i32);
    }
    Box::new(Flecs(world))
}
