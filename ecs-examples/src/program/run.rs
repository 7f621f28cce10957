//! One run: builds a world, advances it to its end, and measures the time.

use super::failure::Failure;
use super::memory;
use super::source::Source;
use crate::simulation::{
    ChurnWorld, FrameReport, ParticleWorld, RunConfig, Simulation, Storage, Workload, Worlds,
};
use crate::{churn, particles};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The result of a run, with its time and memory.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The configuration of the run.
    pub config: RunConfig,
    /// The number of frames.
    pub frames: u64,
    /// The time from the first creation to the end of the last frame.
    pub total: Duration,
    /// Entities alive at the start of a frame, summed over all frames.
    pub updates: u64,
    /// Entities alive at the end.
    pub alive: usize,
    /// The sum of contacts over all frames.
    pub contacts: u64,
    /// Contacts in the last frame; 0 if there was none.
    pub contacts_last_frame: u64,
    /// The peak of physical memory of the process during the run in bytes, if it is known.
    pub peak_rss: Option<u64>,
    /// Fingerprint of the state at the end.
    pub state_hash: u64,
}

impl RunResult {
    /// Total time in milliseconds.
    pub fn total_ms(&self) -> f64 {
        self.total.as_secs_f64() * 1e3
    }

    /// Mean time of a frame in milliseconds, creation included; 0 without frames.
    pub fn ms_per_frame(&self) -> f64 {
        if self.frames == 0 { 0.0 } else { self.total_ms() / self.frames as f64 }
    }

    /// Entity updates per second: the living entities of each frame, summed over all frames, per second.
    pub fn entities_per_second(&self) -> f64 {
        self.updates as f64 / self.total.as_secs_f64()
    }
}

/// A short description of a run, such as `50000 discs, fixed, inner parallelism on`.
pub fn describe(config: &RunConfig) -> String {
    let what = match config.workload {
        Workload::Particles => "discs",
        Workload::Churn => "entities",
    };
    let storage = match config.storage {
        Storage::Fixed => "fixed",
        Storage::Dynamic => "dynamic",
    };
    let switch = if config.inner_parallelism { "on" } else { "off" };
    format!("{} {what}, {storage}, inner parallelism {switch}", config.entities)
}

/// Observes a run between its frames. Its time is not counted.
pub trait Observer: Send {
    /// Called after the creation, with `frame` 0, and after every frame. `discs` is `None` in the
    /// churn benchmark.
    ///
    /// # Errors
    ///
    /// If the observer fails. The run then ends.
    fn after_frame(
        &mut self,
        frame: u64,
        alive: usize,
        discs: Option<&dyn ParticleWorld>,
    ) -> Result<(), Failure>;

    /// Called once, after the last frame.
    ///
    /// # Errors
    ///
    /// If the observer fails.
    fn at_end(&mut self, source: &Source, discs: Option<&dyn ParticleWorld>)
    -> Result<(), Failure>;
}

/// A world of either benchmark.
enum World {
    Particles(Box<dyn ParticleWorld>),
    Churn(Box<dyn ChurnWorld>),
}

impl World {
    fn simulation(&self) -> &dyn Simulation {
        match self {
            Self::Particles(world) => &**world,
            Self::Churn(world) => &**world,
        }
    }

    fn simulation_mut(&mut self) -> &mut dyn Simulation {
        match self {
            Self::Particles(world) => &mut **world,
            Self::Churn(world) => &mut **world,
        }
    }

    fn discs(&self) -> Option<&dyn ParticleWorld> {
        match self {
            Self::Particles(world) => Some(&**world),
            Self::Churn(_) => None,
        }
    }

    fn state_hash(&self, source: &Source) -> u64 {
        match self {
            Self::Particles(world) => particles::state_hash(&**world, |index| source.id_of(index)),
            Self::Churn(world) => churn::state_hash(&**world),
        }
    }
}

/// Runs `config` on a world from `worlds`, observed by `observer`. With `last`, no further
/// run needs the discs of `source`.
///
/// # Errors
///
/// If the threads cannot be started, if the world cannot hold the created entities, or if the
/// observer fails.
pub fn run(
    config: &RunConfig,
    worlds: &dyn Worlds,
    source: &mut Source,
    last: bool,
    observer: &mut dyn Observer,
) -> Result<RunResult, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(config.threads).build().map_err(|error| {
        Failure::new(format!("{} threads cannot be started: {error}", config.threads))
    })?;
    let pool = Arc::new(pool);
    // Steps on a thread of the pool need not enter the pool.
    pool.install(|| run_on(&pool, config, worlds, source, last, observer))
}

/// As [`run`], on one of the threads.
fn run_on(
    pool: &Arc<ThreadPool>,
    config: &RunConfig,
    worlds: &dyn Worlds,
    source: &mut Source,
    last: bool,
    observer: &mut dyn Observer,
) -> Result<RunResult, Failure> {
    let start = Instant::now();
    let mut world = match config.workload {
        Workload::Particles => {
            World::Particles(worlds.particles(config, pool, &mut *source.discs(config, last))?)
        }
        Workload::Churn => World::Churn(worlds.churn(config, pool)?),
    };
    let mut total = start.elapsed();
    let (mut frames, mut updates, mut contacts) = (0, 0, 0);
    let mut report = FrameReport::default();
    let mut alive = world.simulation().alive();
    observer.after_frame(0, alive, world.discs())?;
    while alive > 0 && config.frames.is_none_or(|wanted| frames < wanted) {
        updates += alive as u64;
        let start = Instant::now();
        report = world.simulation_mut().frame()?;
        total += start.elapsed();
        alive = world.simulation().alive();
        frames += 1;
        contacts += report.contacts;
        observer.after_frame(frames, alive, world.discs())?;
    }
    let peak_rss = memory::peak();
    observer.at_end(source, world.discs())?;
    Ok(RunResult {
        config: config.clone(),
        frames,
        total,
        updates,
        alive,
        contacts,
        contacts_last_frame: report.contacts,
        peak_rss,
        state_hash: world.state_hash(source),
    })
}
