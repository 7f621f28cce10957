//! Measures contenders in processes of their own.

use std::io::{BufWriter, Write as _, stdout};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Contender;
use crate::frame::summary::Summary;
use crate::rows::Row;

/// The game in a library.
pub(crate) trait Game {
    /// Executes all systems once.
    fn frame(&mut self);

    /// The summary of the state.
    fn summary(&mut self) -> Summary;
}

/// The environment variable that holds the task of a process.
const TASK: &str = "FRAME_TASK";

/// The frames before those that are timed: memory is allocated, and the library calibrates its parallelism.
const WARM_UP: u32 = 100;

/// What a process measures.
pub(crate) struct Task {
    pub(crate) contender: String,
    row: Row,
    frames: u32,
}

impl Task {
    /// The task of this process, if it was started for one.
    pub(crate) fn of_this_process() -> Option<Self> {
        let text = std::env::var(TASK).ok()?;
        let parts: Vec<&str> = text.split(';').collect();
        let [contender, entities, threads, pause, frames] = parts[..] else {
            panic!("{text} is no task");
        };
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let pause = Duration::from_millis(number(pause).into());
        let row = Row { entities: number(entities), threads: number(threads) as usize, pause };
        Some(Self { contender: contender.to_owned(), row, frames: number(frames) })
    }

    /// Plays the game, and writes the summary after the first frames, the times of the others in nanoseconds, on one
    /// thread without those for which it waited for a processor, and the sum of these.
    pub(crate) fn carry_out(&self, make: fn(u32, usize) -> Box<dyn Game>) {
        let mut game = make(self.row.entities, self.row.threads);
        let mut waited = Duration::ZERO;
        let mut frame = |game: &mut dyn Game| {
            let before = waits();
            let start = Instant::now();
            game.frame();
            let time = start.elapsed();
            // On several threads this one may wait while others work, so that its waiting is no loss.
            let is_alone = self.row.threads == 1;
            let wait = if is_alone { waits().saturating_sub(before) } else { Duration::ZERO };
            if !self.row.pause.is_zero() {
                sleep(self.row.pause);
            }
            waited += wait;
            time.saturating_sub(wait)
        };
        for _ in 0..WARM_UP {
            frame(&mut *game);
        }
        let summary = game.summary();
        let times: Vec<Duration> = (0..self.frames).map(|_| frame(&mut *game)).collect();
        let mut out = BufWriter::new(stdout().lock());
        writeln!(out, "{summary:?}\n{}", waited.as_nanos()).expect("it is read");
        for time in times {
            writeln!(out, "{}", time.as_nanos()).expect("it is read");
        }
        // The process ends here. flecs 4.1 sometimes crashes when it frees a world that has run on two threads.
        std::mem::forget(game);
    }

    /// Starts a process that carries it out: the summary, and in milliseconds, how long it
    /// waited, and the times of frames.
    fn in_a_process(&self) -> (String, f64, Vec<f64>) {
        let Self { contender, row, frames } = self;
        let pause = row.pause.as_millis();
        let task = format!("{contender};{};{};{pause};{frames}", row.entities, row.threads);
        let program = std::env::current_exe().expect("this program is a file");
        let output = Command::new(program).env(TASK, &task).output().expect("it can be started");
        assert!(output.status.success(), "{task}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("numbers are text");
        let mut lines = text.lines();
        let summary = lines.next().expect("there is a summary").to_owned();
        let mut times = lines.map(|line| line.parse::<f64>().expect("a number") / 1e6);
        let waited = times.next().expect("there is a sum");
        (summary, waited, times.collect())
    }
}

/// How long this thread has waited for a processor, because other threads used all. Zero where the system does not say it.
fn waits() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let wait = text.split_whitespace().nth(1);
    Duration::from_nanos(wait.map_or(0, |wait| wait.parse().expect("a number")))
}

/// The times of a contender's frames, in milliseconds and in ascending order.
pub(crate) struct Times {
    pub(crate) contender: &'static str,
    pub(crate) frames: Vec<f64>,
    /// How long its calling thread waited for a processor, which does not count.
    pub(crate) waited: f64,
    /// Whether it has come to another state than the first contender.
    pub(crate) differs: bool,
}

impl Times {
    /// The time within which this part of the frames ends; not a number if none counts.
    pub(crate) fn percentile(&self, part: f64) -> f64 {
        let last = self.frames.len().saturating_sub(1);
        self.frames.get((last as f64 * part).round() as usize).copied().unwrap_or(f64::NAN)
    }
}

/// A row and the times of all contenders.
pub(crate) struct Measured {
    pub(crate) row: Row,
    pub(crate) times: Vec<Times>,
}

/// Measures a row. In each round, each contender runs once.
///
/// # Panics
/// If a contender comes to another state than the first one, unless that is flecs on several threads.
pub(crate) fn in_turns(row: Row, contenders: &[Contender], frames: u32, rounds: u32) -> Measured {
    let contenders = contenders.iter().filter(|contender| contender.threads <= row.threads);
    let mut times: Vec<Times> = contenders
        .map(|contender| Times {
            contender: contender.name,
            frames: Vec::new(),
            waited: 0.0,
            differs: false,
        })
        .collect();
    let mut expected = None;
    for _ in 0..rounds {
        for times in &mut times {
            let task = Task { contender: times.contender.to_owned(), row, frames };
            let (summary, waited, all) = task.in_a_process();
            let expected = expected.get_or_insert_with(|| summary.clone());
            times.differs |= &summary != expected;
            // See the module `flecs`.
            let may_differ = times.contender == "flecs" && row.threads > 1;
            assert!(!times.differs || may_differ, "{}: {}", row.name(), times.contender);
            times.frames.extend(all);
            times.waited += waited;
        }
    }
    for times in &mut times {
        times.frames.sort_unstable_by(f64::total_cmp);
    }
    eprintln!("{}: measured", row.name());
    Measured { row, times }
}
