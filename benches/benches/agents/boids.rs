//! Boids: [`benches::flock`] in plain vectors with a dense grid by counting sort ([`benches::by_hand::boids`]), and through
//! the library with a query that has the same grid.

use benches::boids::{of_20_000, of_200_000, of_500};
use benches::by_hand;
use benches::flock::{Vector, boids};

use super::measure::{Course, Model, Report};

impl Model for by_hand::boids::Boids {
    type State = Vec<Vector>;

    fn step(&mut self) -> usize {
        by_hand::boids::Boids::step(self);
        self.positions().len()
    }

    fn state(&self) -> Vec<Vector> {
        self.positions().to_vec()
    }
}

macro_rules! model {
    ($($name:ident),+) => {$(
        impl Model for $name::Boids {
            type State = Vec<Vector>;

            fn step(&mut self) -> usize {
                $name::Boids::step(self);
                $name::BOIDS
            }

            fn state(&self) -> Vec<Vector> {
                self.positions()
            }
        }
    )+};
}

model!(of_500, of_20_000, of_200_000);

pub(crate) fn measure(report: &Report) {
    macro_rules! compare {
        ($title:literal, $name:ident, $steps:literal, $rounds:literal) => {{
            let boids = boids($name::BOIDS);
            let course = Course { first: 5, steps: $steps, rounds: $rounds };
            let plain = || by_hand::boids::Boids::new(&boids, 1);
            report.compare($title, course, plain, |threads| $name::Boids::new(&boids, threads));
        }};
    }
    if report.is_test() {
        compare!("boids, 500", of_500, 1, 1);
        return;
    }
    compare!("boids, 20 000", of_20_000, 4, 20);
    compare!("boids, 200 000", of_200_000, 1, 8);
}
