//! What keeps the program from doing what it was asked.

use crate::simulation::SimulationError;
use std::fmt;
use std::io;
use std::path::Path;

/// A message for whoever runs the program: a sentence without a full stop.
///
/// The program prints it on the standard error stream and exits with [`Failure::EXIT_CODE`].
#[derive(Debug)]
pub struct Failure {
    message: String,
    broken_pipe: bool,
}

impl Failure {
    /// What the program exits with; `clap` uses the same for flags that it cannot make sense of.
    pub const EXIT_CODE: u8 = 2;

    /// A failure with the given message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), broken_pipe: false }
    }

    /// A failure that has to do with the file at `path`.
    pub fn with_file(path: &Path, error: impl fmt::Display) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// A failure to write to the standard output.
    pub fn with_stdout(error: &io::Error) -> Self {
        let broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { message: format!("standard output: {error}"), broken_pipe }
    }

    /// Whether whoever read the standard output has had enough of it, which is nothing to report.
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
