//! The game: tanks on a field, who drive, shoot, and come back at another place when they are hit three times.

use std::time::SystemTime;

use ecs_core::{Addressed, Data, Entity, StateHash, World, world};
use ecs_rollback::{Input, Inputs};
use serde::{Deserialize, Serialize};

/// The size of the field, in cells of the terminal.
pub(crate) const COLUMNS: i32 = 64;
/// As [`COLUMNS`].
pub(crate) const ROWS: i32 = 20;
/// Positions have this many parts of a cell: whole numbers, which are the same on every machine.
pub(crate) const CELL: i32 = 16;

/// The keys that a player holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, StateHash, Serialize, Deserialize)]
pub(crate) struct Keys(pub(crate) u8);

impl Input for Keys {}

impl Keys {
    /// Drive upwards, and so on.
    pub(crate) const UP: Self = Self(1);
    pub(crate) const DOWN: Self = Self(2);
    pub(crate) const LEFT: Self = Self(4);
    pub(crate) const RIGHT: Self = Self(8);
    pub(crate) const FIRE: Self = Self(16);

    /// Whether a key is held.
    pub(crate) fn holds(self, key: Self) -> bool {
        self.0 & key.0 != 0
    }

    /// The direction of the arrows that are held; of two axes, the horizontal one.
    fn direction(self) -> Option<Heading> {
        let axis = |more, less| i32::from(self.holds(more)) - i32::from(self.holds(less));
        match (axis(Self::RIGHT, Self::LEFT), axis(Self::DOWN, Self::UP)) {
            (0, 0) => None,
            (0, y) => Some(Heading { x: 0, y }),
            (x, _) => Some(Heading { x, y: 0 }),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, StateHash)]
pub(crate) struct Position {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, StateHash)]
pub(crate) struct Heading {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

#[derive(Clone, Debug, StateHash)]
pub(crate) struct Tank {
    pub(crate) player: usize,
    /// Frames until it can shoot again.
    reload: u8,
}

#[derive(Clone, Debug, StateHash)]
pub(crate) struct Health(pub(crate) u8);

#[derive(Clone, Debug, StateHash)]
pub(crate) struct Bullet {
    player: usize,
    /// Frames until it is gone.
    left: u8,
}

/// What is left of a hit, for some frames.
#[derive(Clone, Debug, StateHash)]
pub(crate) struct Smoke(u8);

/// One of many that wander about, to make the world large.
#[derive(Clone, Debug, StateHash)]
pub(crate) struct Drone(u16);

/// A message to the tank that is hit.
#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Hit {
    by: usize,
}

/// The hits of each player.
#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Score(pub(crate) [u32; 4]);

/// Whether this machine computes wrongly, to show what happens then: it reads a clock. No part of the state.
#[derive(Default)]
pub(crate) struct Fault(pub(crate) bool);

/// What a hit counts, as a file of this machine says. No part of the state, so all machines should have the same.
pub(crate) struct Bonus(pub(crate) u32);

impl Default for Bonus {
    fn default() -> Self {
        Self(1)
    }
}

world! {
    pub(crate) world Tanks { seed: 2026 }

    component Position, Heading, Tank, Health, Bullet, Smoke, Drone;
    resource Inputs<Keys>, Score;
    resource Fault, Bonus: transient;
    event Hit: addressed;

    order Drive -> Shoot -> Fly -> Strike;
    order Wound -> Wander;

    system Drive {
        each: |position: &mut Position, heading: &mut Heading, tank: &Tank, inputs: &Inputs<Keys>| {
            if let Some(direction) = inputs[tank.player].direction() {
                *heading = direction;
                step(position, direction, 4);
            }
        },
    }
    system Shoot {
        spawn: [(Bullet, Position, Heading)],
        each: |tank: &mut Tank, position: &Position, heading: &Heading, effects, inputs: &Inputs<Keys>| {
            tank.reload = tank.reload.saturating_sub(1);
            if tank.reload == 0 && inputs[tank.player].holds(Keys::FIRE) {
                tank.reload = 12;
                effects.spawn((Bullet { player: tank.player, left: 60 }, *position, *heading));
            }
        },
    }
    system Fly {
        despawn,
        each: |entity: Entity, bullet: &mut Bullet, position: &mut Position, heading: &Heading, effects| {
            bullet.left = bullet.left.saturating_sub(1);
            if bullet.left == 0 || !step(position, *heading, 10) {
                effects.despawn(entity);
            }
        },
    }
    query Targets { read: [Tank, Position] }
    system Strike {
        queries: [Targets],
        read: [Position],
        write: [Bullet],
        emit: [Hit],
        run: strike,
    }
    system Wound {
        on: [Hit],
        random,
        with: [Tank],
        write: [Health, Position],
        spawn: [(Smoke, Position)],
        run: wound,
    }
    system Count {
        on: [Hit],
        run: |effects, score: &mut Score, bonus: &Bonus| {
            effects.events::<Addressed<Hit>>().for_each(|hit| score.0[hit.message.by] += bonus.0);
        },
    }
    system Fade {
        despawn,
        each: |entity: Entity, smoke: &mut Smoke, effects| match smoke.0 {
            0 => effects.despawn(entity),
            _ => smoke.0 -= 1,
        },
    }
    system Wander {
        random,
        parallelism: split_every(512),
        each: |entity: Entity, position: &mut Position, drone: &mut Drone, effects| {
            let mut random = effects.random(entity);
            let heading = Heading { x: random.range(-1..=1), y: random.range(-1..=1) };
            drone.0 = drone.0.wrapping_add(u16::from(step(position, heading, 3)));
        },
    }
    // The fault. Only a machine with `Fault(true)` has it.
    system Shake {
        dependencies: [Wander],
        with: [Tank],
        each: |position: &mut Position, fault: &Fault| {
            if fault.0 {
                position.x += clock();
            }
        },
    }
}

/// Moves within the field; `false` at its border.
fn step(position: &mut Position, heading: Heading, speed: i32) -> bool {
    let (x, y) = (position.x + heading.x * speed, position.y + heading.y * speed);
    let inside = (0..COLUMNS * CELL).contains(&x) && (0..ROWS * CELL).contains(&y);
    if inside {
        *position = Position { x, y };
    }
    inside
}

/// Bullets that meet a tank of another player are gone, and tell it.
fn strike(data: &mut Data<'_, Tanks, Strike>) {
    let targets = data.effects.members::<Targets, (Entity, &Tank, &Position)>();
    let effects = &mut data.effects;
    data.own.query::<(&mut Bullet, &Position)>().pairs(
        targets,
        |(bullet, at), (tank, it, place)| {
            let is_near = (at.x - place.x).abs() < CELL && (at.y - place.y).abs() < CELL;
            if is_near && bullet.left > 1 && it.player != bullet.player {
                bullet.left = 1;
                effects.send(tank, Hit { by: bullet.player });
            }
        },
    );
}

/// A tank loses its health, and begins anew elsewhere.
fn wound(data: &mut Data<'_, Tanks, Wound>) {
    data.for_messages::<Hit>(|one, hits, effects| {
        one.health.0 = one.health.0.saturating_sub(hits.count() as u8);
        if one.health.0 == 0 {
            effects.spawn((Smoke(20), *one.position));
            let mut random = effects.random(one.entity);
            one.position.x = random.range(0..COLUMNS * CELL);
            one.position.y = random.range(0..ROWS * CELL);
            one.health.0 = 3;
        }
    });
}

/// What no system may read.
fn clock() -> i32 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    (now.subsec_nanos() / 100 % 16) as i32
}

/// The world before the first frame, on every machine the same.
pub(crate) fn new(players: usize, drones: usize) -> World<Tanks> {
    let mut world = World::<Tanks>::new();
    let corner = |player: usize| {
        let (right, down) = (player % 2 == 1, player / 2 % 2 == (player % 2));
        Position {
            x: if right { COLUMNS * CELL - 5 * CELL } else { 5 * CELL },
            y: if down { 3 * CELL } else { ROWS * CELL - 3 * CELL },
        }
    };
    world.spawn_batch((0..players).map(|player| {
        let heading = Heading { x: 1 - 2 * (player as i32 % 2), y: 0 };
        (Tank { player, reload: 0 }, corner(player), heading, Health(3))
    }));
    world.spawn_batch((0..drones as i32).map(|drone| {
        let at = Position { x: drone * 7 % (COLUMNS * CELL), y: drone * 13 % (ROWS * CELL) };
        (Drone(0), at)
    }));
    world
}
