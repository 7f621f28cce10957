//! Acceleration, velocity, and the walls.

use ecs_core::{Data, System};

use crate::particles::world::Particles;
use crate::particles::{BOX_HEIGHT, BOX_WIDTH, FRAME_SECONDS};

/// `v += a * dt`.
#[derive(Debug, Default)]
pub struct Accelerate;

impl System<Particles> for Accelerate {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        data.for_entities(|e| {
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
        data.for_entities(|e| {
            for axis in 0..2 {
                e.position.0[axis] += e.velocity.0[axis] * FRAME_SECONDS;
            }
        });
    }
}

/// Puts a disc that is past a wall back to the wall, and turns its velocity around.
#[derive(Debug, Default)]
pub struct KeepInBounds;

impl System<Particles> for KeepInBounds {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        data.for_entities(|e| {
            let radius = e.circle.0;
            for (axis, limit) in [BOX_WIDTH, BOX_HEIGHT].into_iter().enumerate() {
                let (p, v) = (e.position.0[axis], e.velocity.0[axis]);
                let before = p - radius < 0.0;
                let beyond = p + radius > limit;
                let inner = if beyond { limit - radius } else { p };
                // Values are chosen and stored in any case, so that the loop has no branches.
                e.position.0[axis] = if before { radius } else { inner };
                e.velocity.0[axis] = if before | beyond { -v } else { v };
            }
        });
    }
}
