//! What it costs to build a library's packages.

use std::fs;
use std::path::Path;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use crate::at;
use crate::cargo::{Cargo, Usage};
use crate::library::Library;

/// The builds of each library, of which the one with the least CPU time counts.
const BUILDS: usize = 3;

/// Prints how many packages each library consists of, and the CPU time of a dev build of them in an empty folder; with
/// `list`, also the time of each crate.
pub(crate) fn print(parent: &Path, list: bool) -> Result<(), String> {
    println!("\nA library and its dependencies, from an empty target folder:\n");
    println!("| | packages | CPU, s |\n| :--- | ---: | ---: |");
    let mut lists = String::new();
    for library in [Library::EcsCore, Library::Hecs, Library::Bevy] {
        let name = format!("depends_on_{}", library.name());
        let folder = library.package(parent, &name, ("lib.rs", ""))?;
        let target = parent.join("dependencies");
        let cargo = Cargo::new(&folder, &target)?;
        cargo.run(&["fetch"], &[])?;
        let mut least = Build { packages: 0, cpu: f64::INFINITY, crates: Vec::new() };
        for _ in 0..BUILDS {
            let build = Build::measure(&cargo, &target, library)?;
            if build.cpu < least.cpu {
                least = build;
            }
        }
        println!("| {} | {} | {:.1} |", library.name(), least.packages, least.cpu);
        if list {
            lists.push_str(&least.list(library));
        }
    }
    print!("{lists}");
    Ok(())
}

/// A build of a library.
struct Build {
    packages: usize,
    /// In seconds, of cargo, compilers, linkers and build scripts.
    cpu: f64,
    /// What the compiler used for each crate, build scripts included.
    crates: Vec<(String, Usage)>,
}

impl Build {
    /// Without an incremental cache, which packages of a registry do not have either.
    fn measure(cargo: &Cargo<'_>, target: &Path, library: Library) -> Result<Self, String> {
        if target.exists() {
            fs::remove_dir_all(target).map_err(at(target))?;
        }
        cargo.forget_usage();
        let before = children()?;
        let messages = cargo
            .messages(&["build", "--package", library.name()], &[("CARGO_INCREMENTAL", "0")])?;
        let cpu = children()? - before;
        let packages =
            messages.lines().filter(|line| line.trim_start().starts_with("Compiling ")).count();
        if packages == 0 {
            return Err(format!("cargo has compiled nothing of {}", library.name()));
        }
        Ok(Self { packages, cpu, crates: cargo.usage() })
    }

    /// A table of the crates, the slowest first.
    fn list(mut self, library: Library) -> String {
        self.crates.sort_by(|(_, a), (_, b)| b.cpu.total_cmp(&a.cpu));
        let row = |(name, usage): &(String, Usage)| format!("| {name} | {:.2} |\n", usage.cpu);
        let head = format!("\n| crate of {} | CPU, s |\n| :--- | ---: |\n", library.name());
        self.crates.iter().fold(head, |table, one| table + &row(one))
    }
}

/// The CPU seconds of all processes that this one has started, and of those that they have started.
fn children() -> Result<f64, String> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    Ok((used.user_time() + used.system_time()).num_microseconds() as f64 / 1e6)
}
