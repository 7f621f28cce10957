//! The churn benchmark as one loop over a vector.

use ecs_examples::churn::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};
use ecs_examples::simulation::{ChurnWorld, FrameReport, Simulation, SimulationError};

/// Living entities: their life and the spawns they have left.
pub(crate) struct NaiveChurn {
    lives: Vec<(f32, u32)>,
    seed: u64,
}

impl NaiveChurn {
    pub(crate) fn new(entities: usize, seed: u64) -> Self {
        Self { lives: (0..entities).map(|i| (initial_life(seed, i), SPAWNS)).collect(), seed }
    }
}

impl Simulation for NaiveChurn {
    fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        let mut born = Vec::new();
        for (life, spawns) in &mut self.lives {
            *life -= DECAY_PER_FRAME;
            if *life <= 0.0 && *spawns > 0 {
                born.push((next_life(self.seed, life.to_bits(), *spawns), *spawns - 1));
            }
        }
        self.lives.retain(|&(life, _)| life > 0.0);
        self.lives.extend(born);
        Ok(FrameReport::default())
    }

    fn alive(&self) -> usize {
        self.lives.len()
    }
}

impl ChurnWorld for NaiveChurn {
    fn for_each_life(&self, visit: &mut dyn FnMut(f32, u32)) {
        for &(life, spawns) in &self.lives {
            visit(life, spawns);
        }
    }
}
