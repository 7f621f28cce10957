//! ECS0041: a header that has no place here.

use ecs_core::world;

pub struct Position;

world! {
    world W;
    pub set Space;
    component Position;
}

fn main() {}
