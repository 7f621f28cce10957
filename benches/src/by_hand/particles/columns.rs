//! The state of the simulation: a column per component.

use ecs_examples::particles::Disc;

/// Colour and circle, interleaved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) color: [u8; 4],
    pub(super) radius: f32,
}

/// All discs, without gaps.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) id: Vec<u32>,
    pub(super) position: Vec<[f32; 2]>,
    pub(super) velocity: Vec<[f32; 2]>,
    pub(super) acceleration: Vec<[f32; 2]>,
    pub(super) look: Vec<Look>,
    pub(super) life: Vec<f32>,
}

impl Columns {
    pub(super) fn new(discs: &[Disc]) -> Self {
        Self {
            id: (0..discs.len() as u32).collect(),
            position: discs.iter().map(|disc| disc.position).collect(),
            velocity: discs.iter().map(|disc| disc.velocity).collect(),
            acceleration: discs.iter().map(|disc| disc.acceleration).collect(),
            look: discs
                .iter()
                .map(|disc| Look { color: disc.color, radius: disc.radius })
                .collect(),
            life: discs.iter().map(|disc| disc.life).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.id.len()
    }

    pub(super) fn disc(&self, row: usize) -> (u32, Disc) {
        let disc = Disc {
            position: self.position[row],
            velocity: self.velocity[row],
            acceleration: self.acceleration[row],
            color: self.look[row].color,
            radius: self.look[row].radius,
            life: self.life[row],
        };
        (self.id[row], disc)
    }

    /// Removes the rows in `rows` (ascending): the last ones move into the gaps, the lowest first.
    pub(super) fn remove(&mut self, mut rows: &[u32]) {
        while let Some((&gap, later)) = rows.split_first() {
            let last = self.len() - 1;
            if rows.ends_with(&[last as u32]) {
                rows = &rows[..rows.len() - 1];
            } else {
                rows = later;
                self.copy(last, gap as usize);
            }
            self.truncate(last);
        }
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.id[to] = self.id[from];
        self.position[to] = self.position[from];
        self.velocity[to] = self.velocity[from];
        self.acceleration[to] = self.acceleration[from];
        self.look[to] = self.look[from];
        self.life[to] = self.life[from];
    }

    fn truncate(&mut self, len: usize) {
        self.id.truncate(len);
        self.position.truncate(len);
        self.velocity.truncate(len);
        self.acceleration.truncate(len);
        self.look.truncate(len);
        self.life.truncate(len);
    }
}
