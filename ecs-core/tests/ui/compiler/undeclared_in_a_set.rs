//! The body of a set's system, generic over the world, does what the set does not declare.

use ecs_core::{Data, System, set};

pub struct Position(pub f32);
#[derive(Default)]
pub struct Fall;

set! {
    pub set Physics;
    component Position: contiguous_buffer;
    system Fall { read: [Position] }
}

impl<D: PhysicsWorld> System<D> for Fall {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        data.own.query::<&mut Position>().for_each(|position| position.0 -= 1.0);
    }
}

fn main() {}
