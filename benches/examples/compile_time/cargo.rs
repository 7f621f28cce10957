//! `cargo` in a package, measured.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use crate::package::{Edit, Package};
use crate::{at, wrapper};

/// What the compiler used for a crate, with the linker.
pub(crate) struct Usage {
    /// In seconds.
    pub(crate) cpu: f64,
    /// In bytes: of the largest process.
    pub(crate) peak: u64,
    /// The size of the program in bytes, if one was built.
    pub(crate) program: Option<u64>,
}

pub(crate) struct Cargo<'a> {
    folder: &'a Path,
    target: PathBuf,
    log: PathBuf,
    this: OsString,
}

impl<'a> Cargo<'a> {
    /// For the package in `folder`, which is built in `target`.
    pub(crate) fn new(folder: &'a Path, target: &Path) -> Result<Self, String> {
        let this = env::current_exe().map_err(|error| error.to_string())?.into_os_string();
        Ok(Self { folder, target: target.to_owned(), log: folder.join("usage"), this })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(arguments)
            .current_dir(self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("RUSTC_WRAPPER", &self.this)
            .env(wrapper::LOG, &self.log)
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end, and returns the standard output.
    pub(crate) fn run(&self, arguments: &[&str], set: &[(&str, &str)]) -> Result<Vec<u8>, String> {
        self.output(arguments, set).map(|output| output.stdout)
    }

    /// Runs to the end, and returns what the compiler has written beside its output.
    pub(crate) fn messages(
        &self,
        arguments: &[&str],
        set: &[(&str, &str)],
    ) -> Result<String, String> {
        let output = self.output(arguments, set)?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn output(&self, arguments: &[&str], set: &[(&str, &str)]) -> Result<Output, String> {
        let output = self.command(arguments).envs(set.iter().copied()).output();
        let output = output.map_err(|error| format!("cargo {}: {error}", arguments.join(" ")))?;
        if output.status.success() {
            return Ok(output);
        }
        let (folder, messages) = (self.folder.display(), String::from_utf8_lossy(&output.stderr));
        Err(format!("cargo {} failed in {folder}:\n{messages}", arguments.join(" ")))
    }

    /// Measures a command without an incremental cache. The dependencies are built before.
    pub(crate) fn cold(&self, command: &str) -> Result<Usage, String> {
        let set = [("CARGO_INCREMENTAL", "0")];
        let arguments: Vec<_> = command.split(' ').chain(["--quiet"]).collect();
        self.run(&arguments, &set)?;
        self.forget(command)?;
        self.measured(command, &arguments, &set)
    }

    /// Measures a command with an incremental cache, after an edit.
    pub(crate) fn after(
        &self,
        command: &str,
        package: Package,
        edit: Edit,
    ) -> Result<Usage, String> {
        let arguments = [command, "--quiet"];
        let set = [("CARGO_INCREMENTAL", "1")];
        fs::write(self.source(), package.program(None)).map_err(at(&self.source()))?;
        self.run(&arguments, &set)?;
        let before = self.built(command)?;
        fs::write(self.source(), package.program(Some(edit))).map_err(at(&self.source()))?;
        let usage = self.measured(command, &arguments, &set)?;
        if before.is_some() && before == self.built(command)? {
            return Err(format!(
                "{} has not changed the program: nothing was measured",
                edit.name()
            ));
        }
        fs::write(self.source(), package.program(None)).map_err(at(&self.source()))?;
        Ok(usage)
    }

    /// Runs a command that compiles the world.
    fn measured(
        &self,
        command: &str,
        arguments: &[&str],
        set: &[(&str, &str)],
    ) -> Result<Usage, String> {
        self.forget_usage();
        self.run(arguments, set)?;
        let used = self.usage().into_iter().find(|(name, _)| *name == self.name());
        let Some((_, usage)) = used else {
            return Err(format!(
                "cargo {command} has not compiled the world: nothing was measured"
            ));
        };
        let program = self.built(command)?.map(|bytes| bytes.len() as u64);
        Ok(Usage { program, ..usage })
    }

    /// What the compiler has used for each crate since [`forget_usage`](Self::forget_usage).
    pub(crate) fn usage(&self) -> Vec<(String, Usage)> {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let usage = |line: &str| {
            let mut words = line.split(' ');
            let name = words.next()?.to_owned();
            let [cpu, peak] = [words.next()?, words.next()?].map(|word| word.parse::<u64>().ok());
            Some((name, Usage { cpu: cpu? as f64 / 1e6, peak: peak?, program: None }))
        };
        log.lines().filter_map(usage).collect()
    }

    pub(crate) fn forget_usage(&self) {
        let _ = fs::remove_file(&self.log);
    }

    /// Makes cargo compile the world again.
    pub(crate) fn forget(&self, command: &str) -> Result<(), String> {
        let mut arguments = ["clean", "--quiet", "--package", &*self.name()].join(" ");
        if command.contains("--release") {
            arguments.push_str(" --release");
        }
        self.run(&arguments.split(' ').collect::<Vec<_>>(), &[]).map(drop)
    }

    /// The program that the command has built, if it builds one.
    fn built(&self, command: &str) -> Result<Option<Vec<u8>>, String> {
        let profile = if command.contains("--release") { "release" } else { "debug" };
        let program = self.target.join(profile).join(self.name());
        if command.starts_with("check") {
            return Ok(None);
        }
        fs::read(&program).map(Some).map_err(at(&program))
    }

    pub(crate) fn source(&self) -> PathBuf {
        self.folder.join("src/main.rs")
    }

    fn name(&self) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}
