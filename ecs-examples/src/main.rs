//! Runs the particle simulation or the churn benchmark; `--help` lists the flags.

#![forbid(unsafe_code)]

use clap::Parser;
use ecs_examples::program;
use ecs_examples::program::cli::Args;
use ecs_examples::worlds::EcsWorlds;
use std::process::ExitCode;

fn main() -> ExitCode {
    match program::main(&Args::parse(), &EcsWorlds, &mut std::io::stdout()) {
        Err(failure) if !failure.is_broken_pipe() => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.exit_code())
        }
        _ => ExitCode::SUCCESS,
    }
}
