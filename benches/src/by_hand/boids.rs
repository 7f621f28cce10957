//! A flock of boids in plain vectors, with a dense grid by counting sort: the positions and velocities of a cell's
//! boids follow one another, and so do the cells of a column.

use super::threads::{Threads, cut, each};
use crate::flock::{CELL, Seen, Vector, advance, side};

/// The flock.
#[derive(Debug)]
pub struct Boids {
    threads: Threads,
    parts: usize,
    side: f32,
    positions: Vec<Vector>,
    velocities: Vec<Vector>,
    steering: Vec<Vector>,
    grid: Grid,
}

#[derive(Debug)]
struct Grid {
    /// The cells on a side, with one more at either end, so that each has neighbours.
    width: usize,
    /// For each cell the number of boids in the cells before it.
    starts: Vec<u32>,
    cells: Vec<u32>,
    sorted: Vec<(Vector, Vector)>,
}

impl Grid {
    /// The cell that a boid belongs to: outside of the square, the nearest one.
    #[inline]
    fn cell(&self, position: Vector) -> usize {
        let scale = 1.0 / f64::from(CELL);
        let last = self.width as u32 - 3;
        let [x, y] = position.map(|at| ((f64::from(at) * scale) as u32).min(last));
        (x as usize + 1) * self.width + y as usize + 1
    }

    /// Sorts the boids by cell.
    fn sort(&mut self, positions: &[Vector], velocities: &[Vector]) {
        self.starts.fill(0);
        self.cells.clear();
        for &position in positions {
            let cell = self.cell(position);
            self.cells.push(cell as u32);
            self.starts[cell + 2] += 1;
        }
        for cell in 2..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        for ((&cell, &position), &velocity) in self.cells.iter().zip(positions).zip(velocities) {
            let end = &mut self.starts[cell as usize + 1];
            self.sorted[*end as usize] = (position, velocity);
            *end += 1;
        }
    }

    /// What a boid sees.
    #[inline]
    fn seen(&self, own: Vector) -> Seen {
        let (cell, mut seen) = (self.cell(own), Seen::default());
        for column in [cell - self.width, cell, cell + self.width] {
            let (start, end) = (self.starts[column - 1], self.starts[column + 2]);
            for &(position, velocity) in &self.sorted[start as usize..end as usize] {
                seen.add(own, position, velocity);
            }
        }
        seen
    }
}

impl Boids {
    /// The flock of these boids, on this number of threads.
    #[must_use]
    pub fn new(boids: &[(Vector, Vector)], threads: usize) -> Self {
        let side = side(boids.len());
        let width = (f64::from(side) / f64::from(CELL)).ceil() as usize + 2;
        Self {
            threads: Threads::new(threads),
            parts: threads,
            side,
            positions: boids.iter().map(|boid| boid.0).collect(),
            velocities: boids.iter().map(|boid| boid.1).collect(),
            steering: vec![[0.0; 2]; boids.len()],
            grid: Grid {
                width,
                starts: vec![0; width * width + 2],
                cells: Vec::new(),
                sorted: vec![([0.0; 2], [0.0; 2]); boids.len()],
            },
        }
    }

    /// One step of all boids.
    pub fn step(&mut self) {
        let Self { threads, parts, side, positions, velocities, steering, grid } = self;
        threads.run(|| {
            grid.sort(positions, velocities);
            let (mut from, mut slices) = (0, Vec::new());
            for slice in cut(steering, *parts) {
                let len = slice.len();
                slices.push((from, slice));
                from += len;
            }
            each(slices.into_iter(), |(from, slice)| {
                let own = positions[from..].iter().zip(&velocities[from..]);
                for ((&position, &velocity), steering) in own.zip(slice) {
                    *steering = grid.seen(position).steering(position, velocity);
                }
            });
            let all =
                cut(positions, *parts).zip(cut(velocities, *parts)).zip(cut(steering, *parts));
            let all: Vec<_> = all.collect();
            each(all.into_iter(), |((positions, velocities), steering)| {
                let all = positions.iter_mut().zip(velocities).zip(steering);
                all.for_each(|((p, v), &mut s)| advance(p, v, s, *side));
            });
        });
    }

    /// The positions.
    #[must_use]
    pub fn positions(&self) -> &[Vector] {
        &self.positions
    }
}
