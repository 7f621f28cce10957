//! The churn world for the program's interface [`ChurnWorld`].

use std::sync::Arc;

use ecs_core::settings::Settings;
use ecs_core::{Threads, World};
use rayon::ThreadPool;

use super::world::{Churn, Life, Seed};
use crate::simulation::{ChurnWorld, FrameReport, Simulation, SimulationError};

/// A world of the churn benchmark with the settings `S`.
#[derive(Debug)]
pub struct LifeWorld<S: Settings> {
    world: World<Churn, S>,
}

impl<S: Settings> LifeWorld<S> {
    /// A world of `entities` entities, on the threads of `pool`.
    ///
    /// # Errors
    /// If there are more entities than the limit of the settings.
    pub fn new(
        pool: &Arc<ThreadPool>,
        entities: usize,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        let mut world = World::on(Threads::Pool(Arc::clone(pool)));
        *world.resource_mut() = Seed(seed);
        let lives = (0..entities).map(|index| (Life::first(seed, index),));
        let created = world.step(|step| {
            step.spawn_batch(lives);
        });
        match created {
            Ok(()) => Ok(Self { world }),
            Err(limit) => Err(SimulationError::new(limit.to_string())),
        }
    }
}

impl<S: Settings> LifeWorld<S> {
    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World<Churn, S> {
        &self.world
    }
}

impl<S: Settings> Simulation for LifeWorld<S> {
    fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        let stepped = self.world.tick();
        stepped.map_err(|limit| SimulationError::new(limit.to_string()))?;
        Ok(FrameReport::default())
    }

    fn alive(&self) -> usize {
        self.world.entity_count()
    }
}

impl<S: Settings> ChurnWorld for LifeWorld<S> {
    fn for_each_life(&self, visit: &mut dyn FnMut(f32, u32)) {
        for life in self.world.iter::<&Life>() {
            visit(life.v, life.spawns);
        }
    }
}
