//! The entities of the first frame, and those that are spawned later.

#![expect(
    clippy::large_types_passed_by_value,
    reason = "all of its parts are moved into the entity"
)]

use flecs_ecs::prelude::*;

use super::{Beacons, Owner, Static, Target};
use crate::frame::start::{self, BOSSES, Counts};

/// Sets the parts of tuples of an entity.
macro_rules! set {
    ($entity:expr, $($tuple:expr => $($part:ident)*;)*) => {{
        let entity = $entity;
        $(
            let ($($part),*) = $tuple;
            $(entity.set($part);)*
        )*
        entity
    }};
}

fn with_body(entity: EntityView<'_>, body: start::Body) -> EntityView<'_> {
    set!(entity, body => id position rotation scale transform bounds culling;)
}

fn with_fighter(
    entity: EntityView<'_>,
    motion: start::Motion,
    fighter: start::Fighter,
) -> EntityView<'_> {
    set! {
        entity,
        motion => velocity steering damping speed;
        fighter => lod health regeneration armor heat team score animation pose sound;
    }
}

pub(super) fn unit(world: &World, unit: start::Unit, target: Entity) -> Entity {
    let (body, motion, fighter, mind, shield) = unit;
    let entity = with_fighter(with_body(world.entity(), body), motion, fighter);
    set!(entity, mind => cooldown weapon brain waypoint;);
    if let Some(shield) = shield {
        entity.set(shield);
    }
    entity.set(Target(target)).id()
}

pub(super) fn particle(world: &World, particle: start::Particle) {
    set!(world.entity(), particle => id position velocity damping lifetime color scale;);
}

pub(super) fn projectile(
    world: &World,
    projectile: start::Projectile,
    (target, owner): (Entity, Entity),
) {
    let (body, velocity, lifetime, damage) = projectile;
    let entity = with_body(world.entity(), body);
    set!(entity, (velocity, lifetime, damage) => velocity lifetime damage;);
    entity.set(Target(target)).set(Owner(owner));
}

/// Spawns the entities of the first frame.
pub(super) fn fill(world: &World, entities: u32) {
    let counts = Counts::of(entities);
    let mut beacons = Vec::new();
    for i in 0..BOSSES {
        let (body, motion, fighter, shield, boss) = start::boss(i);
        let entity = with_fighter(with_body(world.entity(), body), motion, fighter);
        beacons.push(entity.set(shield).set(boss).id());
    }
    for i in 0..counts.camps {
        let (body, _, emitter, team) = start::camp(i);
        let entity = with_body(world.entity(), body).add(Static::id());
        beacons.push(entity.set(emitter).set(team).id());
    }
    let (body, motion, fighter, player) = start::player();
    with_fighter(with_body(world.entity(), body), motion, fighter).set(player);
    set!(world.entity(), start::camera() => id position rotation camera;);
    for i in 0..counts.scenery {
        let (body, _, lod, sway) = start::scenery(i);
        let entity = with_body(world.entity(), body).add(Static::id()).set(lod);
        if let Some(sway) = sway {
            entity.set(sway);
        }
    }
    let beacon = |i: u32| beacons[i as usize % beacons.len()];
    let units: Vec<Entity> =
        (0..counts.units).map(|i| unit(world, start::first_unit(i), beacon(i))).collect();
    for i in (0..units.len()).step_by(2) {
        world.entity_from_id(units[i]).set(Target(units[(i * 31 + 1) % units.len()]));
    }
    for i in 0..counts.particles {
        particle(world, start::first_particle(i));
    }
    for i in 0..counts.projectiles {
        let owner = units[i as usize % units.len()];
        projectile(world, start::first_projectile(i), (beacon(i), owner));
    }
    for i in 0..counts.pickups {
        let (body, lod, spin, pickup) = start::pickup(i);
        with_body(world.entity(), body).set(lod).set(spin).set(pickup);
    }
    world.set(Beacons(beacons));
}
