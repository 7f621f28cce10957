//! Measures how large worlds compile: CPU time and peak memory of the compiler, functions that are instantiated, size of
//! the expansion and of the program.
//!
//! `cargo run --release -p benches --example compile_time -- [OPTIONS] [COMPONENTSxSYSTEMS…]`
//!
//! | option | meaning |
//! | --- | --- |
//! | `--mixed` | systems with filters, outputs, effects, parallelism, an index and streams; otherwise each reads three components and writes one |
//! | `--only STEP` | one of the steps: `check`, `dev`, `release`, `body`, `declaration`, `component`, `count`, `passes`; may be repeated |
//! | `--list` | prints the names of the functions that are instantiated for each system and each component |
//! | `--against FILE` | fails if the counts of the step `count` are over 5 % more than those in the file |
//! | `--renew FILE` | writes the counts to the file |
//!
//! The packages are written to `target/compile-time`, and depend on the `ecs-core` of this workspace. Only the compiler's
//! run for the world itself is measured, with the linker, by the program as cargo's `RUSTC_WRAPPER`: dependencies and
//! cargo are not. Steps:
//!
//! - `check`, `dev`, `release`: `cargo check`, `cargo build` and `cargo build --release`, without an incremental cache.
//! - `body`, `declaration`, `component`: `cargo check` and `cargo build` with an incremental cache, after a change of one
//!   body, of one signature, and after a new component. That the compiler ran, and that the program has changed, is
//!   asserted.
//! - `count`: functions that are instantiated in a dev build, and bytes of the expansion. The compiler prints both by
//!   options that it only accepts with `RUSTC_BOOTSTRAP`.
//! - `passes`: the shares of the compiler's passes in a dev build.

#![forbid(unsafe_code)]

mod baseline;
mod cargo;
mod count;
mod package;
mod passes;
mod wrapper;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use cargo::{Cargo, Usage};
use package::{Edit, Package};

fn main() -> ExitCode {
    if let Some(log) = env::var_os(wrapper::LOG) {
        return wrapper::run(Path::new(&log));
    }
    match Options::parse(env::args().skip(1)).and_then(|options| options.measure()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

const STEPS: [&str; 8] =
    ["check", "dev", "release", "body", "declaration", "component", "count", "passes"];

/// What is measured.
struct Options {
    worlds: Vec<(usize, usize)>,
    mixed: bool,
    steps: Vec<String>,
    list: bool,
    against: Option<PathBuf>,
    renew: Option<PathBuf>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut this = Self {
            worlds: Vec::new(),
            mixed: false,
            steps: Vec::new(),
            list: false,
            against: None,
            renew: None,
        };
        while let Some(arg) = args.next() {
            let mut file = || {
                let path = args.next().ok_or_else(|| format!("{arg}: a file was expected"))?;
                Ok::<_, String>(Some(PathBuf::from(path)))
            };
            match &*arg {
                "--mixed" => this.mixed = true,
                "--list" => this.list = true,
                "--against" => this.against = file()?,
                "--renew" => this.renew = file()?,
                "--only" => match args.next() {
                    Some(step) if STEPS.contains(&&*step) => this.steps.push(step),
                    _ => return Err(format!("--only: one of {} was expected", STEPS.join(", "))),
                },
                _ => this.worlds.push(size(&arg)?),
            }
        }
        if this.worlds.is_empty() {
            this.worlds = vec![(50, 50), (250, 250)];
        }
        Ok(this)
    }

    fn has(&self, step: &str) -> bool {
        self.steps.is_empty() || self.steps.iter().any(|one| one == step)
    }

    fn measure(&self) -> Result<(), String> {
        let root = target_folder().join("compile-time");
        for &(components, systems) in &self.worlds {
            let package = Package { components, systems, mixed: self.mixed };
            let folder = package.write(&root)?;
            let cargo = Cargo::new(&folder, &root.join("target"))?;
            println!("\n{}\n", package.title());
            self.times(package, &cargo)?;
            if self.has("count") {
                let counts = count::count(&cargo, package)?;
                counts.print(self.list);
                if let Some(file) = &self.renew {
                    fs::write(file, baseline::write(&counts)).map_err(at(file))?;
                }
                if let Some(file) = &self.against {
                    baseline::compare(&counts, &fs::read_to_string(file).map_err(at(file))?)?;
                }
            }
            if self.has("passes") {
                passes::print(&cargo)?;
            }
        }
        println!("\nThe packages are in {}.", root.display());
        Ok(())
    }

    /// Prints the table of times.
    fn times(&self, package: Package, cargo: &Cargo<'_>) -> Result<(), String> {
        let mut rows: Vec<(String, Usage)> = Vec::new();
        for (step, command) in
            [("check", "check"), ("dev", "build"), ("release", "build --release")]
        {
            if self.has(step) {
                rows.push((format!("cargo {command}, cold"), cargo.cold(command)?));
            }
        }
        for (step, edit) in [
            ("body", Edit::Body),
            ("declaration", Edit::Declaration),
            ("component", Edit::Component),
        ] {
            for command in ["check", "build"] {
                if self.has(step) {
                    let usage = cargo.after(command, package, edit)?;
                    rows.push((format!("cargo {command}, after {}", edit.name()), usage));
                }
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        println!("| | CPU, s | peak memory, MB | program, MB |\n| :--- | ---: | ---: | ---: |");
        for (name, usage) in rows {
            let program =
                usage.program.map_or_else(String::new, |bytes| format!("{:.1}", mega(bytes)));
            println!("| {name} | {:.2} | {:.0} | {program} |", usage.cpu, mega(usage.peak));
        }
        Ok(())
    }
}

fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Names a file in an error.
fn at(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

/// The size of a world, as in `250x100`.
fn size(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (4..=1024).contains(n));
    text.split_once('x')
        .and_then(|(components, systems)| Some((number(components)?, number(systems)?)))
        .ok_or_else(|| {
            format!("{text}: COMPONENTSxSYSTEMS was expected, each from 4 to 1024, as in 250x100")
        })
}

/// The `target` folder of this program.
fn target_folder() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    // target/release/examples/compile_time
    program.ancestors().nth(3).map_or_else(|| PathBuf::from("target"), Path::to_path_buf)
}
