//! What happens: motion, minds, fights, spawns and despawns.

#![expect(clippy::needless_pass_by_value, reason = "the form that bevy asks of a system")]
#![expect(clippy::type_complexity, reason = "the type of a query says what a system accesses")]

use bevy_ecs::prelude::*;
use bevy_ecs::query::{IterQueryData, QueryData, QueryFilter, QueryItem};

use super::{
    Armor, Beacons, Boss, Bosses, Brain, Burning, Camera, Color, Cooldown, Damage, Damping, Death,
    Emitter, Frame, Health, Heat, Hit, Id, Lifetime, Owner, Pickup, Player, Position, Regeneration,
    Rotation, Score, Shield, Shot, Speed, Spin, Split, Spot, Steering, Sway, Taken, Target,
    Velocity, Waypoint, Weapon,
};
use crate::frame::{rules, start};

/// Visits all entities of a query, on all threads if systems are split.
pub(super) fn for_each<D: IterQueryData + QueryData, F: QueryFilter>(
    query: &mut Query<'_, '_, D, F>,
    split: Split,
    f: impl Fn(QueryItem<'_, '_, D>) + Send + Sync + Clone,
) {
    if split.0 {
        query.par_iter_mut().for_each(f);
    } else {
        query.iter_mut().for_each(f);
    }
}

pub(super) fn advance_frame(mut frame: ResMut<'_, Frame>) {
    rules::advance_frame(&mut frame);
}

pub(super) fn read_input(mut player: Single<'_, '_, &mut Player>, frame: Res<'_, Frame>) {
    rules::read_input(&mut player, *frame);
}

pub(super) fn cool_weapons(mut query: Query<'_, '_, &mut Cooldown>) {
    query.iter_mut().for_each(|mut cooldown| rules::cool_weapon(&mut cooldown));
}

pub(super) fn regenerate(mut query: Query<'_, '_, (&mut Health, &mut Regeneration)>) {
    query.iter_mut().for_each(|(mut health, mut timer)| rules::regenerate(&mut health, &mut timer));
}

pub(super) fn recharge_shields(mut query: Query<'_, '_, &mut Shield>) {
    query.iter_mut().for_each(|mut shield| rules::recharge(&mut shield));
}

pub(super) fn cool_heat(mut query: Query<'_, '_, &mut Heat>) {
    query.iter_mut().for_each(|mut heat| rules::cool_heat(&mut heat));
}

pub(super) fn burn(mut query: Query<'_, '_, (&mut Burning, &mut Health)>) {
    query.iter_mut().for_each(|(mut burning, mut health)| rules::burn(&mut burning, &mut health));
}

pub(super) fn retarget(
    mut query: Query<'_, '_, (&Id, &mut Target), With<Brain>>,
    all: Query<'_, '_, &Id>,
    (frame, beacons, split): (Res<'_, Frame>, Res<'_, Beacons>, Res<'_, Split>),
) {
    for_each(&mut query, *split, |(id, mut target)| {
        if !all.contains(target.0) {
            target.0 = beacons.0[rules::new_target(*id, *frame, beacons.0.len())];
        }
    });
}

pub(super) fn sense(
    mut query: Query<'_, '_, (&mut Brain, &Position, &Target)>,
    places: Query<'_, '_, &Position>,
    split: Res<'_, Split>,
) {
    for_each(&mut query, *split, |(mut brain, position, target)| {
        rules::sense(&mut brain, position, places.get(target.0).ok());
    });
}

pub(super) fn think(mut query: Query<'_, '_, (&mut Brain, &Id, &Health)>, split: Res<'_, Split>) {
    for_each(&mut query, *split, |(mut brain, id, health)| rules::think(&mut brain, *id, health));
}

type Patrolling =
    (&'static mut Steering, &'static mut Waypoint, &'static Brain, &'static Id, &'static Position);

pub(super) fn patrol(mut query: Query<'_, '_, Patrolling>, split: Res<'_, Split>) {
    for_each(&mut query, *split, |(mut steering, mut waypoint, brain, id, position)| {
        rules::patrol(&mut steering, &mut waypoint, brain, *id, position);
    });
}

pub(super) fn chase(
    mut query: Query<'_, '_, (&mut Steering, &Brain, &Position, &Target)>,
    places: Query<'_, '_, &Position>,
    split: Res<'_, Split>,
) {
    for_each(&mut query, *split, |(mut steering, brain, position, target)| {
        rules::chase(&mut steering, brain, position, || places.get(target.0).ok().copied());
    });
}

pub(super) fn gather_bosses(
    query: Query<'_, '_, &Position, With<Boss>>,
    mut bosses: ResMut<'_, Bosses>,
) {
    bosses.0.clear();
    bosses.0.extend(query);
}

pub(super) fn avoid_bosses(
    mut query: Query<'_, '_, (&mut Steering, &Position), With<Brain>>,
    (bosses, split): (Res<'_, Bosses>, Res<'_, Split>),
) {
    for_each(&mut query, *split, |(mut steering, position)| {
        rules::avoid(&mut steering, position, &bosses.0);
    });
}

pub(super) fn boss_phases(
    mut query: Query<'_, '_, (&mut Boss, &mut Health, &mut Steering, &Id), Without<Brain>>,
) {
    for (mut boss, mut health, mut steering, id) in &mut query {
        rules::boss_phase(&mut boss, &mut health, &mut steering, *id);
    }
}

pub(super) fn drive_player(
    mut query: Query<'_, '_, (&Player, &mut Steering), (Without<Brain>, Without<Boss>)>,
) {
    query.iter_mut().for_each(|(player, mut steering)| rules::drive_player(player, &mut steering));
}

pub(super) fn accelerate(mut query: Query<'_, '_, (&mut Velocity, &Steering)>) {
    query
        .iter_mut()
        .for_each(|(mut velocity, steering)| rules::accelerate(&mut velocity, steering));
}

pub(super) fn fall(mut query: Query<'_, '_, &mut Velocity, (With<Color>, Without<Steering>)>) {
    query.iter_mut().for_each(|mut velocity| rules::fall(&mut velocity));
}

type Homing = (With<Damage>, Without<Steering>, Without<Color>, Without<Brain>);

pub(super) fn home(
    mut query: Query<'_, '_, (&mut Velocity, &Position, &Target), Homing>,
    places: Query<'_, '_, &Position>,
    split: Res<'_, Split>,
) {
    for_each(&mut query, *split, |(mut velocity, position, target)| {
        rules::home(&mut velocity, position, places.get(target.0).ok());
    });
}

pub(super) fn damp(mut query: Query<'_, '_, (&mut Velocity, &Damping)>) {
    query.iter_mut().for_each(|(mut velocity, damping)| rules::damp(&mut velocity, damping));
}

pub(super) fn limit_speed(mut query: Query<'_, '_, (&mut Velocity, &Speed)>) {
    query.iter_mut().for_each(|(mut velocity, speed)| rules::limit_speed(&mut velocity, speed.0));
}

type Firing = (
    Entity,
    &'static Id,
    &'static Brain,
    &'static mut Cooldown,
    &'static Weapon,
    &'static Position,
    &'static Target,
);

pub(super) fn fire(mut query: Query<'_, '_, Firing>, mut shots: MessageWriter<'_, Shot<Entity>>) {
    for (unit, id, brain, mut cooldown, weapon, position, target) in &mut query {
        let both = (target.0, unit);
        if let Some(shot) = rules::fire(*id, brain, &mut cooldown, weapon, position, both) {
            shots.write(shot);
        }
    }
}

pub(super) fn advance(mut query: Query<'_, '_, (&mut Position, &Velocity)>, split: Res<'_, Split>) {
    for_each(&mut query, *split, |(mut position, velocity)| {
        rules::advance(&mut position, velocity);
    });
}

pub(super) fn confine(
    mut query: Query<'_, '_, (&mut Position, &mut Velocity), (With<Speed>, Without<Color>)>,
    split: Res<'_, Split>,
) {
    for_each(&mut query, *split, |(mut position, mut velocity)| {
        rules::confine(&mut position, &mut velocity);
    });
}

type OnGround = (With<Color>, Without<Speed>, Without<Rotation>);

pub(super) fn ground(mut query: Query<'_, '_, (&mut Position, &mut Velocity), OnGround>) {
    query.iter_mut().for_each(|(mut place, mut velocity)| rules::bounce(&mut place, &mut velocity));
}

type Swaying = (Without<Spin>, Without<Velocity>, Without<Camera>);

pub(super) fn sway_trees(mut query: Query<'_, '_, (&mut Sway, &mut Rotation), Swaying>) {
    query.iter_mut().for_each(|(mut sway, mut rotation)| rules::sway(&mut sway, &mut rotation));
}

type Turning = (Without<Sway>, Without<Velocity>, Without<Camera>);

pub(super) fn turn(mut query: Query<'_, '_, (&mut Rotation, &Spin), Turning>) {
    query.iter_mut().for_each(|(mut rotation, spin)| rules::turn(&mut rotation, spin));
}

type Facing = (Without<Sway>, Without<Spin>, Without<Camera>, Without<Color>);

pub(super) fn face(
    mut query: Query<'_, '_, (&mut Rotation, &Velocity), Facing>,
    split: Res<'_, Split>,
) {
    for_each(&mut query, *split, |(mut rotation, velocity)| rules::face(&mut rotation, velocity));
}

type Bobbing = (Without<Velocity>, Without<Camera>, Without<Brain>, Without<Boss>);

pub(super) fn bob(mut query: Query<'_, '_, (&mut Pickup, &mut Position), Bobbing>) {
    query.iter_mut().for_each(|(mut pickup, mut position)| rules::bob(&mut pickup, &mut position));
}

type Controlled = (With<Player>, With<Speed>, Without<Pickup>);

pub(super) fn locate_player(
    player: Single<'_, '_, &Position, Controlled>,
    mut spot: ResMut<'_, Spot>,
) {
    rules::locate(&mut spot, *player);
}

pub(super) fn pick_up(
    mut query: Query<
        '_,
        '_,
        (&Id, &mut Pickup, &mut Position),
        (Without<Velocity>, Without<Camera>),
    >,
    spot: Res<'_, Spot>,
    mut all: MessageWriter<'_, Taken>,
) {
    for (id, mut pickup, mut position) in &mut query {
        if let Some(taken) = rules::pick_up(*id, &mut pickup, &mut position, *spot) {
            all.write(taken);
        }
    }
}

pub(super) fn age(mut query: Query<'_, '_, &mut Lifetime>) {
    query.iter_mut().for_each(|mut lifetime| rules::age(&mut lifetime));
}

type Striking =
    (&'static mut Lifetime, &'static Damage, &'static Position, &'static Target, &'static Owner);

pub(super) fn strike(
    mut query: Query<'_, '_, Striking>,
    places: Query<'_, '_, &Position>,
    mut hits: MessageWriter<'_, Hit<Entity>>,
) {
    for (mut lifetime, damage, position, target, owner) in &mut query {
        let (there, both) = (places.get(target.0).ok(), (target.0, owner.0));
        if let Some(hit) = rules::strike(&mut lifetime, damage, position, there, both) {
            hits.write(hit);
        }
    }
}

type Fighters =
    (&'static mut Health, &'static mut Heat, &'static Armor, Option<&'static mut Shield>);

pub(super) fn apply_hits(
    mut hits: MessageReader<'_, '_, Hit<Entity>>,
    mut fighters: Query<'_, '_, Fighters>,
) {
    for hit in hits.read() {
        if let Ok((mut health, mut heat, armor, mut shield)) = fighters.get_mut(hit.target) {
            rules::apply_hit(hit.damage, &mut health, &mut heat, armor, shield.as_deref_mut());
        }
    }
}

pub(super) fn score_hits(
    mut hits: MessageReader<'_, '_, Hit<Entity>>,
    mut scores: Query<'_, '_, &mut Score>,
) {
    for hit in hits.read() {
        if let Ok(mut score) = scores.get_mut(hit.owner) {
            rules::score_hit(hit.damage, &mut score);
        }
    }
}

pub(super) fn score_pickups(
    mut all: MessageReader<'_, '_, Taken>,
    mut score: Single<'_, '_, &mut Score, With<Player>>,
) {
    for taken in all.read() {
        rules::score_pickup(*taken, &mut score);
    }
}

type Emitting = (Without<Velocity>, Without<Pickup>, Without<Camera>);

pub(super) fn emit(
    mut query: Query<'_, '_, (&Id, &Position, &mut Emitter), Emitting>,
    mut commands: Commands<'_, '_>,
) {
    let mut particles = Vec::new();
    for (id, position, mut emitter) in &mut query {
        if let Some(first) = rules::emit(&mut emitter) {
            particles.extend((first..first + 3).map(|n| start::particle(*id, n, position)));
        }
    }
    commands.spawn_batch(particles);
}

pub(super) fn expire(query: Query<'_, '_, (Entity, &Lifetime)>, mut commands: Commands<'_, '_>) {
    for (entity, lifetime) in &query {
        if lifetime.0 == 0 {
            commands.entity(entity).despawn();
        }
    }
}

pub(super) fn launch(
    mut shots: MessageReader<'_, '_, Shot<Entity>>,
    mut commands: Commands<'_, '_>,
) {
    let projectile = |shot: &Shot<Entity>| {
        let projectile = start::projectile(shot.id, shot.from, shot.speed, shot.damage);
        (projectile, Target(shot.target), Owner(shot.owner))
    };
    commands.spawn_batch(shots.read().map(projectile).collect::<Vec<_>>());
}

pub(super) fn reap(
    query: Query<'_, '_, (Entity, &Id, &Health, &Target), With<Brain>>,
    mut deaths: MessageWriter<'_, Death<Entity>>,
    mut commands: Commands<'_, '_>,
) {
    for (unit, id, health, target) in &query {
        if let Some(death) = rules::reap(*id, health, target.0) {
            commands.entity(unit).despawn();
            deaths.write(death);
        }
    }
}

pub(super) fn respawn(
    mut deaths: MessageReader<'_, '_, Death<Entity>>,
    mut commands: Commands<'_, '_>,
) {
    for death in deaths.read() {
        let (body, motion, fighter, mind, shield) = start::successor(death.id);
        let target = Target(death.target);
        match shield {
            Some(shield) => commands.spawn((body, motion, fighter, mind, shield, target)),
            None => commands.spawn((body, motion, fighter, mind, target)),
        };
    }
}

pub(super) fn ignite(
    mut query: Query<'_, '_, (Entity, &mut Heat, &Health), (With<Brain>, Without<Burning>)>,
    mut commands: Commands<'_, '_>,
) {
    for (unit, mut heat, health) in &mut query {
        if let Some(burning) = rules::ignite(&mut heat, health) {
            commands.entity(unit).insert(burning);
        }
    }
}

pub(super) fn quench(
    query: Query<'_, '_, (Entity, &Burning, &Health)>,
    mut commands: Commands<'_, '_>,
) {
    for (unit, burning, health) in &query {
        if rules::is_quenched(burning, health) {
            commands.entity(unit).remove::<Burning>();
        }
    }
}
