//! A program of the paper on Core ECS, objects that collide on a line: prints its listing 3.
//!
//! ```sh
//! cargo run --release --package ecs-examples --example toy_physics
//! ```

#![forbid(unsafe_code)]

use ecs_core::Threads;
use ecs_examples::core_ecs::toy_physics::listing_3;

fn main() {
    print!("{}", listing_3(Threads::Global));
}
