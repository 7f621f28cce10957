//! ECS0142: a random number of a range without integers.

use ecs_core::random::Random;

fn main() {
    let _angle = Random::new(7, 0).range(-0.5..0.5);
}
