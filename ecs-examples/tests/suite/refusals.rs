//! Flags that the program refuses: with exit code 2 and a message, and without any other output or file.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const HEADER: &str = "id,px,py,vx,vy,ax,ay,r,g,b,a,radius,life\n";
const ROW: &str = "0,10,10,0,0,0,1,1,2,3,255,0.5,5\n";

fn particles(directory: &Path, flags: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_particles"))
        .args(flags.split_whitespace())
        .current_dir(directory)
        .output()
        .expect("the program starts")
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("there is room for it")
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("it is there");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.map(|entry| name(entry.expect("it is readable"))).collect()
}

/// Panics unless the program refuses `flags` with a message that contains all of `parts`.
fn assert_refused(directory: &TempDir, flags: &str, parts: &[&str]) {
    let before = names_in(directory.path());
    let output = particles(directory.path(), flags);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{flags}: {message}");
    assert_eq!(output.stdout, b"", "{flags}");
    assert!(message.starts_with("error: "), "{flags}: {message}");
    for part in parts {
        assert!(message.contains(part), "{flags}: {part:?} is missing in {message}");
    }
    assert_eq!(names_in(directory.path()), before, "{flags} wrote something");
}

#[test]
fn bad_flags() {
    let directory = directory();
    for (flags, part) in [
        ("--colour red", "--colour"),
        ("--workload chess", "chess"),
        ("--storage none", "none"),
        ("--inner-parallelism maybe", "maybe"),
        ("--threads 0", "--threads"),
        ("--threads -1", "-1"),
        ("--entities many", "many"),
        ("--entities -5", "-5"),
        ("--entities 2147483648", "2147483647"),
        ("--entities 4294967295", "2147483647"),
        ("--frames 1.5", "1.5"),
        ("--seed x", "x"),
        ("--full --entities 5", "--entities"),
        ("--full --load a.csv", "--load"),
        ("--load a.csv --entities 5", "--entities"),
        ("--json --gif a.gif", "--gif"),
        ("--graph svg", "svg"),
        ("--graph dot --full", "--full"),
        ("--graph dot --entities 5", "--entities"),
        ("--graph dot --frames 5", "--frames"),
        ("--graph dot --threads 2", "--threads"),
        ("--graph dot --seed 1", "--seed"),
        ("--graph dot --storage fixed", "--storage"),
        ("--graph dot --inner-parallelism on", "--inner-parallelism"),
        ("--graph dot --load a.csv", "--load"),
        ("--graph dot --dump a.csv", "--dump"),
        ("--graph dot --json", "--json"),
        ("--graph dot --gif a.gif", "--gif"),
        ("--graph mermaid --out .", "--out"),
        ("file.csv", "file.csv"),
        ("--seed 1 tower-defence", "tower-defence"),
        ("tower-defence --seed 1", "--seed"),
        ("tower-defence --frames 0", "--frames"),
        ("tower-defence --towers 1000001", "1000000"),
    ] {
        assert_refused(&directory, flags, &[part]);
    }
}

#[test]
fn contradictions() {
    let directory = directory();
    fs::write(directory.path().join("a.csv"), format!("{HEADER}{ROW}")).expect("there is room");
    for flags in ["--load a.csv", "--dump d.csv", "--gif g.gif"] {
        let flag = flags.split_once(' ').expect("there are two words").0;
        assert_refused(&directory, &format!("--workload churn {flags}"), &[flag, "churn"]);
    }
    for flags in ["--storage both", "--inner-parallelism both", "--full"] {
        let parts = ["--dump", "--storage", "--inner-parallelism"];
        assert_refused(&directory, &format!("--dump d.csv {flags}"), &parts);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let directory = directory();
    assert_refused(&directory, "--load missing.csv", &["missing.csv"]);
    assert_refused(&directory, "--load .", &["."]);
}

#[test]
fn malformed_files_with_line_and_column() {
    let directory = directory();
    let cases = [
        (String::new(), ["line 1", "header"]),
        ("id,px\n".to_owned(), ["line 1", "header"]),
        (ROW.to_owned(), ["line 1", "header"]),
        (format!("{HEADER}0,1,2\n"), ["line 2", "3 fields"]),
        (format!("{HEADER}{ROW}1,NaN,1,0,0,0,1,1,2,3,255,0.5,5\n"), ["line 3", "column px"]),
        (format!("{HEADER}{ROW}1,1,inf,0,0,0,1,1,2,3,255,0.5,5\n"), ["line 3", "column py"]),
        (format!("{HEADER}{ROW}1,1,1,0,0,0,1,1,256,3,255,0.5,5\n"), ["line 3", "column g"]),
        (format!("{HEADER}{ROW}1,1,1,0,0,0,1,1,2,3,-1,0.5,5\n"), ["line 3", "column a"]),
        (format!("{HEADER}{ROW}1,1,1,0,0,0,1,1,2,3,255,-1,5\n"), ["line 3", "column radius"]),
        (format!("{HEADER}{ROW}1,1,1,0,0,0,1,1,2,3,255,1,old\n"), ["line 3", "column life"]),
        (format!("{HEADER}{ROW}{ROW}"), ["line 3", "column id"]),
        (format!("{HEADER}{ROW}1,1,1,0,0,0,1,1,2,3,255,1,1e9\n"), ["never despawned", "--frames"]),
    ];
    for (text, [place, what]) in cases {
        fs::write(directory.path().join("bad.csv"), &text).expect("there is room for it");
        let flags = "--load bad.csv --dump d.csv --json";
        assert_refused(&directory, flags, &["bad.csv", place, what]);
    }
}

#[test]
fn a_limit_that_is_too_small() {
    let directory = directory();
    assert_refused(&directory, "--entities 400001 --storage fixed", &["400001", "400000"]);
    let mut text = HEADER.to_owned();
    for id in 0..=400_000 {
        text.push_str(&ROW.replacen('0', &id.to_string(), 1));
    }
    fs::write(directory.path().join("many.csv"), text).expect("there is room for it");
    let parts = ["many.csv", "400001", "400000"];
    assert_refused(&directory, "--load many.csv --storage fixed", &parts);
}

#[test]
fn destinations_that_take_no_files() {
    let directory = directory();
    let one_disc = "--entities 1 --frames 1 --json";
    assert_refused(&directory, &format!("{one_disc} --dump ."), &["error: "]);
    let parts = ["missing/d.csv", "there is no directory missing"];
    assert_refused(&directory, &format!("{one_disc} --dump missing/d.csv"), &parts);
    fs::write(directory.path().join("file"), "").expect("there is room for it");
    assert_refused(&directory, "--entities 1 --frames 1 --out file/below", &["file/below"]);
    assert_refused(&directory, "--entities 1 --out . --gif file/film.gif", &["film.gif"]);
}

#[test]
fn two_results_in_one_file() {
    let directory = directory();
    let one_disc = "--entities 1 --frames 1 --out .";
    for (flags, parts) in [
        ("--dump x --gif x", ["--dump", "--gif"]),
        ("--dump x --gif ./x", ["--dump", "--gif"]),
        ("--dump particles.png", ["--dump", "picture"]),
        ("--dump ./particles-chart.png", ["--dump", "picture"]),
        ("--gif particles.png", ["--gif", "picture"]),
    ] {
        assert_refused(&directory, &format!("{one_disc} {flags}"), &parts);
    }
    let output = particles(directory.path(), &format!("{one_disc} --dump churn-chart.png"));
    assert!(output.status.success(), "nothing else is written there");
}

#[test]
fn help_and_version_are_no_errors() {
    let directory = directory();
    for flags in ["--help", "--version"] {
        let output = particles(directory.path(), flags);
        assert!(output.status.success() && output.stderr.is_empty() && !output.stdout.is_empty());
    }
}
