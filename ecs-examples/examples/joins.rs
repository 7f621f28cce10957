//! Pairs of entities: the product of the paper's figure 11, and a join by the cells of a grid.
//!
//! ```sh
//! cargo run --release --package ecs-examples --example joins
//! ```

#![forbid(unsafe_code)]

use ecs_core::Threads;
use ecs_examples::core_ecs::pairs;

fn main() {
    print!("{}", pairs::report(Threads::Global));
}
