//! The interface between the command line and the worlds that it runs.
//!
//! The command line does not depend on how a world is built. It gets a world for a
//! [`RunConfig`] from a [`Worlds`], advances it frame by frame, and reads its state.

use crate::particles::Disc;
use rayon::ThreadPool;
use std::fmt;
use std::sync::Arc;

/// The entity limit of a world with [`Storage::Fixed`] (thesis, chapter 16).
pub const FIXED_LIMIT: usize = 400_000;

/// The initial capacity, in entities, of a world with [`Storage::Dynamic`]. It grows as needed.
pub const DYNAMIC_START: usize = 50_000;

/// Which of the thesis's two benchmarks to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Workload {
    /// Discs that move, collide, fade and are despawned.
    Particles,
    /// Entities that are created and destroyed all the time.
    Churn,
}

/// How a world's columns are laid out (thesis, section 16.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// Memory for [`FIXED_LIMIT`] entities, allocated once.
    Fixed,
    /// Memory for [`DYNAMIC_START`] entities at first, growing as needed.
    Dynamic,
}

/// One run: what is simulated, and in which configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunConfig {
    /// The benchmark.
    pub workload: Workload,
    /// Entities created before the first frame.
    pub entities: usize,
    /// Frames to run. Without it, the run ends when no entity is alive.
    pub frames: Option<u64>,
    /// How the columns are laid out.
    pub storage: Storage,
    /// Whether one system's work is split over several subtasks.
    pub inner_parallelism: bool,
    /// Threads of the pool that the run works on, at least 1.
    pub threads: usize,
    /// The seed of all random values.
    pub seed: u64,
}

/// The report of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameReport {
    /// Contacts found between discs; 0 in the churn benchmark.
    pub contacts: u64,
}

/// Why a world could not be built or advanced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationError {
    message: String,
}

impl SimulationError {
    /// An error with a message for the user of the program: a sentence without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for SimulationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SimulationError {}

/// A world that advances frame by frame.
pub trait Simulation {
    /// Runs one frame: one step of the world, with its refresh.
    ///
    /// # Errors
    ///
    /// If the world cannot hold what the frame creates.
    fn frame(&mut self) -> Result<FrameReport, SimulationError>;

    /// Entities alive, as of the last refresh.
    fn alive(&self) -> usize;
}

/// A world of the particle simulation.
pub trait ParticleWorld: Simulation {
    /// Calls `visit` with every living disc, in the order in which systems visit them, with its
    /// creation index: 0 for the first disc that the world was built from, 1 for the second, and
    /// so on.
    fn for_each_disc(&self, visit: &mut dyn FnMut(u32, &Disc));
}

/// A world of the churn benchmark.
pub trait ChurnWorld: Simulation {
    /// Calls `visit` with the life and the remaining spawns of every living entity, in the world's own
    /// order, which must be a function of the steps only.
    fn for_each_life(&self, visit: &mut dyn FnMut(f32, u32));
}

/// Builds worlds: one per run.
///
/// Building is part of the timed region, including the iterators of entities;
/// `pool` is created before it. A world keeps the pool for as long as it needs it and runs all its
/// parallel work there, with or without inner parallelism.
pub trait Worlds: Sync {
    /// A world with the given discs, created one after the other in the order of the iterator.
    ///
    /// # Errors
    ///
    /// If the world cannot hold them.
    fn particles(
        &self,
        config: &RunConfig,
        pool: &Arc<ThreadPool>,
        discs: &mut dyn Iterator<Item = Disc>,
    ) -> Result<Box<dyn ParticleWorld>, SimulationError>;

    /// A world of [`RunConfig::entities`] entities, each with its [`initial_life`] and
    /// [`SPAWNS`] remaining spawns; successors live for [`next_life`]. All are derived from
    /// [`RunConfig::seed`].
    ///
    /// # Errors
    ///
    /// If the world cannot hold them.
    ///
    /// [`initial_life`]: crate::churn::initial_life
    /// [`next_life`]: crate::churn::next_life
    /// [`SPAWNS`]: crate::churn::SPAWNS
    fn churn(
        &self,
        config: &RunConfig,
        pool: &Arc<ThreadPool>,
    ) -> Result<Box<dyn ChurnWorld>, SimulationError>;
}
