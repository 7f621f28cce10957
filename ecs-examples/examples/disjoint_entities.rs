//! A program of the paper on Core ECS, one component changed by two systems at once: prints its listing 7.
//!
//! ```sh
//! cargo run --release --package ecs-examples --example disjoint_entities
//! ```

#![forbid(unsafe_code)]

use ecs_core::Threads;
use ecs_examples::core_ecs::disjoint_entities::listing_7;

fn main() {
    print!("{}", listing_7(Threads::Global));
}
