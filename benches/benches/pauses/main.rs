//! Frames with a pause after each, in which the threads of a pool fall asleep: whether two of them are ever slower than one.

mod worlds;

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ecs_core::Threads;
use rayon::ThreadPoolBuilder;

use worlds::{PROGRAMS, Program};

/// Whether everything is to be run just once, to see that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// Microseconds, the middle one.
fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Microseconds of a frame of each program, in turns of so many frames.
fn measure<const N: usize>(
    programs: &mut [Program; N],
    pause: Duration,
    turns: u32,
    frames: u32,
) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    for turn in 0..2 * turns {
        for (program, times) in programs.iter_mut().zip(&mut times) {
            for _ in 0..frames {
                let start = Instant::now();
                program.frame();
                // In the first half it is found out what pays.
                if turn >= turns {
                    times.push(start.elapsed().as_secs_f64() * 1e6);
                }
                sleep(pause);
            }
        }
    }
    times.map(|mut times| median(&mut times))
}

fn pool(builder: ThreadPoolBuilder) -> Threads {
    Threads::Pool(Arc::new(builder.num_threads(2).build().expect("threads can be started")))
}

fn main() {
    let entered = pool(ThreadPoolBuilder::new());
    let joined = pool(ThreadPoolBuilder::new().use_current_thread());
    println!(
        "µs a frame, median; *among them*: the thread that takes steps is one of the pool's\n"
    );
    println!(
        "| program | entities | pause, ms | one | two | two, among them | two / one | among them / one |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, program) in PROGRAMS {
        for entities in [1_000, 10_000, 30_000, 100_000, 300_000] {
            for (pause, turns, frames) in [(0, 10, 100), (1, 400, 1)] {
                let (turns, frames) = if is_test() { (1, 1) } else { (turns, frames) };
                let threads = [Threads::Inline, entered.clone(), joined.clone()];
                let mut programs = threads.map(|threads| program(entities, threads));
                let length = Duration::from_millis(pause);
                let [one, two, among] = measure(&mut programs, length, turns, frames);
                let (ratio, other) = (two / one, among / one);
                println!(
                    "| {name} | {entities} | {pause} | {one:.1} | {two:.1} | {among:.1} | {ratio:.2} | {other:.2} |"
                );
            }
        }
    }
}
