//! The particle simulation, written directly from the table of its systems: one system after the
//! other, one thread, a grid of vectors.

use super::refill;
use ecs_examples::particles::{BOX_HEIGHT, BOX_WIDTH, CELL_SIZE, Disc, FRAME_SECONDS, SPARE_CELLS};
use ecs_examples::simulation::{FrameReport, ParticleWorld, Simulation, SimulationError};

/// Living discs with their ids, by row.
pub(crate) struct NaiveParticles {
    discs: Vec<(u32, Disc)>,
}

struct Contact {
    first: usize,
    second: usize,
    distance: f32,
}

impl NaiveParticles {
    pub(crate) fn new(discs: impl IntoIterator<Item = Disc>) -> Self {
        Self { discs: (0..).zip(discs).collect() }
    }

    fn accelerate(&mut self) {
        for (_, disc) in &mut self.discs {
            for axis in 0..2 {
                disc.velocity[axis] += disc.acceleration[axis] * FRAME_SECONDS;
            }
        }
    }

    fn advance(&mut self) {
        for (_, disc) in &mut self.discs {
            for axis in 0..2 {
                disc.position[axis] += disc.velocity[axis] * FRAME_SECONDS;
            }
        }
    }

    fn keep_in_bounds(&mut self) {
        for (_, disc) in &mut self.discs {
            for (axis, size) in [BOX_WIDTH, BOX_HEIGHT].into_iter().enumerate() {
                if disc.position[axis] - disc.radius < 0.0 {
                    disc.position[axis] = disc.radius;
                    disc.velocity[axis] = -disc.velocity[axis];
                } else if disc.position[axis] + disc.radius > size {
                    disc.position[axis] = size - disc.radius;
                    disc.velocity[axis] = -disc.velocity[axis];
                }
            }
        }
    }

    /// The cells, by column and row; each lists its discs in ascending order.
    fn partition(&self) -> Vec<Vec<Vec<usize>>> {
        let cells = |size: f32| (size / CELL_SIZE).ceil() as usize + 2 * SPARE_CELLS;
        let mut grid = vec![vec![Vec::new(); cells(BOX_HEIGHT)]; cells(BOX_WIDTH)];
        for (index, (_, disc)) in self.discs.iter().enumerate() {
            for column in covered(disc.position[0], disc.radius) {
                for row in covered(disc.position[1], disc.radius) {
                    grid[column][row].push(index);
                }
            }
        }
        grid
    }

    fn collide(&self, grid: &[Vec<Vec<usize>>]) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for (first, (_, disc)) in self.discs.iter().enumerate() {
            let [column, row] = disc.position.map(|place| cell(place / CELL_SIZE));
            for &second in &grid[column][row] {
                if second >= first {
                    continue;
                }
                let other = &self.discs[second].1;
                let distance = length(difference(other.position, disc.position));
                if distance <= disc.radius + other.radius {
                    contacts.push(Contact { first, second, distance });
                }
            }
        }
        contacts
    }

    fn solve(&mut self, contacts: &[Contact]) {
        for contact in contacts {
            let mut disc = self.discs[contact.first].1;
            let mut other = self.discs[contact.second].1;
            std::mem::swap(&mut disc.velocity, &mut other.velocity);
            let between = difference(other.position, disc.position);
            let distance = length(between);
            let normal =
                if distance == 0.0 { [1.0, 0.0] } else { between.map(|part| part / distance) };
            let overlap = (disc.radius + other.radius) - contact.distance;
            for (axis, part) in normal.into_iter().enumerate() {
                let push = part * overlap * 0.6;
                disc.position[axis] -= push;
                other.position[axis] += push;
            }
            self.discs[contact.first].1 = disc;
            self.discs[contact.second].1 = other;
        }
    }

    fn age_and_fade(&mut self) {
        for (_, disc) in &mut self.discs {
            disc.life -= FRAME_SECONDS;
            disc.color[3] = (disc.life * 10.0) as u8;
        }
        let discs = self.discs.drain(..);
        let mut rows = discs.map(|disc| (disc.1.life > 0.0).then_some(disc)).collect();
        refill(&mut rows);
        self.discs.extend(rows.into_iter().flatten());
    }
}

impl Simulation for NaiveParticles {
    fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        self.accelerate();
        self.advance();
        self.keep_in_bounds();
        let contacts = self.collide(&self.partition());
        self.solve(&contacts);
        self.age_and_fade();
        Ok(FrameReport { contacts: contacts.len() as u64 })
    }

    fn alive(&self) -> usize {
        self.discs.len()
    }
}

impl ParticleWorld for NaiveParticles {
    fn for_each_disc(&self, visit: &mut dyn FnMut(u32, &Disc)) {
        for (id, disc) in &self.discs {
            visit(*id, disc);
        }
    }
}

/// The cells on one axis that contain a disc with its centre at `place`.
fn covered(place: f32, radius: f32) -> std::ops::RangeInclusive<usize> {
    cell((place - radius) / CELL_SIZE)..=cell((place + radius) / CELL_SIZE + 1.0)
}

fn cell(place: f32) -> usize {
    // Casting truncates towards zero, and no disc is more than a cell outside the box.
    usize::try_from(place as i32).expect("the disc has left the box") + SPARE_CELLS
}

fn difference(from: [f32; 2], what: [f32; 2]) -> [f32; 2] {
    [from[0] - what[0], from[1] - what[1]]
}

fn length(vector: [f32; 2]) -> f32 {
    (vector[0] * vector[0] + vector[1] * vector[1]).sqrt()
}
