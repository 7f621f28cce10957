//! Measures how large worlds compile: CPU time and peak memory of the compiler, functions that are instantiated, size of
//! the expansion and of the program.
//!
//! `cargo run --release -p benches --example compile_time -- [OPTIONS] [COMPONENTSxSYSTEMS…]`
//!
//! | option | meaning |
//! | --- | --- |
//! | `--mixed` | systems of ten forms: with a filter, an output, effects (despawn, spawn, insert, add), parallelism, a stream and its consumer; otherwise each reads three components and writes one |
//! | `--beside` | times the same program for `bevy_ecs`, too; not with `--mixed` |
//! | `--only STEP` | one of the steps: `check`, `dev`, `release`, `body`, `declaration`, `component`, `count`, `passes`, `dependencies`; may be repeated; without it, all but `dependencies` |
//! | `--list` | prints the names of the functions that are instantiated for each system and each component, and the time of each crate of `dependencies` |
//! | `--against FILE` | fails if the counts of the step `count` are over 5 % more than those in the file |
//! | `--renew FILE` | writes the counts to the file |
//! | `--help` | prints this text |
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
//! - `passes`: the shares of the compiler's passes in a cold dev build, and in one after a change of a body.
//! - `dependencies`: the packages of `ecs-core`, of `hecs` and of `bevy_ecs`, and the CPU time of a dev build of them in an
//!   empty target folder: of compilers, linkers, build scripts and cargo. The least of three builds counts.
//!
//! A world of `bevy_ecs` has the same components, systems with the same bodies as functions of a query, and a schedule for
//! several threads that runs them in the same order. `hecs` and `bevy_ecs` are those of `benches/peers`.

#![forbid(unsafe_code)]

mod baseline;
mod bevy;
mod cargo;
mod count;
mod dependencies;
mod library;
mod package;
mod passes;
mod times;
mod wrapper;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use cargo::Cargo;
use package::{Form, Package};

fn main() -> ExitCode {
    if let Some(log) = env::var_os(wrapper::LOG) {
        return wrapper::run(Path::new(&log));
    }
    if env::args().any(|arg| arg == "--help") {
        help();
        return ExitCode::SUCCESS;
    }
    match Options::parse(env::args().skip(1)).and_then(|options| options.measure()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Prints the documentation of this file.
fn help() {
    for line in include_str!("main.rs").lines().map_while(|line| line.strip_prefix("//!")) {
        println!("{}", line.strip_prefix(' ').unwrap_or(line));
    }
}

/// The steps that measure a world.
const STEPS: [&str; 8] =
    ["check", "dev", "release", "body", "declaration", "component", "count", "passes"];

/// The step that measures no world.
const DEPENDENCIES: &str = "dependencies";

/// What is measured.
struct Options {
    worlds: Vec<(usize, usize)>,
    mixed: bool,
    beside: bool,
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
            beside: false,
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
                "--beside" => this.beside = true,
                "--list" => this.list = true,
                "--against" => this.against = file()?,
                "--renew" => this.renew = file()?,
                "--only" => match args.next() {
                    Some(step) if STEPS.contains(&&*step) || step == DEPENDENCIES => {
                        this.steps.push(step);
                    }
                    _ => {
                        let steps = STEPS.join(", ");
                        return Err(format!("--only: one of {steps}, {DEPENDENCIES} was expected"));
                    }
                },
                _ => this.worlds.push(size(&arg)?),
            }
        }
        if this.mixed && this.beside {
            return Err("--beside: only worlds without --mixed have a form for bevy_ecs".to_owned());
        }
        let counted = this.against.is_some() || this.renew.is_some();
        if counted && (!this.has("count") || this.worlds.len() != 1) {
            return Err(
                "--against, --renew: the step `count` and one world were expected".to_owned()
            );
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
        if STEPS.iter().any(|step| self.has(step)) {
            for &(components, systems) in &self.worlds {
                let form = if self.mixed { Form::Mixed } else { Form::Plain };
                self.measure_world(Package { components, systems, form }, &root)?;
            }
        }
        if self.steps.iter().any(|step| step == DEPENDENCIES) {
            dependencies::print(&root, self.list)?;
        }
        println!("\nThe packages are in {}.", root.display());
        Ok(())
    }

    fn measure_world(&self, package: Package, root: &Path) -> Result<(), String> {
        let (folder, target) = (package.write(root)?, root.join("target"));
        let cargo = Cargo::new(&folder, &target)?;
        println!("\n{}\n", package.title());
        let rows = times::measure(package, &cargo, |step| self.has(step))?;
        if self.beside {
            let package = Package { form: Form::Bevy, ..package };
            let folder = package.write(root)?;
            let cargo = Cargo::new(&folder, &target)?;
            times::print_beside(&rows, &times::measure(package, &cargo, |step| self.has(step))?);
        } else {
            times::print(&rows);
        }
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
            passes::print(&cargo, package)?;
        }
        Ok(())
    }
}

/// Names a file in an error.
fn at(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

/// The fewest components and systems: a system of the mixed form has to do with ten components.
const LEAST: usize = 10;

/// The size of a world, as in `250x100`.
fn size(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (LEAST..=1024).contains(n));
    text.split_once('x')
        .and_then(|(components, systems)| Some((number(components)?, number(systems)?)))
        .ok_or_else(|| {
            format!(
                "{text}: COMPONENTSxSYSTEMS was expected, each from {LEAST} to 1024, as in 250x100"
            )
        })
}

/// The `target` folder of this program.
fn target_folder() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    // target/release/examples/compile_time
    program.ancestors().nth(3).map_or_else(|| PathBuf::from("target"), Path::to_path_buf)
}
