//! Acceleration, velocity, and the walls.

use ecs_core::{Data, System};

use crate::particles::walls::bounce;
use crate::particles::world::Particles;
use crate::particles::{BOX_HEIGHT, BOX_WIDTH, FRAME_SECONDS};

/// `v += a * dt`.
#[derive(Debug, Default)]
pub struct Accelerate;

impl System<Particles> for Accelerate {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        data.own.for_entities(|e| {
            for axis in 0..2 {
                e.velocity.0[axis] += e.acceleration.0[axis] * FRAME_SECONDS;
            }
        });
    }
}

/// `p += v * dt`.
#[derive(Debug, Default)]
pub struct Move;

impl System<Particles> for Move {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        data.own.for_entities(|e| {
            for axis in 0..2 {
                e.position.0[axis] += e.velocity.0[axis] * FRAME_SECONDS;
            }
        });
    }
}

/// Moves a disc that is past a wall back to the wall, and reverses its velocity.
#[derive(Debug, Default)]
pub struct KeepInBounds;

impl System<Particles> for KeepInBounds {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        data.own.for_entities(|e| {
            let (radius, [x, y], [vx, vy]) = (e.circle.0, e.position.0, e.velocity.0);
            let (x, vx) = bounce(x, vx, radius, BOX_WIDTH);
            let (y, vy) = bounce(y, vy, radius, BOX_HEIGHT);
            (e.position.0, e.velocity.0) = ([x, y], [vx, vy]);
        });
    }
}
