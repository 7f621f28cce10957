//! Spawns and despawns in the same step.

use benches::bundle::{Position, Velocity, bundle};
use ecs_core::{Entity, Threads, World, world};

use super::steadily;

struct Life(u32);

world! {
    world Mortals;
    component Position, Velocity, Life;
    system Age {
        despawn,
        spawn: [(Position, Velocity, Life)],
        each: |entity: Entity, life: &mut Life, effects| {
            life.0 -= 1;
            if life.0 == 0 {
                effects.despawn(entity);
                effects.spawn(mortal(100));
            }
        },
    }
    system Move {
        each: |position: &mut Position, velocity: &Velocity| {
            for axis in 0..3 {
                position.0[axis] += velocity.0[axis];
            }
        },
    }
}

fn mortal(life: u32) -> (Position, Velocity, Life) {
    let (_, position, _, velocity) = bundle();
    (position, velocity, Life(life))
}

fn filled() -> World<Mortals> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        (0..100_000).for_each(|n| {
            step.spawn(mortal(1 + n % 100));
        });
    });
    filled.expect("nothing is staged");
    world
}

/// All entities age, one of a hundred is despawned and replaced, all move.
pub(super) fn churn() {
    let mut world = filled();
    steadily(|| {
        world.tick().expect("there is room");
        assert_eq!(world.entity_count(), 100_000);
    });
}
