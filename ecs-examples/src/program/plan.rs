//! From the flags to the runs: errors in the flags are found here, before anything runs.

use super::cli::{Args, StorageChoice, SwitchChoice};
use super::failure::Failure;
use super::output::Destination;
use super::source::Source;
use crate::simulation::{FIXED_LIMIT, RunConfig, Storage, Workload};
use std::path::{Path, PathBuf};

/// The default number of entities of a run.
const QUICK_ENTITIES: usize = 50_000;

/// The entity counts of the thesis's runs (section 16.2).
const FULL_ENTITIES: [usize; 3] = [50_000, 100_000, 200_000];

/// The plan of the program.
#[derive(Debug)]
pub struct Plan {
    /// The runs, in order. At least one.
    pub runs: Vec<RunConfig>,
    /// The source of the discs.
    pub source: Source,
    /// The file for the state after the only run, if any.
    pub dump: Option<Destination>,
    /// The file for the film of the first run, if any.
    pub gif: Option<Destination>,
    /// The directory of the pictures, if any are drawn.
    pub pictures: Option<PathBuf>,
}

impl Plan {
    /// Makes a plan from the flags: reads the file to load, and checks that all output files can be
    /// written.
    ///
    /// # Errors
    ///
    /// If the flags contradict each other; if the file to load is unreadable, malformed or too large
    /// for a run; if a destination is not writable; or if two results have the same destination.
    pub fn new(args: &Args) -> Result<Self, Failure> {
        if args.workload == Workload::Churn {
            for (flag, given) in [
                ("--load", &args.load),
                ("--dump", &args.dump),
                ("--gif", &args.gif),
                ("--record", &args.record),
            ] {
                if given.is_some() {
                    return Err(Failure::new(format!("{flag}: the churn workload has no discs")));
                }
            }
        }
        let configurations = configurations(args);
        if args.dump.is_some() && configurations.len() > 1 {
            return Err(Failure::new(format!(
                "--dump writes the state of one run, but {} are selected: narrow them down by \
                 --storage fixed|dynamic and --inner-parallelism on|off",
                configurations.len()
            )));
        }
        let source = args.load.as_deref().map_or(Ok(Source::Random), Source::load)?;
        let runs: Vec<RunConfig> = configurations
            .into_iter()
            .map(|(entities, storage, inner_parallelism)| RunConfig {
                workload: args.workload,
                entities: match &source {
                    Source::Random => entities,
                    Source::Loaded { discs, .. } => discs.len(),
                },
                frames: args.frames,
                storage,
                inner_parallelism,
                threads: args.threads.map_or_else(available_threads, usize::from),
                seed: args.seed,
            })
            .collect();
        check_limits(args, &runs)?;
        check_end(args, &source)?;
        let dump = args.dump.as_deref().map(Destination::new).transpose()?;
        let pictures = if args.json { None } else { Some(picture_directory(&args.out)?) };
        // The directory of the pictures exists by now, so the film may be in it.
        let gif = args.gif.as_deref().map(Destination::new).transpose()?;
        check_destinations(args.workload, dump.as_ref(), gif.as_ref(), pictures.as_deref())?;
        Ok(Self { runs, source, dump, gif, pictures })
    }
}

/// The entity count, storage and inner parallelism of each run.
fn configurations(args: &Args) -> Vec<(usize, Storage, bool)> {
    let one_run = args.load.is_some() || args.dump.is_some() || args.record.is_some();
    let (storage, switch) = if one_run {
        (StorageChoice::Dynamic, SwitchChoice::On)
    } else {
        (StorageChoice::Both, SwitchChoice::Both)
    };
    let storages: &[Storage] = match args.storage.unwrap_or(storage) {
        StorageChoice::Fixed => &[Storage::Fixed],
        StorageChoice::Dynamic => &[Storage::Dynamic],
        StorageChoice::Both => &[Storage::Fixed, Storage::Dynamic],
    };
    let switches: &[bool] = match args.inner_parallelism.unwrap_or(switch) {
        SwitchChoice::Off => &[false],
        SwitchChoice::On => &[true],
        SwitchChoice::Both => &[false, true],
    };
    let counts = if args.full {
        FULL_ENTITIES.to_vec()
    } else {
        vec![args.entities.map_or(QUICK_ENTITIES, |entities| entities as usize)]
    };
    let mut all = Vec::new();
    for &count in &counts {
        for &storage in storages {
            all.extend(switches.iter().map(|&switch| (count, storage, switch)));
        }
    }
    all
}

fn check_limits(args: &Args, runs: &[RunConfig]) -> Result<(), Failure> {
    let fits = |run: &RunConfig| run.storage != Storage::Fixed || run.entities <= FIXED_LIMIT;
    let Some(run) = runs.iter().find(|run| !fits(run)) else { return Ok(()) };
    let message = format!(
        "{} entities are too many for fixed storage, which holds {FIXED_LIMIT}: use --storage \
         dynamic",
        run.entities
    );
    Err(match &args.load {
        Some(path) => Failure::with_file(path, message),
        None => Failure::new(message),
    })
}

/// The file names of the bar chart, and of the picture of the discs if the workload has discs.
pub fn picture_names(workload: Workload) -> (&'static str, Option<&'static str>) {
    match workload {
        Workload::Particles => ("particles-chart.png", Some("particles.png")),
        Workload::Churn => ("churn-chart.png", None),
    }
}

/// Checks that no two results have the same file.
fn check_destinations(
    workload: Workload,
    dump: Option<&Destination>,
    gif: Option<&Destination>,
    pictures: Option<&Path>,
) -> Result<(), Failure> {
    let mut drawn = Vec::new();
    if let Some(directory) = pictures {
        let (chart, discs) = picture_names(workload);
        for name in [Some(chart), discs].into_iter().flatten() {
            drawn.push(("a picture", Destination::new(&directory.join(name))?));
        }
    }
    let mut taken: Vec<_> = drawn.iter().map(|(what, file)| (*what, file)).collect();
    for (flag, file) in [("--gif", gif), ("--dump", dump)] {
        let Some(file) = file else { continue };
        if let Some((what, _)) = taken.iter().find(|(_, other)| other.is_same(file)) {
            let message = format!("{flag} and {what} would be written into this same file");
            return Err(Failure::with_file(file.path(), message));
        }
        taken.push((flag, file));
    }
    Ok(())
}

fn check_end(args: &Args, source: &Source) -> Result<(), Failure> {
    if args.frames.is_some() || source.frames_to_live().is_some() {
        return Ok(());
    }
    let message = "holds a disc whose life is so long that it is never despawned: give --frames";
    Err(args
        .load
        .as_deref()
        .map_or(Failure::new(message), |path| Failure::with_file(path, message)))
}

pub(crate) fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Creates the directory of the pictures and checks that it is writable.
pub(crate) fn picture_directory(path: &Path) -> Result<PathBuf, Failure> {
    let failure = |error| Failure::with_file(path, error);
    std::fs::create_dir_all(path).map_err(failure)?;
    tempfile::tempfile_in(path).map_err(failure)?;
    Ok(path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn selected(flags: &str) -> Vec<(usize, Storage, bool)> {
        let flags = std::iter::once("particles").chain(flags.split_whitespace());
        configurations(&Args::try_parse_from(flags).expect("the flags are good"))
    }

    #[test]
    fn quick_is_four_runs_and_full_is_twelve() {
        let quick = selected("");
        assert_eq!(quick.len(), 4);
        assert_eq!(quick[0], (50_000, Storage::Fixed, false));
        assert_eq!(quick[3], (50_000, Storage::Dynamic, true));
        let full = selected("--full");
        assert_eq!(full.len(), 12);
        assert_eq!(full[..4], quick);
        assert_eq!(full[11], (200_000, Storage::Dynamic, true));
        assert_eq!(selected("--full --storage fixed").len(), 6);
    }

    #[test]
    fn a_file_asks_for_one_run() {
        for file in ["--load a.csv", "--dump a.csv"] {
            assert_eq!(selected(file), [(50_000, Storage::Dynamic, true)]);
            let fixed = format!("{file} --storage fixed");
            assert_eq!(selected(&fixed), [(50_000, Storage::Fixed, true)]);
            let both = format!("{file} --inner-parallelism both");
            assert_eq!(selected(&both).len(), 2);
        }
    }
}
