//! Recordings of the particle simulation: written, verified on other threads, played, compared, and refused.

use crate::support::NaiveWorlds;
use clap::Parser;
use ecs_core::replay::Recording;
use ecs_core::scheduler::Sequential;
use ecs_core::settings::{Allow, Config, Dynamic};
use ecs_core::{Entity, Threads, World};
use ecs_examples::particles::components::{Acceleration, Circle, Color, Life, Position, Velocity};
use ecs_examples::particles::world::Particles;
use ecs_examples::program;
use ecs_examples::program::cli::Args;
use ecs_examples::program::failure::Failure;
use std::fs;
use std::path::Path;

/// Runs the program in a directory; the flags are separated by spaces, and `DIR` is the directory.
fn run(directory: &Path, flags: &str) -> Result<String, Failure> {
    let directory = directory.to_str().expect("the path is text");
    let flags = flags.replace("DIR", directory);
    let args = Args::try_parse_from(["particles"].into_iter().chain(flags.split(' ')));
    let mut output = Vec::new();
    program::main(&args.expect("the flags are good"), &NaiveWorlds, &mut output)?;
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

type Settings = Config<Dynamic<0>, Allow, Sequential>;

/// Records a run of a few discs as the program does, in which `fault` changes the world before a frame, as a system would that
/// reads a clock.
fn record_faulty(file: &Path, frames: u64, fault: impl Fn(u64, &mut World<Particles, Settings>)) {
    let mut world = World::<Particles, Settings>::on(Threads::Inline);
    let all = (0..20_u8).map(|n| {
        let at = [30.0 * f32::from(n) + 20.0, 40.0];
        (
            Acceleration([0.0; 2]),
            Velocity([1.0, 2.0]),
            Position(at),
            Life(100.0),
            Color([n; 4]),
            Circle(3.0),
        )
    });
    world.spawn_batch(all);
    let mut recording = Recording::start(&world, 30).unwrap();
    for frame in 0..frames {
        fault(frame, &mut world);
        world.tick().unwrap();
        recording.record(&world, ()).unwrap();
    }
    let mut bytes = Vec::new();
    recording.save(&mut bytes).unwrap();
    fs::write(file, bytes).unwrap();
}

/// What the program prints, and its failure.
fn compare(directory: &Path, other: &str) -> (String, Option<Failure>) {
    let files = ["run.rec", other].map(|file| directory.join(file));
    let flags =
        ["particles".as_ref(), "--compare".as_ref(), files[0].as_os_str(), files[1].as_os_str()];
    let mut output = Vec::new();
    let args = Args::try_parse_from(flags).expect("the flags are good");
    let failure = program::main(&args, &NaiveWorlds, &mut output).err();
    (String::from_utf8(output).expect("it prints text"), failure)
}

#[test]
fn recordings_are_compared_down_to_the_value() {
    let directory = tempfile::tempdir().expect("there is room for it");
    let directory = directory.path();
    let file = |name| directory.join(name);
    record_faulty(&file("run.rec"), 70, |_, _| {});
    record_faulty(&file("short.rec"), 50, |_, _| {});
    let (text, failure) = compare(directory, "run.rec");
    assert!(
        failure.is_none() && text.contains("have the same states after each of 70 frames"),
        "{text}"
    );
    let (text, failure) = compare(directory, "short.rec");
    assert!(
        failure.is_none() && text.contains("after each of 50 frames, and then one of them ends"),
        "{text}"
    );

    record_faulty(&file("faulty.rec"), 70, |frame, world| {
        if frame == 44 {
            let disc = world.iter::<Entity>().nth(7).unwrap();
            world.get_mut::<Velocity>(disc).unwrap().0[1] = 0.5;
        }
    });
    let (text, failure) = compare(directory, "faulty.rec");
    let failure = failure.expect("they differ");
    assert_eq!(failure.exit_code(), 1);
    assert!(failure.to_string().ends_with("faulty.rec differ after 45 frames"), "{failure}");
    for part in [
        "the recordings of `Particles` differ after 45 steps: ",
        "this program reproduces the first recording only\nthe states after 60 steps:\n",
        "component `Velocity`",
        " 7v1 ",
        "Velocity([1.0, 2.0])",
        "Velocity([1.0, 0.5])",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }

    run(directory, "--record DIR/other.rec --entities 50 --frames 40 --out DIR").unwrap();
    let (text, failure) = compare(directory, "other.rec");
    let failure = failure.expect("they begin otherwise");
    assert_eq!((text.as_str(), failure.exit_code()), ("", 2));
    assert!(failure.to_string().contains("the recordings have no step in common"), "{failure}");
    fs::write(file("damaged.rec"), &fs::read(file("run.rec")).unwrap()[..100]).unwrap();
    for name in ["damaged.rec", "none.rec"] {
        let failure = compare(directory, name).1.expect("it is no recording");
        assert_eq!(failure.exit_code(), 2);
        assert!(failure.to_string().contains(name), "{failure}");
    }
}
