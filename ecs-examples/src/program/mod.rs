//! The program: plan, run, report.
//!
//! | module | contents |
//! | --- | --- |
//! | [`cli`], [`plan`], [`source`] | from the flags to the runs |
//! | [`mod@run`], [`watch`], [`memory`] | a run, its observer, and its memory use |
//! | [`report`], [`thesis`], [`output`] | the results, the thesis's figures, and the files of results |
//! | [`graph`] | the graphs of the worlds' declarations |
//! | [`replay`] | recordings |
//! | [`tower_defence`] | the subcommand of that name |
//! | [`failure`] | the errors |

pub mod cli;
pub mod failure;
pub mod graph;
pub mod memory;
pub mod output;
pub mod plan;
pub mod replay;
pub mod report;
pub mod run;
pub mod source;
pub mod thesis;
pub mod tower_defence;
pub mod watch;

use crate::particles::Disc;
use crate::simulation::{RunConfig, Worlds};
use cli::{Args, Command};
use failure::Failure;
use image::RgbImage;
use output::{Destination, write_png};
use plan::{Plan, picture_names};
use report::film::Film;
use report::progress::{Progress, expected_frames};
use report::{chart, json, picture, table};
use run::{RunResult, run};
use source::Source;
use std::io::Write;
use std::path::{Path, PathBuf};
use watch::Watch;

/// Executes the runs that the flags ask for, on worlds from `worlds`, and prints the results to `output`, which
/// stands for the standard output. Progress goes to the standard error stream. With `--graph`, it only prints the
/// graph. A subcommand is another program.
///
/// # Errors
///
/// If the plan cannot be made (see [`Plan::new`]), a run fails (see [`run()`]), or a result cannot be
/// written.
pub fn main(args: &Args, worlds: &dyn Worlds, output: &mut dyn Write) -> Result<(), Failure> {
    if let Some(Command::TowerDefence(flags)) = &args.command {
        return tower_defence::main(flags, output);
    }
    if let Some(format) = args.graph {
        let picture = graph::graph(args.workload, format);
        return output.write_all(picture.as_bytes()).map_err(|error| Failure::with_stdout(&error));
    }
    if replay::main(args, output)? {
        return Ok(());
    }
    let Plan { runs, mut source, dump, gif, pictures } = Plan::new(args)?;
    let loaded = matches!(source, Source::Loaded { .. });
    let mut results = Vec::with_capacity(runs.len());
    let mut pictured = Vec::new();
    for (index, config) in runs.iter().enumerate() {
        let (first, last) = (index == 0, index + 1 == runs.len());
        if !first {
            memory::forget_peak();
        }
        let mut watch = Watch::new(Progress::new(config, &source, index + 1, runs.len()));
        if first && pictures.is_some() {
            watch = watch.with_picture(&mut pictured);
        }
        if let (true, Some(gif)) = (first, &gif) {
            let frames = expected_frames(config, &source).unwrap_or(0);
            watch = watch.with_film(Film::new(gif, frames)?);
        }
        if let Some(dump) = &dump {
            watch = watch.with_dump(dump);
        }
        let result = run(config, worlds, &mut source, last, &mut watch)?;
        drop(watch);
        if args.json {
            json::print(&result, output)?;
        }
        results.push(result);
    }
    let Some(directory) = pictures else { return Ok(()) };
    let thesis: Vec<Option<f64>> =
        runs.iter().map(|run| thesis::total_ms(run).filter(|_| !loaded)).collect();
    let mut print =
        |text: &str| writeln!(output, "{text}").map_err(|error| Failure::with_stdout(&error));
    print(&table::table(&results, &thesis))?;
    let written = write_pictures(&directory, &runs[0], &results, pictured)?;
    for path in written.iter().map(PathBuf::as_path).chain(gif.as_ref().map(Destination::path)) {
        print(&format!("wrote {}", path.display()))?;
    }
    Ok(())
}

/// Draws the bar chart and, if there are discs, their picture, and prints the paths.
fn write_pictures(
    directory: &Path,
    config: &RunConfig,
    results: &[RunResult],
    discs: Vec<Disc>,
) -> Result<Vec<PathBuf>, Failure> {
    let (chart_name, discs_name) = picture_names(config.workload);
    let mut written = Vec::new();
    let mut write = |name: &str, picture: &RgbImage| {
        let path = directory.join(name);
        write_png(&path, picture)?;
        written.push(path);
        Ok::<(), Failure>(())
    };
    write(chart_name, &chart::draw(results)?)?;
    if let Some(name) = discs_name {
        write(name, &picture::draw(discs, 1.0))?;
    }
    Ok(written)
}
