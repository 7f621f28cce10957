//! Subtasks that share events would each find all of them by their index.

use ecs_core::world;

struct Paid(u32);

world! {
    world Shop;
    event Paid: by_key(|paid: &Paid| -> u32 { paid.0 });
    system Book {
        on: [Paid],
        parallelism: split_evenly(cores),
        run: |data| assert_eq!(data.effects.events_by::<Paid>().at(7).count(), 0),
    }
}

fn main() {
    let _ = ecs_core::World::<Shop>::new();
}
