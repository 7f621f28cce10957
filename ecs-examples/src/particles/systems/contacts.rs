//! Pushing apart the discs that touch.

use ecs_core::{Data, System};

use super::Collide;
use crate::particles::components::{Position, Velocity};
use crate::particles::world::Particles;

/// Solves the contacts one after the other: swaps velocities, and pushes the two discs apart by
/// 0.6 of their overlap each.
#[derive(Debug, Default)]
pub struct SolveContacts;

impl System<Particles> for SolveContacts {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        for contacts in data.previous_outputs::<Collide>() {
            for contact in contacts.in_order() {
                let pair = data.pair_mut::<(&mut Position, &mut Velocity)>(contact.e0, contact.e1);
                let Some(((p0, v0), (p1, v1))) = pair else { continue };
                std::mem::swap(v0, v1);
                let (dx, dy) = (p1.0[0] - p0.0[0], p1.0[1] - p0.0[1]);
                let distance = (dx * dx + dy * dy).sqrt();
                // Two discs in the same place have no normal; they part along the x axis.
                let normal =
                    if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
                for axis in 0..2 {
                    let push = normal[axis] * contact.overlap * 0.6;
                    p0.0[axis] -= push;
                    p1.0[axis] += push;
                }
            }
        }
    }
}
