//! Acceleration, velocity, keep in bounds: one pass over the discs.

use super::columns::Look;
use ecs_examples::particles::walls::bounce;
use ecs_examples::particles::{BOX_HEIGHT, BOX_WIDTH, FRAME_SECONDS};

pub(super) fn advance(
    positions: &mut [[f32; 2]],
    velocities: &mut [[f32; 2]],
    accelerations: &[[f32; 2]],
    looks: &[Look],
) {
    let discs = positions.iter_mut().zip(velocities).zip(accelerations).zip(looks);
    for (((position, velocity), acceleration), look) in discs {
        for (axis, limit) in [BOX_WIDTH, BOX_HEIGHT].into_iter().enumerate() {
            let v = velocity[axis] + acceleration[axis] * FRAME_SECONDS;
            let p = position[axis] + v * FRAME_SECONDS;
            (position[axis], velocity[axis]) = bounce(p, v, look.radius, limit);
        }
    }
}
