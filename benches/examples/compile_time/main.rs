//! Prints, as a table, the size of the expansion of large worlds, and the times of `cargo check` and
//! `cargo build` for them, without the dependencies.
//!
//! `cargo run --release -p benches --example compile_time -- [--rounds N] [SYSTEMS…]`
//!
//! A world has as many components as systems (wide ones ten more); each system reads two and writes
//! one. The packages are written to `target/compile-time`. The compiler prints the expansion of `world!`
//! by an option that it only accepts with `RUSTC_BOOTSTRAP`.

#![forbid(unsafe_code)]

mod package;

use package::{Package, Shape};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant, SystemTime};
use std::{env, fs, io};

fn main() -> ExitCode {
    match arguments(env::args().skip(1)).and_then(|(sizes, rounds)| measure(&sizes, rounds)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// The numbers of systems, and the number of rounds.
fn arguments(mut args: impl Iterator<Item = String>) -> Result<(Vec<usize>, usize), String> {
    let number = |text: String| match text.parse() {
        Ok(number @ 3..=1000) => Ok(number),
        _ => Err(format!("{text}: a number of systems from 3 to 1000 was expected")),
    };
    let (mut sizes, mut rounds) = (Vec::new(), 3);
    while let Some(arg) = args.next() {
        if arg == "--rounds" {
            rounds = args.next().and_then(|text| text.parse().ok()).filter(|&n| n > 0).ok_or(
                "--rounds: how often each measurement is taken was expected, a number from 1 up",
            )?;
        } else {
            sizes.push(number(arg)?);
        }
    }
    if sizes.is_empty() {
        sizes = vec![10, 50, 100, 250];
    }
    Ok((sizes, rounds))
}

fn measure(sizes: &[usize], rounds: usize) -> Result<(), String> {
    let root = target_folder().join("compile-time");
    println!("Best of {rounds}, dependencies apart.\n");
    println!(
        "| systems | expansion, kB | per system | check, s | per system, ms | build, s | per system, ms |"
    );
    println!("| :--- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for shape in [Shape::Chain, Shape::Wide] {
        for &systems in sizes {
            let folder = Package { shape, systems }
                .write(&root)
                .map_err(|error| format!("{}: {error}", root.display()))?;
            let cargo = Cargo { folder: &folder, target: root.join("target") };
            let expansion = cargo.expansion()?;
            let check = cargo.best_of(rounds, "check")?;
            let build = cargo.best_of(rounds, "build")?;
            let per_system = |total: f64| total / systems as f64;
            println!(
                "| {systems}, {} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
                shape.name(),
                expansion as f64 / 1e3,
                per_system(expansion as f64 / 1e3),
                check.as_secs_f64(),
                per_system(check.as_secs_f64() * 1e3),
                build.as_secs_f64(),
                per_system(build.as_secs_f64() * 1e3),
            );
        }
    }
    println!("\nThe packages are in {}.", root.display());
    Ok(())
}

/// The `target` folder of this program.
fn target_folder() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    // target/release/examples/compile_time
    program.ancestors().nth(3).map_or_else(|| PathBuf::from("target"), Path::to_path_buf)
}

/// `cargo` in a package.
struct Cargo<'a> {
    folder: &'a Path,
    target: PathBuf,
}

impl Cargo<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(arguments)
            .current_dir(self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end, and returns the standard output.
    fn run(&self, arguments: &[&str], set: &[(&str, &str)]) -> Result<Vec<u8>, String> {
        let output = self.command(arguments).envs(set.iter().copied()).output();
        let output = output.map_err(|error| format!("cargo {}: {error}", arguments.join(" ")))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let (folder, messages) = (self.folder.display(), String::from_utf8_lossy(&output.stderr));
        Err(format!("cargo {} failed in {folder}:\n{messages}", arguments.join(" ")))
    }

    /// The number of bytes of the world's expansion: of the expanded program without the source text after the
    /// declaration.
    fn expansion(&self) -> Result<usize, String> {
        let bootstrap = [("RUSTC_BOOTSTRAP", "1")];
        let expanded =
            self.run(&["rustc", "--quiet", "--", "-Zunpretty=expanded"], &bootstrap)?.len();
        let source = fs::read_to_string(self.source()).map_err(|error| error.to_string())?;
        let outside = source.len() - source.find("\n}\n").unwrap_or(0);
        Ok(expanded.saturating_sub(outside))
    }

    fn source(&self) -> PathBuf {
        self.folder.join("src/main.rs")
    }

    /// The shortest time of several runs; before each, the source is touched.
    fn best_of(&self, rounds: usize, command: &str) -> Result<Duration, String> {
        self.run(&[command, "--quiet"], &[])?;
        let mut best = Duration::MAX;
        for _ in 0..rounds {
            touch(&self.source()).map_err(|error| error.to_string())?;
            let start = Instant::now();
            self.run(&[command, "--quiet"], &[])?;
            best = best.min(start.elapsed());
        }
        Ok(best)
    }
}

/// Sets the file's time of modification to now.
fn touch(path: &Path) -> io::Result<()> {
    fs::File::options().append(true).open(path)?.set_modified(SystemTime::now())
}
