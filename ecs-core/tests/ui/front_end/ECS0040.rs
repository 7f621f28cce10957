//! ECS0040: no set.

use ecs_core::set;

pub struct Position;

set! {
    component Position;
}

fn main() {}
