//! The worlds that the program runs: the declarations with the settings that a run asks for.

use crate::churn::LifeWorld;
use crate::particles::{Disc, DiscWorld};
use crate::simulation::{
    ChurnWorld, DYNAMIC_START, FIXED_LIMIT, ParticleWorld, RunConfig, SimulationError, Storage,
    Worlds,
};
use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed};
use rayon::ThreadPool;
use std::sync::Arc;

/// Builds worlds declared with `ecs-core`.
#[derive(Clone, Copy, Debug, Default)]
pub struct EcsWorlds;

type FixedOn = Config<Fixed<FIXED_LIMIT>, Allow, AtomicCounter>;
type FixedOff = Config<Fixed<FIXED_LIMIT>, Disallow, AtomicCounter>;
type DynamicOn = Config<Dynamic<DYNAMIC_START>, Allow, AtomicCounter>;
type DynamicOff = Config<Dynamic<DYNAMIC_START>, Disallow, AtomicCounter>;

impl Worlds for EcsWorlds {
    fn particles(
        &self,
        config: &RunConfig,
        pool: &Arc<ThreadPool>,
        discs: &mut dyn Iterator<Item = Disc>,
    ) -> Result<Box<dyn ParticleWorld>, SimulationError> {
        Ok(match (config.storage, config.inner_parallelism) {
            (Storage::Fixed, true) => Box::new(DiscWorld::<FixedOn>::new(pool, discs)?),
            (Storage::Fixed, false) => Box::new(DiscWorld::<FixedOff>::new(pool, discs)?),
            (Storage::Dynamic, true) => Box::new(DiscWorld::<DynamicOn>::new(pool, discs)?),
            (Storage::Dynamic, false) => Box::new(DiscWorld::<DynamicOff>::new(pool, discs)?),
        })
    }

    fn churn(
        &self,
        config: &RunConfig,
        pool: &Arc<ThreadPool>,
    ) -> Result<Box<dyn ChurnWorld>, SimulationError> {
        let (entities, seed) = (config.entities, config.seed);
        Ok(match (config.storage, config.inner_parallelism) {
            (Storage::Fixed, true) => Box::new(LifeWorld::<FixedOn>::new(pool, entities, seed)?),
            (Storage::Fixed, false) => Box::new(LifeWorld::<FixedOff>::new(pool, entities, seed)?),
            (Storage::Dynamic, true) => {
                Box::new(LifeWorld::<DynamicOn>::new(pool, entities, seed)?)
            }
            (Storage::Dynamic, false) => {
                Box::new(LifeWorld::<DynamicOff>::new(pool, entities, seed)?)
            }
        })
    }
}
