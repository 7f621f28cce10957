//! Motion, and the walls.

use crate::particles::components::{Position, Velocity};
use crate::particles::walls::bounce;
use crate::particles::{BOX_HEIGHT, BOX_WIDTH, FRAME_SECONDS};

/// Adds the change of one frame.
#[inline(always)]
pub(in crate::particles) fn advance(value: &mut [f32; 2], change_per_second: [f32; 2]) {
    value[0] += change_per_second[0] * FRAME_SECONDS;
    value[1] += change_per_second[1] * FRAME_SECONDS;
}

/// Moves a disc that is past a wall back to the wall, and reverses its velocity.
#[inline(always)]
pub(in crate::particles) fn keep_in_bounds(
    position: &mut Position,
    velocity: &mut Velocity,
    radius: f32,
) {
    let ([x, y], [vx, vy]) = (position.0, velocity.0);
    let (x, vx) = bounce(x, vx, radius, BOX_WIDTH);
    let (y, vy) = bounce(y, vy, radius, BOX_HEIGHT);
    (position.0, velocity.0) = ([x, y], [vx, vy]);
}
