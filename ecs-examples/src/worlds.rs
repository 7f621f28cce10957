//! The worlds that the program runs.

use crate::particles::Disc;
use crate::simulation::{ChurnWorld, ParticleWorld, RunConfig, SimulationError, Worlds};
use rayon::ThreadPool;
use std::sync::Arc;

/// Builds worlds declared with `ecs-core`.
#[derive(Clone, Copy, Debug, Default)]
pub struct EcsWorlds;

impl Worlds for EcsWorlds {
    fn particles(
        &self,
        _config: &RunConfig,
        _pool: &Arc<ThreadPool>,
        _discs: &mut dyn Iterator<Item = Disc>,
    ) -> Result<Box<dyn ParticleWorld>, SimulationError> {
        Err(SimulationError::new("the particle world is not built into this program"))
    }

    fn churn(
        &self,
        _config: &RunConfig,
        _pool: &Arc<ThreadPool>,
    ) -> Result<Box<dyn ChurnWorld>, SimulationError> {
        Err(SimulationError::new("the churn world is not built into this program"))
    }
}
