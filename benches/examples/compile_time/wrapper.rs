//! The program as cargo's `RUSTC_WRAPPER`: runs the compiler, and writes down what it used.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, io};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// The variable that names the file to which the compiler's use of each crate is appended. If it is set, this program is
/// the wrapper.
pub(crate) const LOG: &str = "COMPILE_TIME_LOG";

/// Runs the compiler, which the arguments name, and appends `crate CPU-microseconds peak-bytes` to the file.
pub(crate) fn run(log: &Path) -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let Some(rustc) = arguments.next() else { return ExitCode::from(2) };
    let arguments: Vec<_> = arguments.collect();
    let status = match Command::new(rustc).args(&arguments).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("the compiler cannot be run: {error}");
            return ExitCode::from(2);
        }
    };
    let name = arguments.iter().skip_while(|&argument| argument != "--crate-name").nth(1);
    if let Some(name) = name.and_then(|name| name.to_str())
        && let Err(error) = append(log, name)
    {
        eprintln!("{}: {error}", log.display());
        return ExitCode::from(2);
    }
    ExitCode::from(status.code().and_then(|code| code.try_into().ok()).unwrap_or(101))
}

fn append(log: &Path, name: &str) -> io::Result<()> {
    // Of the compiler and of what it has run: the linker.
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = (used.user_time() + used.system_time()).num_microseconds();
    let mut file = File::options().create(true).append(true).open(log)?;
    // In kB on Linux.
    writeln!(file, "{name} {cpu} {}", used.max_rss() * 1024)
}
