//! Recordings of the particle simulation: written, verified on other threads, played, and refused.

use crate::support::NaiveWorlds;
use clap::Parser;
use ecs_examples::app;
use ecs_examples::cli::Args;
use ecs_examples::failure::Failure;
use std::fs;
use std::path::Path;

/// Runs the program in a directory; the flags are separated by spaces, and `DIR` is the directory.
fn run(directory: &Path, flags: &str) -> Result<String, Failure> {
    let directory = directory.to_str().expect("the path is text");
    let flags = flags.replace("DIR", directory);
    let args = Args::try_parse_from(["particles"].into_iter().chain(flags.split(' ')));
    let mut output = Vec::new();
    app::main(&args.expect("the flags are good"), &NaiveWorlds, &mut output)?;
    Ok(String::from_utf8(output).expect("it prints text"))
}

#[test]
fn a_recording_is_verified_and_played_on_any_threads() {
    let directory = tempfile::tempdir().expect("there is room for it");
    let directory = directory.path();
    let recorded =
        run(directory, "--record DIR/run.rec --entities 400 --frames 70 --threads 2 --out DIR")
            .unwrap();
    assert!(recorded.contains("70 frames of 400 discs"), "{recorded}");
    for (threads, text) in [(1, "on one thread"), (2, "on 2 threads"), (8, "on 8 threads")] {
        let verified =
            run(directory, &format!("--verify DIR/run.rec --threads {threads}")).unwrap();
        assert!(
            verified.contains("70 frames have the states") && verified.contains(text),
            "{verified}"
        );
    }
    for frame in [0, 29, 30, 65, 70] {
        let played =
            run(directory, &format!("--replay DIR/run.rec --frame {frame} --out DIR")).unwrap();
        assert!(played.starts_with(&format!("frame {frame} of ")), "{played}");
        assert!(fs::read(directory.join("replay.png")).unwrap().starts_with(b"\x89PNG"));
        fs::remove_file(directory.join("replay.png")).unwrap();
    }
    let failure = run(directory, "--replay DIR/run.rec --frame 71 --out DIR").unwrap_err();
    assert!(
        failure.to_string().ends_with("the recording has 70 steps, so there is no state after 71"),
        "{failure}"
    );
}

#[test]
fn what_differs_is_named() {
    let directory = tempfile::tempdir().expect("there is room for it");
    let directory = directory.path();
    run(directory, "--record DIR/run.rec --entities 50 --frames 40 --out DIR").unwrap();
    let mut bytes = fs::read(directory.join("run.rec")).unwrap();
    fs::write(directory.join("short.rec"), &bytes[..bytes.len() / 2]).unwrap();
    let failure = run(directory, "--verify DIR/short.rec").unwrap_err();
    assert!(failure.to_string().contains("its checksum is not that of its bytes"), "{failure}");
    let failure = run(directory, "--verify DIR/none.rec").unwrap_err();
    assert!(failure.to_string().contains("none.rec: "), "{failure}");
    // A velocity of the first state is another: all later hashes differ.
    let name = bytes.windows(8).position(|bytes| bytes == b"Velocity").unwrap();
    for state in [true, false] {
        let save = bytes.windows(8).position(|bytes| bytes == b"ecsworld").unwrap();
        if state {
            bytes[name + 200] ^= 1;
            let length = u64::from_le_bytes(bytes[save - 8..save].try_into().unwrap()) as usize;
            let (all, hash) = bytes[save..save + length].split_last_chunk_mut().unwrap();
            *hash = xxhash_rust::xxh3::xxh3_64(all).to_le_bytes();
        }
        let (all, hash) = bytes.split_last_chunk_mut().unwrap();
        *hash = xxhash_rust::xxh3::xxh3_64(all).to_le_bytes();
    }
    fs::write(directory.join("forged.rec"), &bytes).unwrap();
    let failure = run(directory, "--verify DIR/forged.rec").unwrap_err();
    assert!(failure.to_string().contains("after 0 steps the state has the hash"), "{failure}");
}
