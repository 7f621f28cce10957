//! ECS0057: several resources at once that are not a tuple.

use ecs_core::world;

#[derive(Default)]
struct Bank(u32);

world! {
    world W;
    resource Bank;
    system Earn {
        write_resources: [Bank],
        run: |data| drop(data.resources.get_many_mut::<Bank>()),
    }
}

fn main() {}
