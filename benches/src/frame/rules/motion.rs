//! Motion: forces, velocities, positions and rotations.

use super::{SIDE, direction, dot, mix, scaled, wave};
use crate::frame::components::{
    Damping, Emitter, Lifetime, Pickup, Player, Position, Rotation, Spin, Steering, Sway, Velocity,
};
use crate::frame::events::Frame;

/// `AdvanceFrame`.
pub fn advance_frame(frame: &mut Frame) {
    frame.0 = frame.0.wrapping_add(1);
}

/// `ReadInput`: the stick is moved every 32 frames.
pub fn read_input(player: &mut Player, frame: Frame) {
    let bits = mix(frame.0 >> 5);
    player.input = [(bits & 0xff) as f32 / 128.0 - 1.0, (bits >> 8 & 0xff) as f32 / 128.0 - 1.0];
}

/// `DrivePlayer`.
pub fn drive_player(player: &Player, steering: &mut Steering) {
    steering.0 = [player.input[0] * 0.1, player.input[1] * 0.1, 0.0];
}

/// `Accelerate`.
#[inline]
pub fn accelerate(velocity: &mut Velocity, steering: &Steering) {
    for axis in 0..3 {
        velocity.0[axis] += steering.0[axis];
    }
}

/// `Fall`.
#[inline]
pub fn fall(velocity: &mut Velocity) {
    velocity.0[2] -= 0.02;
}

/// `Damp`.
#[inline]
pub fn damp(velocity: &mut Velocity, damping: &Damping) {
    velocity.0 = scaled(velocity.0, damping.0);
}

/// `LimitSpeed`.
#[inline]
pub fn limit_speed(velocity: &mut Velocity, speed: f32) {
    let square = dot(velocity.0, velocity.0);
    if square > speed * speed {
        velocity.0 = scaled(velocity.0, speed / square.sqrt());
    }
}

/// `Move`.
#[inline]
pub fn advance(position: &mut Position, velocity: &Velocity) {
    for axis in 0..3 {
        position.0[axis] += velocity.0[axis];
    }
}

/// `Confine`: units turn back at the border, and stay on the ground.
#[inline]
pub fn confine(position: &mut Position, velocity: &mut Velocity) {
    for axis in 0..2 {
        if position.0[axis] < 0.0 {
            position.0[axis] = 0.0;
            velocity.0[axis] = velocity.0[axis].abs();
        } else if position.0[axis] > SIDE {
            position.0[axis] = SIDE;
            velocity.0[axis] = -velocity.0[axis].abs();
        }
    }
    position.0[2] = position.0[2].max(0.0);
}

/// `Ground`: particles bounce.
#[inline]
pub fn bounce(position: &mut Position, velocity: &mut Velocity) {
    if position.0[2] < 0.0 {
        position.0[2] = -position.0[2];
        velocity.0[2] = velocity.0[2].abs() * 0.6;
    }
}

/// `SwayTrees`.
#[inline]
pub fn sway(sway: &mut Sway, rotation: &mut Rotation) {
    sway.phase = (sway.phase + 0.01).fract();
    let half = wave(sway.phase) * sway.amplitude * 0.5;
    rotation.0 = [half, 0.0, 0.0, 1.0 - half * half * 0.5];
}

/// `Turn`.
#[inline]
pub fn turn(rotation: &mut Rotation, spin: &Spin) {
    let [x, y, z, w] = rotation.0;
    let [a, b, c] = scaled(spin.0, 0.5);
    let turned = [
        x + a * w + b * z - c * y,
        y + b * w + c * x - a * z,
        z + c * w + a * y - b * x,
        w - a * x - b * y - c * z,
    ];
    let square = turned.iter().fold(0.0, |sum, part| sum + part * part);
    rotation.0 = turned.map(|part| part / square.sqrt());
}

/// `Face`: the entity looks where it goes.
#[inline]
pub fn face(rotation: &mut Rotation, velocity: &Velocity) {
    let [x, y, _] = direction(velocity.0);
    // The half of the angle between the first axis and the direction.
    let length = ((1.0 + x) * (1.0 + x) + y * y + 1e-6).sqrt();
    rotation.0 = [0.0, 0.0, y / length, (1.0 + x) / length];
}

/// `Bob`.
#[inline]
pub fn bob(pickup: &mut Pickup, position: &mut Position) {
    pickup.phase = (pickup.phase + 0.02).fract();
    position.0[2] = 1.0 + wave(pickup.phase) * 0.25;
}

/// `Age`.
#[inline]
pub fn age(lifetime: &mut Lifetime) {
    lifetime.0 = lifetime.0.saturating_sub(1);
}

/// `Emit`: the number of the first of three particles, when it is time for them.
#[inline]
pub fn emit(emitter: &mut Emitter) -> Option<u32> {
    emitter.timer = emitter.timer.saturating_sub(1);
    if emitter.timer > 0 {
        return None;
    }
    emitter.timer = emitter.period;
    emitter.serial += 3;
    Some(emitter.serial - 3)
}
