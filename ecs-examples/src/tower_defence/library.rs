//! The game through the library.
//!
//! Systems are those of the paper. What is staged is applied before `Draw`, which asks for it by `sees`.

use core::iter::zip;

use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable};
use ecs_core::joins::{Coordinates, Near};
use ecs_core::{Data, Entity, Place, StateHash, Threads, World, world};

use super::Design;
use super::cells;
use super::rules::{
    self, BULLET, MAP, Nearest, PARTICLE, Recruit, Score, Shot, Site, Size, Spark, Sprite, State,
    Trigger, Vector, Waves, Weapon,
};

/// Where an entity is.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Position(Vector);
/// Pixels per second.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Velocity(Vector);
/// A number by which entities of different designs are compared.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Number(u32);
/// A colour.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Look(u32);
/// How far from the path an enemy walks.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Lane(Vector);
/// The speed of an enemy.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Speed(f32);
/// The damage that an enemy endures.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Health(i32);
/// The corner that an enemy walks to.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Corner(u32);
/// The enemy that a bullet follows.
#[derive(Clone, Copy, Debug, NoUninit, CheckedBitPattern, StateHash)]
#[repr(transparent)]
pub struct Target(Entity);
/// Seconds until an entity vanishes.
#[derive(Clone, Copy, Debug, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Life(f32);

impl Coordinates for Position {
    type Point = Vector;

    fn coordinates(&self) -> Vector {
        self.0
    }
}

/// A bullet hits.
#[derive(Clone, Copy, Debug, NoUninit, CheckedBitPattern, StateHash)]
#[repr(C)]
pub struct Hit {
    at: Vector,
    target: Entity,
    weapon: Weapon,
}

world! {
    /// Enemies, towers, bullets and particles.
    pub world TowerDefence { entity_limit: dynamic(20_000), rows: by_archetype }

    component Number, Position, Velocity, Look, Life, Weapon;
    component Lane, Speed, Health, Corner;
    component Trigger;
    component Target;

    bundle Enemy { Number, Position, Velocity, Lane, Speed, Health, Corner, Look }
    bundle Tower { Number, Position, Weapon, Trigger, Look }
    bundle Bullet { Number, Position, Velocity, Target, Weapon, Life, Look }
    bundle Particle { Number, Position, Velocity, Life, Look }

    resource Waves;
    resource Score: sum;
    event Hit;

    order Steer -> Move -> Shoot;
    order Slow -> Move -> Collide;

    /// Lets the next wave in.
    system Arrive {
        before: [Collide],
        spawn: [Enemy],
        run: |effects, waves: &mut Waves, score: &Score| {
            effects.spawn_batch(waves.next(*score).map(Enemy::from));
        },
    }
    /// Turns bullets towards their targets.
    system Steer {
        parallelism: split_evenly(cores),
        read_any: [Position],
        read: [Position, Target, Weapon],
        write: [Velocity],
        run: steer,
    }
    /// Slows particles down.
    system Slow {
        parallelism: split_evenly(cores),
        with: [Life],
        without: [Target],
        each: |velocity: &mut Velocity| rules::slow(&mut velocity.0),
    }
    system Move {
        parallelism: split_evenly(cores),
        each: |position: &mut Position, velocity: &Velocity| rules::advance(&mut position.0, velocity.0),
    }
    /// The enemies by the cell of a grid.
    query Enemies {
        parallelism: split_evenly(cores),
        with: [Health],
        read: [Number, Position],
        index: by_cell(Position, cells::SIZE).within([0.0; 2], MAP),
    }
    /// Towers that are ready shoot at the nearest enemy. Each takes as long as there are enemies near it, so that there are more
    /// pieces than threads.
    system Shoot {
        parallelism: split_every(64),
        queries: [Enemies],
        read: [Number, Position, Weapon],
        write: [Trigger],
        spawn: [Bullet],
        run: shoot,
    }
    /// Bullets that are at their targets hit, and vanish.
    system Collide {
        parallelism: split_evenly(cores),
        read_any: [Position],
        read: [Number, Position, Target, Weapon],
        write: [Life],
        add: [Score],
        emit: [Hit],
        despawn,
        spawn: [Particle],
        run: collide,
    }
    /// Applies the hits one after the other.
    system Hurt { exclusive, on: [Hit], queries: [Enemies], write: [Health], run: hurt }
    /// Enemies turn at the corners of the path, and are killed or escape.
    system March {
        parallelism: split_evenly(cores),
        dependencies: [Hurt],
        read: [Number, Position, Lane, Speed, Health],
        write: [Corner, Velocity],
        add: [Score],
        despawn,
        spawn: [Particle],
        run: march,
    }
    /// Lets particles vanish.
    system Fade {
        parallelism: split_evenly(cores),
        dependencies: [Move],
        without: [Target],
        despawn,
        each: |particle: Place, position: &Position, life: &mut Life, effects| {
            if rules::vanishes(&mut life.0, position.0) {
                effects.despawn(particle);
            }
        },
    }
    system Draw {
        parallelism: split_evenly(cores),
        sees: [
            Arrive.spawn, Shoot.spawn, Collide.spawn, Collide.despawn, March.spawn, March.despawn, Fade.despawn,
        ],
        read: [Position, Look],
        output: Vec<Sprite>,
        run: draw,
    }
}

impl From<Recruit> for Enemy {
    fn from(is: Recruit) -> Self {
        Self {
            number: Number(is.number),
            position: Position(is.position),
            velocity: Velocity([0.0; 2]),
            lane: Lane(is.lane),
            speed: Speed(is.speed),
            health: Health(is.health),
            corner: Corner(is.corner),
            look: Look(is.look),
        }
    }
}

impl From<Site> for Tower {
    fn from(is: Site) -> Self {
        Self {
            number: Number(is.number),
            position: Position(is.position),
            weapon: is.weapon,
            trigger: Trigger::default(),
            look: Look(is.look),
        }
    }
}

impl From<Shot<Entity>> for Bullet {
    fn from(is: Shot<Entity>) -> Self {
        Self {
            number: Number(is.number),
            position: Position(is.position),
            velocity: Velocity([0.0; 2]),
            target: Target(is.target),
            weapon: is.weapon,
            life: Life(is.life),
            look: Look(BULLET),
        }
    }
}

impl From<Spark> for Particle {
    fn from(is: Spark) -> Self {
        Self {
            number: Number(is.number),
            position: Position(is.position),
            velocity: Velocity(is.velocity),
            life: Life(is.life),
            look: Look(PARTICLE),
        }
    }
}

fn steer(data: &mut Data<'_, TowerDefence, Steer>) {
    let positions = data.effects.read_any::<Position>();
    data.own.for_entities(|bullet| {
        if let Some(target) = positions.get(bullet.target.0) {
            let (from, speed) = (bullet.position.0, bullet.weapon.speed);
            bullet.velocity.0 = rules::towards(from, target.0, speed);
        }
    });
}

/// An enemy as towers find it. (The lifetimes only name the terms.)
type Seen = (&'static Position, &'static Number, Place);

/// The enemy that a tower shoots at.
// Inlined into a loop over towers, it has fewer registers, and takes longer.
#[inline(never)]
fn nearest(near: Near<'_, TowerDefence, Enemies, Seen>, tower: Vector) -> Option<Place> {
    let mut nearest = Nearest::default();
    near.at(tower).for_each(|(position, number, enemy)| {
        nearest.add(tower, position.0, number.0, enemy);
    });
    nearest.enemy
}

fn shoot(data: &mut Data<'_, TowerDefence, Shoot>) {
    let Data { own, effects, .. } = data;
    let enemies = effects.members::<Enemies, Entity>();
    let near = effects.near::<Enemies, Seen>();
    own.for_entities(|tower| {
        if tower.trigger.is_ready() {
            let from = tower.position.0;
            if let Some(target) = nearest(near, from).and_then(|enemy| enemies.get(enemy)) {
                let shot = tower.trigger.shoot(tower.number.0, from, *tower.weapon, target);
                effects.spawn(Bullet::from(shot));
            }
        }
    });
}

fn collide(data: &mut Data<'_, TowerDefence, Collide>) {
    let Data { own, effects, .. } = data;
    let positions = effects.read_any::<Position>();
    own.for_placed(|place, bullet| {
        let (at, target) = (bullet.position.0, bullet.target.0);
        let has_hit = positions.get(target).is_some_and(|target| rules::hits(at, target.0));
        if has_hit {
            effects.add(Score { hits: 1, ..Score::default() });
            effects.spawn(Particle::from(Spark::of_hit(bullet.number.0, at)));
            effects.emit(Hit { at, target, weapon: *bullet.weapon });
        }
        if rules::vanishes(&mut bullet.life.0, at) || has_hit {
            effects.despawn(place);
        }
    });
}

fn hurt(data: &mut Data<'_, TowerDefence, Hurt>) {
    let Data { own, effects, .. } = data;
    let near = effects.near::<Enemies, (&Position, Place)>();
    let mut enemies = own.any_mut::<&mut Health>();
    for &Hit { at, target, weapon } in effects.events::<Hit>() {
        if weapon.blast > 0.0 {
            let harmed = near.at(at).filter(|(there, _)| rules::harms(at, weapon.blast, there.0));
            enemies.for_each_of(harmed.map(|(_, place)| place), |_, health| {
                health.0 -= weapon.damage;
            });
        } else if let Some(health) = enemies.get_mut(target) {
            health.0 -= weapon.damage;
        }
    }
}

fn march(data: &mut Data<'_, TowerDefence, March>) {
    let Data { own, effects, .. } = data;
    own.for_placed(|place, enemy| {
        let (position, velocity) = (enemy.position.0, &mut enemy.velocity.0);
        if enemy.health.0 <= 0 {
            effects.add(Score { killed: 1, ..Score::default() });
            effects.spawn_batch(Spark::of_death(enemy.number.0, position).map(Particle::from));
            effects.despawn(place);
        } else if !rules::march(
            position,
            velocity,
            enemy.lane.0,
            enemy.speed.0,
            &mut enemy.corner.0,
        ) {
            effects.add(Score { escaped: 1, ..Score::default() });
            effects.despawn(place);
        }
    });
}

fn draw(data: &mut Data<'_, TowerDefence, Draw>) {
    let Data { own, effects, .. } = data;
    own.for_runs::<(&Position, &Look)>(|(positions, looks)| {
        let sprite =
            |(position, look): (&Position, &Look)| Sprite { position: position.0, look: look.0 };
        effects.output().extend(zip(positions, looks).map(sprite));
    });
}

/// The game.
#[derive(Debug)]
pub struct Game(World<TowerDefence>);

impl Game {
    /// The game before its first frame.
    #[must_use]
    pub fn new(size: Size, threads: Threads) -> Self {
        let mut world = World::on(threads);
        *world.resource_mut() = Waves::new(size);
        world.spawn_batch(Site::all(size).map(Tower::from));
        world.spawn_batch(Recruit::first(size).map(Enemy::from));
        Self(world)
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World<TowerDefence> {
        &self.0
    }
}

/// What enemies, bullets and particles have in common.
type Moving<'a> = (&'a Number, &'a Position, &'a Velocity);

impl Design for Game {
    fn frame(&mut self) {
        self.0.tick().expect("the limit is dynamic");
    }

    fn state(&self) -> State {
        let Self(world) = self;
        let mut state = State::new(*world.resource(), world.outputs_of::<Draw>().flatten());
        for ((number, at, velocity), health, corner) in
            world.iter::<(Moving<'_>, &Health, &Corner)>()
        {
            state.add_enemy(number.0, [at.0, velocity.0], health.0, corner.0);
        }
        for (number, at, trigger) in world.iter::<(&Number, &Position, &Trigger)>() {
            state.add_tower(number.0, at.0, *trigger);
        }
        for ((number, at, velocity), life, target) in
            world.iter::<(Moving<'_>, &Life, Option<&Target>)>()
        {
            let places = [at.0, velocity.0];
            match target {
                Some(_) => state.add_bullet(number.0, places, life.0),
                None => state.add_particle(number.0, places, life.0),
            }
        }
        state.sorted()
    }
}
