//! ECS0057: several resources at once, of which one is not declared.

use ecs_core::world;

#[derive(Default)]
struct Bank(u32);
#[derive(Default)]
struct Journal(u32);

world! {
    world W;
    resource Bank;
    resource Journal;
    system Earn {
        write_resources: [Bank],
        run: |data| data.resources.get_many_mut::<(Bank, Journal)>().0.0 += 1,
    }
}

fn main() {}
