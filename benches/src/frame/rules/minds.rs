//! What units, bosses and the player want.

use super::{SIDE, difference, direction, dot, fraction, mix, scaled};
use crate::frame::components::{
    Boss, Brain, Health, Id, Position, State, Steering, Velocity, Waypoint,
};
use crate::frame::events::Frame;

/// `Retarget`: the number of the new target among `count`.
#[inline]
pub fn new_target(id: Id, frame: Frame, count: usize) -> usize {
    mix(id.0 ^ frame.0.rotate_left(16)) as usize % count
}

/// `Sense`.
#[inline]
pub fn sense(brain: &mut Brain, position: &Position, target: Option<&Position>) {
    brain.range = match target {
        Some(target) => {
            let way = difference(target.0, position.0);
            dot(way, way).sqrt()
        }
        None => f32::MAX,
    };
}

/// `Think`.
#[inline]
pub fn think(brain: &mut Brain, id: Id, health: &Health) {
    let is_weak = health.now * 5 < health.max;
    let next = match brain.state {
        _ if is_weak => State::Flee,
        State::Patrol if brain.timer > 20 + id.0 % 32 => State::Chase,
        State::Chase if brain.range < 40.0 => State::Attack,
        State::Attack if brain.range > 60.0 => State::Chase,
        State::Attack if brain.timer > 400 => State::Patrol,
        State::Flee => State::Patrol,
        state => state,
    };
    if next == brain.state {
        brain.timer += 1;
    } else {
        *brain = Brain { state: next, timer: 0, ..*brain };
    }
}

/// `Patrol`: toward one place after the other. All other states start without a force.
#[inline]
pub fn patrol(
    steering: &mut Steering,
    waypoint: &mut Waypoint,
    brain: &Brain,
    id: Id,
    position: &Position,
) {
    if brain.state != State::Patrol {
        steering.0 = [0.0; 3];
        return;
    }
    let place = mix(id.0 ^ waypoint.0 << 20);
    let goal = [fraction(place) * SIDE, fraction(place ^ 1) * SIDE, 0.0];
    let way = difference(goal, position.0);
    if dot(way, way) < 25.0 {
        waypoint.0 = waypoint.0.wrapping_add(1);
    }
    steering.0 = scaled(direction(way), 0.05);
}

/// `Chase`: toward the target, around it, or away from it.
#[inline]
pub fn chase(
    steering: &mut Steering,
    brain: &Brain,
    position: &Position,
    target: impl FnOnce() -> Option<Position>,
) {
    let (ahead, aside) = match brain.state {
        State::Patrol => return,
        State::Chase => (0.08, 0.0),
        State::Attack => (0.0, 0.04),
        State::Flee => (-0.1, 0.0),
    };
    if let Some(target) = target() {
        let [x, y, _] = direction(difference(target.0, position.0));
        steering.0 = [x * ahead - y * aside, y * ahead + x * aside, 0.0];
    }
}

/// `AvoidBosses`: away from the nearest boss, if it is near.
#[inline]
pub fn avoid<'a>(
    steering: &mut Steering,
    position: &Position,
    bosses: impl IntoIterator<Item = &'a Position>,
) {
    const NEAR: f32 = 20.0;
    let mut nearest = ([0.0; 3], NEAR * NEAR);
    for boss in bosses {
        let way = difference(position.0, boss.0);
        let square = dot(way, way);
        if square < nearest.1 {
            nearest = (way, square);
        }
    }
    if nearest.1 < NEAR * NEAR {
        let [x, y, _] = direction(nearest.0);
        steering.0[0] += x * 0.06;
        steering.0[1] += y * 0.06;
    }
}

/// `BossPhases`: a boss walks in circles, and rises again when it has lost its health.
pub fn boss_phase(boss: &mut Boss, health: &mut Health, steering: &mut Steering, id: Id) {
    boss.timer += 1;
    if health.now <= 0 {
        health.now = health.max;
        *boss = Boss { phase: boss.phase + 1, timer: 0 };
    }
    let turn = mix(id.0 ^ boss.timer >> 6 ^ boss.phase << 16);
    steering.0 = [fraction(turn) * 0.1 - 0.05, fraction(turn ^ 1) * 0.1 - 0.05, 0.0];
}

/// `Home`: a projectile turns toward its target.
#[inline]
pub fn home(velocity: &mut Velocity, position: &Position, target: Option<&Position>) {
    if let Some(target) = target {
        let speed = dot(velocity.0, velocity.0).sqrt();
        let wanted = scaled(direction(difference(target.0, position.0)), speed);
        for (part, wanted) in velocity.0.iter_mut().zip(wanted) {
            *part = *part * 0.25 + wanted * 0.75;
        }
    }
}
