//! The churn benchmark: entities that die and are born again.

use ecs_core::{Data, Place, System};

use super::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};

/// How long the entity has yet to live, and how many successors it has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Life {
    /// At 0 or below the entity dies.
    pub v: f32,
    /// How often its line is continued.
    pub spawns: u32,
}

impl Life {
    /// The life of the entity created as number `index` at the start.
    #[must_use]
    pub fn first(seed: u64, index: usize) -> Self {
        Self { v: initial_life(seed, index), spawns: SPAWNS }
    }
}

ecs_core::world! {
    /// Entities that die and are born again.
    pub world Churn {
        entity_limit: dynamic(50_000),
    }

    component Life: contiguous_buffer;

    /// What all lives are drawn from.
    resource Seed;

    system Age {
        parallelism: split_evenly(cores),
        write: [Life],
        read_resources: [Seed],
        despawn,
        spawn: [(Life,)],
    }
}

/// What all lives are drawn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed(pub u64);

/// Takes from each life; who dies has a successor if there is one left.
#[derive(Debug, Default)]
pub struct Age;

impl System<Churn> for Age {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let seed = data.resource::<Seed>().0;
        let (own, effects) = data.split();
        own.query::<(Place, &mut Life)>().for_each(|(place, life)| {
            life.v -= DECAY_PER_FRAME;
            if life.v <= 0.0 {
                effects.despawn(place);
                if life.spawns > 0 {
                    let v = next_life(seed, life.v.to_bits(), life.spawns);
                    effects.spawn((Life { v, spawns: life.spawns - 1 },));
                }
            }
        });
    }
}
