//! ECS0042: a set included twice.

use ecs_core::{set, world};

pub struct Position;

set! {
    pub set Space;
    component Position;
}

world! {
    world W;
    include Space;
    include self::Space;
}

fn main() {}
