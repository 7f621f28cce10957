//! Pushing apart the discs that touch.

use ecs_core::proxy::Reach;
use ecs_core::{Data, Entity, System};

use super::Collide;
use crate::particles::components::{Position, Velocity};
use crate::particles::contact::Contact;
use crate::particles::world::Particles;

/// Solves the contacts one after the other: swaps velocities, and pushes the two discs apart by
/// 0.6 of their overlap each.
#[derive(Debug, Default)]
pub struct SolveContacts;

impl System<Particles> for SolveContacts {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let found = data.previous_outputs::<Collide>();
        let mut discs = data.reach::<(&mut Position, &mut Velocity)>();
        for contacts in found {
            for of_one in contacts.as_slice().chunk_by(|a, b| a.e0 == b.e0) {
                solve(&mut discs, of_one);
            }
        }
    }
}

type Discs<'a, 'b> = Reach<'a, Particles, (&'b mut Position, &'b mut Velocity)>;

/// Solves the contacts of one disc.
fn solve(discs: &mut Discs<'_, '_>, contacts: &[Contact<Entity>]) {
    let e0 = contacts[0].e0;
    let Some((&mut mut p0, &mut mut v0)) = discs.get_mut(e0) else { return };
    for contact in contacts {
        let Some((p1, v1)) = discs.get_mut(contact.e1) else { continue };
        std::mem::swap(&mut v0, v1);
        let (dx, dy) = (p1.0[0] - p0.0[0], p1.0[1] - p0.0[1]);
        let distance = (dx * dx + dy * dy).sqrt();
        // Two discs in the same place have no normal; they part along the x axis.
        let normal = if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
        let push = normal.map(|n| n * contact.overlap * 0.6);
        p0.0 = [p0.0[0] - push[0], p0.0[1] - push[1]];
        p1.0 = [p1.0[0] + push[0], p1.0[1] + push[1]];
    }
    if let Some((position, velocity)) = discs.get_mut(e0) {
        (*position, *velocity) = (p0, v0);
    }
}
