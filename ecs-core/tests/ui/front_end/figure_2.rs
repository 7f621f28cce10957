//! The conflicts of *The Essence of Entity Component System* (figure 2), which the example `28_conflicts` mends.

use ecs_core::world;

mod concurrent {
    use super::world;
    struct Bullet(f32);

    world! {
        world Tower { staged_changes: deny }
        component Bullet;
        system Fly { write: [Bullet], despawn, run: |_| {} }
        system Collide { read: [Bullet], despawn, run: |_| {} }
    }
}

mod residual {
    use super::world;
    struct Bullet(f32);

    world! {
        world Tower { staged_changes: deny }
        component Bullet;
        system Fly { write: [Bullet], despawn, run: |_| {} }
        system Collide { read: [Bullet], dependencies: [Fly], despawn, run: |_| {} }
        system Draw { read: [Bullet], dependencies: [Collide], run: |_| {} }
    }
}

fn main() {}
