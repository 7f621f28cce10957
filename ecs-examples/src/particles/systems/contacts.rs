//! Solving contacts: pushes touching discs apart.

use ecs_core::Data;

use crate::particles::components::{Position, Velocity};
use crate::particles::world::{Collide, Particles, SolveContacts};

pub(in crate::particles) fn solve_contacts(data: &mut Data<'_, Particles, SolveContacts>) {
    let contacts = data.effects.outputs_of::<Collide>();
    let mut discs = data.own.any_mut::<(&mut Position, &mut Velocity)>();
    for contact in contacts.flatten() {
        if let Some((one, other)) = discs.pair_mut(contact.e0, contact.e1) {
            solve(one, other, contact.overlap);
        }
    }
}

/// Solves one contact: swaps the velocities, and pushes the two discs apart by 0.6 of their overlap each.
fn solve(
    (p0, v0): (&mut Position, &mut Velocity),
    (p1, v1): (&mut Position, &mut Velocity),
    overlap: f32,
) {
    std::mem::swap(v0, v1);
    let (dx, dy) = (p1.0[0] - p0.0[0], p1.0[1] - p0.0[1]);
    let distance = (dx * dx + dy * dy).sqrt();
    // Two discs at the same position have no normal; they are pushed apart along the x axis.
    let normal = if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
    let push = normal.map(|n| n * overlap * 0.6);
    p0.0 = [p0.0[0] - push[0], p0.0[1] - push[1]];
    p1.0 = [p1.0[0] + push[0], p1.0[1] + push[1]];
}
