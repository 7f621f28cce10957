//! The systems, in the order in which they run.

use flecs_ecs::prelude::*;

use super::alive;
use super::{
    Animation, Armor, Batches, Beacons, Boss, Bosses, Bounds, Brain, Burning, Camera, Collected,
    Color, Cooldown, Cues, Culling, Damage, Damping, Deaths, Draws, Emitter, Frame, Health, Heat,
    Hits, Id, Lifetime, Lod, Mixer, Owner, Pickup, Player, Pose, Position, Regeneration, Rotation,
    Scale, Score, Shield, Shots, Sound, Speed, Spin, Spot, Static, Steering, Sway, Target,
    Transform, Velocity, View, Waypoint, Weapon, start,
};
use crate::frame::{rules, start as parts};

/// The position of another entity, if it is alive.
fn position_of(from: EntityView<'_>, entity: Entity) -> Option<Position> {
    let world = from.world();
    alive(&world, entity)?.try_get::<&Position>(|position| *position)
}

/// Declares all systems. Systems of a phase run in the order of their declaration.
pub(super) fn declare(world: &World) {
    wants(world);
    motion(world);
    hits(world);
    picture(world);
    lists(world);
    coming_and_going(world);
}

/// What happens to units by itself, and what they want.
fn wants(world: &World) {
    world.system::<&mut Frame>().each(rules::advance_frame);
    world.system::<(&mut Player, &Frame)>().each(|(player, frame)| {
        rules::read_input(player, *frame);
    });
    // Split from here.
    world.system::<&mut Cooldown>().par_each(rules::cool_weapon);
    world.system::<(&mut Health, &mut Regeneration)>().par_each(|(health, regeneration)| {
        rules::regenerate(health, regeneration);
    });
    world.system::<&mut Shield>().par_each(rules::recharge);
    world.system::<&mut Heat>().par_each(rules::cool_heat);
    world.system::<(&mut Burning, &mut Health)>().par_each(|(burning, health)| {
        rules::burn(burning, health);
    });
    world.system::<(&Id, &mut Target, &Frame, &Beacons)>().with(Brain::id()).par_each_entity(
        |entity, (id, target, frame, beacons)| {
            if !entity.world().is_alive(target.0) {
                target.0 = beacons.0[rules::new_target(*id, *frame, beacons.0.len())];
            }
        },
    );
    world.system::<(&mut Brain, &Position, &Target)>().par_each_entity(
        |entity, (brain, position, target)| {
            rules::sense(brain, position, position_of(entity, target.0).as_ref());
        },
    );
    world.system::<(&mut Brain, &Id, &Health)>().par_each(|(brain, id, health)| {
        rules::think(brain, *id, health);
    });
    world.system::<(&mut Steering, &mut Waypoint, &Brain, &Id, &Position)>().par_each(
        |(steering, waypoint, brain, id, position)| {
            rules::patrol(steering, waypoint, brain, *id, position);
        },
    );
    world.system::<(&mut Steering, &Brain, &Position, &Target)>().par_each_entity(
        |entity, (steering, brain, position, target)| {
            rules::chase(steering, brain, position, || position_of(entity, target.0));
        },
    );
    world.system::<(&mut Velocity, &Position, &Target)>().with(Damage::id()).par_each_entity(
        |entity, (velocity, position, target)| {
            rules::home(velocity, position, position_of(entity, target.0).as_ref());
        },
    );
    // Not split, so all threads have looked up positions before these change.
    world.system::<&mut Bosses>().each(|bosses| bosses.0.clear());
    world.system::<(&Position, &mut Bosses)>().with(Boss::id()).each(|(position, bosses)| {
        bosses.0.push(*position);
    });
    world
        .system::<(&mut Boss, &mut Health, &mut Steering, &Id)>()
        .each(|(boss, health, steering, id)| rules::boss_phase(boss, health, steering, *id));
    world.system::<(&Player, &mut Steering)>().each(|(player, steering)| {
        rules::drive_player(player, steering);
    });
    world.system::<&mut Shots>().each(|shots| shots.0.clear());
    world
        .system::<(&Id, &Brain, &mut Cooldown, &Weapon, &Position, &Target, &mut Shots)>()
        .each_entity(|unit, (id, brain, cooldown, weapon, position, target, shots)| {
            let both = (target.0, unit.id());
            shots.0.extend(rules::fire(*id, brain, cooldown, weapon, position, both));
        });
}

/// Velocities, positions and rotations.
fn motion(world: &World) {
    world
        .system::<(&mut Steering, &Position, &Bosses)>()
        .with(Brain::id())
        .par_each(|(steering, position, bosses)| rules::avoid(steering, position, &bosses.0));
    world.system::<(&mut Velocity, &Steering)>().par_each(|(velocity, steering)| {
        rules::accelerate(velocity, steering);
    });
    world.system::<&mut Velocity>().with(Color::id()).par_each(rules::fall);
    world.system::<(&mut Velocity, &Damping)>().par_each(|(velocity, damping)| {
        rules::damp(velocity, damping);
    });
    world.system::<(&mut Velocity, &Speed)>().par_each(|(velocity, speed)| {
        rules::limit_speed(velocity, speed.0);
    });
    world.system::<(&mut Position, &Velocity)>().par_each(|(position, velocity)| {
        rules::advance(position, velocity);
    });
    world
        .system::<(&mut Position, &mut Velocity)>()
        .with(Speed::id())
        .par_each(|(position, velocity)| rules::confine(position, velocity));
    world
        .system::<(&mut Position, &mut Velocity)>()
        .with(Color::id())
        .par_each(|(position, velocity)| rules::bounce(position, velocity));
    world.system::<(&mut Sway, &mut Rotation)>().par_each(|(sway, rotation)| {
        rules::sway(sway, rotation);
    });
    world.system::<(&mut Rotation, &Spin)>().par_each(|(rotation, spin)| {
        rules::turn(rotation, spin);
    });
    world.system::<(&mut Rotation, &Velocity)>().par_each(|(rotation, velocity)| {
        rules::face(rotation, velocity);
    });
    world.system::<(&mut Pickup, &mut Position)>().par_each(|(pickup, position)| {
        rules::bob(pickup, position);
    });
    world.system::<&mut Lifetime>().par_each(rules::age);
    // Not split from here.
    world.system::<(&Position, &mut Spot)>().with(Player::id()).each(|(position, spot)| {
        rules::locate(spot, position);
    });
    world.system::<&mut Collected>().each(|all| all.0.clear());
    world.system::<(&Id, &mut Pickup, &mut Position, &Spot, &mut Collected)>().each(
        |(id, pickup, position, spot, all)| {
            all.0.extend(rules::pick_up(*id, pickup, position, *spot));
        },
    );
    world.system::<(&mut Position, &Spot)>().with(Camera::id()).each(|(position, spot)| {
        rules::follow(position, *spot);
    });
    world.system::<(&mut Rotation, &Position, &Camera, &Spot, &mut View)>().each(
        |(rotation, position, camera, spot, view)| {
            rules::aim(rotation, position, camera, (*spot, view));
        },
    );
}

/// What a hit concerns.
type Fighter<'a> = (&'a mut Health, &'a mut Heat, &'a Armor, Option<&'a mut Shield>);

/// Hits and points.
fn hits(world: &World) {
    world.system::<&mut Hits>().each(|hits| hits.0.clear());
    world.system::<(&mut Lifetime, &Damage, &Position, &Target, &Owner, &mut Hits)>().each_entity(
        |entity, (lifetime, damage, position, target, owner, hits)| {
            let there = position_of(entity, target.0);
            let both = (target.0, owner.0);
            hits.0.extend(rules::strike(lifetime, damage, position, there.as_ref(), both));
        },
    );
    world.system::<&Hits>().run(|mut it| {
        let world = it.world();
        while it.next() {
            let hits = it.field::<Hits>(0);
            for hit in &hits[0].0 {
                let Some(entity) = alive(&world, hit.target) else { continue };
                entity.try_get::<Fighter<'_>>(|(health, heat, armor, shield)| {
                    rules::apply_hit(hit.damage, health, heat, armor, shield);
                });
            }
        }
    });
    world.system::<&Hits>().run(|mut it| {
        let world = it.world();
        while it.next() {
            let hits = it.field::<Hits>(0);
            for hit in &hits[0].0 {
                let Some(entity) = alive(&world, hit.owner) else { continue };
                entity.try_get::<&mut Score>(|score| rules::score_hit(hit.damage, score));
            }
        }
    });
    world.system::<(&mut Score, &Collected)>().with(Player::id()).each(|(score, all)| {
        all.0.iter().for_each(|taken| rules::score_pickup(*taken, score));
    });
}

/// What is seen and heard.
fn picture(world: &World) {
    // Split again.
    world.system::<(&mut Color, &Lifetime)>().par_each(|(color, lifetime)| {
        rules::fade(color, lifetime);
    });
    world.system::<(&mut Scale, &Pickup)>().par_each(|(scale, pickup)| {
        rules::pulse(scale, pickup);
    });
    world.system::<(&mut Animation, &Brain)>().par_each(|(animation, brain)| {
        rules::choose_clip(animation, brain);
    });
    world.system::<&mut Animation>().par_each(rules::play);
    world
        .system::<(&mut Transform, &Position, &Rotation, &Scale)>()
        .without(Static::id())
        .par_each(|(transform, position, rotation, scale)| {
            rules::build(transform, position, rotation, scale);
        });
    world.system::<(&mut Transform, &Position, &Rotation, &Scale)>().with(Sway::id()).par_each(
        |(transform, position, rotation, scale)| {
            rules::build(transform, position, rotation, scale);
        },
    );
    world
        .system::<(&mut Culling, &Position, &Bounds, &View)>()
        .par_each(|(culling, position, bounds, view)| rules::cull(culling, position, bounds, view));
    world.system::<(&mut Lod, &Culling)>().par_each(|(lod, culling)| {
        rules::choose_lod(lod, culling);
    });
    world.system::<(&mut Sound, &Culling)>().par_each(|(sound, culling)| {
        rules::attenuate(sound, culling);
    });
    world.system::<(&mut Pose, &Animation, &Culling)>().par_each(|(pose, animation, culling)| {
        rules::pose(pose, animation, culling);
    });
}

/// What is heard and drawn, in lists.
fn lists(world: &World) {
    world.system::<&mut Cues>().each(|cues| cues.0.clear());
    world.system::<(&Animation, &Sound, &mut Cues)>().each(|(animation, sound, cues)| {
        cues.0.extend(rules::footstep(animation, sound));
    });
    world.system::<(&mut Mixer, &Cues)>().each(|(mixer, cues)| {
        rules::mix_sounds(mixer, cues.0.iter().copied());
    });
    world.system::<&mut Draws>().each(|draws| draws.0.clear());
    world.system::<(&Id, &Culling, &Transform, Option<&Lod>, &mut Draws)>().each(
        |(id, culling, transform, lod, draws)| {
            draws.0.extend(rules::draw(*id, culling, transform, lod));
        },
    );
    world.system::<(&mut Batches, &Draws)>().each(|(batches, draws)| {
        rules::batch(batches, draws.0.iter().copied());
    });
}

/// Entities that come and go: what these systems do is applied at the end of the frame.
fn coming_and_going(world: &World) {
    world.system::<(&Id, &Position, &mut Emitter)>().each_entity(
        |entity, (id, position, emitter)| {
            if let Some(first) = rules::emit(emitter) {
                for n in first..first + 3 {
                    start::particle(&entity.world(), parts::particle(*id, n, position));
                }
            }
        },
    );
    world.system::<&Lifetime>().each_entity(|entity, lifetime| {
        if lifetime.0 == 0 {
            entity.destruct();
        }
    });
    world.system::<&Shots>().each_iter(|it, _, shots| {
        for shot in &shots.0 {
            let projectile = parts::projectile(shot.id, shot.from, shot.speed, shot.damage);
            start::projectile(&it.world(), projectile, (shot.target, shot.owner));
        }
    });
    world.system::<&mut Deaths>().each(|deaths| deaths.0.clear());
    world.system::<(&Id, &Health, &Target, &mut Deaths)>().with(Brain::id()).each_entity(
        |unit, (id, health, target, deaths)| {
            if let Some(death) = rules::reap(*id, health, target.0) {
                unit.destruct();
                deaths.0.push(death);
            }
        },
    );
    world.system::<&Deaths>().each_iter(|it, _, deaths| {
        for death in &deaths.0 {
            start::unit(&it.world(), parts::successor(death.id), death.target);
        }
    });
    world.system::<(&mut Heat, &Health)>().with(Brain::id()).without(Burning::id()).each_entity(
        |unit, (heat, health)| {
            if let Some(burning) = rules::ignite(heat, health) {
                unit.set(burning);
            }
        },
    );
    world.system::<(&Burning, &Health)>().each_entity(|unit, (burning, health)| {
        if rules::is_quenched(burning, health) {
            unit.remove(Burning::id());
        }
    });
}
