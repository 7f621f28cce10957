//! `changes`: a million entities, of which a system writes none, 1 % or all, and a second one reads those that have changed:
//! in the library, in `bevy_ecs` and in plain vectors.
//!
//! `cargo bench --bench changes` prints milliseconds of a step with both systems. `-- --test` runs each contender for a few
//! steps with few entities, and compares the sums.
//!
//! Each figure comes from processes of its own, so that no contender empties the caches of another one: the least of the medians
//! of three processes, in which 101 steps are timed. The contenders run one after the other, three times.

mod bevy;
mod by_hand;
mod library;

use std::process::{Command, Stdio};
use std::time::Instant;

/// Timed steps of a process.
const STEPS: usize = 101;
/// Processes for each figure.
const PROCESSES: usize = 3;
/// The first argument of such a process. The number of its contender and the share follow.
const FLAG: &str = "--cell";
/// How many of a hundred entities are written.
const SHARES: [u32; 3] = [0, 1, 100];

/// Whether an entity is written in a step.
#[inline]
fn is_due(number: u32, share: u32) -> bool {
    number % 100 < share
}

/// A program with both systems.
trait Contender {
    /// Runs one step, which writes such a share of the entities.
    fn step(&mut self, share: u32);
    /// The sum of the values that have changed in the last step.
    fn sum(&self) -> u64;
}

struct Row {
    name: &'static str,
    make: fn(u32) -> Box<dyn Contender>,
}

const ROWS: [Row; 4] = [
    Row { name: "by hand, a bit for each", make: by_hand::new },
    Row { name: "library, one thread", make: library::on_one },
    Row { name: "library, two threads", make: library::on_two },
    Row { name: "bevy, one thread", make: bevy::new },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    if let [flag, row, share, ..] = &arguments[..]
        && flag == FLAG
    {
        let row: usize = row.parse().expect("it is a number");
        let share = share.parse().expect("it is a number");
        let (time, sum) = measure(&ROWS[row], share, is_test);
        println!("{time} {sum}");
        return;
    }
    let mut times = [[f64::INFINITY; SHARES.len()]; ROWS.len()];
    for _ in 0..if is_test { 1 } else { PROCESSES } {
        for (column, share) in SHARES.into_iter().enumerate() {
            let mut expected = None;
            for (at, row) in ROWS.iter().enumerate() {
                let (time, sum) = in_a_process(at, share, is_test);
                assert_eq!(*expected.get_or_insert(sum), sum, "{}", row.name);
                times[at][column] = times[at][column].min(time);
            }
        }
    }
    println!("| ms | none | 1 % | all |");
    println!("| --- | ---: | ---: | ---: |");
    for (row, [none, some, all]) in ROWS.iter().zip(times) {
        println!("| {} | {none:.3} | {some:.3} | {all:.3} |", row.name);
    }
}

/// The median of a step in milliseconds, and the sum of what has changed in the last one.
fn measure(row: &Row, share: u32, is_test: bool) -> (f64, u64) {
    let (entities, steps) = if is_test { (10_000, 2) } else { (1_000_000, STEPS) };
    let mut contender = (row.make)(entities);
    // In the first step, every entity is new.
    contender.step(share);
    let mut times = Vec::new();
    for _ in 0..steps {
        let start = Instant::now();
        contender.step(share);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], contender.sum())
}

/// What a process of its own measures.
fn in_a_process(row: usize, share: u32, is_test: bool) -> (f64, u64) {
    let program = std::env::current_exe().expect("this program is a file");
    let mut command = Command::new(program);
    command.args([FLAG, &row.to_string(), &share.to_string()]).stderr(Stdio::inherit());
    if is_test {
        command.arg("--test");
    }
    let output = command.output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let report = text.trim().split_once(' ');
    let report = report.and_then(|(time, sum)| Some((time.parse().ok()?, sum.parse().ok()?)));
    report.unwrap_or_else(|| panic!("{}, {share} %: {}", ROWS[row].name, output.status))
}
