//! Spawns one by one and in a batch, and the despawn of all entities.

use benches::bundle::{Position, Rotation, Transform, Velocity, bundle};
use ecs_core::{Data, Place, Threads, World, world};

use super::anew;

world! {
    world Simple;
    component Transform, Position, Rotation, Velocity;
    system Move { each: |position: &mut Position, velocity: &Velocity| position.0[0] += velocity.0[0] }
    system End {
        dependencies: [Move],
        with: [Rotation],
        despawn,
        run: |Data { own, effects, .. }| own.query::<Place>().for_each(|place| effects.despawn(place)),
    }
}

fn fill(world: &mut World<Simple>) {
    let filled = world.step(|step| {
        (0..10_000).for_each(|_| {
            step.spawn(bundle());
        });
    });
    filled.expect("nothing is staged");
}

/// Spawns one by one, in a world without memory, including the refresh that updates the systems' subscriptions.
pub(super) fn insert() {
    anew(|| World::<Simple>::on(Threads::Inline), fill);
}

/// The same in one batch.
pub(super) fn insert_together() {
    anew(
        || World::<Simple>::on(Threads::Inline),
        |world| {
            let bundles = std::iter::repeat_with(bundle).take(10_000);
            let filled = world.step(|step| {
                step.spawn_batch(bundles);
            });
            filled.expect("nothing is staged");
        },
    );
}

/// A system despawns all entities.
pub(super) fn despawn_all() {
    let filled = || {
        let mut world = World::<Simple>::on(Threads::Inline);
        fill(&mut world);
        world
    };
    anew(filled, |world| {
        world.step(|step| step.execute_systems_from::<(End,)>()).expect("nothing is spawned");
        assert_eq!(world.entity_count(), 0);
    });
}
