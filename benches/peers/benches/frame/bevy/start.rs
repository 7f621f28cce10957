//! The first frame.

use bevy_ecs::message::MessageRegistry;
use bevy_ecs::prelude::*;

use super::{
    Batches, Beacons, Bosses, Cue, Death, Draws, Frame, Hit, Mixer, Owner, Shot, Spot, Taken,
    Target, View,
};
use crate::frame::start::{self, BOSSES, Counts};

/// The world of the first frame.
pub(super) fn world(entities: u32) -> World {
    let mut world = World::new();
    world.init_resource::<Frame>();
    world.init_resource::<Spot>();
    world.init_resource::<View>();
    world.init_resource::<Mixer>();
    world.init_resource::<Batches>();
    world.init_resource::<Bosses>();
    world.init_resource::<Draws>();
    MessageRegistry::register_message::<Shot<Entity>>(&mut world);
    MessageRegistry::register_message::<Hit<Entity>>(&mut world);
    MessageRegistry::register_message::<Death<Entity>>(&mut world);
    MessageRegistry::register_message::<Taken>(&mut world);
    MessageRegistry::register_message::<Cue>(&mut world);
    let counts = Counts::of(entities);
    let mut beacons: Vec<Entity> = world.spawn_batch((0..BOSSES).map(start::boss)).collect();
    beacons.extend(world.spawn_batch((0..counts.camps).map(start::camp)));
    world.spawn(start::player());
    world.spawn(start::camera());
    for i in 0..counts.scenery {
        let (body, fixed, lod, sway) = start::scenery(i);
        let mut scenery = world.spawn((body, fixed, lod));
        if let Some(sway) = sway {
            scenery.insert(sway);
        }
    }
    let beacon = |i: u32| beacons[i as usize % beacons.len()];
    let units: Vec<Entity> = (0..counts.units)
        .map(|i| {
            let (body, motion, fighter, mind, shield) = start::first_unit(i);
            let target = Target(beacon(i));
            match shield {
                Some(shield) => world.spawn((body, motion, fighter, mind, shield, target)).id(),
                None => world.spawn((body, motion, fighter, mind, target)).id(),
            }
        })
        .collect();
    for i in (0..units.len()).step_by(2) {
        let target = Target(units[(i * 31 + 1) % units.len()]);
        world.entity_mut(units[i]).insert(target);
    }
    world.spawn_batch((0..counts.particles).map(start::first_particle));
    let projectile = |i: u32| {
        let owner = Owner(units[i as usize % units.len()]);
        (start::first_projectile(i), Target(beacon(i)), owner)
    };
    world.spawn_batch((0..counts.projectiles).map(projectile).collect::<Vec<_>>());
    world.spawn_batch((0..counts.pickups).map(start::pickup));
    world.insert_resource(Beacons(beacons));
    world
}
