//! Models of the two benchmarks with which the worlds are compared: slow, and simple enough to be obviously right.

pub(crate) mod naive_churn;
pub(crate) mod naive_particles;

use ecs_examples::particles::Disc;
use ecs_examples::simulation::{
    ChurnWorld, FIXED_LIMIT, ParticleWorld, RunConfig, SimulationError, Storage, Worlds,
};
use naive_churn::NaiveChurn;
use naive_particles::NaiveParticles;
use rayon::ThreadPool;
use std::sync::Arc;

/// Builds the naive models, for every configuration alike.
pub(crate) struct NaiveWorlds;

impl Worlds for NaiveWorlds {
    fn particles(
        &self,
        config: &RunConfig,
        _pool: &Arc<ThreadPool>,
        discs: &mut dyn Iterator<Item = Disc>,
    ) -> Result<Box<dyn ParticleWorld>, SimulationError> {
        if config.storage == Storage::Fixed && config.entities > FIXED_LIMIT {
            return Err(SimulationError::new("too many discs"));
        }
        Ok(Box::new(NaiveParticles::new(discs)))
    }

    fn churn(
        &self,
        config: &RunConfig,
        _pool: &Arc<ThreadPool>,
    ) -> Result<Box<dyn ChurnWorld>, SimulationError> {
        Ok(Box::new(NaiveChurn::new(config.entities, config.seed)))
    }
}

/// The path of a state of the thesis's own program.
pub(crate) fn fixture(frame: u32) -> String {
    format!("{}/tests/fixtures/particles-3000-frame-{frame}.csv", env!("CARGO_MANIFEST_DIR"))
}

/// Closes the gaps between rows as a refresh does: the last rows move into the lowest gaps.
pub(crate) fn refill<T>(rows: &mut Vec<Option<T>>) {
    loop {
        while rows.pop_if(|last| last.is_none()).is_some() {}
        let Some(gap) = rows.iter().position(Option::is_none) else { return };
        rows[gap] = rows.pop().expect("there are rows");
    }
}
