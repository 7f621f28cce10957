//! Times of two forms of one program, which alternate.

use std::time::{Duration, Instant};

/// The best times of `one` and `other` in `rounds` rounds, in which they alternate, so that both run under
/// the same conditions.
pub fn best_of(
    rounds: usize,
    mut one: impl FnMut(),
    mut other: impl FnMut(),
) -> (Duration, Duration) {
    let time = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed()
    };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        best.0 = best.0.min(time(&mut one));
        best.1 = best.1.min(time(&mut other));
    }
    best
}

/// Prints the two times and their ratio.
pub fn report(title: &str, one: (&str, Duration), other: (&str, Duration)) {
    println!(
        "{title}: {} {:?}, {} {:?}, ratio {:.2}",
        one.0,
        one.1,
        other.0,
        other.1,
        one.1.as_secs_f64() / other.1.as_secs_f64()
    );
}
