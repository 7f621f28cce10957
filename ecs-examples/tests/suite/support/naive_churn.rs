//! The churn benchmark as one loop over a vector.

use super::refill;
use ecs_examples::churn::{DECAY_PER_FRAME, SPAWNS, initial_life, next_life};
use ecs_examples::simulation::{ChurnWorld, FrameReport, Simulation, SimulationError};

/// The rows of a world: the life and the remaining spawns of the entity in each, or `None`.
pub(crate) struct NaiveChurn {
    rows: Vec<Option<(f32, u32)>>,
    seed: u64,
}

impl NaiveChurn {
    pub(crate) fn new(entities: usize, seed: u64) -> Self {
        Self { rows: (0..entities).map(|i| Some((initial_life(seed, i), SPAWNS))).collect(), seed }
    }
}

impl Simulation for NaiveChurn {
    fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        let (mut spawned, mut despawned) = (Vec::new(), Vec::new());
        for (row, life) in self.rows.iter_mut().enumerate() {
            let Some((life, spawns)) = life else { continue };
            *life -= DECAY_PER_FRAME;
            if *life <= 0.0 {
                despawned.push(row);
                if *spawns > 0 {
                    spawned.push((next_life(self.seed, life.to_bits(), *spawns), *spawns - 1));
                }
            }
        }
        for row in despawned {
            self.rows[row] = None;
        }
        // A spawned entity takes the lowest free row; rows of despawned entities are free.
        for life in spawned {
            match self.rows.iter_mut().find(|row| row.is_none()) {
                Some(row) => *row = Some(life),
                None => self.rows.push(Some(life)),
            }
        }
        refill(&mut self.rows);
        Ok(FrameReport::default())
    }

    fn alive(&self) -> usize {
        self.rows.iter().flatten().count()
    }
}

impl ChurnWorld for NaiveChurn {
    fn for_each_life(&self, visit: &mut dyn FnMut(f32, u32)) {
        for &(life, spawns) in self.rows.iter().flatten() {
            visit(life, spawns);
        }
    }
}
