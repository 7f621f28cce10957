//! `skip`: what a step costs for each system that does not run, since its condition or a state skips it.
//!
//! `cargo bench --bench skip` prints nanoseconds of a step of ten systems that run, and what each of 190 further ones that are
//! skipped adds. A figure is the median of many measurements of 1 000 steps. `-- --test` takes few.

use std::cell::RefCell;
use std::time::Instant;

#[path = "../examples/instructions/skip.rs"]
mod skip;

/// Steps of a measurement.
const STEPS: u32 = 1000;
/// Systems that are skipped.
const SKIPPED: f64 = 190.0;

thread_local! {
    /// The number of measurements of a call, and their nanoseconds of one step.
    static TIMES: RefCell<(usize, Vec<f64>)> = const { RefCell::new((0, Vec::new())) };
}

/// Measures `step`.
fn steadily(mut step: impl FnMut()) {
    TIMES.with_borrow_mut(|(count, times)| {
        for number in 0..=*count {
            let start = Instant::now();
            (0..STEPS).for_each(|_| step());
            // The first steps allocate.
            if number > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS));
            }
        }
    });
}

/// The median of all measurements of the case.
fn measure(case: fn(), rounds: usize) -> f64 {
    TIMES.set((rounds, Vec::new()));
    case();
    let (_, mut times) = TIMES.take();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let rounds = if is_test { 3 } else { 501 };
    println!("| systems that are skipped | step, ns | for each, ns |");
    println!("| --- | ---: | ---: |");
    let none = measure(skip::none_of_ten, rounds);
    println!("| none | {none:.0} | |");
    let cases: [(&str, fn()); 3] = [
        ("190, by one condition", skip::by_one_condition),
        ("190, each by a condition of its own", skip::each_by_its_own),
        ("190, by a state", skip::by_state),
    ];
    for (name, case) in cases {
        let step = measure(case, rounds);
        println!("| {name} | {step:.0} | {:.2} |", (step - none) / SKIPPED);
    }
}
