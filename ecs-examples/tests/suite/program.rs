//! The whole program on the naive models: its output, its pictures and its files.

use crate::support::{NaiveWorlds, fixture};
use clap::Parser;
use ecs_examples::program;
use ecs_examples::program::cli::Args;
use ecs_examples::program::failure::Failure;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Runs the program; the pictures go to a directory that is deleted with the test.
fn run(directory: &Path, flags: &[&str]) -> Result<String, Failure> {
    let out = directory.join("out");
    let out = ["--out", out.to_str().expect("the path is text")];
    let flags = ["particles"].iter().chain(flags).chain(&out);
    let args = Args::try_parse_from(flags).expect("the flags are good");
    let mut output = Vec::new();
    program::main(&args, &NaiveWorlds, &mut output)?;
    Ok(String::from_utf8(output).expect("it prints text"))
}

fn lines(directory: &Path, flags: &[&str]) -> Vec<Value> {
    let output = run(directory, &[flags, &["--json"]].concat()).expect("the run succeeds");
    output.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("there is room for it")
}

fn path_in(directory: &TempDir, name: &str) -> (PathBuf, String) {
    let path = directory.path().join(name);
    (path.clone(), path.to_str().expect("the path is text").to_owned())
}

fn names_in(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry.expect("it is readable"))).collect();
    names.sort();
    names
}

/// The columns of a state file without alpha, on which the thesis's program has a race.
fn rows(path: impl AsRef<Path>) -> Vec<(u32, [u32; 8], [u8; 3])> {
    let file = fs::File::open(path).expect("the file is there");
    let discs = ecs_examples::particles::csv::read(std::io::BufReader::new(file));
    let bits = |disc: &ecs_examples::particles::Disc| {
        let [px, py] = disc.position;
        let [vx, vy] = disc.velocity;
        let [ax, ay] = disc.acceleration;
        [px, py, vx, vy, ax, ay, disc.radius, disc.life].map(f32::to_bits)
    };
    let colors = |[r, g, b, _]: [u8; 4]| [r, g, b];
    discs
        .expect("the file is well formed")
        .iter()
        .map(|(id, disc)| (*id, bits(disc), colors(disc.color)))
        .collect()
}

#[test]
fn without_flags_but_fewer_discs_it_prints_a_table_and_draws() {
    let directory = directory();
    let (film, film_flag) = path_in(&directory, "film.gif");
    let flags = ["--entities", "200", "--frames", "12", "--gif", &film_flag];
    let output = run(directory.path(), &flags).expect("the run succeeds");
    for part in ["fixed", "dynamic", "ratio", "1.00", "–", "wrote "] {
        assert!(output.contains(part), "{part} is missing in\n{output}");
    }
    let out = directory.path().join("out");
    assert_eq!(names_in(&out), ["particles-chart.png", "particles.png"]);
    assert_eq!(names_in(directory.path()), ["film.gif", "out"]);
    for name in names_in(&out) {
        assert!(output.contains(out.join(&name).to_str().expect("the path is text")));
        image::open(out.join(name)).expect("it is a picture");
    }
    assert!(output.contains(&film_flag));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let file = fs::File::open(film).expect("the film is there");
    let mut decoder = options.read_info(file).expect("it is a film");
    assert_eq!((decoder.width(), decoder.height()), (432, 270));
    let mut pictures = 0;
    while decoder.read_next_frame().expect("the film is whole").is_some() {
        pictures += 1;
    }
    assert_eq!(pictures, 13, "the start and 12 frames");
}

#[test]
fn json_has_a_line_per_run_and_draws_nothing() {
    let directory = directory();
    let lines = lines(directory.path(), &["--entities", "300", "--threads", "2", "--seed", "5"]);
    assert_eq!(lines.len(), 4);
    for (line, (storage, switch)) in
        lines.iter().zip([("fixed", false), ("fixed", true), ("dynamic", false), ("dynamic", true)])
    {
        assert_eq!(line["workload"], "particles");
        assert_eq!(line["storage"], storage);
        assert_eq!(line["inner_parallelism"], switch);
        assert_eq!((&line["entities"], &line["threads"]), (&300.into(), &2.into()));
        assert_eq!((&line["frames"], &line["alive"]), (&line["frames"], &0.into()));
        let frames = line["frames"].as_u64().expect("it is a number");
        assert!((600..=625).contains(&frames), "the last disc is despawned in frame {frames}");
        assert!(line["total_ms"].as_f64().expect("it is a number") > 0.0);
        let hash = line["state_hash"].as_str().expect("it is text");
        assert!(u64::from_str_radix(hash, 16).is_ok() && hash.len() == 16, "{hash}");
        if cfg!(target_os = "linux") {
            assert!(line["peak_rss_bytes"].as_u64().expect("it is a number") > 1 << 20);
        }
    }
    assert_eq!(names_in(directory.path()), [""; 0]);
}

#[test]
fn the_fixtures_are_reproduced_from_file_to_file() {
    let directory = directory();
    for (frames, all, last) in [(0, 0, 0), (1, 110, 110), (2, 128, 18), (30, 0, 4)] {
        let (dump, dump_flag) = path_in(&directory, "dump.csv");
        let frames_flag = frames.to_string();
        let load = fixture(0);
        let flags = ["--load", &load, "--frames", &frames_flag, "--dump", &dump_flag];
        let lines = lines(directory.path(), &flags);
        assert_eq!(lines.len(), 1, "a file asks for one run");
        assert_eq!(
            (&lines[0]["storage"], &lines[0]["inner_parallelism"]),
            (&"dynamic".into(), &true.into())
        );
        assert_eq!(lines[0]["entities"], 3000);
        assert_eq!(lines[0]["contacts_last_frame"], last);
        if frames < 30 {
            assert_eq!(lines[0]["contacts"], all);
        }
        assert_eq!(rows(dump), rows(fixture(frames)));
    }
}

#[test]
fn a_run_can_be_interrupted_by_a_dump() {
    let directory = directory();
    let (_, middle) = path_in(&directory, "middle.csv");
    let (resumed, resumed_flag) = path_in(&directory, "resumed.csv");
    let (whole, whole_flag) = path_in(&directory, "whole.csv");
    let load = fixture(0);
    let start = ["--load", &load, "--dump"];
    lines(directory.path(), &[&start[..], &[&middle, "--frames", "150"]].concat());
    let flags = ["--load", &middle, "--dump", &resumed_flag, "--frames", "10"];
    let second = lines(directory.path(), &flags);
    let all = lines(directory.path(), &[&start[..], &[&whole_flag, "--frames", "160"]].concat());
    assert!(all[0]["alive"].as_u64() < Some(3000), "some are despawned");
    assert_eq!(second[0]["state_hash"], all[0]["state_hash"]);
    let (resumed, whole) = (fs::read(resumed), fs::read(whole));
    assert_eq!(resumed.expect("it is there"), whole.expect("it is there"));
}

#[test]
fn no_disc_is_left_at_the_end() {
    let directory = directory();
    let (dump, dump_flag) = path_in(&directory, "dump.csv");
    let lines = lines(directory.path(), &["--entities", "50", "--dump", &dump_flag]);
    assert_eq!(lines[0]["alive"], 0);
    let text = fs::read_to_string(dump).expect("it is there");
    assert_eq!(text, "id,px,py,vx,vy,ax,ay,r,g,b,a,radius,life\n");
}

#[test]
fn churn_runs_to_its_end_and_draws_a_chart() {
    let directory = directory();
    let flags = ["--workload", "churn", "--entities", "20"];
    let output = run(directory.path(), &flags).expect("the run succeeds");
    assert!(output.contains("entities/s"), "{output}");
    assert_eq!(names_in(&directory.path().join("out")), ["churn-chart.png"]);
    let lines = lines(directory.path(), &[&flags[..], &["--frames", "100"]].concat());
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line["alive"] == 20 && line["contacts"] == 0));
    assert!(lines.iter().all(|line| line["state_hash"] == lines[0]["state_hash"]));
}

#[test]
fn no_discs_are_no_problem() {
    let directory = directory();
    run(directory.path(), &["--entities", "0"]).expect("the run succeeds");
    let lines = lines(directory.path(), &["--entities", "0"]);
    assert_eq!((&lines[0]["frames"], &lines[0]["ms_per_frame"]), (&0.into(), &0.0.into()));
}
