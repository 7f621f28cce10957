//! ECS0062: an undeclared deferred function.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Reset;

world! {
    world W;
    system Reset;
}

impl System<W> for Reset {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.defer(|_| {});
    }
}

fn main() {}
