//! ECS0120: an undeclared event that is emitted.

use ecs_core::world;
struct Health(i32);
struct Died;

world! {
    world W;
    component Health;
    event Died;
    system Hurt { each: |_: &Health, effects| effects.emit(Died) }
    system Count { on: [Died], run: |_| {} }
}

fn main() {}
