//! `rustc`, and the libraries that this test was linked with.

use std::any::TypeId;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

/// Compiles programs against the libraries that it is given.
pub(crate) struct Compiler {
    rustc: PathBuf,
    /// Cargo's folder of libraries, in which this test lies.
    libraries: PathBuf,
    /// A folder to write into.
    scratch: PathBuf,
    /// Names of crates and their files, as `--extern` takes them.
    externs: Vec<OsString>,
}

/// What is wanted of `rustc`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emit {
    /// What `cargo check` makes: constants that depend on a type's parameters are not evaluated.
    Metadata,
    /// A program that can be run.
    Program,
}

/// The folder of the package that this file is compiled in.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the workspace, relative to which the compiler names the files of its libraries.
pub(crate) fn workspace() -> &'static Path {
    let mut folders = package().ancestors();
    folders.find(|folder| folder.join(file!()).exists()).expect("the folder that cargo compiles in")
}

impl Compiler {
    /// A compiler that keeps its files in a folder of this name.
    pub(crate) fn new(name: &str) -> Self {
        let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
        let sysroot = succeeded(sysroot.expect("`rustc` runs"));
        let rustc = Path::new(sysroot.trim()).join("bin").join("rustc");
        let test = env::current_exe().expect("a test knows where it is");
        let libraries = test.parent().expect("a file is in a folder").to_owned();
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&scratch).expect("a folder to write into");
        Self { rustc, libraries, scratch, externs: Vec::new() }
    }

    /// Lets programs call a crate by the name of `alias`. `T`, which the crate calls `of`, must be declared in it:
    /// it tells which of several builds of the crate this test was linked with.
    pub(crate) fn with<T: 'static>(mut self, alias: &str, krate: &str, of: &str) -> Self {
        let file = self.library(krate, of, &format!("{:?}", TypeId::of::<T>()));
        let mut argument = OsString::from(format!("{alias}="));
        argument.push(file);
        self.externs.push(argument);
        self
    }

    /// A folder to write into.
    pub(crate) fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// `rustc` with what all programs need. It writes into the folder.
    pub(crate) fn command(&self, path: &Path, name: &str, emit: Emit) -> Command {
        self.command_in("2024", path, name, emit)
    }

    /// The same for a program of the edition.
    pub(crate) fn command_in(&self, edition: &str, path: &Path, name: &str, emit: Emit) -> Command {
        let mut command = Command::new(&self.rustc);
        let path = package().join(path);
        // Relative, too, but for files elsewhere.
        let path = path.strip_prefix(workspace()).unwrap_or(&path);
        command.current_dir(workspace()).arg(path).args([
            "--edition",
            edition,
            "--crate-name",
            name,
        ]);
        command.env("CARGO_CRATE_NAME", name);
        // Programs are small: what is not used in one is no news.
        command.args(["--allow=dead_code", "-C", "debuginfo=0"]);
        command.arg(if emit == Emit::Metadata { "--emit=metadata" } else { "--emit=link" });
        command.arg("--out-dir").arg(&self.scratch);
        for library in &self.externs {
            command.arg("--extern").arg(library);
        }
        let mut folder = OsString::from("dependency=");
        folder.push(&self.libraries);
        command.arg("-L").arg(folder);
        command
    }

    /// The file of the crate in which a type has the given id: cargo keeps a file for each set of features and
    /// flags that the crate was built with.
    fn library(&self, krate: &str, of: &str, id: &str) -> PathBuf {
        let (begin, end) = (format!("lib{krate}-"), ".rlib");
        let entries = fs::read_dir(&self.libraries).expect("the folder of libraries");
        let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
        let mut found: Vec<(SystemTime, PathBuf)> = paths
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with(&begin) && name.ends_with(end)
            })
            .map(|path| {
                let metadata = fs::metadata(&path).and_then(|metadata| metadata.modified());
                (metadata.expect("the time of a file"), path)
            })
            .collect();
        found.sort();
        // The newest first, as it is the one but for rare cases.
        let mut paths = found.into_iter().rev().map(|(_, path)| path);
        paths.find(|path| self.id(krate, of, path) == id).unwrap_or_else(|| {
            panic!(
                "{} has no {begin}*{end} that has the {of} of this test",
                self.libraries.display()
            )
        })
    }

    /// The id of the type in this file of a crate, by a program that prints it.
    fn id(&self, krate: &str, of: &str, file: &Path) -> String {
        let text =
            format!("fn main() {{ print!(\"{{:?}}\", std::any::TypeId::of::<{krate}::{of}>()) }}");
        let source = self.scratch.join("id.rs");
        fs::write(&source, text).expect("a writable file");
        let mut command = self.command(&source, "id", Emit::Program);
        let mut library = OsString::from(format!("{krate}="));
        library.push(file);
        let compiled = command.arg("--extern").arg(library).output().expect("`rustc` runs");
        // A file whose own libraries are gone.
        if !compiled.status.success() {
            return String::from_utf8_lossy(&compiled.stderr).into_owned();
        }
        succeeded(Command::new(self.scratch.join("id")).output().expect("the program runs"))
    }
}

/// What the command has printed.
fn succeeded(output: Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    String::from_utf8(output.stdout).expect("text")
}
