//! ECS0131: a condition that reads what an earlier system of its phase writes.

use ecs_core::world;
#[derive(Default)]
struct Mode(u8);

world! {
    world W;
    resource Mode;
    system Choose {
        write_resources: [Mode],
        run: |data| data.resources.get_mut::<Mode>().0 = 1,
    }
    system Play { run_if: |mode: &Mode| mode.0 == 1, dependencies: [Choose], run: |_| {} }
}

fn main() {}
