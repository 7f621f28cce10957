//! ECS0159: an event without an index.

use ecs_core::world;

struct Paid { account: u32, sum: i64 }

world! {
    world Bank;
    event Paid;
    system Book { on: [Paid], run: |data| { let paid = data.effects.events_by::<Paid>(); } }
}

fn main() {}
