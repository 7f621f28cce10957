//! Measures steps of boids and of particles in a dev build and in a release build, through the library and by hand.
//!
//! `cargo run --release -p benches --example debug_speed -- [PART]`
//!
//! With `PART`, only the programs with it in their names are measured.
//!
//! The programs are built as those of a user's package: it is written to `target/debug-speed`, and has cargo's default
//! profiles, which are those of its dependencies, too. (The profiles of this workspace hold for its own packages only.)
//! Its program is this file, which prints times instead of the table if it is asked for them.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use benches::boids::BOIDS;
use benches::{by_hand, flock};
use ecs_core::Threads;
use ecs_examples::particles::{Disc, random_discs};
use ecs_examples::simulation::{RunConfig, Storage, Workload, Worlds};
use ecs_examples::worlds::EcsWorlds;

/// The number of discs.
const DISCS: usize = 50_000;
/// Steps of a round, of which the mean counts.
const STEPS: u32 = 10;
/// Rounds, of which the fastest counts. Each starts with a new world.
const ROUNDS: u32 = 3;

/// Set in the program that measures.
const MEASURE: &str = "DEBUG_SPEED_MEASURE";

/// A program, and the time of a step in milliseconds.
type Program = (&'static str, fn() -> f64);

const PROGRAMS: [Program; 4] = [
    ("boids, library", boids),
    ("boids, by hand", boids_by_hand),
    ("particles, library", particles),
    ("particles, by hand", particles_by_hand),
];

fn main() -> ExitCode {
    let part = env::args().nth(1).unwrap_or_default();
    let programs = PROGRAMS.iter().filter(|(name, _)| name.contains(&part));
    if env::var_os(MEASURE).is_some() {
        programs.for_each(|(_, time)| println!("{}", time()));
        return ExitCode::SUCCESS;
    }
    let names: Vec<_> = programs.map(|(name, _)| *name).collect();
    match table(&part, &names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Prints the table.
fn table(part: &str, names: &[&str]) -> Result<(), String> {
    let folder = write().map_err(|error| format!("the package cannot be written: {error}"))?;
    let dev = times(&folder, &[], part)?;
    let release = times(&folder, &["--release"], part)?;
    println!("| a step, one thread | dev, ms | release, ms | dev / release |");
    println!("| :--- | ---: | ---: | ---: |");
    for ((name, dev), release) in names.iter().zip(dev).zip(release) {
        println!("| {name} | {dev:.1} | {release:.2} | {:.1} |", dev / release);
    }
    Ok(())
}

/// Writes the package. It depends on this workspace, and uses the versions in the workspace's lock file.
fn write() -> io::Result<PathBuf> {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = benches.join("..").canonicalize()?;
    // target/release/examples/debug_speed
    let program = env::current_exe()?;
    let target = program.ancestors().nth(3).unwrap_or(Path::new("target"));
    let folder = target.join("debug-speed");
    fs::create_dir_all(&folder)?;
    let (source, root) = (benches.join("examples/debug_speed.rs"), workspace.display());
    // Literal strings, in which a backslash is not an escape.
    let manifest = format!(
        "[package]
name = \"debug_speed\"
version = \"0.1.0\"
edition = \"2024\"

[[bin]]
name = \"debug_speed\"
path = '{}'

[dependencies]
benches = {{ path = '{root}/benches' }}
ecs-core = {{ path = '{root}/ecs-core' }}
ecs-examples = {{ path = '{root}/ecs-examples' }}
rayon = \"1\"

[workspace]
",
        source.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

/// Builds the package, and returns what its program measures.
fn times(folder: &Path, profile: &[&str], part: &str) -> Result<Vec<f64>, String> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet"])
        .args(profile)
        .args(["--", part])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env(MEASURE, "")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the program in {} has failed", folder.display()));
    }
    let times: Result<_, _> =
        String::from_utf8_lossy(&output.stdout).lines().map(str::parse).collect();
    times.map_err(|error| format!("times were expected: {error}"))
}

/// The time of a step in milliseconds: the mean of a round, of the fastest one.
fn best<F: FnMut()>(mut make: impl FnMut() -> F) -> f64 {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let mut step = make();
        // Memory is allocated in the first step.
        step();
        let start = Instant::now();
        (0..STEPS).for_each(|_| step());
        best = best.min(start.elapsed() / STEPS);
    }
    best.as_secs_f64() * 1e3
}

fn boids() -> f64 {
    let boids = flock::boids(BOIDS);
    best(|| {
        let mut flock = benches::boids::Boids::new(&boids, Threads::Inline);
        move || flock.step()
    })
}

fn boids_by_hand() -> f64 {
    let boids = flock::boids(BOIDS);
    best(|| {
        let mut flock = by_hand::boids::Boids::new(&boids, 1);
        move || flock.step()
    })
}

fn discs() -> Vec<Disc> {
    random_discs(DISCS, 1).collect()
}

fn particles() -> f64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = Arc::new(pool.expect("a thread can be started"));
    let config = RunConfig {
        workload: Workload::Particles,
        entities: DISCS,
        frames: None,
        storage: Storage::Dynamic,
        inner_parallelism: false,
        threads: 1,
        seed: 1,
    };
    // As the program does, it steps on a thread of the pool.
    pool.install(|| {
        best(|| {
            let world = EcsWorlds.particles(&config, &pool, &mut discs().into_iter());
            let mut world = world.expect("there is room");
            move || world.frame().map(drop).expect("there is room")
        })
    })
}

fn particles_by_hand() -> f64 {
    best(|| {
        let mut particles = by_hand::particles::Particles::new(&discs(), 1);
        move || {
            particles.frame();
        }
    })
}
