//! The subcommand `tower-defence`: the designs side by side.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::cli::TowerDefence;
use super::failure::Failure;
use super::output::{Destination, write_png};
use super::plan::{available_threads, picture_directory};
use super::report::distribution::{self, Times};
use super::report::progress::Progress;
use crate::tower_defence::rules::{Size, State};
use crate::tower_defence::{Design, VERSIONS, Version};

/// The designs take turns of this number of frames, so that other load of the machine concerns all of them. The first
/// turn is not measured: bullets and particles appear in it.
const TURN: u32 = 100;

/// The picture's name.
const PICTURE: &str = "tower-defence.png";

/// A game that is measured.
struct Run {
    game: Box<dyn Design>,
    pool: Arc<ThreadPool>,
    times: Times,
}

impl Run {
    fn new(version: &Version, size: Size, pool: &Arc<ThreadPool>) -> Self {
        let threads = pool.current_num_threads();
        let game = (version.start)(size, pool);
        let times = Times::new(version.name, threads, version.is_library);
        Self { game, pool: Arc::clone(pool), times }
    }

    /// Computes frames on a thread of the pool, as a program whose threads need not be woken up for each frame.
    fn take_turn(&mut self, frames: u32, is_measured: bool) {
        let Self { game, pool, times } = self;
        pool.install(|| {
            for _ in 0..frames {
                let start = Instant::now();
                game.frame();
                if is_measured {
                    times.add(start.elapsed());
                }
            }
        });
    }
}

/// Measures the designs, compares their states, and prints a table of their frame times. The distribution is drawn as a
/// picture.
///
/// # Errors
///
/// If the picture cannot be written, threads cannot be started, or the states are not equal.
pub fn main(flags: &TowerDefence, output: &mut dyn Write) -> Result<(), Failure> {
    let picture = Destination::new(&picture_directory(&flags.out)?.join(PICTURE))?;
    let size = Size { enemies: flags.enemies, towers: flags.towers };
    let threads = flags.threads.map_or_else(available_threads, usize::from);
    let (state, times) = measure(size, flags.frames, threads)?;

    let [enemies, towers, bullets, particles] = state.counts();
    let table = distribution::table(&times);
    let text = format!(
        "{table}\n{} runs, {} frames, one state, {:016x}: {enemies} enemies, {towers} towers, {bullets} bullets, \
         {particles} particles",
        times.len(),
        TURN + flags.frames,
        state.checksum(),
    );
    write_png(picture.path(), &distribution::draw(&times)?)?;
    writeln!(output, "{text}\nwrote {}", picture.path().display())
        .map_err(|error| Failure::with_stdout(&error))
}

/// The state at the end and the times of each run: all designs on one thread, and those that work on several threads.
fn measure(size: Size, frames: u32, threads: usize) -> Result<(State, Vec<Times>), Failure> {
    let pool = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Arc::new).map_err(|error| Failure::new(error.to_string()))
    };
    let (one, several) = (pool(1)?, pool(threads)?);
    let mut runs: Vec<_> = VERSIONS.iter().map(|version| Run::new(version, size, &one)).collect();
    if threads > 1 {
        let parallel = VERSIONS.iter().filter(|version| version.is_parallel);
        runs.extend(parallel.map(|version| Run::new(version, size, &several)));
    }
    let all = TURN + frames;
    let progress =
        Progress::with_prefix("tower defence".to_owned(), u64::from(all) * runs.len() as u64);
    let mut done = 0;
    for first in (0..all).step_by(TURN as usize) {
        for run in &mut runs {
            let frames = TURN.min(all - first);
            run.take_turn(frames, first > 0);
            done += u64::from(frames);
            progress.show_frame(done);
        }
    }
    let state = runs[0].game.state();
    for run in &runs[1..] {
        if run.game.state() != state {
            let Times { name, threads, .. } = run.times;
            return Err(Failure::new(format!("another state: {name}, {threads} threads")));
        }
    }
    Ok((state, runs.into_iter().map(|run| run.times.sorted()).collect()))
}
