//! ECS0114: no initial value.

use ecs_core::{Data, System, world};

struct Count {
    from: u32,
}

world! {
    world W;
    system Count;
}

impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {}
