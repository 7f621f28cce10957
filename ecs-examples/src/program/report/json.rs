//! One JSON object per run and line.

use crate::program::failure::Failure;
use crate::program::run::RunResult;
use crate::simulation::{Storage, Workload};
use serde::Serialize;
use std::io::Write;

/// The fields of a line, in order.
#[derive(Serialize)]
struct Line {
    workload: Workload,
    entities: usize,
    frames: u64,
    storage: Storage,
    inner_parallelism: bool,
    threads: usize,
    seed: u64,
    total_ms: f64,
    ms_per_frame: f64,
    alive: usize,
    contacts: u64,
    contacts_last_frame: u64,
    peak_rss_bytes: Option<u64>,
    state_hash: String,
}

/// Prints the line of a run: its configuration (`entities` created before the first frame,
/// `frames` run), `total_ms` and `ms_per_frame` (0 without frames), the entities `alive` at the
/// end, the `contacts` of all frames and of the last one, the peak memory (`null` if the system
/// does not report it) and the fingerprint of the final state (16 hexadecimal digits).
///
/// # Errors
///
/// If `output`, which stands for the standard output, cannot be written.
pub fn print(result: &RunResult, output: &mut dyn Write) -> Result<(), Failure> {
    let config = &result.config;
    let line = Line {
        workload: config.workload,
        entities: config.entities,
        frames: result.frames,
        storage: config.storage,
        inner_parallelism: config.inner_parallelism,
        threads: config.threads,
        seed: config.seed,
        total_ms: result.total_ms(),
        ms_per_frame: result.ms_per_frame(),
        alive: result.alive,
        contacts: result.contacts,
        contacts_last_frame: result.contacts_last_frame,
        peak_rss_bytes: result.peak_rss,
        state_hash: format!("{:016x}", result.state_hash),
    };
    let line = serde_json::to_string(&line).map_err(|error| Failure::new(error.to_string()))?;
    writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .map_err(|error| Failure::with_stdout(&error))
}
