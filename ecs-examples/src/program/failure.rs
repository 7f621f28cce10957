//! The errors of the program.

use crate::simulation::SimulationError;
use std::fmt;
use std::io;
use std::path::Path;

/// A message for the user of the program: a sentence without a full stop.
///
/// The program prints it on the standard error stream and exits with its [`exit_code`](Failure::exit_code).
#[derive(Debug)]
pub struct Failure {
    message: String,
    exit_code: u8,
    broken_pipe: bool,
}

impl Failure {
    /// The exit code of most failures; `clap` uses the same for invalid flags.
    pub const EXIT_CODE: u8 = 2;

    /// The exit code if what was compared differs, as that of `diff`.
    pub const DIFFERENT: u8 = 1;

    /// A failure with the given message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: Self::EXIT_CODE, broken_pipe: false }
    }

    /// What was compared differs.
    pub fn different(message: impl Into<String>) -> Self {
        Self { exit_code: Self::DIFFERENT, ..Self::new(message) }
    }

    /// A failure at the file `path`.
    pub fn with_file(path: &Path, error: impl fmt::Display) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// A failure to write to the standard output.
    pub fn with_stdout(error: &io::Error) -> Self {
        let broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { broken_pipe, ..Self::new(format!("standard output: {error}")) }
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// Whether the reader of the standard output has closed it, which is not reported.
    pub fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Self {
        Self::new(error.to_string())
    }
}
