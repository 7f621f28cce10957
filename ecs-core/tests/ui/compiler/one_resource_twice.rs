//! ECS0057: several resources at once, of which one is named twice.

use ecs_core::{World, world};

#[derive(Default)]
struct Bank(u32);

world! {
    world W;
    resource Bank;
    system Earn {
        write_resources: [Bank],
        run: |data| data.resources.get_many_mut::<(Bank, Bank)>().0.0 += 1,
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
