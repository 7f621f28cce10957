//! A public set with a private system type: `rustc` reports it at its name.

use ecs_core::{Data, System, set};

#[derive(Default)]
struct Hidden;

set! {
    pub set Physics;
    system Hidden;
}

impl<D: PhysicsWorld> System<D> for Hidden {
    fn process(&self, _: &mut Data<'_, D, Self>) {}
}

fn main() {}
