//! The churn benchmark: entities that are despawned and replaced by successors.

use bytemuck::{Pod, Zeroable};
use ecs_core::{Data, Place, StateHash};

use super::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};

/// The entity's remaining life and number of successors.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(C)]
pub struct Life {
    /// The remaining life. At 0 or below the entity is despawned.
    pub v: f32,
    /// The remaining number of successors.
    pub spawns: u32,
}

impl Life {
    /// The life of the initial entity number `index`.
    #[must_use]
    pub fn first(seed: u64, index: usize) -> Self {
        Self { v: initial_life(seed, index), spawns: SPAWNS }
    }
}

ecs_core::world! {
    /// Entities that are despawned and replaced by successors.
    pub world Churn { entity_limit: dynamic(50_000) }

    component Life;

    /// The seed of all lives.
    resource Seed;

    /// Decreases each life, and despawns entities whose life ends. Each has a successor if its `spawns` is not 0.
    system Age {
        parallelism: split_evenly(cores),
        write: [Life],
        read_resources: [Seed],
        despawn,
        spawn: [Life],
        run: age,
    }
}

/// The seed of all lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Seed(pub u64);

fn age(data: &mut Data<'_, Churn, Age>) {
    let seed = data.resources.get::<Seed>().0;
    let Data { own, effects, .. } = data;
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
