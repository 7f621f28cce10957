//! The entities of the first frame, and those that are spawned later: their components but for handles.

use super::components::{
    Animation, Armor, Boss, Bounds, Brain, Camera, Color, Cooldown, Culling, Damage, Damping,
    Emitter, Health, Heat, Id, Lifetime, Lod, Pickup, Player, Pose, Position, Regeneration,
    Rotation, Scale, Score, Shield, Sound, Speed, Spin, State, Static, Steering, Sway, Team,
    Transform, Velocity, Waypoint, Weapon,
};
use super::rules::{SIDE, build, fraction, mix};

/// What has a place, and is drawn.
pub type Body = (Id, Position, Rotation, Scale, Transform, Bounds, Culling);
/// What moves by itself.
pub type Motion = (Velocity, Steering, Damping, Speed);
/// What fights, and is animated.
pub type Fighter = (Lod, Health, Regeneration, Armor, Heat, Team, Score, Animation, Pose, Sound);
/// What makes a fighter a unit.
pub type Mind = (Cooldown, Weapon, Brain, Waypoint);
/// A unit but for its target.
pub type Unit = (Body, Motion, Fighter, Mind, Option<Shield>);
/// A particle.
pub type Particle = (Id, Position, Velocity, Damping, Lifetime, Color, Scale);
/// A projectile but for its target and its owner.
pub type Projectile = (Body, Velocity, Lifetime, Damage);

/// The number of entities of each sort in the first frame.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Entities that spawn particles.
    pub camps: u32,
    /// Trees and rocks.
    pub scenery: u32,
    /// Units.
    pub units: u32,
    /// Particles.
    pub particles: u32,
    /// Projectiles.
    pub projectiles: u32,
    /// Pickups.
    pub pickups: u32,
}

/// The number of bosses. There are one player and one camera, too.
pub const BOSSES: u32 = 8;

impl Counts {
    /// For about this number of entities, of which there are at least 200.
    #[must_use]
    pub fn of(entities: u32) -> Self {
        let part = |thousandths: u32| (u64::from(entities) * u64::from(thousandths) / 1000) as u32;
        let [camps, scenery, units] = [19, 200, 350].map(part);
        let [particles, projectiles] = [280, 100].map(part);
        let others = camps + scenery + units + particles + projectiles + BOSSES + 2;
        Self { camps, scenery, units, particles, projectiles, pickups: entities - others }
    }
}

/// A number for the `i`-th entity of a sort.
fn id(sort: u32, i: u32) -> u32 {
    mix(sort << 24 ^ i)
}

fn place(id: u32, height: f32) -> Position {
    Position([fraction(id ^ 1) * SIDE, fraction(id ^ 2) * SIDE, height])
}

fn body(id: u32, position: Position, scale: f32) -> Body {
    let rotation = Rotation([0.0, 0.0, 0.0, 1.0]);
    let mut transform = Transform::default();
    build(&mut transform, &position, &rotation, &Scale(scale));
    (Id(id), position, rotation, Scale(scale), transform, Bounds(scale * 2.0), Culling::default())
}

/// The `i`-th camp.
#[must_use]
pub fn camp(i: u32) -> (Body, Static, Emitter, Team) {
    let id = id(1, i);
    let emitter = Emitter { timer: 1 + id % 10, period: 10, serial: 0 };
    (body(id, place(id, 0.0), 3.0), Static, emitter, Team(id % 4))
}

/// The `i`-th tree or rock. One in four sways.
#[must_use]
pub fn scenery(i: u32) -> (Body, Static, Lod, Option<Sway>) {
    let id = id(2, i);
    let sway = i.is_multiple_of(4).then_some(Sway { phase: fraction(id), amplitude: 0.2 });
    (body(id, place(id, 0.0), 1.0 + fraction(id)), Static, Lod(0), sway)
}

/// A unit with this number.
#[must_use]
pub fn unit(id: u32) -> Unit {
    let mind = (
        Cooldown(id % 40),
        Weapon { damage: 18 + (id >> 8 & 7) as i32, period: 36 + (id >> 12 & 15), speed: 3.0 },
        Brain { state: State::Patrol, timer: id >> 16 & 15, range: f32::MAX },
        Waypoint(id & 7),
    );
    let shield = id.is_multiple_of(4).then_some(Shield { now: 10, max: 20 });
    (body(id, place(id, 0.0), 1.0), motion(0.6 + fraction(id ^ 3)), fighter(id, 100), mind, shield)
}

/// The `i`-th unit of the first frame.
#[must_use]
pub fn first_unit(i: u32) -> Unit {
    unit(id(3, i))
}

fn motion(speed: f32) -> Motion {
    (Velocity([0.0; 3]), Steering([0.0; 3]), Damping(0.95), Speed(speed))
}

fn fighter(id: u32, health: i32) -> Fighter {
    (
        Lod(0),
        Health { now: health, max: health },
        Regeneration { period: 16, timer: id & 15 },
        Armor((id >> 5 & 3) as i32),
        Heat(0),
        Team(id >> 7 & 3),
        Score(0),
        Animation { clip: 0, time: fraction(id ^ 4), has_looped: false },
        Pose([0.0; 8]),
        Sound { volume: 0.5 + fraction(id ^ 5) * 0.5, heard: 0.0 },
    )
}

/// The `n`-th particle of an emitter.
#[must_use]
pub fn particle(emitter: Id, n: u32, position: &Position) -> Particle {
    let id = mix(emitter.0 ^ n << 12);
    let throw = |bit: u32| fraction(id ^ bit) - 0.5;
    (
        Id(id),
        Position([position.0[0], position.0[1], position.0[2] + 1.0]),
        Velocity([throw(1), throw(2), 0.3 + fraction(id ^ 3) * 0.4]),
        Damping(0.98),
        Lifetime(40 + id % 20),
        Color([1.0, fraction(id ^ 4), 0.2, 1.0]),
        Scale(0.1 + fraction(id ^ 5) * 0.2),
    )
}

/// The `i`-th particle of the first frame: of any age.
#[must_use]
pub fn first_particle(i: u32) -> Particle {
    let mut particle = particle(Id(id(4, i)), 0, &place(id(4, i), 1.0));
    particle.4 = Lifetime(1 + i % 50);
    particle
}

/// A projectile with this number.
#[must_use]
pub fn projectile(id: u32, from: Position, speed: f32, damage: i32) -> Projectile {
    let velocity = Velocity([speed, 0.0, 0.0]);
    (body(id, from, 0.2), velocity, Lifetime(24), Damage(damage))
}

/// The `i`-th projectile of the first frame: of any age.
#[must_use]
pub fn first_projectile(i: u32) -> Projectile {
    let id = id(5, i);
    let mut projectile = projectile(id, place(id, 1.0), 3.0, 20);
    projectile.2 = Lifetime(1 + i % 24);
    projectile
}

/// The `i`-th pickup.
#[must_use]
pub fn pickup(i: u32) -> (Body, Lod, Spin, Pickup) {
    let id = id(6, i);
    let pickup = Pickup { phase: fraction(id), taken: 0 };
    (body(id, place(id, 1.0), 0.5), Lod(0), Spin([0.0, 0.0, 0.05 + fraction(id) * 0.05]), pickup)
}

/// The `i`-th boss.
#[must_use]
pub fn boss(i: u32) -> (Body, Motion, Fighter, Shield, Boss) {
    let id = id(7, i);
    let shield = Shield { now: 200, max: 200 };
    (body(id, place(id, 0.0), 4.0), motion(0.4), fighter(id, 2_000), shield, Boss::default())
}

/// The player.
#[must_use]
pub fn player() -> (Body, Motion, Fighter, Player) {
    let id = id(8, 0);
    let body = body(id, Position([SIDE / 2.0, SIDE / 2.0, 0.0]), 1.0);
    (body, motion(1.5), fighter(id, 1_000), Player::default())
}

/// The camera.
#[must_use]
pub fn camera() -> (Id, Position, Rotation, Camera) {
    let position = Position([SIDE / 2.0, SIDE / 2.0, 30.0]);
    (Id(id(9, 0)), position, Rotation([0.0, 0.0, 0.0, 1.0]), Camera { range: 120.0 })
}

/// The unit that follows a dead one of this number.
#[must_use]
pub fn successor(dead: u32) -> Unit {
    unit(mix(dead))
}
