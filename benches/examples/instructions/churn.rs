//! Spawns and despawns in the same step.

use benches::bundle::{Position, Velocity, bundle};
use ecs_core::{Data, System, Threads, World, world};

use super::steadily;

struct Life(u32);

world! {
    world Mortals;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Life: contiguous_buffer;
    system Age { write: [Life], despawn, spawn: [(Position, Velocity, Life)] }
    system Move { read: [Velocity], write: [Position] }
}

#[derive(Default)]
struct Age;
#[derive(Default)]
struct Move;

fn mortal(life: u32) -> (Position, Velocity, Life) {
    let (_, position, _, velocity) = bundle();
    (position, velocity, Life(life))
}

impl System<Mortals> for Age {
    fn process(&self, data: &mut Data<'_, Mortals, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.life.0 -= 1;
            if e.life.0 == 0 {
                effects.despawn(e.entity);
                effects.spawn(mortal(100));
            }
        });
    }
}

impl System<Mortals> for Move {
    fn process(&self, data: &mut Data<'_, Mortals, Self>) {
        data.own.for_entities(|e| {
            for axis in 0..3 {
                e.position.0[axis] += e.velocity.0[axis];
            }
        });
    }
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
