//! The shipped program, with worlds built on `ecs-core`, compared with the naive models.

use crate::support::{NaiveWorlds, fixture};
use clap::Parser;
use ecs_examples::program;
use ecs_examples::program::cli::Args;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

fn parsed(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).expect("it prints text");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The output of the shipped program with `--json`.
fn shipped(flags: &str) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_particles"))
        .args(flags.split_whitespace())
        .arg("--json")
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{flags}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stderr, b"", "{flags}");
    parsed(&output.stdout)
}

/// The output on the naive models.
fn naive(flags: &str) -> Value {
    let flags = ["particles", "--json"].into_iter().chain(flags.split_whitespace());
    let args = Args::try_parse_from(flags).expect("the flags are good");
    let mut output = Vec::new();
    program::main(&args, &NaiveWorlds, &mut output).expect("the run succeeds");
    parsed(&output).remove(0)
}

/// Panics unless all four configurations, on one thread and on three, end in the state of the naive model.
fn assert_like_the_naive_model(flags: &str) {
    assert_like_the_naive_model_on(&[1, 3], flags);
}

/// Panics unless all four configurations, on each of these numbers of threads, end in the state of the naive model.
fn assert_like_the_naive_model_on(threads: &[usize], flags: &str) {
    let expected = naive(flags);
    for threads in threads {
        let lines = shipped(&format!("{flags} --threads {threads}"));
        assert_eq!(lines.len(), 4);
        for line in lines {
            for field in ["frames", "alive", "contacts", "contacts_last_frame", "state_hash"] {
                assert_eq!(line[field], expected[field], "{field} of {line}");
            }
        }
    }
}

#[test]
fn discs_move_and_collide_like_the_naive_ones() {
    assert_like_the_naive_model("--entities 4000 --frames 40 --seed 3");
}

#[test]
fn discs_die_like_the_naive_ones() {
    assert_like_the_naive_model("--entities 500 --frames 400");
    assert_like_the_naive_model("--entities 500");
}

/// 40 frames, or as many as `MANY_FRAMES` says: `.ci/thorough` asks for 200.
#[test]
fn many_discs_end_in_the_same_state_on_any_threads() {
    let frames = std::env::var("MANY_FRAMES").unwrap_or_else(|_| "40".to_owned());
    let flags = format!("--entities 20000 --frames {frames}");
    assert_like_the_naive_model_on(&[1, 2, 3, 4, 8], &flags);
}

#[test]
fn churn_ends_in_the_same_state_on_any_threads() {
    assert_like_the_naive_model_on(&[1, 2, 3, 4, 8], "--workload churn --entities 2000");
    assert_like_the_naive_model_on(&[1, 4], "--workload churn --entities 2000 --frames 100");
}

#[test]
fn churn_goes_on_like_the_naive_one() {
    assert_like_the_naive_model("--workload churn --entities 100 --frames 200");
    assert_like_the_naive_model("--workload churn --entities 10");
}

#[test]
fn the_thesis_is_reproduced_in_every_configuration() {
    let directory = tempfile::tempdir().expect("there is room for it");
    let dump = directory.path().join("dump.csv");
    let dump_flag = dump.to_str().expect("the path is text");
    let alpha = 10;
    let fields = |path: &str| -> Vec<Vec<f32>> {
        let text = fs::read_to_string(path).expect("it is there");
        let numbers = |line: &str| {
            let columns = line.split(',').enumerate().filter(|&(column, _)| column != alpha);
            columns.map(|(_, field)| field.parse().expect("it is a number")).collect()
        };
        text.lines().skip(1).map(numbers).collect()
    };
    for storage in ["fixed", "dynamic"] {
        for switch in ["on", "off"] {
            for frames in [0, 1, 2, 30] {
                let lines = shipped(&format!(
                    "--load {} --dump {dump_flag} --frames {frames} --storage {storage} \
                     --inner-parallelism {switch}",
                    fixture(0)
                ));
                assert_eq!(
                    lines[0]["contacts_last_frame"],
                    [0, 110, 18, 4][frames.min(3) as usize]
                );
                assert!(fields(dump_flag) == fields(&fixture(frames)), "frame {frames}");
            }
        }
    }
    let lines = shipped(&format!("--load {} --frames 124", fixture(0)));
    assert_eq!(lines[0]["contacts"], 505);
}

#[test]
#[cfg(target_os = "linux")]
fn fifty_thousand_discs_fit_into_thirty_megabytes() {
    let flags = "--entities 50000 --frames 20 --storage dynamic --inner-parallelism on";
    let peak = shipped(flags)[0]["peak_rss_bytes"].as_u64().expect("it is a number");
    assert!(peak < 30 << 20, "{peak} bytes");
}

#[test]
fn a_closed_standard_output_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_particles"))
        .args(["--json", "--entities", "10", "--frames", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    assert_eq!(output.stderr, b"");
}
