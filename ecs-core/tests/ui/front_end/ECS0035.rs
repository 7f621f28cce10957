//! ECS0035: staged changes that a later system does not see.

use ecs_core::world;
struct Bullet(f32);

world! {
    world W { staged_changes: deny }
    component Bullet;
    system Collide { read: [Bullet], despawn, run: |_| {} }
    system Render { read: [Bullet], dependencies: [Collide], run: |_| {} }
}

fn main() {}
