//! Recordings of the particle simulation: `--record`, `--replay`, `--verify` and `--compare`.
//!
//! A frame has no input, so a recording is the state at the beginning, a hash for each frame, and a state for every 30 frames.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ecs_core::replay::{self, Player, Recording, ReplayError};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::{SaveError, SaveFormat, Threads, World};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::cli::Args;
use super::failure::Failure;
use super::output::{Destination, write_png};
use super::plan::{Plan, picture_directory};
use super::report::picture;
use super::report::progress::Progress;
use crate::particles::world::Particles;
use crate::particles::{Disc, DiscWorld};
use crate::simulation::{DYNAMIC_START, ParticleWorld as _, Simulation as _};

/// The number of frames between two stored states.
const EVERY: u64 = 30;

/// The picture of a frame.
const PICTURE: &str = "replay.png";

const NO_SPAWNS: &str = "a dynamic limit, and no system spawns";

type Settings = Config<Dynamic<DYNAMIC_START>, Allow, AtomicCounter>;

/// Records a run, if the flags say so, or plays or verifies a recording. Returns whether one of that was asked for.
///
/// # Errors
///
/// If a file cannot be read or written, threads cannot be started, or a replay differs from its recording.
pub fn main(args: &Args, output: &mut dyn Write) -> Result<bool, Failure> {
    let text = if let Some(file) = &args.record {
        record(args, file)?
    } else if let Some(file) = &args.verify {
        verify(args, file)?
    } else if let Some(file) = &args.replay {
        replay(args, file)?
    } else if let Some([one, other]) = args.compare.as_deref() {
        compare(args, [one, other], output)?
    } else {
        return Ok(false);
    };
    writeln!(output, "{text}").map_err(|error| Failure::with_stdout(&error))?;
    Ok(true)
}

fn record(args: &Args, file: &Path) -> Result<String, Failure> {
    let destination = Destination::new(file)?;
    let Plan { runs, mut source, .. } = Plan::new(args)?;
    let config = &runs[0];
    let pool = pool(config.threads)?;
    let failure = |error: SaveError| Failure::with_file(file, error);
    let (recording, time) = pool.install(|| {
        let mut discs = DiscWorld::<Settings>::new(&pool, &mut *source.discs(config, true))?;
        let progress = Progress::new(config, &source, 1, 1);
        let mut recording = Recording::start(discs.world(), EVERY).map_err(failure)?;
        let mut time = Duration::ZERO;
        let frames = config.frames.unwrap_or(u64::MAX);
        while recording.steps() < frames && discs.alive() > 0 {
            let start = Instant::now();
            discs.frame()?;
            time += start.elapsed();
            recording.record(discs.world(), ()).map_err(failure)?;
            progress.show(recording.steps(), discs.alive());
        }
        Ok::<_, Failure>((recording, time))
    })?;
    let mut pending = destination.create()?;
    recording.save(BufWriter::new(&mut pending)).map_err(failure)?;
    pending.commit()?;
    let last = recording.state_hash(recording.steps()).unwrap_or_default();
    let size = fs::metadata(destination.path()).map_or(0, |file| file.len());
    Ok(format!(
        "wrote {}: {} frames of {} discs in {:.1} s, {:.1} MB, state {last:016x}",
        destination.path().display(),
        recording.steps(),
        config.entities,
        time.as_secs_f64(),
        size as f64 / 1e6,
    ))
}

fn verify(args: &Args, file: &Path) -> Result<String, Failure> {
    let recording = load(file)?;
    let (pool, mut world) = world(args)?;
    let progress = Progress::with_prefix(file.display().to_string(), recording.steps());
    let mut frame = 0;
    let start = Instant::now();
    let verified = pool.install(|| {
        recording.verify(&mut world, |world, ()| {
            step(world);
            frame += 1;
            progress.show(frame, world.entity_count());
        })
    });
    drop(progress);
    verified.map_err(|error| Failure::with_file(file, error))?;
    Ok(format!(
        "{}: {} frames have the states that were recorded, on {} in {:.1} s",
        file.display(),
        recording.steps(),
        threads(&pool),
        start.elapsed().as_secs_f64(),
    ))
}

fn replay(args: &Args, file: &Path) -> Result<String, Failure> {
    let directory = picture_directory(&args.out)?;
    let recording = load(file)?;
    let (pool, mut world) = world(args)?;
    let frame = args.frame.unwrap_or_else(|| recording.steps());
    let start = Instant::now();
    let failure = |error: ReplayError| Failure::with_file(file, error);
    pool.install(|| {
        Player::new(&recording).seek(&mut world, frame, |world, ()| step(world)).map_err(failure)
    })?;
    let time = start.elapsed();
    let mut discs: Vec<Disc> = Vec::new();
    let world = DiscWorld::of(world);
    world.for_each_disc(&mut |_, disc| discs.push(*disc));
    let path = directory.join(PICTURE);
    let alive = discs.len();
    write_png(&path, &picture::draw(discs, 1.0))?;
    Ok(format!(
        "frame {frame} of {}: {alive} discs, reached in {:.1} ms on {}\nwrote {}",
        file.display(),
        time.as_secs_f64() * 1e3,
        threads(&pool),
        path.display(),
    ))
}

/// Compares two recordings. If they differ, that is printed, and the failure says which ones do.
fn compare(args: &Args, files: [&PathBuf; 2], output: &mut dyn Write) -> Result<String, Failure> {
    let recordings = [load(files[0])?, load(files[1])?];
    let (pool, mut one) = world(args)?;
    let mut other = World::on(Threads::Pool(Arc::clone(&pool)));
    let names = format!("{} and {}", files[0].display(), files[1].display());
    let found = pool.install(|| {
        replay::compare(
            &SaveFormat::new(),
            recordings.each_ref(),
            [&mut one, &mut other],
            |world: &mut World<Particles, Settings>, (), systems| {
                let executed = world.step(|step| step.execute_selected(systems));
                executed.expect(NO_SPAWNS).expect("each selection of these systems has its inputs");
            },
        )
    });
    let [frames, others] = recordings.each_ref().map(Recording::steps);
    match found.map_err(|error| Failure::new(format!("{names}: {error}")))? {
        None if frames == others => {
            Ok(format!("{names} have the same states after each of {frames} frames"))
        }
        None => Ok(format!(
            "{names} have the same states after each of {} frames, and then one of them ends",
            frames.min(others)
        )),
        Some(found) => {
            write!(output, "{found}").map_err(|error| Failure::with_stdout(&error))?;
            Err(Failure::different(format!("{names} differ after {} frames", found.step)))
        }
    }
}

fn load(file: &Path) -> Result<Recording<()>, Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::with_file(file, error))?;
    Recording::load(&bytes).map_err(|error| Failure::with_file(file, error))
}

fn step(world: &mut World<Particles, Settings>) {
    world.tick().expect(NO_SPAWNS);
}

/// Threads as the flags say, and a world on them.
fn world(args: &Args) -> Result<(Arc<ThreadPool>, World<Particles, Settings>), Failure> {
    let threads = args.threads.map_or_else(super::plan::available_threads, usize::from);
    let pool = pool(threads)?;
    let world = World::on(Threads::Pool(Arc::clone(&pool)));
    Ok((pool, world))
}

fn pool(threads: usize) -> Result<Arc<ThreadPool>, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| Failure::new(format!("{threads} threads cannot be started: {error}")));
    pool.map(Arc::new)
}

fn threads(pool: &ThreadPool) -> String {
    match pool.current_num_threads() {
        1 => "one thread".into(),
        threads => format!("{threads} threads"),
    }
}
