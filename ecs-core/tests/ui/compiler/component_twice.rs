//! A component twice in a bundle, by each operation that spawns.

use ecs_core::{World, world};

struct A;
struct B;

world! {
    world W;
    component A, B;
    system Stage {
        spawn: [(A, B)],
        run: |data| {
            data.effects.spawn((A, A));
            data.effects.spawn_batch([(A, A, B)]);
        },
    }
    system Roll {
        sequential,
        spawn: [(A, B)],
        dependencies: [Stage],
        run: |data| {
            data.now().spawn((B, A, A));
            data.now().spawn_batch([(B, A, B)]);
        },
    }
    system Put { defer, run: |data| data.effects.defer(|defer| drop(defer.spawn_batch([(B, B)]))) }
}

fn main() {
    let mut world = World::<W>::new();
    world.spawn((B, B, A));
    world.spawn_batch([(A, B, A, B)]);
    world
        .step(|step| {
            step.spawn((A, B, B));
            step.spawn_batch([(A, B, B, A)]);
        })
        .unwrap();
}
