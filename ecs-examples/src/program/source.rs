//! The source of a run's discs, and their ids.

use super::failure::Failure;
use crate::particles::{Disc, FRAME_SECONDS, LONGEST_RANDOM_LIFE, csv, random_discs};
use crate::simulation::RunConfig;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Random discs, or those of a file.
#[derive(Debug)]
pub enum Source {
    /// Generated for each run from its seed; the id of a disc is its creation index.
    Random,
    /// Read from a file beforehand; each disc keeps its id.
    Loaded {
        /// The discs, in the order of the file. Empty after the last run has consumed them.
        discs: Vec<Disc>,
        /// Their ids.
        ids: Vec<u32>,
    },
}

impl Source {
    /// Reads the discs of a state file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is malformed; see [`csv::read`].
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| Failure::with_file(path, error))?;
        let rows = csv::read(BufReader::new(file));
        let rows = rows.map_err(|error| Failure::with_file(path, error))?;
        let (ids, discs) = rows.into_iter().unzip();
        Ok(Self::Loaded { discs, ids })
    }

    /// The id of the disc with the creation index `index`.
    pub fn id_of(&self, index: u32) -> u32 {
        match self {
            Self::Random => index,
            Self::Loaded { ids, .. } => ids[index as usize],
        }
    }

    /// The discs of a run, one after the other. The last run consumes the loaded discs, so that
    /// they are not in memory twice during that run.
    pub fn discs(&mut self, config: &RunConfig, last: bool) -> Box<dyn Iterator<Item = Disc> + '_> {
        match self {
            Self::Random => Box::new(random_discs(config.entities, config.seed)),
            Self::Loaded { discs, .. } if last => Box::new(std::mem::take(discs).into_iter()),
            Self::Loaded { discs, .. } => Box::new(discs.iter().copied()),
        }
    }

    /// The approximate number of frames until the last disc is despawned; `None` if a disc's life is so large that
    /// the life lost in a frame is rounded away, so that it is never despawned.
    pub fn frames_to_live(&self) -> Option<u64> {
        let longest = match self {
            Self::Random => LONGEST_RANDOM_LIFE,
            Self::Loaded { discs, .. } => discs.iter().map(|disc| disc.life).fold(0.0, f32::max),
        };
        (longest - FRAME_SECONDS < longest).then(|| (longest / FRAME_SECONDS).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(life: f32) -> Source {
        let mut disc = random_discs(1, 1).next().expect("one disc was asked for");
        disc.life = life;
        Source::Loaded { discs: vec![disc], ids: vec![7] }
    }

    #[test]
    fn frames_until_the_last_despawn() {
        assert_eq!(Source::Random.frames_to_live(), Some(625));
        assert_eq!(source(0.4).frames_to_live(), Some(10));
        assert_eq!(source(-1.0).frames_to_live(), Some(0));
        assert_eq!(source(1e7).frames_to_live(), None);
    }

    #[test]
    fn the_last_run_takes_the_discs_and_leaves_the_ids() {
        let config = RunConfig {
            workload: crate::simulation::Workload::Particles,
            entities: 1,
            frames: None,
            storage: crate::simulation::Storage::Fixed,
            inner_parallelism: false,
            threads: 1,
            seed: 1,
        };
        let mut source = source(5.0);
        assert_eq!(source.discs(&config, false).count(), 1);
        assert_eq!(source.discs(&config, true).count(), 1);
        assert_eq!(source.discs(&config, true).count(), 0);
        assert_eq!(source.id_of(0), 7);
    }
}
