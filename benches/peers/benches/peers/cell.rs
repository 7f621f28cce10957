//! A cell: one form of one contender in one row, in a process of its own.

use crate::contenders::CONTENDERS;
use crate::quiet::{self, Rounds};
use crate::rows::{Contender, Row, Summary};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The first argument of the process of a cell. Its row, contender and form follow, and the least probe of late.
pub(crate) const FLAG: &str = "--cell";

/// Settings of the processes of cells, which are those of a long-running program. Freed memory stays in the heap and is
/// used again, where the C library is glibc. Rayon's global pool has two threads.
const ENVIRONMENT: [(&str, &str); 2] = [
    (
        "GLIBC_TUNABLES",
        "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824",
    ),
    ("RAYON_NUM_THREADS", "2"),
];

/// The duration of one round, unless a single run takes longer: short, so that most rounds are not interrupted by other
/// work of the machine.
const ROUND: Duration = Duration::from_micros(300);

/// How often and how long each cell is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The rows are small, and each cell has one round.
    pub(crate) is_test: bool,
    /// The number of processes for each cell.
    pub(crate) runs: usize,
    /// The time of all rounds of a process, which takes up to eight times as long while too few count.
    pub(crate) time: Duration,
    /// The least number of rounds, and of those that count.
    pub(crate) least_rounds: usize,
}

impl Plan {
    pub(crate) fn of(arguments: &[String]) -> Self {
        let is_test = arguments.iter().any(|argument| argument == "--test");
        let is_short = std::env::var("PEERS").is_ok_and(|value| value == "short");
        let (runs, time, least_rounds) = match (is_test, is_short) {
            (true, _) => (1, 0, 1),
            (_, true) => (1, 60, 7),
            _ => (3, 350, 21),
        };
        Self { is_test, runs, time: Duration::from_millis(time), least_rounds }
    }
}

/// What the process of a cell reports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    /// The summary of the world after three runs.
    pub(crate) summary: Summary,
    /// What its rounds say, in nanoseconds.
    pub(crate) rounds: Rounds,
}

impl Report {
    fn line(&self) -> String {
        let Self { summary: Summary { count, bits }, rounds: Rounds { median, share, probe } } =
            self;
        format!("{count} {bits} {median} {share} {probe}")
    }

    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split_whitespace();
        let (count, bits) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let mut number = || parts.next()?.parse().ok();
        let rounds = Rounds { median: number()?, share: number()?, probe: number()? };
        Some(Self { summary: Summary { count, bits }, rounds })
    }
}

/// Starts the process of a cell and waits for its report.
///
/// # Panics
/// If it fails.
pub(crate) fn report(
    row: Row,
    contender: &str,
    form: &str,
    plan: Plan,
    least_probe: f64,
) -> Report {
    let program = std::env::current_exe().expect("the program has a path");
    let mut command = Command::new(program);
    let least_probe = least_probe.to_string();
    command
        .args([FLAG, row.name, contender, form, &least_probe])
        .envs(ENVIRONMENT)
        .stderr(Stdio::inherit());
    if plan.is_test {
        command.arg("--test");
    }
    let output = command.output().expect("the program can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let report = if output.status.success() { Report::parse(&text) } else { None };
    report.unwrap_or_else(|| panic!("{}: {contender}, {form}: {}", row.name, output.status))
}

/// The process of a cell: measures it and prints the report.
///
/// # Panics
/// If there is no such cell, or the probe is not a number.
pub(crate) fn run(rows: &[Row], [row, contender, form, least_probe]: [&str; 4], plan: Plan) {
    let row = rows.iter().find(|other| other.name == row).expect("it is one of the rows");
    let (_, forms) = CONTENDERS.iter().find(|(name, _)| *name == contender).expect("it is listed");
    let form = forms(*row).into_iter().find(|other| other.name == form).expect("it has the form");
    let mut contender = form.contender();
    contender.run(3);
    let summary = contender.summary();
    let least_probe = least_probe.parse().expect("it is a number");
    let rounds = rounds(&mut *contender, plan, row.work.threads(), least_probe);
    println!("{}", Report { summary, rounds }.line());
}

/// Measures rounds. Where there are several threads, a run that is not timed wakes them before each round.
fn rounds(contender: &mut dyn Contender, plan: Plan, threads: usize, least_probe: f64) -> Rounds {
    let times = if plan.is_test { 1 } else { runs_in_a_round(contender) };
    quiet::rounds(threads, plan, least_probe, || {
        if threads > 1 {
            contender.run(1);
        }
        contender.run(times).as_secs_f64() * 1e9 / f64::from(times)
    })
}

/// The number of runs that take about [`ROUND`].
fn runs_in_a_round(contender: &mut dyn Contender) -> u32 {
    let mut times = 1;
    loop {
        let took = contender.run(times);
        if took * 2 >= ROUND || times >= 1 << 20 {
            let wanted = f64::from(times) * ROUND.as_secs_f64() / took.as_secs_f64();
            return (wanted as u32).max(1);
        }
        times *= 2;
    }
}
