//! The command-line flags of the program.

use super::graph::GraphFormat;
use crate::simulation::Workload;
use crate::tower_defence::rules::Size;
use clap::{Parser, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;

/// The particle simulation and the churn benchmark of the thesis behind ECST, with its own figures
/// beside the measured ones.
///
/// Without flags: 50 000 discs, with fixed and with dynamic storage, with and without inner
/// parallelism.
#[derive(Clone, Debug, Parser)]
#[command(name = "particles", version, args_conflicts_with_subcommands = true)]
pub struct Args {
    /// What to run instead of a benchmark of the thesis
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Run all twelve configurations of the thesis: 50 000, 100 000 and 200 000 entities
    #[arg(long, conflicts_with_all = ["entities", "load"])]
    pub full: bool,

    /// Which benchmark to run
    #[arg(long, value_enum, default_value_t = Workload::Particles)]
    pub workload: Workload,

    /// How many entities to create at first [default: 50000]
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "load",
        value_parser = value_parser!(u32).range(..=i64::from(i32::MAX)),
    )]
    pub entities: Option<u32>,

    /// Stop after this many frames [default: run until no entity is alive]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,

    /// Threads to work on [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// What the random values are drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Room for 400 000 entities from the start, or for 50 000 and growing
    /// [default: both; dynamic with --load or --dump]
    #[arg(long, value_enum)]
    pub storage: Option<StorageChoice>,

    /// Whether to split the work of each system over the threads
    /// [default: both; on with --load or --dump]
    #[arg(long, value_enum)]
    pub inner_parallelism: Option<SwitchChoice>,

    /// Start from the discs in this file instead of random ones
    #[arg(long, value_name = "FILE.csv")]
    pub load: Option<PathBuf>,

    /// Write the discs alive after the last frame into this file (one run only)
    #[arg(long, value_name = "FILE.csv")]
    pub dump: Option<PathBuf>,

    /// Record a run of discs into this file: its states, and a hash of each frame
    #[arg(long, value_name = "FILE", conflicts_with_all = ["full", "storage", "inner_parallelism", "dump", "json", "gif", "graph"])]
    pub record: Option<PathBuf>,

    /// Run the recording in this file again, and compare the state after each frame
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "full", "entities", "frames", "seed", "storage", "inner_parallelism", "load", "dump", "json", "gif", "graph", "record",
    ])]
    pub verify: Option<PathBuf>,

    /// Go to a frame of the recording in this file, and draw it
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "full", "entities", "frames", "seed", "storage", "inner_parallelism", "load", "dump", "json", "gif", "graph", "record", "verify",
    ])]
    pub replay: Option<PathBuf>,

    /// Find the first frame after which these two recordings differ, what makes them differ, and in which values; the exit code is 1
    /// if they do
    #[arg(long, value_names = ["FILE", "OTHER"], num_args = 2, conflicts_with_all = [
        "full", "entities", "frames", "seed", "storage", "inner_parallelism", "load", "dump", "json", "gif", "graph", "record", "verify",
        "replay",
    ])]
    pub compare: Option<Vec<PathBuf>>,

    /// The frame to go to with --replay [default: the last one]
    #[arg(long, value_name = "N", requires = "replay")]
    pub frame: Option<u64>,

    /// Print one JSON object per run and line instead of the table, and draw no pictures
    #[arg(long)]
    pub json: bool,

    /// Film the first run as an animated gif
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub gif: Option<PathBuf>,

    /// Print the graph of the workload's systems, for Graphviz or Mermaid, or their declaration as a table, and run nothing
    #[arg(long, value_enum, conflicts_with_all = [
        "full", "entities", "frames", "threads", "seed", "storage", "inner_parallelism", "load",
        "dump", "json", "gif", "out",
    ])]
    pub graph: Option<GraphFormat>,

    /// Where the bar chart and the picture of the discs are written to
    #[arg(long, value_name = "DIR", default_value = "target/particles")]
    pub out: PathBuf,
}

/// The programs beside the benchmarks of the thesis.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// A tower defence in five designs: compares their states, and draws the distribution of their frame times
    TowerDefence(TowerDefence),
}

/// The flags of the tower defence.
#[derive(Clone, Debug, clap::Args)]
pub struct TowerDefence {
    /// The number of enemies at first, and the most there can be
    #[arg(long, value_name = "N", default_value_t = Size::PAPER.enemies, value_parser = value_parser!(u32).range(..=1_000_000))]
    pub enemies: u32,

    /// The number of towers
    #[arg(long, value_name = "N", default_value_t = Size::PAPER.towers, value_parser = value_parser!(u32).range(..=1_000_000))]
    pub towers: u32,

    /// How many frames to measure, after 100 that are not measured
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub frames: u32,

    /// Threads of the parallel designs [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Where the picture of the distribution is written to
    #[arg(long, value_name = "DIR", default_value = "target/particles")]
    pub out: PathBuf,
}

/// The values of `--storage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StorageChoice {
    /// Runs with fixed storage.
    Fixed,
    /// Runs with dynamic storage.
    Dynamic,
    /// Runs with each.
    Both,
}

/// The values of `--inner-parallelism`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchChoice {
    /// Runs with it.
    On,
    /// Runs without it.
    Off,
    /// Runs with and without it.
    Both,
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Args::command().debug_assert();
    }
}
