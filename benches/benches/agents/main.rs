//! Five agent-based models, each in plain vectors on one thread and through the library: Schelling's segregation, a flock
//! of boids, an epidemic, wolves and sheep on grass, and Conway's life.
//!
//! Both forms of a model compute the same states, bit for bit, on one thread and on two: that is tested before each
//! measurement. `cargo bench -p benches --bench agents -- life` measures only the models whose names begin with a word.

mod boids;
mod life;
mod measure;
mod random;
mod schelling;
mod sir;
mod wolf_sheep;

use measure::Report;

fn main() {
    benches::host::beside(|| {
        let report = Report::new();
        schelling::measure(&report);
        boids::measure(&report);
        sir::measure(&report);
        wolf_sheep::measure(&report);
        life::measure(&report);
    });
}
