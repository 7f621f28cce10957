//! The game in this library.

use ecs_core::{Bundle, BundleSink, Entity, StepError, Threads, World, world};

use super::components::{
    Animation, Armor, Boss, Bounds, Brain, Burning, Camera, Color, Cooldown, Culling, Damage,
    Damping, Emitter, Health, Heat, Id, Lifetime, Lod, Pickup, Player, Pose, Position,
    Regeneration, Rotation, Scale, Score, Shield, Sound, Speed, Spin, Static, Steering, Sway, Team,
    Transform, Velocity, Waypoint, Weapon, with_components,
};
use super::events::{Batches, Cue, Death, Draw, Frame, Hit, Mixer, Shot, Spot, Taken, View};
use super::rules;
use super::start::{self, BOSSES, Counts};
use super::summary::Summary;

/// What a unit shoots at, or a projectile follows.
#[derive(Clone, Copy, Debug)]
pub struct Target(pub Entity);

/// Who has shot a projectile.
#[derive(Clone, Copy, Debug)]
pub struct Owner(pub Entity);

/// Entities that are never despawned: bosses and camps.
#[derive(Debug, Default)]
pub struct Beacons(pub Vec<Entity>);

/// Where the bosses are.
#[derive(Debug, Default)]
pub struct Bosses(pub Vec<Position>);

world! {
    /// The game.
    pub world Game { entity_limit: dynamic(16_384), rows: by_archetype }

    component Id, Position, Velocity, Steering, Damping, Speed, Rotation, Spin, Scale, Transform, Bounds, Culling, Lod;
    component Sway, Health, Regeneration, Armor, Shield, Heat, Cooldown, Weapon, Brain, Waypoint, Team, Score;
    component Animation, Pose, Sound, Lifetime, Damage, Color, Emitter, Pickup, Boss, Player, Camera, Target, Owner;
    component Static: empty;
    component Burning: sparse_set;

    bundle Particle { Id, Position, Velocity, Damping, Lifetime, Color, Scale }
    bundle Projectile {
        Id, Position, Rotation, Scale, Transform, Bounds, Culling, Velocity, Lifetime, Damage, Target, Owner
    }

    resource Frame, Spot, View, Mixer, Batches, Beacons, Bosses;

    system AdvanceFrame { run: |_, frame: &mut Frame| rules::advance_frame(frame) }
    system ReadInput {
        dependencies: [AdvanceFrame],
        each: |player: &mut Player, frame: &Frame| rules::read_input(player, *frame),
    }

    // What happens to units by itself.
    system CoolWeapons { each: |cooldown: &mut Cooldown| rules::cool_weapon(cooldown) }
    system Regenerate {
        each: |health: &mut Health, regeneration: &mut Regeneration| rules::regenerate(health, regeneration),
    }
    system RechargeShields { each: |shield: &mut Shield| rules::recharge(shield) }
    system CoolHeat { each: |heat: &mut Heat| rules::cool_heat(heat) }
    system Burn {
        dependencies: [Regenerate],
        each: |burning: &mut Burning, health: &mut Health| rules::burn(burning, health),
    }

    // What units want.
    system Retarget {
        parallelism: split_evenly(cores),
        dependencies: [AdvanceFrame],
        with: [Brain],
        read_any: [Id],
        each: |id: &Id, target: &mut Target, frame: &Frame, beacons: &Beacons, effects| {
            if effects.read_any::<Id>().get(target.0).is_none() {
                target.0 = beacons.0[rules::new_target(*id, *frame, beacons.0.len())];
            }
        },
    }
    system Sense {
        parallelism: split_evenly(cores),
        dependencies: [Retarget],
        read_any: [Position],
        each: |brain: &mut Brain, position: &Position, target: &Target, effects| {
            rules::sense(brain, position, effects.read_any::<Position>().get(target.0));
        },
    }
    system Think {
        parallelism: split_evenly(cores),
        dependencies: [Sense, Burn],
        each: |brain: &mut Brain, id: &Id, health: &Health| rules::think(brain, *id, health),
    }
    system Patrol {
        parallelism: split_evenly(cores),
        dependencies: [Think],
        each: |steering: &mut Steering, waypoint: &mut Waypoint, brain: &Brain, id: &Id, position: &Position| {
            rules::patrol(steering, waypoint, brain, *id, position);
        },
    }
    system Chase {
        parallelism: split_evenly(cores),
        dependencies: [Patrol],
        read_any: [Position],
        each: |steering: &mut Steering, brain: &Brain, position: &Position, target: &Target, effects| {
            rules::chase(steering, brain, position, || effects.read_any().get(target.0).copied());
        },
    }
    system GatherBosses {
        read: [Position],
        with: [Boss],
        run: |own, _, bosses: &mut Bosses| {
            bosses.0.clear();
            bosses.0.extend(own.query::<&Position>().into_iter().copied());
        },
    }
    system AvoidBosses {
        parallelism: split_evenly(cores),
        dependencies: [Chase, GatherBosses],
        with: [Brain],
        each: |steering: &mut Steering, position: &Position, bosses: &Bosses| {
            rules::avoid(steering, position, &bosses.0);
        },
    }
    system BossPhases {
        dependencies: [Burn],
        without: [Brain],
        each: |boss: &mut Boss, health: &mut Health, steering: &mut Steering, id: &Id| {
            rules::boss_phase(boss, health, steering, *id);
        },
    }
    system DrivePlayer {
        dependencies: [ReadInput],
        without: [Brain, Boss],
        each: |player: &Player, steering: &mut Steering| rules::drive_player(player, steering),
    }

    // Velocities: of units, particles and projectiles.
    system Accelerate {
        dependencies: [AvoidBosses, BossPhases, DrivePlayer],
        each: |velocity: &mut Velocity, steering: &Steering| rules::accelerate(velocity, steering),
    }
    system Fall {
        with: [Color],
        without: [Steering],
        each: |velocity: &mut Velocity| rules::fall(velocity),
    }
    system Home {
        parallelism: split_evenly(cores),
        with: [Damage],
        without: [Steering, Color, Brain],
        read_any: [Position],
        each: |velocity: &mut Velocity, position: &Position, target: &Target, effects| {
            rules::home(velocity, position, effects.read_any::<Position>().get(target.0));
        },
    }
    system Damp {
        dependencies: [Accelerate, Fall, Home],
        each: |velocity: &mut Velocity, damping: &Damping| rules::damp(velocity, damping),
    }
    system LimitSpeed {
        dependencies: [Damp],
        each: |velocity: &mut Velocity, speed: &Speed| rules::limit_speed(velocity, speed.0),
    }
    system Fire {
        dependencies: [CoolWeapons, Think],
        output: Vec<Shot<Entity>>,
        each: |unit: Entity, id: &Id, brain: &Brain, cooldown: &mut Cooldown, weapon: &Weapon, position: &Position,
        target: &Target, effects| {
            if let Some(shot) = rules::fire(*id, brain, cooldown, weapon, position, (target.0, unit)) {
                effects.output().push(shot);
            }
        },
    }

    // Positions and rotations.
    system Move {
        parallelism: split_evenly(cores),
        dependencies: [LimitSpeed, Fire],
        each: |position: &mut Position, velocity: &Velocity| rules::advance(position, velocity),
    }
    system Confine {
        parallelism: split_evenly(cores),
        dependencies: [Move],
        with: [Speed],
        without: [Color],
        each: |position: &mut Position, velocity: &mut Velocity| rules::confine(position, velocity),
    }
    system Ground {
        dependencies: [Move],
        with: [Color],
        without: [Speed, Rotation],
        each: |position: &mut Position, velocity: &mut Velocity| rules::bounce(position, velocity),
    }
    system SwayTrees {
        without: [Spin, Velocity, Camera],
        each: |sway: &mut Sway, rotation: &mut Rotation| rules::sway(sway, rotation),
    }
    system Turn {
        without: [Sway, Velocity, Camera],
        each: |rotation: &mut Rotation, spin: &Spin| rules::turn(rotation, spin),
    }
    system Face {
        parallelism: split_evenly(cores),
        dependencies: [Confine],
        without: [Sway, Spin, Camera, Color],
        each: |rotation: &mut Rotation, velocity: &Velocity| rules::face(rotation, velocity),
    }
    system Bob {
        dependencies: [Chase, Home],
        without: [Velocity, Camera, Brain, Boss],
        each: |pickup: &mut Pickup, position: &mut Position| rules::bob(pickup, position),
    }
    system LocatePlayer {
        dependencies: [Confine],
        with: [Player, Speed],
        without: [Pickup],
        each: |position: &Position, spot: &mut Spot| rules::locate(spot, position),
    }
    system PickUp {
        dependencies: [Bob, LocatePlayer],
        without: [Velocity, Camera],
        output: Vec<Taken>,
        each: |id: &Id, pickup: &mut Pickup, position: &mut Position, spot: &Spot, effects| {
            effects.output().extend(rules::pick_up(*id, pickup, position, *spot));
        },
    }

    // Hits.
    system Age { each: |lifetime: &mut Lifetime| rules::age(lifetime) }
    system Strike {
        parallelism: split_evenly(cores),
        dependencies: [Age, Ground, PickUp, FollowPlayer],
        read_any: [Position],
        output: Vec<Hit<Entity>>,
        each: |lifetime: &mut Lifetime, damage: &Damage, position: &Position, target: &Target, owner: &Owner, effects| {
            let there = effects.read_any::<Position>().get(target.0);
            let hit = rules::strike(lifetime, damage, position, there, (target.0, owner.0));
            effects.output().extend(hit);
        },
    }
    system ApplyHits {
        exclusive,
        inputs: [Strike],
        dependencies: [CoolHeat, RechargeShields],
        write: [Health, Heat],
        read: [Armor],
        write_optional: [Shield],
        run: |data| {
            let mut fighters = data.own.any_mut::<(&mut Health, &mut Heat, &Armor, Option<&mut Shield>)>();
            for hit in data.effects.outputs_of::<Strike>().flatten() {
                if let Some((health, heat, armor, shield)) = fighters.get_mut(hit.target) {
                    rules::apply_hit(hit.damage, health, heat, armor, shield);
                }
            }
        },
    }
    system ScoreHits {
        exclusive,
        inputs: [Strike],
        write: [Score],
        run: |data| {
            let mut scores = data.own.any_mut::<&mut Score>();
            for hit in data.effects.outputs_of::<Strike>().flatten() {
                if let Some(score) = scores.get_mut(hit.owner) {
                    rules::score_hit(hit.damage, score);
                }
            }
        },
    }
    system ScorePickups {
        inputs: [PickUp],
        dependencies: [ScoreHits],
        with: [Player],
        each: |score: &mut Score, effects| {
            effects.outputs_of::<PickUp>().flatten().for_each(|taken| rules::score_pickup(*taken, score));
        },
    }

    // What is seen and heard.
    system FadeColors {
        dependencies: [Age],
        without: [Damage],
        each: |color: &mut Color, lifetime: &Lifetime| rules::fade(color, lifetime),
    }
    system PulsePickups {
        dependencies: [PickUp],
        without: [Sway],
        each: |scale: &mut Scale, pickup: &Pickup| rules::pulse(scale, pickup),
    }
    system ChooseClips {
        dependencies: [Think],
        each: |animation: &mut Animation, brain: &Brain| rules::choose_clip(animation, brain),
    }
    system PlayAnimations {
        dependencies: [ChooseClips],
        each: |animation: &mut Animation| rules::play(animation),
    }
    system FollowPlayer {
        dependencies: [LocatePlayer],
        with: [Camera],
        without: [Velocity, Pickup],
        each: |position: &mut Position, spot: &Spot| rules::follow(position, *spot),
    }
    system AimCamera {
        dependencies: [FollowPlayer],
        without: [Sway, Spin, Velocity, Pickup],
        each: |rotation: &mut Rotation, position: &Position, camera: &Camera, spot: &Spot, view: &mut View| {
            rules::aim(rotation, position, camera, (*spot, view));
        },
    }
    system BuildTransforms {
        parallelism: split_evenly(cores),
        dependencies: [Turn, Face, PulsePickups],
        without: [Static, Sway, Color, Camera],
        each: |transform: &mut Transform, position: &Position, rotation: &Rotation, scale: &Scale| {
            rules::build(transform, position, rotation, scale);
        },
    }
    system SwayTransforms {
        dependencies: [SwayTrees],
        with: [Sway, Static],
        without: [Velocity, Pickup, Camera, Spin],
        each: |transform: &mut Transform, position: &Position, rotation: &Rotation, scale: &Scale| {
            rules::build(transform, position, rotation, scale);
        },
    }
    system Cull {
        parallelism: split_evenly(cores),
        dependencies: [PickUp, AimCamera],
        without: [Color, Camera],
        each: |culling: &mut Culling, position: &Position, bounds: &Bounds, view: &View| {
            rules::cull(culling, position, bounds, view);
        },
    }
    system ChooseLods {
        dependencies: [Cull],
        each: |lod: &mut Lod, culling: &Culling| rules::choose_lod(lod, culling),
    }
    system Attenuate {
        dependencies: [Cull],
        each: |sound: &mut Sound, culling: &Culling| rules::attenuate(sound, culling),
    }
    system PoseBodies {
        parallelism: split_evenly(cores),
        dependencies: [PlayAnimations, Cull],
        each: |pose: &mut Pose, animation: &Animation, culling: &Culling| rules::pose(pose, animation, culling),
    }
    system Footsteps {
        dependencies: [PlayAnimations, Attenuate],
        output: Vec<Cue>,
        each: |animation: &Animation, sound: &Sound, effects| {
            if let Some(cue) = rules::footstep(animation, sound) {
                effects.output().push(cue);
            }
        },
    }
    system MixSounds {
        inputs: [Footsteps],
        run: |effects, mixer: &mut Mixer| rules::mix_sounds(mixer, effects.outputs_of::<Footsteps>().flatten().copied()),
    }
    system ListDraws {
        parallelism: split_evenly(cores),
        dependencies: [BuildTransforms, SwayTransforms, ChooseLods],
        output: Vec<Draw>,
        each: |id: &Id, culling: &Culling, transform: &Transform, lod: Option<&Lod>, effects| {
            if let Some(draw) = rules::draw(*id, culling, transform, lod) {
                effects.output().push(draw);
            }
        },
    }
    system Batch {
        inputs: [ListDraws],
        run: |effects, batches: &mut Batches| rules::batch(batches, effects.outputs_of::<ListDraws>().flatten().copied()),
    }

    // Entities that come and go at the end of the step.
    system Emit {
        without: [Velocity, Pickup, Camera],
        spawn: [Particle],
        each: |id: &Id, position: &Position, emitter: &mut Emitter, effects| {
            if let Some(first) = rules::emit(emitter) {
                for n in first..first + 3 {
                    effects.spawn(start::particle(*id, n, position));
                }
            }
        },
    }
    system Expire {
        dependencies: [Strike],
        despawn,
        each: |entity: Entity, lifetime: &Lifetime, effects| {
            if lifetime.0 == 0 {
                effects.despawn(entity);
            }
        },
    }
    system Launch {
        inputs: [Fire],
        spawn: [Projectile],
        run: |data| {
            for shot in data.effects.outputs_of::<Fire>().flatten() {
                let (body, velocity, lifetime, damage) =
                    start::projectile(shot.id, shot.from, shot.speed, shot.damage);
                let (id, position, rotation, scale, transform, bounds, culling) = body;
                let (target, owner) = (Target(shot.target), Owner(shot.owner));
                data.effects.spawn(Projectile {
                    id, position, rotation, scale, transform, bounds, culling, velocity, lifetime, damage, target, owner
                });
            }
        },
    }
    system Reap {
        dependencies: [ApplyHits],
        with: [Brain],
        despawn,
        output: Vec<Death<Entity>>,
        each: |unit: Entity, id: &Id, health: &Health, target: &Target, effects| {
            if let Some(death) = rules::reap(*id, health, target.0) {
                effects.despawn(unit);
                effects.output().push(death);
            }
        },
    }
    system Respawn {
        inputs: [Reap],
        spawn: [Unit],
        run: |data| {
            for death in data.effects.outputs_of::<Reap>().flatten() {
                data.effects.spawn(Unit(start::successor(death.id), Target(death.target)));
            }
        },
    }
    system Ignite {
        dependencies: [ApplyHits],
        with: [Brain],
        without: [Burning],
        insert: [Burning],
        each: |unit: Entity, heat: &mut Heat, health: &Health, effects| {
            if let Some(burning) = rules::ignite(heat, health) {
                effects.insert(unit, burning);
            }
        },
    }
    system Quench {
        dependencies: [Ignite],
        remove: [Burning],
        each: |unit: Entity, burning: &Burning, health: &Health, effects| {
            if rules::is_quenched(burning, health) {
                effects.remove::<Burning>(unit);
            }
        },
    }
}

/// A unit with its target. It has more components than a tuple of this library can have.
#[derive(Clone, Copy, Debug)]
pub struct Unit(pub start::Unit, pub Target);

/// Puts the components of tuples.
macro_rules! put {
    ($sink:ident, $($tuple:expr => $($part:ident)*;)*) => {$(
        let ($($part),*) = $tuple;
        $($sink.put($part);)*
    )*};
}

fn put_body(sink: &mut BundleSink<'_, Game>, body: start::Body) {
    put!(sink, body => id position rotation scale transform bounds culling;);
}

fn put_fighter(sink: &mut BundleSink<'_, Game>, motion: start::Motion, fighter: start::Fighter) {
    put! {
        sink,
        motion => velocity steering damping speed;
        fighter => lod health regeneration armor heat team score animation pose sound;
    }
}

impl Bundle<Game> for Unit {
    fn put(self, sink: &mut BundleSink<'_, Game>) {
        let Self((body, motion, fighter, mind, shield), target) = self;
        put_body(sink, body);
        put_fighter(sink, motion, fighter);
        put!(sink, mind => cooldown weapon brain waypoint;);
        if let Some(shield) = shield {
            sink.put(shield);
        }
        sink.put(target);
    }
}

/// An entity of the first frame, put by a closure.
struct Put<F>(F);

impl<F: FnOnce(&mut BundleSink<'_, Game>)> Bundle<Game> for Put<F> {
    fn put(self, sink: &mut BundleSink<'_, Game>) {
        (self.0)(sink);
    }
}

/// The world of the first frame.
///
/// # Panics
/// If there are fewer than 200 entities.
#[must_use]
pub fn new(entities: u32, threads: Threads) -> World<Game> {
    let mut world = World::on(threads);
    let counts = Counts::of(entities);
    let mut beacons: Vec<Entity> = (0..BOSSES)
        .map(|i| {
            world.spawn(Put(move |sink: &mut BundleSink<'_, Game>| {
                let (body, motion, fighter, shield, boss) = start::boss(i);
                put_body(sink, body);
                put_fighter(sink, motion, fighter);
                put!(sink, (shield, boss) => shield boss;);
            }))
        })
        .collect();
    beacons.extend(world.spawn_batch((0..counts.camps).map(|i| {
        let ((id, position, rotation, scale, transform, bounds, culling), fixed, emitter, team) =
            start::camp(i);
        (id, position, rotation, scale, transform, bounds, culling, fixed, emitter, team)
    })));
    world.spawn(Put(|sink: &mut BundleSink<'_, Game>| {
        let (body, motion, fighter, player) = start::player();
        put_body(sink, body);
        put_fighter(sink, motion, fighter);
        sink.put(player);
    }));
    world.spawn(start::camera());
    for i in 0..counts.scenery {
        world.spawn(Put(|sink: &mut BundleSink<'_, Game>| {
            let (body, fixed, lod, sway) = start::scenery(i);
            put_body(sink, body);
            put!(sink, (fixed, lod) => fixed lod;);
            if let Some(sway) = sway {
                sink.put(sway);
            }
        }));
    }
    let beacon = |i: u32| beacons[i as usize % beacons.len()];
    let first_units = (0..counts.units).map(|i| Unit(start::first_unit(i), Target(beacon(i))));
    let units: Vec<Entity> = world.spawn_batch(first_units);
    // Every other unit has another unit for its target.
    for i in (0..units.len()).step_by(2) {
        let target = Target(units[(i * 31 + 1) % units.len()]);
        *world.get_mut::<Target>(units[i]).expect("a unit has a target") = target;
    }
    world.spawn_batch((0..counts.particles).map(start::first_particle));
    world.spawn_batch((0..counts.projectiles).map(|i| {
        let (
            (id, position, rotation, scale, transform, bounds, culling),
            velocity,
            lifetime,
            damage,
        ) = start::first_projectile(i);
        let owner = units[i as usize % units.len()];
        let (target, owner) = (Target(beacon(i)), Owner(owner));
        Projectile {
            id,
            position,
            rotation,
            scale,
            transform,
            bounds,
            culling,
            velocity,
            lifetime,
            damage,
            target,
            owner,
        }
    }));
    world.spawn_batch((0..counts.pickups).map(|i| {
        let ((id, position, rotation, scale, transform, bounds, culling), lod, spin, pickup) =
            start::pickup(i);
        (id, position, rotation, scale, transform, bounds, culling, lod, spin, pickup)
    }));
    world.resource_mut::<Beacons>().0 = beacons;
    world
}

/// Takes a step.
///
/// # Errors
/// None: the number of entities is not limited.
pub fn frame(world: &mut World<Game>) -> Result<(), StepError> {
    world.tick()
}

/// The summary of a state.
#[must_use]
pub fn summary(world: &World<Game>) -> Summary {
    let mut summary = Summary::default();
    macro_rules! add {
        ($($component:ident)*) => {$(
            for (id, component) in world.iter::<(&Id, &$component)>() {
                summary.add(*id, stringify!($component), component);
            }
        )*};
    }
    with_components!(add);
    for (id, target) in world.iter::<(&Id, &Target)>() {
        summary.add(*id, "Target", &world.get::<Id>(target.0));
    }
    for (id, owner) in world.iter::<(&Id, &Owner)>() {
        summary.add(*id, "Owner", &world.get::<Id>(owner.0));
    }
    summary.add_resource(world.resource::<Frame>());
    summary.add_resource(world.resource::<Spot>());
    summary.add_resource(world.resource::<View>());
    summary.add_resource(world.resource::<Mixer>());
    summary.add_resource(world.resource::<Batches>());
    summary
}
