//! Frames with a pause after each, in which the threads of a pool fall asleep: compares two threads with one.

mod worlds;

use benches::host;
use std::sync::Arc;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use ecs_core::Threads;
use rayon::ThreadPoolBuilder;

use worlds::{Make, PROGRAMS};

/// Whether each program runs once only, to show that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// The median, in microseconds.
fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn pool(builder: ThreadPoolBuilder) -> Threads {
    Threads::Pool(Arc::new(builder.num_threads(2).build().expect("threads can be started")))
}

/// Makes a pool of two threads; the calling thread is one of them or not.
type MakePool = fn() -> Threads;

/// The times in microseconds of a frame on one thread and on two, which alternate every `frames` frames. It runs on a
/// new thread.
fn measure(
    make: Make,
    entities: u32,
    two: MakePool,
    pause: Duration,
    (turns, frames): (u32, u32),
) -> [f64; 2] {
    let on_thread = move || {
        let mut programs = [Threads::Inline, two()].map(|threads| make(entities, threads));
        let mut times = [Vec::new(), Vec::new()];
        for turn in 0..2 * turns {
            for (program, times) in programs.iter_mut().zip(&mut times) {
                for _ in 0..frames {
                    let start = Instant::now();
                    program.frame();
                    let time = start.elapsed();
                    // The first half is the calibration of adaptive parallelism, and is not timed.
                    if turn >= turns {
                        times.push(time.as_secs_f64() * 1e6);
                    }
                    sleep(pause);
                }
            }
        }
        times.map(|mut times| median(&mut times))
    };
    spawn(on_thread).join().expect("no program panics")
}

fn main() {
    host::beside(table);
}

fn table() {
    let entered: MakePool = || pool(ThreadPoolBuilder::new());
    let joined: MakePool = || pool(ThreadPoolBuilder::new().use_current_thread());
    println!("µs a frame, median; *entered*: the thread that takes steps is none of the pool's;");
    println!("*among them*: it is\n");
    println!(
        "| program | entities | pause, ms | one | two, entered | ratio | one | two, among them | ratio |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, program) in PROGRAMS {
        for entities in [1_000, 10_000, 30_000, 100_000, 300_000] {
            for (pause, turns) in [(0, (10, 100)), (1, (400, 1))] {
                let turns = if is_test() { (1, 1) } else { turns };
                print!("| {name} | {entities} | {pause} |");
                for pool in [entered, joined] {
                    let pause = Duration::from_millis(pause);
                    let [one, two] = measure(program, entities, pool, pause, turns);
                    print!(" {one:.1} | {two:.1} | {:.2} |", two / one);
                }
                println!();
            }
        }
    }
}
