//! The thesis's measurements (its section 16.2 and the second benchmark of its program), for comparison
//! with the measured ones. Its machine is an i7-2700K with eight workers.

use crate::simulation::{RunConfig, Storage, Workload};

/// Total milliseconds of the thesis's run in the configuration of `config`; `None` if it has no
/// such run. Its runs are whole runs only, from the first creation to the last despawn.
///
/// For the particles it has one figure for both storages.
pub fn total_ms(config: &RunConfig) -> Option<f64> {
    if config.frames.is_some() {
        return None;
    }
    match config.workload {
        Workload::Particles => particles(config.entities, config.inner_parallelism),
        Workload::Churn => churn(config.entities, config.storage, config.inner_parallelism),
    }
}

fn particles(entities: usize, inner_parallelism: bool) -> Option<f64> {
    Some(match (entities, inner_parallelism) {
        (50_000, false) => 9_249.0,
        (100_000, false) => 22_026.0,
        (200_000, false) => 58_884.0,
        (50_000, true) => 3_485.0,
        (100_000, true) => 7_403.0,
        (200_000, true) => 19_387.0,
        _ => return None,
    })
}

fn churn(entities: usize, storage: Storage, inner_parallelism: bool) -> Option<f64> {
    Some(match (entities, storage, inner_parallelism) {
        (50_000, Storage::Fixed, false) => 2_930.0,
        (50_000, Storage::Dynamic, false) => 3_275.0,
        (200_000, Storage::Fixed, false) => 16_967.0,
        (200_000, Storage::Dynamic, false) => 19_230.0,
        (50_000, Storage::Fixed, true) => 2_971.0,
        (50_000, Storage::Dynamic, true) => 2_985.0,
        (200_000, Storage::Fixed, true) => 14_891.0,
        (200_000, Storage::Dynamic, true) => 16_692.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(workload: Workload, entities: usize, frames: Option<u64>) -> Option<f64> {
        total_ms(&RunConfig {
            workload,
            entities,
            frames,
            storage: Storage::Dynamic,
            inner_parallelism: true,
            threads: 8,
            seed: 1,
        })
    }

    #[test]
    fn only_whole_runs_of_its_sizes_are_known() {
        assert_eq!(ms(Workload::Particles, 100_000, None), Some(7_403.0));
        assert_eq!(ms(Workload::Churn, 200_000, None), Some(16_692.0));
        assert_eq!(ms(Workload::Churn, 100_000, None), None);
        assert_eq!(ms(Workload::Particles, 150_000, None), None);
        assert_eq!(ms(Workload::Particles, 100_000, Some(625)), None);
    }
}
