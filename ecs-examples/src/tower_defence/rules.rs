//! What all designs share: the rules of the game, its first entities, and the state that they are compared by.
//!
//! A rule is about one entity, or about two. No result depends on the order in which a design visits entities: what
//! several do to one is a sum of integers, and of two enemies that are equally near, the one that came first counts.

use bytemuck::{Pod, Zeroable};
use ecs_core::{Combine, StateHash};

/// A point or a vector, in pixels.
pub type Vector = [f32; 2];

/// Seconds per frame.
pub const DT: f32 = 1.0 / 60.0;
/// The corner of the map that is farthest from the origin.
pub const MAP: Vector = [1_280.0, 720.0];
/// How far a tower shoots.
pub const RANGE: f32 = 40.0;
/// The distance from its target at which a bullet hits.
const REACH: f32 = 3.0;
/// Seconds between two waves.
const WAVES: f32 = 0.05;
/// The corners of the path, which leads to and fro across the map. Enemies come in at every second one.
const CORNERS: [Vector; 18] = corners();

const fn corners() -> [Vector; 18] {
    let mut corners = [[0.0; 2]; 18];
    let mut at = 0;
    while at < 18 {
        let is_left = (at % 2 == 0) == (at / 2 % 2 == 0);
        corners[at] = [if is_left { 40.0 } else { MAP[0] - 40.0 }, 40.0 + 80.0 * (at / 2) as f32];
        at += 1;
    }
    corners
}

/// How many entities there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of enemies at first, and the most there can be.
    pub enemies: u32,
    /// The number of towers.
    pub towers: u32,
}

impl Size {
    /// The paper's (section 7): 15 000 enemies, and 20 000 entities with towers, bullets and particles.
    pub const PAPER: Self = Self { enemies: 15_000, towers: 300 };
}

/// A number that looks random, and is the same for the same number.
#[inline]
#[must_use]
pub fn mix(number: u32) -> u32 {
    let mut bits = number.wrapping_add(0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0xc2b2_ae35);
    bits ^ bits >> 13
}

/// A number between these two that looks random.
#[inline]
fn between(least: f32, most: f32, number: u32) -> f32 {
    least + (most - least) * ((mix(number) >> 8) as f32 / (1 << 24) as f32)
}

/// The square of the distance.
#[inline]
#[must_use]
pub fn square(a: Vector, b: Vector) -> f32 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    x * x + y * y
}

/// The velocity from one point towards another.
#[inline]
#[must_use]
pub fn towards(from: Vector, to: Vector, speed: f32) -> Vector {
    let scale = speed / (square(from, to) + 1e-6).sqrt();
    [(to[0] - from[0]) * scale, (to[1] - from[1]) * scale]
}

/// Moves on for a frame.
#[inline]
pub fn advance(position: &mut Vector, velocity: Vector) {
    position[0] += velocity[0] * DT;
    position[1] += velocity[1] * DT;
}

/// An enemy as it comes in.
#[derive(Clone, Copy, Debug)]
pub struct Recruit {
    /// Enemies are numbered as they come.
    pub number: u32,
    /// Where it is.
    pub position: Vector,
    /// How far from the path it walks.
    pub lane: Vector,
    /// Pixels per second.
    pub speed: f32,
    /// The damage that it endures.
    pub health: i32,
    /// The corner of the path that it walks to.
    pub corner: u32,
    /// Its colour.
    pub look: u32,
}

impl Recruit {
    /// The enemy of this number, which has walked this part of the way to its first corner.
    #[inline]
    fn new(number: u32, part: f32) -> Self {
        let seed = mix(number);
        let lane = [between(-35.0, 35.0, seed), between(-35.0, 35.0, seed ^ 1)];
        let corner = seed % (CORNERS.len() as u32 / 2) * 2;
        let [from, to] = [CORNERS[corner as usize], CORNERS[corner as usize + 1]];
        let along = |axis: usize| from[axis] + (to[axis] - from[axis]) * part + lane[axis];
        Self {
            number,
            position: [along(0), along(1)],
            lane,
            speed: between(30.0, 60.0, seed ^ 2),
            health: 30 + (seed >> 8) as i32 % 60,
            corner: corner + 1,
            look: seed | 0xff00_0000,
        }
    }

    /// The enemies that are there at first.
    pub fn first(size: Size) -> impl Iterator<Item = Self> {
        (0..size.enemies).map(|number| Self::new(number, between(0.0, 1.0, number)))
    }
}

/// The next wave, and what has happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, StateHash)]
#[repr(C)]
pub struct Waves {
    /// The most enemies that there can be.
    pub enemies: u32,
    /// The enemies that have come.
    pub came: u32,
    /// Seconds until the next wave.
    pub wait: f32,
}

impl Waves {
    /// Before the first frame.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { enemies: size.enemies, came: size.enemies, wait: 0.0 }
    }

    /// The enemies that come in this frame: a hundredth of the most there can be, in each wave.
    #[inline]
    pub fn next(&mut self, score: Score) -> impl Iterator<Item = Recruit> + use<> {
        self.wait -= DT;
        let mut come = 0;
        if self.wait <= 0.0 {
            self.wait += WAVES;
            let there = self.came - score.killed - score.escaped;
            come = (self.enemies / 100).max(1).min(self.enemies.saturating_sub(there));
        }
        let first = self.came;
        self.came += come;
        (first..self.came).map(|number| Recruit::new(number, 0.0))
    }
}

/// What has become of enemies and bullets.
#[derive(Clone, Combine, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable, StateHash)]
#[repr(C)]
pub struct Score {
    /// Enemies that were killed.
    pub killed: u32,
    /// Enemies that have reached the end of the path.
    pub escaped: u32,
    /// Bullets that have hit.
    pub hits: u32,
}

/// Turns an enemy along the path. Whether it is not at its end.
#[inline]
#[must_use]
pub fn march(
    position: Vector,
    velocity: &mut Vector,
    lane: Vector,
    speed: f32,
    corner: &mut u32,
) -> bool {
    let beside = |goal: &Vector| [goal[0] + lane[0], goal[1] + lane[1]];
    let Some(mut goal) = CORNERS.get(*corner as usize) else { return false };
    if square(position, beside(goal)) <= 1.0 {
        *corner += 1;
        let Some(next) = CORNERS.get(*corner as usize) else { return false };
        goal = next;
    }
    let [x, y] = towards(position, beside(goal), speed);
    // One after the other: as a whole, they go through an integer register.
    velocity[0] = x;
    velocity[1] = y;
    true
}

/// What a tower shoots with.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(C)]
pub struct Weapon {
    /// The damage of a bullet.
    pub damage: i32,
    /// The distance within which a bullet harms enemies other than its target; 0 if it does not.
    pub blast: f32,
    /// Seconds between two shots.
    pub period: f32,
    /// The speed of a bullet.
    pub speed: f32,
}

impl Weapon {
    /// The paper's turret, which shoots each 0.02 seconds.
    pub const GUN: Self = Self { damage: 1, blast: 0.0, period: 0.02, speed: 240.0 };
    /// Its bullets burst.
    pub const CANNON: Self = Self { damage: 3, blast: 12.0, period: 0.5, speed: 160.0 };
}

/// A tower as it is built.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Towers are numbered.
    pub number: u32,
    /// Where it stands.
    pub position: Vector,
    /// What it shoots with.
    pub weapon: Weapon,
    /// Its colour.
    pub look: u32,
}

impl Site {
    /// The towers: three guns to a cannon.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        (0..size.towers).map(|number| {
            let seed = mix(number ^ 0x5eed);
            let position = [between(0.0, MAP[0], seed), between(0.0, MAP[1], seed ^ 1)];
            let (weapon, look) = match number % 4 {
                0 => (Weapon::CANNON, 0xff80_8080),
                _ => (Weapon::GUN, 0xff20_8020),
            };
            Self { number, position, weapon, look }
        })
    }
}

/// When a tower shoots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, StateHash)]
#[repr(C)]
pub struct Trigger {
    /// Seconds until it is ready.
    pub wait: f32,
    /// The shots so far.
    pub shots: u32,
}

impl Trigger {
    /// Lets a frame pass. Whether the tower is ready.
    #[inline]
    pub fn is_ready(&mut self) -> bool {
        self.wait = (self.wait - DT).max(-DT);
        self.wait <= 0.0
    }

    /// The bullet of a tower that has found a target.
    #[inline]
    pub fn shoot<H>(&mut self, tower: u32, from: Vector, weapon: Weapon, target: H) -> Shot<H> {
        self.wait += weapon.period;
        self.shots += 1;
        let number = mix(tower << 20 ^ self.shots);
        Shot { number, position: from, target, weapon, life: 1.0 }
    }
}

/// A bullet as it is shot. `H` is the handle of an enemy.
#[derive(Clone, Copy, Debug)]
pub struct Shot<H> {
    /// Almost always different from that of others.
    pub number: u32,
    /// Where it starts.
    pub position: Vector,
    /// What it follows.
    pub target: H,
    /// What it was shot with.
    pub weapon: Weapon,
    /// Seconds until it vanishes.
    pub life: f32,
}

/// The colour of bullets.
pub const BULLET: u32 = 0xffff_ffff;
/// The colour of particles.
pub const PARTICLE: u32 = 0xffff_8020;

/// The enemy that a tower shoots at: the nearest in its range, and of several the one that came first.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<H> {
    /// The bits of the square of its distance, which are in the order of squares, and its number.
    key: u64,
    /// Its handle.
    pub enemy: Option<H>,
}

impl<H> Default for Nearest<H> {
    fn default() -> Self {
        Self { key: Self::key(RANGE * RANGE, 0), enemy: None }
    }
}

impl<H> Nearest<H> {
    #[inline(always)]
    fn key(square: f32, number: u32) -> u64 {
        u64::from(square.to_bits()) << 32 | u64::from(number)
    }

    /// Looks at one more enemy.
    #[inline(always)]
    pub fn add(&mut self, tower: Vector, position: Vector, number: u32, enemy: H) {
        let key = Self::key(square(tower, position), number);
        if key < self.key {
            *self = Self { key, enemy: Some(enemy) };
        }
    }
}

/// Whether a bullet has hit its target.
#[inline]
#[must_use]
pub fn hits(bullet: Vector, target: Vector) -> bool {
    square(bullet, target) <= REACH * REACH
}

/// Whether a bullet that bursts harms what is there.
#[inline]
#[must_use]
pub fn harms(bullet: Vector, blast: f32, other: Vector) -> bool {
    square(bullet, other) <= blast * blast
}

/// Whether a bullet or a particle vanishes: after its time, or outside of the map.
#[inline]
pub fn vanishes(life: &mut f32, position: Vector) -> bool {
    *life -= DT;
    let is_inside = (0.0..=MAP[0]).contains(&position[0]) && (0.0..=MAP[1]).contains(&position[1]);
    *life <= 0.0 || !is_inside
}

/// A particle as it appears.
#[derive(Clone, Copy, Debug)]
pub struct Spark {
    /// Almost always different from that of others.
    pub number: u32,
    /// Where it appears.
    pub position: Vector,
    /// Pixels per second.
    pub velocity: Vector,
    /// Seconds until it vanishes.
    pub life: f32,
}

impl Spark {
    fn new(seed: u32, position: Vector, speed: f32, life: f32) -> Self {
        let number = mix(seed);
        let velocity = [between(-speed, speed, number), between(-speed, speed, number ^ 1)];
        Self { number, position, velocity, life }
    }

    /// The particle of a bullet that hits.
    #[inline]
    #[must_use]
    pub fn of_hit(bullet: u32, position: Vector) -> Self {
        Self::new(bullet, position, 60.0, 0.2)
    }

    /// The particles of an enemy that is killed.
    #[inline]
    pub fn of_death(enemy: u32, position: Vector) -> impl Iterator<Item = Self> {
        (0..4).map(move |n| Self::new(enemy << 2 | n, position, 120.0, 0.6))
    }
}

/// The part of its velocity that a particle keeps in a frame.
const DRAG: f32 = 0.95;

/// Slows a particle down.
#[inline]
pub fn slow(velocity: &mut Vector) {
    velocity[0] *= DRAG;
    velocity[1] *= DRAG;
}

/// What is drawn of an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// Where it is.
    pub position: Vector,
    /// Its colour.
    pub look: u32,
}

/// The state of a game, in an order that does not depend on the design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Bits of all entities: what it is, its number, position, velocity, and two more numbers.
    entities: Vec<[u32; 8]>,
    score: [u32; 3],
    /// The number of sprites in the last frame, and the sum of numbers made of them.
    picture: [u32; 2],
}

impl State {
    /// The state without entities.
    pub fn new<'a>(score: Score, picture: impl Iterator<Item = &'a Sprite>) -> Self {
        let score = [score.killed, score.escaped, score.hits];
        let picture =
            picture.fold([0_u32; 2], |[count, sum], &Sprite { position: [x, y], look }| {
                [count + 1, sum.wrapping_add(mix(x.to_bits() ^ mix(y.to_bits() ^ look)))]
            });
        Self { entities: Vec::new(), score, picture }
    }

    fn add(&mut self, what: u32, number: u32, places: [Vector; 2], more: [u32; 2]) {
        let [[x, y], [u, v]] = places.map(|vector| vector.map(f32::to_bits));
        self.entities.push([what, number, x, y, u, v, more[0], more[1]]);
    }

    /// Adds an enemy.
    pub fn add_enemy(&mut self, number: u32, places: [Vector; 2], health: i32, corner: u32) {
        self.add(0, number, places, [health as u32, corner]);
    }

    /// Adds a tower.
    pub fn add_tower(&mut self, number: u32, position: Vector, trigger: Trigger) {
        self.add(1, number, [position, [0.0; 2]], [trigger.wait.to_bits(), trigger.shots]);
    }

    /// Adds a bullet.
    pub fn add_bullet(&mut self, number: u32, places: [Vector; 2], life: f32) {
        self.add(2, number, places, [life.to_bits(), 0]);
    }

    /// Adds a particle.
    pub fn add_particle(&mut self, number: u32, places: [Vector; 2], life: f32) {
        self.add(3, number, places, [life.to_bits(), 0]);
    }

    /// Puts the entities in order.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.entities.sort_unstable();
        self
    }

    /// A number made of all bits.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let bits = self.entities.iter().flatten().chain(&self.score).chain(&self.picture);
        bits.fold(0, |sum: u64, &bits| {
            (sum ^ u64::from(bits)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        })
    }

    /// The numbers of enemies, towers, bullets and particles.
    #[must_use]
    pub fn counts(&self) -> [usize; 4] {
        [0, 1, 2, 3].map(|what| self.entities.iter().filter(|entity| entity[0] == what).count())
    }

    /// What has become of enemies and bullets.
    #[must_use]
    pub fn score(&self) -> Score {
        let [killed, escaped, hits] = self.score;
        Score { killed, escaped, hits }
    }

    /// The number of sprites in the last frame.
    #[must_use]
    pub fn sprites(&self) -> usize {
        self.picture[0] as usize
    }
}
