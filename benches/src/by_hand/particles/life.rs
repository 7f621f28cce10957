//! Life and fade: one pass over the discs.

use super::columns::Look;
use ecs_examples::particles::FRAME_SECONDS;

/// Ages every disc and adds the rows of those whose life ends to `expired`.
pub(super) fn age(lives: &mut [f32], looks: &mut [Look], first_row: u32, expired: &mut Vec<u32>) {
    expired.clear();
    for (row, (life, look)) in (first_row..).zip(lives.iter_mut().zip(looks)) {
        *life -= FRAME_SECONDS;
        look.color[3] = (*life * 10.0) as u8;
        if *life <= 0.0 {
            expired.push(row);
        }
    }
}
